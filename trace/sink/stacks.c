/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See stacks.h. */
#include "trace/sink/stacks.h"

#include <ctype.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MOST 500000

/* ---- texts ---- */

static void push(struct stacks *t, const char *s, size_t len)
{
	t->too_deep |= t->depth == STACKS_DEEPEST;
	if (len && t->depth < STACKS_DEEPEST)
		t->stack[t->depth++] = (struct stack_name){ s, len };
}

/* Reverses the order of the frames from `from` on: the texts had the innermost first. */
static void turn(struct stacks *t, unsigned from)
{
	for (unsigned a = from, b = t->depth; a + 1 < b; a++, b--) {
		struct stack_name kept = t->stack[a];

		t->stack[a] = t->stack[b - 1];
		t->stack[b - 1] = kept;
	}
}

/* Returns the length of the part before the mark. */
static size_t piece(const char *s, const char *end, char mark)
{
	const char *at = memchr(s, mark, (size_t)(end - s));

	return (size_t)((at ? at : end) - s);
}

/* Returns the length of "0x1f" at s; 0: it is not an address. */
static size_t address(const char *s, const char *end)
{
	size_t n = 2;

	if (end - s < 3 || s[0] != '0' || s[1] != 'x')
		return 0;
	while (s + n < end && isxdigit((unsigned char)s[n]))
		n++;
	return n > 2 ? n : 0;
}

/* Returns the file's base name from "/lib/libc.so.6+0x1/0x2]". */
static struct stack_name file_of(const char *s, const char *end)
{
	const char *plus = memmem(s, (size_t)(end - s), "+0x", 3), *slash;

	end = plus ? plus : end;
	slash = memrchr(s, '/', (size_t)(end - s));
	s = slash ? slash + 1 : s;
	return (struct stack_name){ s, (size_t)(end - s) };
}

/*
 * Returns the name in "name+0x1/0x2 [module]"; in "0x1 [module+0x1/0x2]" the module's
 * name. Returns nothing if the text is neither of these nor an address.
 */
static struct stack_name name_in(const char *s, const char *end)
{
	const char *plus = memmem(s, (size_t)(end - s), "+0x", 3);
	size_t digits = address(s, end);

	if (digits && end - s - (ptrdiff_t)digits > 2 && !memcmp(s + digits, " [", 2))
		return file_of(s + digits + 2, end);
	if (plus && *s != '[')
		return (struct stack_name){ s, (size_t)(plus - s) };
	return (struct stack_name){ s, digits && s + digits == end ? digits : 0 };
}

/*
 * Puts the name of a line " 0xADDRESS : name+0x1/0x2 [module]", where the address may be
 * left out. False: it is not such a line.
 */
static bool put_line(struct stacks *t, const char *s, const char *end)
{
	struct stack_name name;
	size_t digits;

	while (s < end && *s == ' ')
		s++;
	digits = address(s, end);
	if (digits && end - s - (ptrdiff_t)digits >= 4 && !memcmp(s + digits, " : ", 3)) {
		s += digits + 3;
		name = name_in(s, end);
		name = name.len ? name : (struct stack_name){ s, (size_t)(end - s) };
	} else {
		name = name_in(s, end);
	}
	push(t, name.s, name.len);
	return name.len;
}

/* Puts addresses or lines. False: it is other text, and nothing is put. */
static bool put_inner_first(struct stacks *t, const char *s, const char *end)
{
	unsigned from = t->depth;
	bool lines = *s == ' ' || memchr(s, '\n', (size_t)(end - s)) ||
		     memmem(s, (size_t)(end - s), " : ", 3);

	while (s < end) {
		size_t len = piece(s, end, lines ? '\n' : ' ');

		if (len && !(lines ? put_line(t, s, s + len) : address(s, s + len) == len)) {
			t->depth = from;
			return false;
		}
		if (!lines)
			push(t, s, len);
		s += len + (s + len < end);
	}
	turn(t, from);
	return true;
}

