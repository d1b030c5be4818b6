/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which functions of the kernel's BTF can be probed by name. BTF also lists functions that are __init or __exit, gone
 * after boot, and (since pahole 1.25) some under a name that only exists with a suffix ("foo.isra.0"). The
 * kernel image's own symbol table tells; what it says is kept in the cache as one byte for each function of
 * BTF, then a line "NAME SYMBOL" for each that has a suffix, whether BTF lists it or not.
 */
#define _GNU_SOURCE /* strchrnul() */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "debuginfo/facts.h"
#include "debuginfo/tree.h"

struct reading {
	struct session *s;
	struct btf *btf;
	const uint32_t *ids;
	size_t count;
	uint8_t *places;
	struct strbuf suffixed;
};

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The place of the function of that name, or NULL. */
static uint8_t *place_of(struct reading *r, const char *name)
{
	uint32_t id = btf_find_function(r->btf, name);
	const uint32_t *at = id ? bsearch(&id, r->ids, r->count, sizeof(*r->ids), by_id) : NULL;

	return at ? r->places + (at - r->ids) : NULL;
}

static void see_symbol(void *ctx, const char *name, bool is_init)
{
	struct reading *r = ctx;
	const char *dot = strchr(name, '.');
	uint8_t *place = place_of(r, name);

	/* Of two symbols of one name, the one that stays can be probed. */
	if (place && (is_init ? *place == SYMBOL_ABSENT : true))
		*place = is_init ? SYMBOL_INIT : SYMBOL_TEXT;
	if (place || !dot || dot == name || is_init || strstr(dot, ".cold") || strstr(dot, ".part"))
		return;

	char *base = arena_strndup(r->s->arena, name, dot - name);

	place = place_of(r, base);
	if (place && *place != SYMBOL_ABSENT)
		return;
	if (place)
		*place = SYMBOL_SUFFIXED;
	strbuf_addf(&r->suffixed, "%s %s\n", base, name);
}

static struct error *read_image(struct session *s, struct btf *b, const char *cache_name, struct bytes *ret)
{
	struct bytes rodata;
	struct reading r = { .s = s, .btf = b };
	struct error *err = vmlinux_section(s, ".rodata", &rodata);

	if (err)
		return err;
	r.ids = btf_functions(b, &r.count);
	r.places = arena_alloc(s->arena, r.count + 1);
	memset(r.places, SYMBOL_ABSENT, r.count);
	strbuf_init(&r.suffixed, s->arena);
	err = kallsyms_read(s->arena, &rodata, see_symbol, &r);
	if (err)
		return err;

	size_t len = r.count + r.suffixed.len;
	uint8_t *all = arena_alloc(s->arena, len + 1);

	memcpy(all, r.places, r.count);
	memcpy(all + r.count, r.suffixed.s, r.suffixed.len);
	*ret = (struct bytes){ rodata.file, all, len };
	cache_put(s, cache_name, all, len);
	return NULL;
}

static void read_suffixed(struct session *s, struct facts *f, const char *text, size_t len)
{
	for (const char *line = text, *end; line < text + len; line = end + 1) {
		end = memchr(line, '\n', text + len - line);

		const char *blank = end ? memchr(line, ' ', end - line) : NULL;

		if (!blank)
			return;
		hashmap_put(&f->suffixed, arena_strndup(s->arena, line, blank - line),
			    arena_strndup(s->arena, blank + 1, end - blank - 1));
	}
}

/* What cannot be known is left to the loading of the module: all functions then count as present. */
static void open_places(struct session *s, struct facts *f)
{
	const char *stamp = cache_stamp(s, kernel_place(s, TREE_IMAGE));
	const char *name = arena_printf(s->arena, "%s.symbols", stamp);
	struct bytes b;
	struct btf *btf;
	size_t count;

	f->places_tried = true;
	if (!stamp || kernel_btf(s, &btf))
		return;
	btf_functions(btf, &count);
	if ((!cache_get(s, name, &b) || b.len < count) && read_image(s, btf, name, &b))
		return;
	f->places = b.data;
	read_suffixed(s, f, (const char *)b.data + count, b.len - count);
}

enum symbol_place symbol_place(struct session *s, size_t i, const char *name, const char **symbol)
{
	struct facts *f = session_facts(s);

	if (!f->places_tried)
		open_places(s, f);
	if (!f->places)
		return SYMBOL_TEXT;
	if (f->places[i] == SYMBOL_SUFFIXED) {
		*symbol = hashmap_get(&f->suffixed, name);
		if (!*symbol)
			return SYMBOL_ABSENT;
	}
	return f->places[i];
}

const char *kernel_specialised(struct session *s, const char *name)
{
	struct facts *f = session_facts(s);

	if (!f->places_tried)
		open_places(s, f);
	return f->places ? hashmap_get(&f->suffixed, name) : NULL;
}

struct wanted {
	const char *name;
	bool found;
};

static void compare_symbol(void *ctx, const char *name, bool is_init)
{
	struct wanted *w = ctx;

	w->found |= !is_init && !strcmp(name, w->name);
}

bool kernel_has_symbol(struct session *s, const char *symbol)
{
	struct wanted w = { .name = symbol };
	struct bytes rodata;
	struct error *err = vmlinux_section(s, ".rodata", &rodata);

	if (!err)
		err = kallsyms_read(s->arena, &rodata, compare_symbol, &w);
	return err || w.found;
}
