/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <unistd.h>

#include "bpf/arena.h"
#include "bpf/calls.h"
#include "user/bpfcode.h"
#include "user/bpfload.h"
#include "user/bpfnesting.h"
#include "user/bpfpoint.h"
#include "user/bpfuprobe.h"

#define NESTING_WORD (-8) /* on the stack */

/*
 * Puts a word of the kernel's memory, at register 0 and that distance, into register 1.
 */
static void code_nesting_word(struct bpfcode *c, uint32_t distance, uint32_t size)
{
	bpfcode_put(c, MOVE(3, 0));
	bpfcode_put(c, ADD(3, distance));
	bpfcode_put(c, SET(2, size));
	bpfcode_put(c, MOVE(1, 10));
	bpfcode_put(c, ADD(1, NESTING_WORD));
	bpfcode_put(c, CALL(HELPER_READ_KERNEL));
	bpfcode_put(c, size == 8 ? LOAD(1, 10, NESTING_WORD) : LOAD_W(1, 10, NESTING_WORD));
}

static int load_nesting(void)
{
	const struct bpfpoint_form form = {
		.kind.type = BPF_PROG_TYPE_KPROBE,
		.kind.attach_type = BPFUPROBE_MULTI,
		.kind.is_quiet = true,
	};
	struct bpfcode c = { .n = 0 };

	bpfcode_put(&c, MOVE(6, 1));
	bpfcode_number(&c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	bpfcode_put(&c, CALL(HELPER_TASK));
	code_nesting_word(&c, bpf_shared.layout.points, 8);
	bpfcode_end_unless(&c, JUMP_K(BPF_JNE, 1, 0));
	bpfcode_put(&c, MOVE(0, 1));
	code_nesting_word(&c, bpf_shared.layout.returns, 4);
	bpfcode_end_unless(&c, JUMP_K(BPF_JGE, 1, BPF_RETURNS_KEPT));
	bpfcode_put(&c, MOVE(1, 6));
	bpfcode_put(&c, CALL(HELPER_COOKIE));
	bpfcode_put(&c, TO_ARENA(0));
	bpfcode_put(&c, SET(1, 1));
	bpfcode_put(&c, ATOMIC(0, 0, 1, BPF_ADD));
	bpfcode_end(&c);
	return bpfpoint_program(&c, &form, "nesting");
}

int bpfnesting_watch(const char *path, int64_t pid, uint32_t n, const uint64_t *offsets,
		     const uint64_t *counts)
{
	struct bpfuprobe_multi m = {
		.attach_type = BPFUPROBE_MULTI,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)offsets,
		.cookies = (uintptr_t)counts,
		.count = n,
		.pid = (uint32_t)pid,
	};
	int program = load_nesting(), ret = program;

	m.program = (uint32_t)program;
	if (program >= 0)
		ret = bpfuprobe_link(&m);
	if (program >= 0)
		close(program);
	return ret;
}
