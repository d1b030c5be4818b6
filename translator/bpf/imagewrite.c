/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the image: functions, their types, data. */
#include <linux/btf.h>

#include "base/session.h"
#include "bpf/link.h"
#include "runtime/uapi/bpfimage.h"

/* ---- types: one number for all values ---- */

struct types {
	struct strbuf bytes, names;
	uint32_t count;
};

static uint32_t type_name(struct types *t, const char *name)
{
	uint32_t at = (uint32_t)t->names.len;

	strbuf_add(&t->names, name, strlen(name) + 1);
	return at;
}

static uint32_t type_add(struct types *t, uint32_t name, uint32_t kind, uint32_t vlen,
			 uint32_t size)
{
	struct btf_type type = { .name_off = name, .info = kind << 24 | vlen, .size = size };

	strbuf_add(&t->bytes, (const char *)&type, sizeof(type));
	return ++t->count;
}

/* Adds the number, and a prototype of each number of arguments: types 2 to 7. */
static void types_begin(struct types *t, struct arena *a)
{
	uint32_t bits = 1u << 24 | 64; /* signed */

	strbuf_init(&t->bytes, a);
	strbuf_init(&t->names, a);
	strbuf_addc(&t->names, 0);
	type_add(t, type_name(t, "long"), BTF_KIND_INT, 0, 8);
	strbuf_add(&t->bytes, (const char *)&bits, sizeof(bits));
	for (uint32_t n = 0; n <= 5; n++) {
		struct btf_param p = { type_name(t, "a"), 1 };

		type_add(t, 0, BTF_KIND_FUNC_PROTO, n, 1);
		for (uint32_t i = 0; i < n; i++)
			strbuf_add(&t->bytes, (const char *)&p, sizeof(p));
	}
}

static void types_write(const struct types *t, struct strbuf *ret)
{
	struct btf_header head = { .magic = BTF_MAGIC,
				   .version = BTF_VERSION,
				   .hdr_len = sizeof(head),
				   .type_len = (uint32_t)t->bytes.len,
				   .str_off = (uint32_t)t->bytes.len,
				   .str_len = (uint32_t)t->names.len };

	strbuf_add(ret, (const char *)&head, sizeof(head));
	strbuf_add(ret, t->bytes.s, t->bytes.len);
	strbuf_add(ret, t->names.s, t->names.len);
}

static void align(struct strbuf *b)
{
	while (b->len % 8)
		strbuf_addc(b, 0);
}

static uint32_t place_functions(struct linking *l, struct types *t)
{
	uint32_t at = 0;

	for (size_t i = 0; i < l->order.count; i++) {
		struct function *f = l->order.data[i];

		f->at = at;
		f->type = type_add(t, type_name(t, f->name), BTF_KIND_FUNC, BTF_FUNC_GLOBAL,
				   2 + f->nargs);
		at += (uint32_t)f->code.count;
	}
	return at;
}

static void write_code(struct linking *l, struct strbuf *ret)
{
	for (size_t k = 0; k < l->order.count; k++) {
		struct function *f = l->order.data[k];

		for (size_t i = 0; i < f->code.count; i++) {
			struct bpf_insn in = f->code.data[i].i;

			if (f->code.data[i].callee)
				in.imm = (__s32)f->code.data[i].callee->at - (__s32)(f->at + i + 1);
			strbuf_add(ret, (const char *)&in, sizeof(in));
		}
	}
}

/* ---- places ---- */

/* Adds the text unless it is there already; returns its place among the texts. */
static uint32_t add_text(struct strbuf *texts, struct hashmap *known, const char *text)
{
	void *at = hashmap_get(known, text);

	if (!at) {
		at = (void *)(texts->len + 1);
		hashmap_put(known, text, at);
		strbuf_add(texts, text, strlen(text) + 1);
	}
	return (uint32_t)(uintptr_t)at - 1;
}

static uint32_t write_places(struct linking *l, struct strbuf *places, struct strbuf *texts)
{
	const char *last = "";
	struct hashmap known;
	uint32_t count = 0;

	hashmap_init(&known, l->s->arena);
	vec_each(&l->order, k) {
		const struct function *f = l->order.data[k];

		for (size_t i = 0; i < f->code.count; i++) {
			const char *of = f->code.data[i].of ? f->code.data[i].of : "";
			struct bpfimage_place place = { f->at + (uint32_t)i, 0 };

			if (!strcmp(of, last))
				continue;
			last = of;
			place.text = add_text(texts, &known, of);
			strbuf_add(places, (const char *)&place, sizeof(place));
			count++;
		}
	}
	return count;
}

/* ---- the image ---- */

/* Returns where a hit begins; 0: it needs the program's context. */
static uint32_t begin_of(const struct linking *l)
{
	const instructions *code = &l->order.data[0]->code;

	if (l->uses & BPFIMAGE_USES_STACK)
		return 0;
	for (size_t i = 0; i < code->count; i++)
		if (code->data[i].is_begin)
			return (uint32_t)i;
	return 0;
}

void imagewrite(struct linking *l, struct strbuf *ret)
{
	struct types t = { .count = 0 };
	struct bpfimage head = { .magic = BPFIMAGE_MAGIC };
	struct strbuf types, places, texts;

	types_begin(&t, l->s->arena);
	strbuf_init(&types, l->s->arena);
	head.instructions = place_functions(l, &t);
	types_write(&t, &types);
	head.functions = (uint32_t)l->order.count;
	head.types = (uint32_t)types.len;
	head.data = (uint32_t)l->data.len - BPFIMAGE_DATA_FROM;
	strbuf_init(&places, l->s->arena);
	strbuf_init(&texts, l->s->arena);
	head.places = write_places(l, &places, &texts);
	head.texts = (uint32_t)texts.len;
	head.uses = l->uses;
	head.begin = begin_of(l);
	strbuf_add(ret, (const char *)&head, sizeof(head));
	write_code(l, ret);
	for (size_t i = 0; i < l->order.count; i++) {
		struct bpfimage_function f = { l->order.data[i]->at, l->order.data[i]->type };

		strbuf_add(ret, (const char *)&f, sizeof(f));
	}
	strbuf_add(ret, types.s, types.len);
	align(ret);
	strbuf_add(ret, l->data.s + BPFIMAGE_DATA_FROM, head.data);
	align(ret);
	strbuf_add(ret, places.s, places.len);
	strbuf_add(ret, texts.s, texts.len);
}
