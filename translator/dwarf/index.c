/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout of an index:
 *
 *   head | copies | units | files | names
 *
 * The walk enters functions and the blocks in them, and nothing else: types are skipped.
 */
#include "dwarf/index.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/scopenames.h"
#include "dwarf/scopes.h"
#include "dwarf/threadsymbols.h"
#include "dwarf/unitparts.h"
#include "dwarf/units.h"
#include "formats/file.h"
#include "kernel/factcache.h"
#include "lib/error.h"
#include "lib/hashmap.h"

#define MAX_NESTING 256
#define MAX_LINE    0xfffffff
#define MAGIC	    "stapdwE"

struct index_head {
	char magic[8];
	uint64_t copies, units, files, names_len;
};

/*
 * Copies and names come by the ten thousand: these lists are freed when the index is
 * written.
 */
#define GROW(list, item)                                                                           \
	do {                                                                                       \
		if ((list)->count == (list)->room) {                                               \
			(list)->room = (list)->room ? (list)->room * 2 : 1024;                     \
			(list)->data =                                                             \
				realloc((list)->data, (list)->room * sizeof(*(list)->data));       \
			if (!(list)->data)                                                         \
				abort();                                                           \
		}                                                                                  \
		(list)->data[(list)->count++] = (item);                                            \
	} while (0)

struct maker {
	struct session *s;
	struct dwarf_file *file;
	uint64_t base; /* of a part of the file: added to the offsets of its DIEs */
	struct arena *arena;
	struct {
		struct index_copy *data;
		size_t count, room;
	} copies;
	struct {
		struct index_unit *data;
		size_t count, room;
	} units;
	struct {
		const char **data;
		size_t count, room;
	} files;
	struct {
		char *data;
		size_t count, room;
	} names;
	struct hashmap name_offsets; /* text -> offset + 1 */
	struct hashmap file_numbers; /* text -> number + 1 */
	struct scope_names scopes;
};

static uint32_t name_offset(struct maker *m, const char *text)
{
	void *known = hashmap_get(&m->name_offsets, text);

	if (known)
		return (uint32_t)(uintptr_t)known - 1;

	size_t at = m->names.count;

	for (const char *c = text; *c; c++)
		GROW(&m->names, *c);
	GROW(&m->names, 0);
	hashmap_put(&m->name_offsets, arena_strdup(m->arena, text), (void *)(uintptr_t)(at + 1));
	return (uint32_t)at;
}

static uint32_t file_number(struct maker *m, const char *path)
{
	void *known = hashmap_get(&m->file_numbers, path);

	if (known)
		return (uint32_t)(uintptr_t)known - 1;
	path = arena_strdup(m->arena, path); /* libdw's is gone with its part of the file */
	GROW(&m->files, path);
	hashmap_put(&m->file_numbers, path, (void *)(uintptr_t)m->files.count);
	return (uint32_t)m->files.count - 1;
}

/* ---- the walk ---- */

static uint64_t id_of(const struct maker *m, Dwarf_Die *die)
{
	return units_id(m->file, die) + m->base;
}

static void add_copy(struct maker *m, Dwarf_Die *die, Dwarf_Off frame)
{
	struct index_copy c = { .die = id_of(m, die), .frame = frame };
	const char *name = dwarf_diename(die), *file;
	unsigned line;

	if (!name || !scopes_entry(die, &c.address) || !c.address)
		return;
	scopes_declared(die, c.address, &file, &line);
	c.name = name_offset(m, name);
	c.scope = name_offset(m, scopenames_find(&m->scopes, die));
	c.file = file_number(m, file ? file : "");
	c.line = line & MAX_LINE;
	c.flags = (dwarf_tag(die) == DW_TAG_inlined_subroutine ? COPY_INLINED : 0) |
		  (dwarf_hasattr_integrate(die, DW_AT_external) ? COPY_EXTERNAL : 0);
	GROW(&m->copies, c);
}

/*
 * True: the compiler has put the variable's value into all places that use it.
 */
static bool has_constant(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;

	if (!dwarf_attr_integrate(die, DW_AT_const_value, &attr) || dwarf_formsdata(&attr, &value))
		return false;
	*ret = (uint64_t)value;
	return true;
}

/*
 * Adds a variable of the file or of a namespace; a variable that is only declared has
 * neither address nor value.
 */
static void add_variable(struct maker *m, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die), *file;
	struct index_copy c = { .die = id_of(m, die),
				.frame = id_of(m, die),
				.flags = COPY_VARIABLE };
	int line = 0;

	if (!name)
		return;
	if (scopes_thread_offset(die, &c.address))
		c.flags |= COPY_THREAD;
	else if (scopes_static_address(die, &c.address))
		;
	else if (has_constant(die, &c.address))
		c.flags |= COPY_CONSTANT;
	else if (threadsymbols_offset(m->s, m->file, die, &c.address))
		c.flags |= COPY_THREAD;
	else
		return;
	file = scopes_decl_file(die);
	dwarf_decl_line(die, &line);
	c.name = name_offset(m, name);
	c.scope = name_offset(m, scopenames_find(&m->scopes, die));
	c.file = file_number(m, file ? file : "");
	c.line = (uint32_t)line & MAX_LINE;
	c.flags |= dwarf_hasattr_integrate(die, DW_AT_external) ? COPY_EXTERNAL : 0;
	GROW(&m->copies, c);
}

