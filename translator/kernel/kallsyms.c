/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol table that every kernel carries (scripts/kallsyms.c of the kernel writes
 * it), found in the image's .rodata without the help of symbols:
 *
 *   [offsets][relative_base] num_syms  names  markers [seqs_of_names] token_table
 *                                      token_index [offsets][relative_base]
 *
 * token_table holds 256 NUL-terminated strings, including '0' to '9' at their character
 * codes; the search starts from these. A name is a length and that many tokens; its first
 * character is the symbol's type. markers[i] is the offset where name 256*i starts. The
 * offsets come first up to 6.3, and last since then. Tables begin at multiples of 8, or
 * of 4 where offsets count from their own place and there is no base.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel/facts.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"

#define NAME_MAX_LEN 1024

struct tables {
	const uint8_t *data; /* .rodata */
	size_t len;
	size_t align;  /* of each table */
	size_t tokens; /* offset of token_table */
	size_t token_index;
	size_t markers, nmarkers;
	size_t names;
	uint32_t count;
	size_t offsets;	 /* 0: not found */
	bool from_place; /* each offset counts from its own place */
};

static uint32_t word(const struct tables *t, size_t at)
{
	uint32_t v = 0;

	if (at + 4 <= t->len)
		memcpy(&v, t->data + at, 4);
	return v;
}

static size_t align(const struct tables *t, size_t n)
{
	return (n + t->align - 1) & ~(t->align - 1);
}

static size_t index_of(const struct tables *t, unsigned token)
{
	uint16_t v = 0;

	if (t->token_index + token * 2 + 2 <= t->len)
		memcpy(&v, t->data + t->token_index + token * 2, 2);
	return v;
}

/* True: token_index agrees with the strings that start at `tokens`. */
static bool tokens_agree(struct tables *t)
{
	size_t at = t->tokens;

	t->token_index = 0;
	for (unsigned i = 0; i < 256; i++) {
		const uint8_t *end = at < t->len ? memchr(t->data + at, 0, t->len - at) : NULL;

		if (!end || end - (t->data + at) > 64)
			return false;
		at = end - t->data + 1;
	}
	t->token_index = align(t, at);
	at = t->tokens;
	for (unsigned i = 0; i < 256; i++) {
		if (index_of(t, i) != at - t->tokens)
			return false;
		at += strlen((const char *)t->data + at) + 1;
	}
	return true;
}

static bool tokens_begin(struct tables *t, size_t at)
{
	for (t->align = 8; t->align >= 4; t->align /= 2) {
		t->tokens = align(t, at);
		if (tokens_agree(t))
			return true;
	}
	return false;
}

/* Finds token_table: it has 48 strings before "0\0" "1\0" … "9\0". */
static bool find_tokens(struct tables *t)
{
	static const char digits[] = "0\0"
				     "1\0"
				     "2\0"
				     "3\0"
				     "4\0"
				     "5\0"
				     "6\0"
				     "7\0"
				     "8\0"
				     "9";
	const uint8_t *from = t->data, *hit;

	while ((hit = memmem(from, t->data + t->len - from, digits, sizeof(digits)))) {
		size_t at = hit - t->data;

		for (unsigned back = 0; at && back < '0'; back++) {
			at--;
			while (at && t->data[at - 1])
				at--;
		}
		if (tokens_begin(t, at))
			return true;
		from = hit + 1;
	}
	return false;
}

/*
 * Returns how many words from `at` on could be markers: 0, then ascending by sizes that
 * 256 names can have.
 */
static size_t count_markers(const struct tables *t, size_t at)
{
	size_t n = 1;

	for (; at + n * 4 + 4 <= t->tokens; n++) {
		uint32_t step = word(t, at + n * 4) - word(t, at + n * 4 - 4);

		if (step < 256 * 2 || step > 256 * 256)
			break;
	}
	return n;
}

/*
 * Finds the markers. Another table (seqs_of_names, three bytes a symbol) may be between
 * them and token_table.
 */
static bool find_markers(struct tables *t)
{
	for (size_t at = t->tokens & ~(size_t)3; at >= 4 && t->tokens - at < 8 << 20;) {
		at -= 4;
		if (word(t, at))
			continue;
		t->nmarkers = count_markers(t, at);
		t->markers = at;
		if (t->nmarkers > 64)
			return true;
	}
	return false;
}

