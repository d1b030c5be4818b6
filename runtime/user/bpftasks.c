/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/bpf.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/arena.h"
#include "core/port.h"
#include "core/session.h"
#include "core/state.h"
#include "trace/messages.h"
#include "user/bpfcode.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"
#include "user/bpftasks.h"
#include "user/bpftypes.h"

#define NAMESPACE_FILE	  "/proc/self/ns/pid"
#define INITIAL_NAMESPACE 0xeffffffc /* its inode */
#define LAYOUT(where)	  ((int)bpf_shared.layout.where)
#define NUMBER_BYTES	  (LAYOUT(space) + 8) /* of a struct upid, which the namespace ends */

/* Kinds of numbers: enum pid_type, whose values are the same on all kernels. */
enum { NUMBER_PROCESS_GROUP = 2, NUMBER_SESSION };

static struct {
	int64_t wanted, found; /* of bpftasks_number() */
} numbers;

/* ---- pieces of programs ---- */

void bpftasks_copy(struct bpfcode *c, unsigned bytes, int offset)
{
	bpfcode_put(c, ADD(3, offset));
	bpfcode_put(c, STORE_K(10, BPFPOINT_WORD, 0));
	bpfcode_put(c, SET(2, (int)bytes));
	bpfcode_put(c, MOVE(1, 10));
	bpfcode_put(c, ADD(1, BPFPOINT_WORD));
	bpfcode_put(c, CALL(HELPER_READ_KERNEL));
	bpfcode_put(c, LOAD(3, 10, BPFPOINT_WORD));
}

void bpftasks_follow(struct bpfcode *c, int offset)
{
	bpftasks_copy(c, 8, offset);
}

void bpftasks_current(struct bpfcode *c)
{
	bpfcode_put(c, CALL(HELPER_TASK));
	bpfcode_put(c, MOVE(3, 0));
}

/* The kernel keeps the list valid for readers, under RCU. */
void bpftasks_each(struct bpfcode *c, void (*visit)(struct bpfcode *c))
{
	unsigned again, broken, all, last;

	bpftasks_current(c);
	bpfcode_put(c, MOVE(6, 3));
	bpfcode_put(c, MOVE(8, 3));
	again = c->n;
	visit(c);
	bpfcode_put(c, MOVE(3, 6));
	bpftasks_follow(c, LAYOUT(all));
	broken = bpfcode_put(c, JUMP_K(BPF_JEQ, 3, 0));
	bpfcode_put(c, MOVE(6, 3));
	bpfcode_put(c, ADD(6, -LAYOUT(all)));
	all = bpfcode_put(c, JUMP(BPF_JEQ, 6, 8));
	last = bpfcode_put(c, INSN(BPF_JMP | MAY_GOTO, 0, 0, 0, 0));
	bpfcode_back(c, GOTO, again);
	bpfcode_land(c, broken);
	bpfcode_land(c, all);
	bpfcode_land(c, last);
}

void bpftasks_store(struct bpfcode *c, const void *word)
{
	bpfcode_number(c, 1, (uintptr_t)word, 0);
	bpfcode_put(c, TO_ARENA(1));
	bpfcode_put(c, STORE(1, 0, 3));
}

int bpftasks_run(const struct bpfcode *c, const char *name)
{
	static const struct bpfpoint_form form = { .kind.type = BPF_PROG_TYPE_RAW_TRACEPOINT };
	int program = bpfpoint_program(c, &form, name), rc = 0;
	union bpf_attr attr = { .test = { .prog_fd = (uint32_t)program } };

	if (program < 0)
		return program;
	if (bpfload_call(BPF_PROG_TEST_RUN, &attr)) {
		rc = -errno;
		stp_setup_error("%s: %s", name, strerror(errno));
	}
	close(program);
	return rc;
}

/* ---- numbers of this process ---- */

/* Register 7 is the current task. */
static void code_own_number(struct bpfcode *c, int kind, const int64_t *word)
{
	bpfcode_put(c, MOVE(3, 7));
	bpftasks_follow(c, LAYOUT(signal));
	bpftasks_follow(c, LAYOUT(ids) + 8 * kind);
	bpftasks_copy(c, 4, LAYOUT(numbers));
	bpftasks_store(c, word);
}

