/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions of the kernel's BTF that can be probed by name. BTF also lists
 * functions that are __init or __exit, gone after boot, and (since pahole 1.25) some
 * under a name that only exists with a suffix ("foo.isra.0"). The symbol table of the
 * kernel's image, or of the running kernel, tells which is which. The result of an image
 * is kept in the cache as one byte for each function of BTF, then a line "NAME SYMBOL"
 * for each function that has a suffix, whether BTF lists it or not, "NAME !" for each
 * that kprobes refuse, and "NAME -" for each that ftrace also leaves out.
 */
#include "kernel/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "kernel/config.h"
#include "kernel/facts.h"
#include "kernel/tree.h"
#include "lib/strbuf.h"

struct reading {
	struct session *s;
	struct btf *btf;
	const uint32_t *ids;
	size_t count;
	uint8_t *places;
	struct strbuf lines;
};

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Returns the place of the function of that name, or NULL. */
static uint8_t *place_of(struct reading *r, const char *name)
{
	uint32_t id = btf_find_function(r->btf, name);
	const uint32_t *at = id ? bsearch(&id, r->ids, r->count, sizeof(*r->ids), by_id) : NULL;

	return at ? r->places + (at - r->ids) : NULL;
}

/*
 * Records a refused function by its name without the compiler's suffix: kprobes ignore
 * suffixes.
 */
static void see_refused(struct reading *r, const char *name)
{
	strbuf_addf(&r->lines, "%.*s !\n", (int)strcspn(name, "."), name);
}

static void see_symbol(void *ctx, const char *name, char type, enum kallsyms_kind kind)
{
	struct reading *r = ctx;
	const char *dot = strchr(name, '.');
	uint8_t *place = place_of(r, name);
	bool is_init = kind == KALLSYMS_INIT;

	(void)type;
	if (kind == KALLSYMS_REFUSED || kind == KALLSYMS_NOINSTR)
		see_refused(r, name);
	if (kind == KALLSYMS_REFUSED)
		return;
	/*
	 * If two symbols have the same name, the one that stays after boot can be probed.
	 */
	if (place && (is_init ? *place == SYMBOL_ABSENT : true))
		*place = is_init ? SYMBOL_INIT : SYMBOL_TEXT;
	if (place || !dot || dot == name || is_init || strstr(dot, ".cold") || strstr(dot, ".part"))
		return;

	char *base = arena_strndup(r->s->arena, name, dot - name);

	place = place_of(r, base);
	if (place && *place == SYMBOL_ABSENT)
		*place = SYMBOL_SUFFIXED;
	strbuf_addf(&r->lines, "%s %s\n", base, name);
}

/* Without the image, the running kernel lists its symbols itself. */
static struct error *each_symbol(struct session *s, kallsyms_callback callback, void *ctx)
{
	struct bytes rodata;
	struct error *err = vmlinux_section(s, ".rodata", &rodata);

	if (err && s->kernel->is_running)
		return kallsyms_running(s->arena, callback, ctx);
	return err ? err : kallsyms_read(s->arena, &rodata, callback, ctx);
}

/* cache_name: NULL: the result is not kept. */
static struct error *read_symbols(struct session *s, struct btf *b, const char *cache_name,
				  struct bytes *ret)
{
	struct reading r = { .s = s, .btf = b };
	struct error *err;

	r.ids = btf_functions(b, &r.count);
	r.places = arena_alloc(s->arena, r.count + 1);
	memset(r.places, SYMBOL_ABSENT, r.count);
	strbuf_init(&r.lines, s->arena);
	err = each_symbol(s, see_symbol, &r);
	if (err)
		return err;

	size_t len = r.count + r.lines.len;
	uint8_t *all = arena_alloc(s->arena, len + 1);

	memcpy(all, r.places, r.count);
	memcpy(all + r.count, r.lines.s, r.lines.len);
	*ret = (struct bytes){ "the kernel's symbols", all, len };
	if (cache_name)
		factcache_put(s, cache_name, all, len);
	return NULL;
}

static void add_symbol(struct session *s, struct facts *f, const char *name, const char *symbol)
{
	const char *before = hashmap_get(&f->suffixed, name);
	const char *all = before ? arena_printf(s->arena, "%s %s", before, symbol) : symbol;

	hashmap_put(&f->suffixed, name, (void *)all);
}

static void read_lines(struct session *s, struct facts *f, const char *text, size_t len)
{
	for (const char *line = text, *end; line < text + len; line = end + 1) {
		end = memchr(line, '\n', text + len - line);

		const char *blank = end ? memchr(line, ' ', end - line) : NULL;

		if (!blank)
			return;

		const char *name = arena_strndup(s->arena, line, blank - line);
		const char *what = arena_strndup(s->arena, blank + 1, end - blank - 1);

		if (*what == '!')
			hashmap_put(&f->refused, name, (void *)what);
		else
			add_symbol(s, f, name, what);
	}
}