/* Returns the start of the name after the one at `at`; 0 past the end. */
static size_t next_name(const struct tables *t, size_t at, size_t *first, size_t *ntokens)
{
	if (at + 2 > t->len)
		return 0;
	*ntokens = t->data[at];
	*first = at + 1;
	if (*ntokens & 0x80) {
		*ntokens = (*ntokens & 0x7f) | t->data[at + 1] << 7;
		*first = at + 2;
	}
	return *ntokens && *first + *ntokens <= t->len ? *first + *ntokens : 0;
}

static bool names_agree(const struct tables *t)
{
	size_t at = t->names, first, n;

	for (unsigned i = 0; i < 256 && at; i++)
		at = next_name(t, at, &first, &n);
	return at && at == t->names + word(t, t->markers + 4);
}

/*
 * Finds the names. They end at the markers; their start is known only by the count before
 * them.
 */
static bool find_names(struct tables *t)
{
	size_t last = word(t, t->markers + (t->nmarkers - 1) * 4);

	if (last + 16 > t->markers)
		return false;
	for (t->names = (t->markers - last) & ~(t->align - 1);
	     t->names >= 16 && t->markers - t->names < last + (1 << 18); t->names -= t->align) {
		t->count = word(t, t->names - t->align);
		if ((t->count + 255ull) / 256 <= t->nmarkers && t->count / 256 + 1 >= t->nmarkers &&
		    names_agree(t))
			return true;
	}
	return false;
}

/*
 * Returns a function's offset: the kernel writes those of non-per-CPU symbols as -1 -
 * offset, or as they are since 6.15.
 */
static uint32_t place_at(const struct tables *t, uint32_t i)
{
	uint32_t v = word(t, t->offsets + i * 4ull);

	if (t->from_place)
		return v + i * 4;
	return v >> 31 ? ~v : v;
}

/*
 * True: the offsets ascend, as they must, because symbols are sorted by address.
 * from_place: each offset is relative to its own place.
 */
static bool ascend(const struct tables *t, size_t offsets, bool from_place)
{
	uint32_t step = from_place ? 4 : 0;

	for (uint32_t i = 1; i < t->count; i++)
		if ((int32_t)(word(t, offsets + i * 4ull) + step -
			      word(t, offsets + i * 4ull - 4)) < 0)
			return false;
	return true;
}

/*
 * True: the word can be the relative_base of these offsets: an address of the kernel, or
 * 0 in kernels that are relocated when they start.
 */
static bool is_base(const struct tables *t, size_t at, size_t offsets)
{
	if (at + 8 > t->len)
		return false;
	return word(t, at + 4) >> 16 == 0xffff ||
	       (!word(t, at + 4) && !word(t, at) && ascend(t, offsets, false));
}

static void find_offsets(struct tables *t)
{
	size_t size = align(t, t->count * 4ull), after = align(t, t->token_index + 512);

	if (t->names >= 16 + size && is_base(t, t->names - 16, t->names - 16 - size))
		t->offsets = t->names - 16 - size;
	else if (is_base(t, after + size, after))
		t->offsets = after;
	else if ((t->from_place = ascend(t, after, true)))
		t->offsets = after;
}

static void expand(const struct tables *t, size_t first, size_t n, char *name)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t at = t->tokens + index_of(t, t->data[first + i]);
		     at < t->len && t->data[at] && len < NAME_MAX_LEN - 1; at++)
			name[len++] = t->data[at];
	name[len] = 0;
}

/*
 * Code whose memory is freed after boot: all __init and __exit code is from __init_begin
 * to __init_end. Kernels that list functions only do not have these symbols, and list no
 * __exit function either.
 */
struct range {
	const char *begin_name, *end_name;
	enum kallsyms_kind kind;
	uint32_t begin, end;
};

#define RANGE(begin, end, kind)                                                                    \
	{                                                                                          \
		begin, end, kind, 0, 0                                                             \
	}
static const struct range known_ranges[] = {
	RANGE("__init_begin", "__init_end", KALLSYMS_INIT),
	RANGE("_sinittext", "_einittext", KALLSYMS_INIT),
	RANGE("__noinstr_text_start", "__noinstr_text_end", KALLSYMS_NOINSTR),
	RANGE("__kprobes_text_start", "__kprobes_text_end", KALLSYMS_NOINSTR),
	RANGE("__entry_text_start", "__entry_text_end", KALLSYMS_NOINSTR),
};
#define NRANGES (sizeof(known_ranges) / sizeof(known_ranges[0]))