static void walk(struct maker *m, Dwarf_Die *die, Dwarf_Off frame, unsigned depth)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(die, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			add_copy(m, &child, id_of(m, &child));
			walk(m, &child, id_of(m, &child), depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			add_copy(m, &child, frame);
			walk(m, &child, frame, depth + 1);
			break;
		case DW_TAG_variable:
			if (!frame)
				add_variable(m, &child);
			break;
		case DW_TAG_structure_type: /* in a function: closures have their code in it */
		case DW_TAG_class_type:
			if (frame && m->scopes.are_known)
				walk(m, &child, 0, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
			walk(m, &child, frame, depth + 1);
			break;
		}
	} while (!dwarf_siblingof(&child, &child));
}

static void add_unit(struct maker *m, Dwarf_Die *unit)
{
	Dwarf_Files *files;
	size_t n;

	scopenames_enter(&m->scopes, m->arena, unit);
	walk(m, unit, 0, 0);
	if (dwarf_tag(unit) == DW_TAG_partial_unit || dwarf_getsrcfiles(unit, &files, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		const char *path = dwarf_filesrc(files, i, NULL, NULL);
		struct index_unit u = { .die = id_of(m, unit) };

		if (!path)
			continue;
		u.file = file_number(m, path);
		GROW(&m->units, u);
	}
}

/* ---- writing ---- */

static int by_text(const void *a, const void *b, void *files)
{
	const char **names = files;

	return strcmp(names[*(const uint32_t *)a], names[*(const uint32_t *)b]);
}

static int by_name(const void *a, const void *b, void *names)
{
	const struct index_copy *x = a, *y = b;
	int order =
		x->name == y->name ? 0 : strcmp((char *)names + x->name, (char *)names + y->name);

	if (order)
		return order;
	return x->address != y->address ? (x->address < y->address ? -1 : 1)
					: (x->die > y->die) - (x->die < y->die);
}

static int by_file(const void *a, const void *b, void *unused)
{
	const struct index_unit *x = a, *y = b;

	(void)unused;
	return x->file != y->file ? (x->file < y->file ? -1 : 1)
				  : (x->die > y->die) - (x->die < y->die);
}

/*
 * Sorts files by name and renumbers them in copies and units. Returns the offsets of
 * their names.
 */
static uint32_t *sort_files(struct maker *m)
{
	uint32_t *order = arena_array(m->arena, uint32_t, m->files.count + 1);
	uint32_t *place = arena_array(m->arena, uint32_t, m->files.count + 1);

	for (uint32_t i = 0; i < m->files.count; i++)
		order[i] = i;
	qsort_r(order, m->files.count, sizeof(*order), by_text, m->files.data);
	for (uint32_t i = 0; i < m->files.count; i++)
		place[order[i]] = i;
	for (size_t i = 0; i < m->copies.count; i++)
		m->copies.data[i].file = place[m->copies.data[i].file];
	for (size_t i = 0; i < m->units.count; i++)
		m->units.data[i].file = place[m->units.data[i].file];
	for (uint32_t i = 0; i < m->files.count; i++)
		order[i] = name_offset(m, m->files.data[order[i]]);
	return order;
}

/* Drops duplicates: a unit names a file once for each directory it was found through. */
static void drop_twins(struct maker *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->units.count; i++)
		if (!kept || m->units.data[i].file != m->units.data[kept - 1].file ||
		    m->units.data[i].die != m->units.data[kept - 1].die)
			m->units.data[kept++] = m->units.data[i];
	m->units.count = kept;
}

static void put(uint8_t **at, const void *data, size_t len)
{
	if (len)
		memcpy(*at, data, len);
	*at += len;
}

static void flatten(struct maker *m, struct bytes *ret)
{
	uint32_t *files = sort_files(m);
	struct index_head head = { .magic = MAGIC,
				   .files = m->files.count,
				   .copies = m->copies.count };
	uint8_t *at;

	if (m->copies.count)
		qsort_r(m->copies.data, m->copies.count, sizeof(*m->copies.data), by_name,
			m->names.data);
	if (m->units.count)
		qsort_r(m->units.data, m->units.count, sizeof(*m->units.data), by_file, NULL);
	drop_twins(m);
	GROW(&m->names, 0);
	head.units = m->units.count;
	head.names_len = m->names.count;
	ret->len = sizeof(head) + m->copies.count * sizeof(*m->copies.data) +
		   m->units.count * sizeof(*m->units.data) + m->files.count * sizeof(*files) +
		   m->names.count;
	ret->data = at = arena_alloc(m->s->arena, ret->len);
	put(&at, &head, sizeof(head));
	put(&at, m->copies.data, m->copies.count * sizeof(*m->copies.data));
	put(&at, m->units.data, m->units.count * sizeof(*m->units.data));
	put(&at, files, m->files.count * sizeof(*files));
	put(&at, m->names.data, m->names.count);
}