void stacks_put(struct stacks *t, const char *s, size_t len)
{
	const char *end = s + len;

	bool may_be_lines = len && (*s == ' ' || *s == '0' || memchr(s, '\n', len));

	if (!len || (may_be_lines && put_inner_first(t, s, end)))
		return;
	while (s < end) {
		size_t n = piece(s, end, ';');

		push(t, s, n);
		s += n + (s + n < end);
	}
}

/* ---- the tree ---- */

static int compare(const void *a, const void *b)
{
	const struct frame *x = a, *y = b;

	if (x->on != y->on)
		return x->on < y->on ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Adds the frame, and becomes its owner. */
static bool keep(struct stacks *t, struct frame *f)
{
	if (t->count == t->room) {
		uint32_t room = 2 * t->room + 64;
		struct frame **larger = realloc(t->frames, room * sizeof(struct frame *));

		if (!larger)
			return false;
		t->frames = larger;
		t->room = room;
	}
	f->number = t->count;
	t->frames[t->count++] = f;
	return true;
}

static void free_frame(struct frame *f)
{
	if (f)
		free(f->name);
	free(f);
}

static struct frame *make(struct stacks *t, uint32_t on, char *name)
{
	struct frame *f = calloc(1, sizeof(*f));

	if (f) {
		f->on = on;
		f->name = name;
		if (keep(t, f))
			return f;
	} else {
		free(name);
	}
	free_frame(f);
	return NULL;
}

/* Returns the child of a frame with that name. NULL: no memory. */
static struct frame *stand_on(struct stacks *t, uint32_t on, const struct stack_name *n)
{
	struct frame key = { .on = on, .name = strndup(n->s, n->len) }, *made, **found;

	if (!key.name)
		return NULL;
	found = tfind(&key, &t->tree, compare);
	if (found) {
		free(key.name);
		return *found;
	}
	made = make(t, on, key.name);
	return made && tsearch(made, &t->tree, compare) ? made : NULL;
}

bool stacks_init(struct stacks *t)
{
	char *name = strdup("all");

	*t = (struct stacks){ .count = 0 };
	return name && make(t, 0, name);
}

static void no_more(void *frame)
{
}

void stacks_deinit(struct stacks *t)
{
	tdestroy(t->tree, no_more);
	for (uint32_t i = 0; i < t->count; i++)
		free_frame(t->frames[i]);
	free(t->frames);
}

static void add_to(uint64_t *sum, uint64_t n)
{
	*sum = *sum + n < n ? UINT64_MAX : *sum + n;
}

bool stacks_add(struct stacks *t, uint64_t weight)
{
	uint32_t on = 0;
	unsigned i;

	for (i = 0; weight && i < t->depth && t->count < FRAMES_MOST; i++) {
		struct frame *f = stand_on(t, on, &t->stack[i]);

		if (!f)
			return false;
		on = f->number;
	}
	// If there is no room at all, the whole stack counts for the root itself.
	if (weight && t->depth) {
		t->stacks++;
		t->cut += i < t->depth || t->too_deep;
		add_to(&t->frames[on]->total, weight);
	}
	t->depth = 0;
	t->too_deep = false;
	return true;
}

bool stacks_before(struct stacks *t, unsigned depth, uint32_t on, const char *name, uint64_t total,
		   uint32_t *number)
{
	struct stack_name n = { name, strlen(name) };
	struct frame *f = depth ? stand_on(t, on, &n) : t->frames[0];

	if (!f)
		return false;
	add_to(&f->before, total);
	*number = f->number;
	return true;
}

static void link_frame(const void *node, VISIT visit, void *ctx)
{
	struct frame *f = *(struct frame *const *)node;
	struct stacks *t = ctx;
	struct frame *below = t->frames[f->on];

	if (visit != postorder && visit != leaf)
		return;
	if (below->last)
		below->last->next = f;
	else
		below->first = f;
	below->last = f;
}

void stacks_end(struct stacks *t)
{
	for (uint32_t i = t->count; i-- > 1;)
		add_to(&t->frames[t->frames[i]->on]->total, t->frames[i]->total);
	twalk_r(t->tree, link_frame, t);
}
