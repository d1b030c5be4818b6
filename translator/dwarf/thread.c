/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/thread.h"

#include "arch/arch.h"
#include "ast/access.h"
#include "base/session.h"
#include "lib/error.h"
#include "program/executable.h"

/* Programs of a fixed address begin here, on every processor. */
#define LOWEST_PROGRAM 0x400000

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

static uint32_t constant(const struct builder *b, int64_t number)
{
	return add(b, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = number });
}

static uint32_t binary(const struct builder *b, uint32_t left, enum op op, uint32_t right)
{
	return add(b, (struct access_operation){
			      .kind = ACCESS_BINARY, .op = op, .a = left, .b = right });
}

static uint32_t behind(const struct builder *b, uint32_t a, int64_t distance)
{
	return binary(b, a, OP_ADD, constant(b, distance));
}

static uint32_t word_at(const struct builder *b, uint32_t address)
{
	return add(b, (struct access_operation){ .kind = ACCESS_MEMORY, .a = address, .size = 8 });
}

/*
 * Blocks in the C library: near the thread pointer is the address of an array with two
 * words for each block. The first word is the block's address, or 0 or -1 as long as the
 * thread has not used it. The number of its entries is before the array.
 */
static uint32_t numbered_block(const struct builder *b, uint32_t thread, uint32_t number)
{
	uint32_t blocks = word_at(b, behind(b, thread, b->tls_array));
	struct access_operation given = { .kind = ACCESS_GIVEN,
					  .symbol = "this thread has not used it yet" };

	given.a = binary(b, number, OP_LE, word_at(b, behind(b, blocks, -16)));
	given.b = binary(b, blocks, OP_ADD, binary(b, number, OP_MUL, constant(b, 16)));
	return word_at(b, add(b, given));
}

/*
 * Blocks by descriptor: two words. The second is the variable's distance from the thread
 * pointer, if the block is next to the program's own; otherwise it is the address of the
 * block's number. Distances are smaller than any address of a program. Operations have no
 * branches: both paths are taken, the wrong one over a readable word.
 */
static uint32_t described_block(const struct builder *b, uint32_t thread, uint32_t word,
				int64_t distance)
{
	uint32_t at = behind(b, word, 8), held = word_at(b, at),
		 is_distance = binary(b, held, OP_LT, constant(b, LOWEST_PROGRAM)),
		 is_address = binary(b, constant(b, 1), OP_SUB, is_distance);
	uint32_t near = binary(b, thread, OP_ADD, behind(b, held, -distance)),
		 from = binary(b, binary(b, is_address, OP_MUL, held), OP_ADD,
			       binary(b, is_distance, OP_MUL, at)),
		 number = binary(b, is_address, OP_MUL, word_at(b, from));

	return binary(b, binary(b, is_distance, OP_MUL, near), OP_ADD,
		      binary(b, is_address, OP_MUL, numbered_block(b, thread, number)));
}

struct error *thread_variable(struct session *s, const char *path, struct access_expression *x,
			      uint32_t loaded, int64_t offset, uint32_t *ret)
{
	struct builder b = { s->arena, x, arch_of(s)->programs->tls_array };
	struct thread_block block;
	struct executable *file;
	struct error *err = executable_read(s, path, &file);
	uint32_t thread, word;

	if (!err)
		err = threads_of(s, file, &block);
	if (err)
		return err;
	thread = add(&b, (struct access_operation){ .kind = ACCESS_THREAD });
	if (block.kind == THREAD_BLOCK_BELOW) {
		*ret = behind(&b, thread, offset + block.distance);
		return NULL;
	}
	word = behind(&b, loaded, (int64_t)block.word);
	if (block.kind == THREAD_BLOCK_DISTANCE)
		*ret = behind(&b, binary(&b, thread, OP_ADD, word_at(&b, word)),
			      offset - block.distance);
	else if (block.kind == THREAD_BLOCK_DESCRIPTOR)
		*ret = behind(&b, described_block(&b, thread, word, block.distance), offset);
	else
		*ret = behind(&b, numbered_block(&b, thread, word_at(&b, word)), offset);
	return NULL;
}