static void add_units(struct maker *m)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (units_next(m->s, m->file, &cu, &die))
		if (dwarf_tag(&die) == DW_TAG_compile_unit ||
		    dwarf_tag(&die) == DW_TAG_partial_unit)
			add_unit(m, &die);
}

/* False: the file cannot be read in parts. */
static bool add_parts(struct maker *m)
{
	struct unit_parts x;

	if (!unitparts_open(m->s, m->file, &x))
		return false;
	while (unitparts_next(&x)) {
		Dwarf_CU *cu = NULL;
		Dwarf_Die die;

		m->base = x.base;
		while (!dwarf_get_units(x.dwarf, cu, &cu, NULL, NULL, &die, NULL))
			if (dwarf_tag(&die) == DW_TAG_compile_unit)
				add_unit(m, &die);
	}
	m->base = 0;
	if (unitparts_close(&x))
		return true;
	m->copies.count = m->units.count = 0;
	return false;
}

static void make(struct session *s, struct dwarf_file *f, struct bytes *ret)
{
	struct maker m = { .s = s, .file = f, .arena = arena_create() };

	hashmap_init(&m.name_offsets, m.arena);
	hashmap_init(&m.file_numbers, m.arena);
	if (!add_parts(&m))
		add_units(&m);
	flatten(&m, ret);
	free(m.copies.data);
	free(m.units.data);
	free(m.files.data);
	free(m.names.data);
	arena_destroy(m.arena);
}

/* ---- reading ---- */

static bool open_flat(struct dwarf_index *x, const struct bytes *flat)
{
	const struct index_head *h = (const void *)flat->data;
	uint64_t room = flat->len - sizeof(*h);

	if (flat->len < sizeof(*h) || memcmp(h->magic, MAGIC, sizeof(h->magic)))
		return false;
	if (h->copies > room / sizeof(*x->copies) || h->units > room / sizeof(*x->units) ||
	    h->files > room / sizeof(*x->files) || h->names_len > room || !h->names_len)
		return false;
	if (h->copies * sizeof(*x->copies) + h->units * sizeof(*x->units) +
		    h->files * sizeof(*x->files) + h->names_len !=
	    room)
		return false;
	x->copies = (const void *)(h + 1);
	x->ncopies = h->copies;
	x->units = (const void *)(x->copies + x->ncopies);
	x->nunits = h->units;
	x->files = (const void *)(x->units + x->nunits);
	x->nfiles = h->files;
	x->names = (const char *)(x->files + x->nfiles);
	x->names_len = h->names_len;
	return !x->names[x->names_len - 1];
}

/*
 * Returns NULL for a file without build-id, or with split units, which is indexed again
 * each time.
 */
static const char *cache_name(struct session *s, struct dwarf_file *f)
{
	const char *id = units_are_split(s, f) ? NULL : dwarf_cache_id(s, f);

	return id ? arena_printf(s->arena, "%s.dwarf", id) : NULL;
}

struct error *index_get(struct session *s, struct dwarf_file *f, const struct dwarf_index **ret)
{
	const char *name = cache_name(s, f);
	struct bytes flat;

	*ret = f->index;
	if (f->index)
		return NULL;

	struct dwarf_index *x = arena_new(s->arena, struct dwarf_index);

	if (!name || !factcache_get(s, name, &flat) || !open_flat(x, &flat)) {
		make(s, f, &flat);
		if (name)
			factcache_put(s, name, flat.data, flat.len);
		if (!open_flat(x, &flat))
			return error_create(s->arena, ERROR_ENVIRONMENT,
					    "%s: its debuginfo cannot be indexed", f->path);
	}
	*ret = f->index = x;
	return NULL;
}

const char *index_text(const struct dwarf_index *x, uint32_t offset)
{
	return offset < x->names_len ? x->names + offset : "";
}

const char *index_file(const struct dwarf_index *x, uint32_t file)
{
	return file < x->nfiles ? index_text(x, x->files[file]) : "";
}

static size_t bound(const struct dwarf_index *x, const char *text, size_t len, bool after)
{
	size_t low = 0, high = x->ncopies;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strncmp(index_text(x, x->copies[mid].name), text, len) < after)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void index_range(const struct dwarf_index *x, const char *text, size_t len, size_t *begin,
		 size_t *end)
{
	*begin = bound(x, text, len, false);
	*end = bound(x, text, len, true);
}
