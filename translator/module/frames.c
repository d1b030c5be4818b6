/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bound on the string storage and the nesting that one hit can need, over the call
 * graph: the longest chain; where functions are recursive, MAXNESTING bounds the chain,
 * and the largest frame counts for each of its links.
 */
#include "ast/ast.h"
#include "base/session.h"
#include "emit/limits.h"
#include "module/module.h"
#include "lang/ops.h"

#define RECURSION_DEPTH 10 /* levels allowed for recursion beyond the longest plain chain */

void frame_add(struct emit_module *m, struct function *f, struct node *body, uint32_t bytes)
{
	struct frame frame = { .function = f, .body = body, .bytes = (bytes + 15) & ~15u };

	vec_push(m->s->arena, &m->frames, frame);
}

struct chain {
	struct emit_module *m;
	bool *active; /* by position in frames */
	bool recursive;
	uint64_t bytes, depth; /* of the longest chain below */
};

static void follow(struct chain *ch, size_t at, uint64_t *bytes, uint64_t *depth);

static size_t find_frame(const struct emit_module *m, const struct function *f)
{
	for (size_t i = 0; i < m->frames.count; i++) {
		if (m->frames.data[i].function == f)
			return i;
	}
	return m->frames.count;
}

static int follow_call(struct node *n, void *ctx)
{
	struct chain *ch = ctx;
	struct function *f;

	if (n->kind != NODE_CALL)
		return 0;
	for (unsigned i = 0; (f = overload_candidate(n, i)); i++) {
		size_t at = find_frame(ch->m, f);
		uint64_t bytes = 0, depth = 0;

		if (at == ch->m->frames.count)
			continue;
		follow(ch, at, &bytes, &depth);
		ch->bytes = bytes > ch->bytes ? bytes : ch->bytes;
		ch->depth = depth > ch->depth ? depth : ch->depth;
	}
	return 0;
}

static void follow(struct chain *ch, size_t at, uint64_t *bytes, uint64_t *depth)
{
	const struct frame *frame = &ch->m->frames.data[at];
	struct chain below = { .m = ch->m, .active = ch->active };

	*bytes = *depth = 0;
	if (ch->active[at]) {
		ch->recursive = true;
		return;
	}
	ch->active[at] = true;
	if (frame->body)
		ast_walk(frame->body, follow_call, NULL, &below);
	ch->active[at] = false;
	ch->recursive |= below.recursive;
	*bytes = frame->bytes + below.bytes;
	*depth = below.depth + (frame->function && frame->function->body ? 1 : 0);
}

static void measure(struct emit_module *m, struct chain *ret)
{
	*ret = (struct chain){ .m = m,
			       .active = arena_array(m->s->arena, bool, m->frames.count + 1) };
	vec_each(&m->frames, i) {
		uint64_t bytes, depth;

		if (m->frames.data[i].function)
			continue;
		follow(ret, i, &bytes, &depth);
		ret->bytes = bytes > ret->bytes ? bytes : ret->bytes;
		ret->depth = depth > ret->depth ? depth : ret->depth;
	}
}

uint64_t frames_nesting_bound(struct emit_module *m)
{
	struct chain ch;

	if (limit_is_set(m->s, LIMIT_NESTING))
		return limit_value(m->s, LIMIT_NESTING);
	measure(m, &ch);
	return ch.depth + 1 + (ch.recursive ? RECURSION_DEPTH : 0);
}

uint64_t frames_bound(struct emit_module *m)
{
	uint64_t largest_function = 0, largest_root = 0, bound;
	struct chain ch;

	measure(m, &ch);
	if (!ch.recursive)
		return ch.bytes;
	vec_each(&m->frames, i) {
		const struct frame *f = &m->frames.data[i];
		uint64_t *largest = f->function ? &largest_function : &largest_root;

		*largest = f->bytes > *largest ? f->bytes : *largest;
	}
	/* One more, because functions in C do not count as nesting. */
	bound = largest_root + (frames_nesting_bound(m) + 1) * largest_function;
	return bound > ch.bytes ? bound : ch.bytes;
}