/* Users need no conversion: only the initial namespace of users has CAP_BPF. */
static int own_numbers_find(void)
{
	struct bpfcode c = { .n = 0 };

	bpfcode_number(&c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	bpftasks_current(&c);
	bpfcode_put(&c, MOVE(7, 3));
	bpftasks_copy(&c, 4, LAYOUT(process));
	bpftasks_store(&c, &bpf_shared.process);
	bpfcode_put(&c, MOVE(3, 7));
	bpftasks_follow(&c, LAYOUT(parent));
	bpftasks_copy(&c, 4, LAYOUT(process));
	bpftasks_store(&c, &bpf_shared.parent);
	code_own_number(&c, NUMBER_PROCESS_GROUP, &bpf_shared.process_group);
	code_own_number(&c, NUMBER_SESSION, &bpf_shared.session);
	bpfcode_put(&c, MOVE(3, 7));
	bpftasks_follow(&c, LAYOUT(id));
	bpfcode_put(&c, MOVE(7, 3));
	bpftasks_copy(&c, 4, LAYOUT(level));
	bpftasks_store(&c, &bpf_shared.level);
	bpfcode_put(&c, ALU_K(BPF_MUL, 3, NUMBER_BYTES));
	bpfcode_put(&c, ALU(BPF_ADD, 3, 7));
	bpftasks_follow(&c, LAYOUT(numbers) + LAYOUT(space));
	bpftasks_store(&c, &bpf_shared.space);
	bpfcode_end(&c);
	return bpftasks_run(&c, "numbers of this process");
}

bool bpftasks_begin(void)
{
	struct stat file;

	if (stat(NAMESPACE_FILE, &file) || file.st_ino == INITIAL_NAMESPACE)
		return true;
	if (!bpftypes_read() && !own_numbers_find())
		return true;
	message_error("--runtime=bpf: %s", stp_runtime.setup_error);
	return false;
}

/* ---- numbers of other processes ---- */

/* Stores the process's number if it is the wanted one in this process's namespace. */
static void code_compare(struct bpfcode *c)
{
	int at = LAYOUT(numbers) + (int)bpf_shared.level * NUMBER_BYTES;
	unsigned outside, other, elsewhere;

	bpfcode_put(c, MOVE(3, 6));
	bpftasks_follow(c, LAYOUT(id));
	bpfcode_put(c, MOVE(7, 3));
	bpftasks_copy(c, 4, LAYOUT(level));
	outside = bpfcode_put(c, JUMP_K(BPF_JLT, 3, (int)bpf_shared.level));
	bpfcode_put(c, MOVE(3, 7));
	bpftasks_copy(c, 4, at);
	other = bpfcode_put(c, JUMP_K(BPF_JNE, 3, (int)numbers.wanted));
	bpfcode_put(c, MOVE(3, 7));
	bpftasks_follow(c, at + LAYOUT(space));
	bpfcode_number(c, 1, bpf_shared.space, 0);
	elsewhere = bpfcode_put(c, JUMP(BPF_JNE, 3, 1));
	bpfcode_put(c, MOVE(3, 6));
	bpftasks_copy(c, 4, LAYOUT(process));
	bpftasks_store(c, &numbers.found);
	bpfcode_land(c, outside);
	bpfcode_land(c, other);
	bpfcode_land(c, elsewhere);
}

int64_t bpftasks_number(int64_t pid)
{
	struct bpfcode c = { .n = 0 };

	if (!pid || !bpf_shared.level)
		return !pid || (pid <= INT32_MAX && (!kill((pid_t)pid, 0) || errno != ESRCH)) ? pid
											      : -1;
	if (pid < 0 || pid > INT32_MAX)
		return -1;
	numbers.wanted = pid;
	numbers.found = -1;
	bpfcode_number(&c, 1, (uint32_t)bpfload_arena(), BPF_PSEUDO_MAP_FD);
	bpftasks_each(&c, code_compare);
	bpfcode_end(&c);
	return bpftasks_run(&c, "number of a process") ? -1 : numbers.found;
}
