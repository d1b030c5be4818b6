/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stack as the text of its addresses. Arrays use such texts as keys, and the same few
 * stacks occur again and again, so each CPU keeps some texts with their addresses, and
 * copies them.
 */
#include "kernel/program_text.h"

#include <linux/slab.h>

#include "api.h"
#include "core/state.h"

#define TEXT_BITS 4    /* number of stacks for each CPU */
#define TEXT_MOST 4096 /* longer strings are not kept */

#define HASH_FACTOR 0x9e3779b97f4a7c15

struct kept_text {
	uint64_t hash;
	uint32_t count; /* 0: none */
	uint32_t len;
	uint64_t words[]; /* addresses, MAXBACKTRACE of them, then the text with its end */
};

static char **contexts_texts;

static size_t text_stride(void)
{
	return sizeof(struct kept_text) +
	       sizeof(uint64_t) * (stp_script.limits.backtrace +
				   DIV_ROUND_UP(stp_script.limits.string, sizeof(uint64_t)));
}

void program_texts_destroy(void)
{
	for (unsigned int i = 0; contexts_texts && i <= stp_runtime.ncpus; i++)
		kvfree(contexts_texts[i]);
	kvfree(contexts_texts);
	contexts_texts = NULL;
}

int program_texts_create(void)
{
	if (stp_script.limits.string > TEXT_MOST)
		return 0;
	contexts_texts = kvcalloc(stp_runtime.ncpus + 1, sizeof(*contexts_texts), GFP_KERNEL);
	if (!contexts_texts)
		return -ENOMEM;
	for (unsigned int i = 0; i <= stp_runtime.ncpus; i++) {
		if (!stp_runtime.cpus[i])
			continue;
		contexts_texts[i] = kvcalloc(1 << TEXT_BITS, text_stride(), GFP_KERNEL);
		if (!contexts_texts[i])
			return -ENOMEM;
	}
	return 0;
}

static uint64_t hash_of(const struct stp_program_stack *s)
{
	uint64_t h = s->count;

	for (unsigned int i = 0; i < s->count; i++)
		h = (h + s->frames[i].address) * HASH_FACTOR;
	return h;
}

/* Returns the place for the text of that hash. */
static struct kept_text *place_of(const struct stp_ctx *c, uint64_t hash)
{
	return (struct kept_text *)(contexts_texts[c->cpu] +
				    (hash >> (64 - TEXT_BITS)) * text_stride());
}

static bool is_text_of(const struct kept_text *t, const struct stp_program_stack *s, uint64_t hash)
{
	if (t->hash != hash || t->count != s->count)
		return false;
	for (unsigned int i = 0; i < s->count; i++)
		if (t->words[i] != s->frames[i].address)
			return false;
	return true;
}

static char *text_in(struct kept_text *t)
{
	return (char *)(t->words + stp_script.limits.backtrace);
}

static noinline uint32_t write_text(struct stp_ctx *c, char *dst, const struct stp_program_stack *s,
				    uint32_t count)
{
	struct stp_text t = { { dst, 0 }, false };

	for (unsigned int i = 0; i < count; i++) {
		const struct stp_program_frame *f = &s->frames[i];

		if (!(f->kept ? stp_text_kept_address(&t, f->address, f->kept)
			      : stp_text_address(&t, f->address)))
			break;
	}
	return stp_text_end(c, &t).len;
}

/* Copies whole words, four at a time while there are as many. */
static void copy_text(char *dst, const char *text, uint32_t len)
{
	const uint32_t most = 4 * sizeof(uint64_t);
	uint32_t i = 0;

	for (; i + most <= len; i += most)
		memcpy(dst + i, text + i, most);
	for (; i <= len; i += sizeof(uint64_t))
		memcpy(dst + i, text + i, sizeof(uint64_t));
}

/* Whole words are copied, so a text that nearly fills its string is not kept. */
static bool has_room(uint32_t len)
{
	return len + sizeof(uint64_t) <= stp_script.limits.string;
}

static noinline uint32_t make_text(struct stp_ctx *c, char *dst, const struct stp_program_stack *s,
				   struct kept_text *t, uint64_t hash)
{
	uint32_t len = write_text(c, dst, s, s->count);

	t->count = 0;
	if (!has_room(len))
		return len;
	for (unsigned int i = 0; i < s->count; i++)
		t->words[i] = s->frames[i].address;
	memcpy(text_in(t), dst, len + 1);
	t->hash = hash;
	t->len = len;
	t->count = s->count;
	return len;
}

uint32_t stp_program_text(struct stp_ctx *c, char *dst, const struct stp_program_stack *s,
			  uint32_t most)
{
	struct kept_text *t;
	uint64_t hash;

	if (most < s->count || !s->count || !contexts_texts)
		return write_text(c, dst, s, min(most, s->count));
	hash = hash_of(s);
	t = place_of(c, hash);
	if (!is_text_of(t, s, hash))
		return make_text(c, dst, s, t, hash);
	copy_text(dst, text_in(t), t->len);
	return t->len;
}