/* NOKPROBE_SYMBOL(f) makes a variable of this name; kernels with KALLSYMS_ALL list it. */
#define REFUSED_PREFIX	   "_kbl_addr_"
#define REFUSED_PREFIX_LEN (sizeof(REFUSED_PREFIX) - 1)

static enum kallsyms_kind kind_of(const struct range *ranges, uint32_t place)
{
	for (size_t i = 0; i < NRANGES; i++)
		if (place >= ranges[i].begin && place < ranges[i].end)
			return ranges[i].kind;
	return KALLSYMS_FUNCTION;
}

static void note_range(struct range *ranges, const char *name, uint32_t place)
{
	for (size_t i = 0; i < NRANGES; i++) {
		if (!strcmp(name, ranges[i].begin_name))
			ranges[i].begin = place;
		else if (!strcmp(name, ranges[i].end_name))
			ranges[i].end = place;
	}
}

/*
 * Walks over all symbols. Without a callback it finds the ranges; with one it reports the
 * functions.
 */
static void walk(const struct tables *t, struct range *ranges, kallsyms_callback callback,
		 void *ctx)
{
	char name[NAME_MAX_LEN];
	size_t at = t->names, first, n;

	for (uint32_t i = 0; i < t->count && at; i++) {
		at = next_name(t, at, &first, &n);
		if (!at)
			return;
		expand(t, first, n, name);

		uint32_t place = t->offsets ? place_at(t, i) : 0;

		if (!callback)
			note_range(ranges, name + !!name[0], place);
		else if (name[0] && strchr("tTwW", name[0]))
			callback(ctx, name + 1, name[0], kind_of(ranges, place));
		else if (name[0] && !strncmp(name + 1, REFUSED_PREFIX, REFUSED_PREFIX_LEN))
			callback(ctx, name + 1 + REFUSED_PREFIX_LEN, 0, KALLSYMS_REFUSED);
	}
}

struct error *kallsyms_read(struct arena *a, const struct bytes *rodata, kallsyms_callback callback,
			    void *ctx)
{
	struct tables t = { .data = rodata->data, .len = rodata->len };
	struct range ranges[NRANGES];

	if (!find_tokens(&t) || !find_markers(&t) || !find_names(&t))
		return error_create(a, ERROR_ENVIRONMENT,
				    "%s: no symbol table found in the kernel image", rodata->file);
	find_offsets(&t);
	memcpy(ranges, known_ranges, sizeof(ranges));
	if (t.offsets)
		walk(&t, ranges, NULL, NULL);
	walk(&t, ranges, callback, ctx);
	return NULL;
}

/* ---- symbols of the running kernel ---- */

/* Reads a line "ADDRESS TYPE NAME", or "… NAME\t[MODULE]". False: it is a module's. */
static bool read_line(char *line, uint64_t *address, char *type, char **name)
{
	char *end;

	*address = strtoull(line, &end, 16);
	if (end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	*type = end[1];
	*name = end + 3;
	return !strchr(*name, '\t');
}

/* The same as walk(). `first` is the lowest address, to which places are relative. */
static void walk_lines(char *text, uint64_t first, struct range *ranges, kallsyms_callback callback,
		       void *ctx)
{
	for (char *line = text, *end; *line; line = end + 1) {
		uint64_t address;
		char type, *name;

		end = strchr(line, '\n');
		if (!end)
			return;
		*end = 0;
		if (read_line(line, &address, &type, &name)) {
			uint32_t place = (uint32_t)(address - first);

			if (!callback)
				note_range(ranges, name, place);
			else if (strchr("tTwW", type))
				callback(ctx, name, type, kind_of(ranges, place));
			else if (!strncmp(name, REFUSED_PREFIX, REFUSED_PREFIX_LEN))
				callback(ctx, name + REFUSED_PREFIX_LEN, 0, KALLSYMS_REFUSED);
		}
		*end = '\n';
	}
}

struct error *kallsyms_running(struct arena *a, kallsyms_callback callback, void *ctx)
{
	struct range ranges[NRANGES];
	char *text;
	size_t len;
	struct error *err = path_read(a, "/proc/kallsyms", &text, &len);

	if (err)
		return err;

	uint64_t first = strtoull(text, NULL, 16);

	memcpy(ranges, known_ranges, sizeof(ranges));
	walk_lines(text, first, ranges, NULL, NULL);
	walk_lines(text, first, ranges, callback, ctx);
	return NULL;
}