/*
 * Opens the table of places. Without it all functions count as present, and the kernel
 * decides when the module is loaded.
 */
static void open_places(struct session *s, struct facts *f)
{
	const char *stamp = factcache_stamp(s, kernel_place(s, TREE_IMAGE));
	const char *name =
		stamp ? arena_printf(s->arena, "%s%.32s.symbols", stamp, kernel_btf_digest(s))
		      : NULL;
	struct bytes b;
	struct btf *btf;
	size_t count;

	f->places_tried = true;
	if ((!stamp && !s->kernel->is_running) || kernel_btf(s, &btf))
		return;
	btf_functions(btf, &count);
	if ((!name || !factcache_get(s, name, &b) || b.len < count) &&
	    read_symbols(s, btf, name, &b))
		return;
	f->places = b.data;
	read_lines(s, f, (const char *)b.data + count, b.len - count);
}

enum symbol_place symbol_place(struct session *s, size_t i, const char *name, const char **symbol)
{
	struct facts *f = session_facts(s);

	if (!f->places_tried)
		open_places(s, f);
	if (!f->places)
		return SYMBOL_TEXT;
	if (f->places[i] == SYMBOL_SUFFIXED) {
		*symbol = kernel_specialised(s, name, 0);
		if (!*symbol)
			return SYMBOL_ABSENT;
	}
	return f->places[i];
}

const char *kernel_specialised(struct session *s, const char *name, size_t i)
{
	struct facts *f = session_facts(s);
	const char *list;

	if (!f->places_tried)
		open_places(s, f);
	list = f->places ? hashmap_get(&f->suffixed, name) : NULL;
	for (; list && i; i--) {
		list = strchr(list, ' ');
		if (list)
			list++;
	}
	return list ? arena_strndup(s->arena, list, strcspn(list, " ")) : NULL;
}

static bool is_refused(struct session *s, const char *name)
{
	const char *const *each = arch_of(s)->kprobes->refused;

	while (*each && strcmp(*each, name))
		each++;
	return *each;
}

bool kernel_refuses_kprobe(struct session *s, const char *symbol)
{
	struct facts *f = session_facts(s);
	const char *name = arena_strndup(s->arena, symbol, strcspn(symbol, "."));

	if (!f->places_tried)
		open_places(s, f);
	return is_refused(s, name) || (f->places && hashmap_get(&f->refused, name));
}

struct wanted {
	const char *name;
	bool found;
};

/* True: the reported symbol is a function that stays after boot. */
static bool stays(enum kallsyms_kind kind)
{
	return kind != KALLSYMS_INIT && kind != KALLSYMS_REFUSED;
}

static void compare_symbol(void *ctx, const char *name, char type, enum kallsyms_kind kind)
{
	struct wanted *w = ctx;

	(void)type;
	w->found |= stays(kind) && !strcmp(name, w->name);
}

bool kernel_has_symbol(struct session *s, const char *symbol)
{
	struct wanted w = { .name = symbol };

	return each_symbol(s, compare_symbol, &w) || w.found;
}

struct beginning {
	const char *prefix;
	void (*callback)(void *ctx, const char *name);
	void *ctx;
};

static void pass_on(void *ctx, const char *name, char type, enum kallsyms_kind kind)
{
	const struct beginning *b = ctx;

	(void)type;
	if (stays(kind) && !strncmp(name, b->prefix, strlen(b->prefix)))
		b->callback(b->ctx, name);
}

struct error *kernel_each_symbol(struct session *s, const char *prefix,
				 void (*callback)(void *ctx, const char *name), void *ctx)
{
	struct beginning b = { prefix, callback, ctx };

	return each_symbol(s, pass_on, &b);
}

/* ---- global symbols ---- */

static void see_global(void *ctx, const char *name, char type, enum kallsyms_kind kind)
{
	struct hashmap *all = ctx;

	if (kind != KALLSYMS_REFUSED && (type == 'T' || type == 'W'))
		hashmap_put(all, arena_strdup(all->arena, name), all);
}

/* Reads the global functions of the kernel, or NULL where its symbols are unknown. */
static struct hashmap *global_functions(struct session *s)
{
	struct facts *f = session_facts(s);

	if (!f->globals_tried) {
		f->globals_tried = true;
		f->globals = arena_new(s->arena, struct hashmap);
		hashmap_init(f->globals, s->arena);
		if (each_symbol(s, see_global, f->globals))
			f->globals = NULL;
	}
	return f->globals;
}

struct error *kernel_need_globals(struct session *s)
{
	return global_functions(s) ? NULL : kernel_need_exports(s);
}

bool kernel_is_global(struct session *s, const char *module, const char *symbol)
{
	const struct hashmap *all = module ? NULL : global_functions(s);

	return all ? hashmap_get(all, symbol) != NULL : kernel_exports(s, symbol);
}
