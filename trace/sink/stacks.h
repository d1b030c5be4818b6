/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks and how often they were seen, as a tree: each frame stands once on the frame
 * that it was called from. Memory is bounded: stacks that would make the tree too large
 * are cut, and `cut` counts them.
 */
#ifndef TRACE_SINK_STACKS_H
#define TRACE_SINK_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACKS_DEEPEST 256 /* frames */

struct frame {
	char *name;
	uint64_t total;		    /* with all that stands on it */
	uint64_t before;	    /* the same in the run that it is compared with */
	uint32_t number, on;	    /* on: the number of the frame below; 0: the root */
	struct frame *first, *next; /* that stand on it, by name; of the same, after stacks_end() */
	struct frame *last;
};

struct stacks {
	void *tree;	       /* of tsearch(3) */
	struct frame **frames; /* by number; the root is the first */
	uint32_t count, room;
	uint64_t stacks, cut;
	/* The stack being made, outermost first. */
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
 * Puts the frames of a text on the stack being made: "a;b;c", outermost first, or, the
 * innermost first, addresses with spaces between them or lines
 * " 0xADDRESS : name+0x1/0x2". The text stays where it is until stacks_add().
 */
void stacks_put(struct stacks *t, const char *s, size_t len);
/*
 * Adds the stack that was made, if it has frames, and begins another. False: no memory.
 */
bool stacks_add(struct stacks *t, uint64_t weight);
/*
 * Adds a frame of the run that this one is compared with; on: the number of the one that
 * it stands on; depth 0: it is the root. False: no memory.
 */
bool stacks_before(struct stacks *t, unsigned depth, uint32_t on, const char *name, uint64_t total,
		   uint32_t *number);
/* Orders the frames, and sums them up. */
void stacks_end(struct stacks *t);

#endif
