/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of a script's handlers for --runtime=bpf, whole and damaged, and what is said
 * about a verifier's log.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "unit.h"

#include "user/bpfreader.c"
#include "user/bpfrefusal.c"

#define MAP                                                                                        \
	{                                                                                          \
		.code = BPF_LD | BPF_IMM | BPF_DW, .src_reg = BPF_PSEUDO_MAP_FD, .imm = 1          \
	}
#define PLACES 3
#define TEXTS  "\0a.stp:1:1\0b.stp:2:5" /* and its last 0 */
#define CUT                                                                                        \
	{                                                                                          \
		.code = BPF_LD | BPF_IMM | BPF_DW, .src_reg = BPF_PSEUDO_MAP_FD, .imm = 99         \
	}

struct file {
	struct bpfimage head;
	struct bpf_insn instructions[4];
	struct bpfimage_function functions[1];
	char types[8], data[8];
	struct bpfimage_place places[PLACES];
	char texts[sizeof(TEXTS)];
};

static const struct file whole = {
	.head = { .magic = BPFIMAGE_MAGIC,
		  .instructions = 4,
		  .functions = 1,
		  .types = 5,
		  .data = 8,
		  .places = PLACES,
		  .texts = sizeof(TEXTS) },
	.instructions = { MAP, { 0 }, { .code = BPF_JMP | BPF_EXIT }, CUT },
	.places = { { 0, 0 }, { 1, 1 }, { 3, 11 } },
	.texts = TEXTS,
};
#define BYTES (offsetof(struct file, texts) + sizeof(TEXTS))

static const int maps[BPFIMAGE_MAPS] = { 7, 8, 9 };

static void test_whole(void)
{
	struct file f = whole;
	struct bpfparts p;

	CHECK(bpfreader_read(&f, BYTES, &p));
	CHECK(p.instructions == f.instructions && p.texts == f.texts && p.data == f.data);
	CHECK_TEXT(bpfreader_place(&p, 0), "");
	CHECK_TEXT(bpfreader_place(&p, 2), "a.stp:1:1");
	CHECK_TEXT(bpfreader_place(&p, 99), "b.stp:2:5");
	bpfreader_set_maps(&p, maps);
	CHECK_LONG(f.instructions[0].imm, 8);
	CHECK_LONG(f.instructions[3].imm, 99); /* no such map, and its second half is missing */
}

/* Calls of a helper are left out, and nothing else is. */
static void test_left_out(void)
{
	const struct bpf_insn call = { .code = BPF_JMP | BPF_CALL, .imm = 67 };
	const struct bpf_insn local = { .code = BPF_JMP | BPF_CALL, .src_reg = 1, .imm = 67 };
	struct bpf_insn in[] = { MAP, call, call, local, { .code = call.code, .imm = 8 } };

	bpfreader_leave_out(in, 5, 67);
	CHECK(!memcmp(&in[1], &call, sizeof(call))); /* the second half of a number */
	CHECK(in[2].code == (BPF_ALU64 | BPF_MOV | BPF_K) && in[2].imm == -1 && !in[2].dst_reg);
	CHECK(!memcmp(&in[3], &local, sizeof(local)));
	CHECK_LONG(in[4].imm, 8);
}

static bool is_read(const struct file *f, size_t bytes)
{
	/* Its own memory: sanitizers see a read beyond it. */
	void *copy = malloc(bytes + 1);
	struct bpfparts p;
	bool ret;

	memcpy(copy, f, bytes);
	ret = bpfreader_read(copy, bytes, &p);
	if (ret)
		bpfreader_set_maps(&p, maps);
	free(copy);
	return ret;
}

static void test_damaged(void)
{
	struct file f;

	for (size_t n = 0; n < BYTES; n++)
		CHECK(!is_read(&whole, n));
	for (size_t at = offsetof(struct bpfimage, instructions); at < sizeof(struct bpfimage);
	     at += 4) {
		f = whole;
		*(uint32_t *)((char *)&f + at) = UINT32_MAX;
		CHECK(!is_read(&f, BYTES));
		*(uint32_t *)((char *)&f + at) = UINT32_MAX / 8;
		CHECK(!is_read(&f, BYTES));
	}
	f = whole;
	f.places[1].text = sizeof(TEXTS);
	CHECK(!is_read(&f, BYTES));
	f = whole;
	f.texts[sizeof(TEXTS) - 1] = 'x';
	CHECK(!is_read(&f, BYTES));
	f = whole;
	f.head.magic++;
	CHECK(!is_read(&f, BYTES));
}

static const char *explained(const char *log, int error)
{
	static char ret[1024];
	struct file f = whole;
	struct bpfparts p;

	CHECK(bpfreader_read(&f, BYTES, &p));
	bpfrefusal_explain(ret, sizeof(ret), &p, log, error);
	return ret;
}

#define FAULT                                                                                      \
	"the kernel's verifier refuses the code that stap has made of this: a fault of stap; -v "  \
	"shows the verifier's log for a report; --runtime=kernel runs it as a module"

/* The last line with an instruction tells the place. */
static void test_refusals(void)
{
	CHECK_TEXT(explained("func#0 @0\n1: (bf) r1 = r2\n3: (b7) r15 = 0\nR15 is invalid\n"
			     "processed 3 insns (limit 1000000)\n",
			     EINVAL),
		   "b.stp:2:5: --runtime=bpf: " FAULT);
	CHECK_TEXT(explained("0: (bf) r1 = r2\nR2 !read_ok\n", EACCES), "--runtime=bpf: " FAULT);
	CHECK_TEXT(
		explained("2: (05) goto pc-2\nBPF program is too large. Processed 1000001 insn\n",
			  E2BIG),
		"a.stp:1:1: --runtime=bpf: the script is too large for the kernel's verifier; "
		"divide it, or --runtime=kernel runs it as a module");
	CHECK_TEXT(explained("JIT is required to use arena\n", EOPNOTSUPP),
		   "--runtime=bpf: the kernel does not compile BPF programs: sysctl "
		   "net.core.bpf_jit_enable=1 lets it");
	CHECK(strstr(explained("", EPERM), "CAP_BPF and CAP_PERFMON"));
	CHECK_TEXT(explained("", ENOSPC), "--runtime=bpf: No space left on device");
}

int main(void)
{
	RUN(test_whole);
	RUN(test_left_out);
	RUN(test_damaged);
	RUN(test_refusals);
	return unit_end();
}
