/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/thread.h"

#include "arch/arch.h"
#include "ast/access.h"
#include "base/error.h"
#include "base/session.h"
#include "program/executable.h"

struct builder {
	struct arena *arena;
	struct access_expression *x;
	int64_t tls_array; /* arch.h: programs */
};

static uint32_t add(const struct builder *b, struct access_operation op)
{
	vec_push(b->arena, &b->x->operations, op);
	return (uint32_t)b->x->operations.count - 1;
}

static uint32_t plus(const struct builder *b, uint32_t a, uint32_t c)
{
	return add(b, (struct access_operation){
			      .kind = ACCESS_BINARY, .op = OP_ADD, .a = a, .b = c });
}

static uint32_t behind(const struct builder *b, uint32_t a, int64_t distance)
{
	return plus(
		b, a,
		add(b, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = distance }));
}

static uint32_t word_at(const struct builder *b, uint32_t address)
{
	return add(b, (struct access_operation){ .kind = ACCESS_MEMORY, .a = address, .size = 8 });
}

/*
 * Blocks in the C library: near the thread pointer is the address of an array with two
 * words for each block. The first word is the block's address, or 0 or -1 as long as the
 * thread has not used it. In front of the array is the number of its entries.
 */
static uint32_t numbered_block(const struct builder *b, uint32_t thread, uint32_t number)
{
	uint32_t blocks = word_at(b, behind(b, thread, b->tls_array)),
		 size = add(b, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = 16 });
	uint32_t offset =
		add(b, (struct access_operation){
			       .kind = ACCESS_BINARY, .op = OP_MUL, .a = number, .b = size });
	struct access_operation given = { .kind = ACCESS_GIVEN,
					  .symbol = "this thread has not used it yet" };

	given.a = add(b, (struct access_operation){ .kind = ACCESS_BINARY,
						    .op = OP_LE,
						    .a = number,
						    .b = word_at(b, behind(b, blocks, -16)) });
	given.b = plus(b, blocks, offset);
	return word_at(b, add(b, given));
}

struct error *thread_variable(struct session *s, const char *path, struct access_expression *x,
			      uint32_t loaded, int64_t offset, uint32_t *ret)
{
	struct builder b = { s->arena, x, arch_of(s)->programs->tls_array };
	struct thread_block block;
	struct executable *file;
	struct error *err = executable_read(s, path, &file);
	uint32_t thread;

	if (!err)
		err = threads_of(s, file, &block);
	if (err)
		return err;
	thread = add(&b, (struct access_operation){ .kind = ACCESS_THREAD });
	if (block.kind == THREAD_BLOCK_BELOW)
		*ret = behind(&b, thread, offset + block.distance);
	else if (block.kind == THREAD_BLOCK_DISTANCE)
		*ret = behind(
			&b, plus(&b, thread, word_at(&b, behind(&b, loaded, (int64_t)block.word))),
			offset - block.distance);
	else
		*ret = behind(&b,
			      numbered_block(&b, thread,
					     word_at(&b, behind(&b, loaded, (int64_t)block.word))),
			      offset);
	return NULL;
}
