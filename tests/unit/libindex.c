/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of the library: what a quick scan finds in a file, ranges of names in the
 * sorted list, and what is refused when the flat piece comes from a cache: another key,
 * another number of files, and damage anywhere. Maps and quoted text of base/ are tested
 * with it.
 */
#include "unit.h"

#include "base/lexical.c"
#include "formats/file.h"
#include "lib/arena.c"
#include "lib/hashmap.c"
#include "lib/strbuf.c"
#include "sem/libindex.c"
#include "sem/scan.c"

static struct arena *arena;

static const char first[] = "/* function in_comment() { } */\n"
			    "# function in_hash()\n"
			    "// probe in_line = begin { }\n"
			    "global counts[10], one = 1, two\n"
			    "private global hidden\n"
			    "function twice:long(x:long) { return x * 2 }\n"
			    "private function inner() { }\n"
			    "function twisted() %{ /* function in_c() { } */ %}\n"
			    "probe vfs.read = kernel.function(\"vfs_read\") {\n"
			    "	text = \"function quoted()\" }\n"
			    "probe begin { function_like = 1 }\n";
static const char second[] = "function twice:string(x:string) { return x . x }\n"
			     "probe vfs.write += kernel.function(\"vfs_write\") { }\n";

static struct bytes make_index(const struct strbuf *key)
{
	struct source sources[2] = { { .text = first, .len = sizeof(first) - 1 },
				     { .text = second, .len = sizeof(second) - 1 } };
	struct index_maker m;
	struct bytes ret;

	scan_init(&m, arena);
	for (uint32_t i = 0; i < 2; i++)
		scan_file(&m, &sources[i], i);
	libindex_write(&m, key, &ret);
	return ret;
}

static const char *range_text(const struct index *x, struct index_range r)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	for (size_t i = r.begin; i < r.end; i++)
		strbuf_addf(&out, "%s%s@%u", i > r.begin ? " " : "", index_name(x, i),
			    x->entries[i].file);
	return out.s;
}

static struct strbuf make_key(const char *text)
{
	struct strbuf key;

	strbuf_init(&key, arena);
	strbuf_adds(&key, text);
	return key;
}

static void declarations(void)
{
	struct strbuf key = make_key("a 1 2 b 3 4");
	struct bytes flat = make_index(&key);
	struct index x;

	CHECK(libindex_open(&x, &flat, &key, 2));
	CHECK_TEXT(range_text(&x, libindex_all(&x, INDEX_FUNCTION)), "twice@0 twice@1 twisted@0");
	CHECK_TEXT(range_text(&x, libindex_all(&x, INDEX_GLOBAL)), "counts@0 one@0 two@0");
	CHECK_TEXT(range_text(&x, libindex_all(&x, INDEX_ALIAS)), "vfs.read@0 vfs.write@1");
}

static void ranges(void)
{
	struct strbuf key = make_key("key");
	struct bytes flat = make_index(&key);
	struct index x;

	CHECK(libindex_open(&x, &flat, &key, 2));
	CHECK_TEXT(range_text(&x, libindex_find(&x, INDEX_FUNCTION, "twice")), "twice@0 twice@1");
	CHECK_TEXT(range_text(&x, libindex_find(&x, INDEX_FUNCTION, "twic")), "");
	CHECK_TEXT(range_text(&x, libindex_find(&x, INDEX_GLOBAL, "twice")), "");
	CHECK_TEXT(range_text(&x, libindex_prefix(&x, INDEX_FUNCTION, "twis", 4)), "twisted@0");
	CHECK_TEXT(range_text(&x, libindex_prefix(&x, INDEX_ALIAS, "vfs.", 4)),
		   "vfs.read@0 vfs.write@1");
	CHECK_TEXT(range_text(&x, libindex_prefix(&x, INDEX_ALIAS, "z", 1)), "");
}

static void refused(void)
{
	struct strbuf key = make_key("key"), other = make_key("kez"), longer = make_key("keyy");
	struct bytes flat = make_index(&key);
	uint8_t *copy = arena_alloc(arena, flat.len);
	struct index x;

	CHECK(!libindex_open(&x, &flat, &other, 2));
	CHECK(!libindex_open(&x, &flat, &longer, 2));
	CHECK(!libindex_open(&x, &flat, &key, 1)); /* there is no second file any more */
	for (size_t len = 0; len < flat.len; len++)
		CHECK(!libindex_open(&x, &(struct bytes){ "cut", flat.data, len }, &key, 2));
	for (size_t at = 0; at < flat.len; at++) {
		/* The padding of the head is not looked at. */
		if (at >= offsetof(struct index_head, pad) && at < sizeof(struct index_head))
			continue;
		memcpy(copy, flat.data, flat.len);
		copy[at] ^= (uint8_t)(1u << at % 8);
		CHECK(!libindex_open(&x, &(struct bytes){ "damaged", copy, flat.len }, &key, 2));
	}
}

/* ---- base/ ---- */

static void maps(void)
{
	struct hashmap *m = NULL;
	size_t seen = 0, it = 0;

	CHECK(hashmap_made(&m, arena) == m && hashmap_made(&m, arena) == m);
	CHECK(!hashmap_get(m, "absent"));
	for (uintptr_t i = 1; i <= 1000; i++)
		hashmap_put(m, arena_printf(arena, "key%u", (unsigned)i), (void *)i);
	hashmap_put(m, "key7", (void *)(uintptr_t)7777);
	CHECK_LONG(m->count, 1000);
	for (uintptr_t i = 1; i <= 1000; i++)
		CHECK_LONG((uintptr_t)hashmap_get(m, arena_printf(arena, "key%u", (unsigned)i)),
			   i == 7 ? 7777 : i);
	CHECK(!hashmap_get(m, "key") && !hashmap_get(m, "key1001"));
	while (hashmap_next(m, &it))
		seen++;
	CHECK_LONG(seen, 1000);
}

/* Text in quotes is C's: no byte ends it, and it holds no trigraph. */
static void quoted(void)
{
	static const struct {
		const char *text;
		size_t len;
		const char *quoted;
	} all[] = {
		{ "", 0, "\"\"" },
		{ "a\"b\\c", 5, "\"a\\\"b\\\\c\"" },
		{ "\n\t\r", 3, "\"\\n\\t\\015\"" },
		{ "\0"
		  "1",
		  2, "\"\\0001\"" },
		{ "\177\200\377", 3, "\"\\177\\200\\377\"" },
		{ "?"
		  "?/",
		  3, "\"\\077?/\"" },
		{ "?", 1, "\"?\"" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct strbuf out;

		strbuf_init(&out, arena);
		strbuf_addquoted(&out, all[i].text, all[i].len);
		CHECK_TEXT(out.s, all[i].quoted);
	}
}

int main(void)
{
	arena = arena_create();
	RUN(declarations);
	RUN(ranges);
	RUN(refused);
	RUN(maps);
	RUN(quoted);
	arena_destroy(arena);
	return unit_end();
}
