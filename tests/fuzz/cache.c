/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into the translator: the files of its cache. They are the user's
 * own, but may be damaged. The first byte chooses: the library's index (whose checksum is
 * made to fit), a module's recipe, the BTF or the functions of a kernel.
 */
#include <linux/btf.h>
#include <stdint.h>
#include <string.h>

#include "base/options.h"
#include "base/session.h"
#include "build/recipe.h"
#include "harness/stap.h"
#include "kernel/factcache.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/symbols.h"
#include "kernel/tree.h"
#include "lib/arena.h"
#include "sem/libindex.c" /* its checksum */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

struct input {
	const uint8_t *data;
	size_t size;
};

static void open_index(struct session *s, void *ctx)
{
	const struct input *in = ctx;
	struct index_head *head = arena_alloc(s->arena, in->size + sizeof(*head));
	struct bytes flat = { "index", (uint8_t *)head, in->size };
	struct index_range range;
	struct strbuf key;
	struct index x;

	strbuf_init(&key, s->arena);
	strbuf_adds(&key, "key");
	memcpy(head, in->data, in->size);
	if (in->size > sizeof(*head))
		head->sum = sum_of((uint8_t *)(head + 1), in->size - sizeof(*head));
	if (!libindex_open(&x, &flat, &key, 3))
		return;
	for (enum index_kind kind = 0; kind < INDEX_KINDS; kind++) {
		range = libindex_all(&x, kind);
		for (size_t i = range.begin; i < range.end; i++)
			libindex_find(&x, kind, index_name(&x, i));
	}
}

static void load_recipe(struct session *s, void *ctx)
{
	const struct input *in = ctx;
	struct build b = { .s = s, .kernel_dir = harness_path(""), .work = "work", .name = "m" };
	struct recipe r;

	harness_write("recipe", in->data, in->size);
	if (recipe_load(&b, &r))
		return;
	recipe_dir(&b, &r);
	vec_each(&r.steps, i)
		recipe_expand(&b, &r.steps.data[i].argv, "object.o");
}

/* Puts the file where stap keeps what it found out about this kernel's image. */
static void write_fact(struct session *s, const struct input *in, const char *suffix)
{
	const char *image = kernel_place(s, TREE_IMAGE);

	factcache_put(s, arena_printf(s->arena, "%s.%s", factcache_stamp(s, image), suffix),
		      in->data, in->size);
}

static void read_btf(struct session *s, void *ctx)
{
	kernel_functions found = { 0 };

	if (kernel_open(s))
		return;
	write_fact(s, ctx, "btf");
	kernel_find_functions(s, NULL, "*", &found);
}

static void read_functions(struct session *s, void *ctx)
{
	/* Without types, and with one empty name. */
	static const struct {
		struct btf_header head;
		char names[1];
	} empty = { .head = { .magic = BTF_MAGIC,
			      .version = BTF_VERSION,
			      .hdr_len = sizeof(struct btf_header),
			      .str_len = 1 } };
	struct input *in = ctx;

	if (kernel_open(s))
		return;
	write_fact(s, &(struct input){ (const uint8_t *)&empty, sizeof(empty.head) + 1 }, "btf");
	write_fact(s, in, "functions");
	kernel_specialised(s, "vfs_read", 1);
	kernel_refuses_kprobe(s, "vfs_read");
}

static void (*const kinds[])(struct session *s, void *ctx) = { open_index, load_recipe, read_btf,
							       read_functions };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	harness_make_tree();
	harness_write("tree/boot/vmlinuz-" HARNESS_RELEASE, "", 0);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const args[] = { "-p2", "-r", HARNESS_RELEASE, "-e", "", NULL };
	struct input in = { data + 1, size - 1 };

	if (size)
		harness_session(args, kinds[data[0] % (sizeof(kinds) / sizeof(*kinds))], &in);
	return 0;
}
