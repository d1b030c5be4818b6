// SPDX-License-Identifier: GPL-2.0-or-later
// A plugin of QEMU: counts the instructions of each block of code that the guest runs, and writes "ADDRESS COUNT" lines
// to the file that BLOCKS names when the guest ends, and to BLOCKS.N whenever it runs mark N: nopl 0x5a5a5a00+N(%rax).
// No package has the plugins' header; what is used stands here.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define SLOTS  (1 << 18)

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t qemu_plugin_id_t;

enum { ADD_U64 };      // of enum qemu_plugin_op
enum { NO_REGISTERS }; // of enum qemu_plugin_cb_flags
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   void (*fn)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*fn)(unsigned int cpu, void *ctx), int flags,
					  void *ctx);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, int op, void *to,
					      uint64_t n);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*fn)(qemu_plugin_id_t, void *),
				    void *ctx);
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

EXPORT int qemu_plugin_version = 1;

static struct block {
	uint64_t at, count;
	struct block *next;
} * blocks[SLOTS];

// A block that is translated again goes on with its count.
static struct block *block_at(uint64_t at)
{
	struct block **link = &blocks[at * UINT64_C(0x9e3779b97f4a7c15) >> 46];

	while (*link && (*link)->at != at)
		link = &(*link)->next;
	if (*link)
		return *link;
	*link = calloc(1, sizeof(**link));
	if (!*link)
		abort();
	(*link)->at = at;
	return *link;
}

static void write_counts(const char *name)
{
	FILE *to = name ? fopen(name, "w") : NULL;

	for (size_t i = 0; to && i < SLOTS; i++)
		for (const struct block *b = blocks[i]; b; b = b->next)
			fprintf(to, "%016" PRIx64 " %" PRIu64 "\n", b->at, b->count);
	if (!to || fclose(to))
		fprintf(stderr, "the counts cannot be written to %s\n", name ? name : "BLOCKS");
}

static void on_mark(unsigned int cpu, void *number)
{
	char name[4096];

	(void)cpu;
	snprintf(name, sizeof(name), "%s.%u", getenv("BLOCKS"), (unsigned int)(uintptr_t)number);
	write_counts(name);
}

// -1: the instruction is no mark.
static int mark_of(const struct qemu_plugin_insn *insn)
{
	const unsigned char *at = qemu_plugin_insn_data(insn);

	if (qemu_plugin_insn_size(insn) != 7 || memcmp(at, "\x0f\x1f\x80", 3) ||
	    memcmp(at + 4, "ZZZ", 3))
		return -1;
	return at[3];
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	struct block *b = block_at(qemu_plugin_tb_vaddr(tb));
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		int mark = mark_of(qemu_plugin_tb_get_insn(tb, i));

		if (mark >= 0)
			qemu_plugin_register_vcpu_tb_exec_cb(tb, on_mark, NO_REGISTERS,
							     (void *)(uintptr_t)mark);
	}
	qemu_plugin_register_vcpu_tb_exec_inline(tb, ADD_U64, &b->count, n);
}

static void on_end(qemu_plugin_id_t id, void *ctx)
{
	(void)id, (void)ctx;
	write_counts(getenv("BLOCKS"));
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	(void)info, (void)argc, (void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
