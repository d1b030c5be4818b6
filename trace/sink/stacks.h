/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts stacks in a tree: each frame is a child of the frame that it was called from.
 * Memory is bounded: stacks that would make the tree too large are cut, and `cut` counts
 * them.
 */
#ifndef TRACE_SINK_STACKS_H
#define TRACE_SINK_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACKS_DEEPEST 256 /* frames */

struct frame {
	char *name;
	uint64_t total;		    /* with all its children */
	uint64_t before;	    /* the total in the run to compare with */
	uint32_t number, on;	    /* on: the number of the parent; 0: the root */
	struct frame *first, *next; /* first child, by name; next sibling: after stacks_end() */
	struct frame *last;
};

struct stacks {
	void *tree;	       /* of tsearch(3) */
	struct frame **frames; /* by number; the root is the first */
	uint32_t count, room;
	uint64_t stacks, cut;
	/* The stack being built, outermost frame first. */
	struct stack_name {
		const char *s;
		size_t len;
	} stack[STACKS_DEEPEST];
	unsigned depth;
	bool too_deep;
};

/* False: no memory. */
bool stacks_init(struct stacks *t);
void stacks_deinit(struct stacks *t);
/*
 * Adds the frames of a text to the stack being built. The text is "a;b;c", outermost
 * first; or, innermost first, addresses separated by spaces or lines " 0xADDRESS :
 * name+0x1/0x2". It must stay valid until stacks_add().
 */
void stacks_put(struct stacks *t, const char *s, size_t len);
/*
 * Adds the stack that was built, if it has frames, and begins another. False: no memory.
 */
bool stacks_add(struct stacks *t, uint64_t weight);
/*
 * Adds a frame of the run to compare with. on: the number of its parent; depth 0: it is
 * the root. False: no memory.
 */
bool stacks_before(struct stacks *t, unsigned depth, uint32_t on, const char *name, uint64_t total,
		   uint32_t *number);
/* Sorts the frames and computes their totals. */
void stacks_end(struct stacks *t);

#endif
