/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates runtime/compat/facts.def for the target kernel. */
#include <string.h>

#include "base/session.h"
#include "build/parts.h"
#include "formats/btf.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "types/types.h"

enum fact_kind { FACT_EXPORT, FACT_STRUCT, FACT_MEMBER, FACT_FUNC_ARGS, FACT_CALLBACK_ARGS };

struct fact {
	enum fact_kind kind;
	const char *what, *member;
	unsigned index, count;
};

#define EXPORT(symbol)                                                                             \
	{                                                                                          \
		.kind = FACT_EXPORT, .what = #symbol                                               \
	}
#define STRUCT(tag)                                                                                \
	{                                                                                          \
		.kind = FACT_STRUCT, .what = #tag                                                  \
	}
#define MEMBER(tag, name)                                                                          \
	{                                                                                          \
		.kind = FACT_MEMBER, .what = #tag, .member = #name                                 \
	}
#define FUNC_ARGS(function, n)                                                                     \
	{                                                                                          \
		.kind = FACT_FUNC_ARGS, .what = #function, .count = (n)                            \
	}
#define CALLBACK_ARGS(function, i, n)                                                              \
	{                                                                                          \
		.kind = FACT_CALLBACK_ARGS, .what = #function, .index = (i), .count = (n)          \
	}

static const struct {
	const char *name;
	struct fact how;
} facts[] = {
#define FACT(name, how) { #name, how },
#include "compat/facts.def"
#undef FACT
};

static bool has_member(struct btf *btf, uint32_t id, const char *name, unsigned depth)
{
	const struct btf_type *t = btf_type(btf, id);

	if (!t || depth > BTF_MAX_DEPTH ||
	    (btf_kind_of(t) != BTF_KIND_STRUCT && btf_kind_of(t) != BTF_KIND_UNION))
		return false;

	const struct btf_member *m = btf_tail(t);

	for (unsigned i = 0; i < btf_vlen_of(t); i++, m++) {
		const char *member = btf_string(btf, m->name_off);

		if (*member ? !strcmp(member, name)
			    : has_member(btf, btf_skip(btf, m->type), name, depth + 1))
			return true;
	}
	return false;
}

/* Returns the prototype of a function, or NULL. */
static const struct btf_type *prototype_of(struct btf *btf, const char *function)
{
	const struct btf_type *t = btf_type(btf, btf_find_function(btf, function));

	t = t ? btf_type(btf, t->type) : NULL;
	return t && btf_kind_of(t) == BTF_KIND_FUNC_PROTO ? t : NULL;
}

static bool callback_has_args(struct btf *btf, const struct btf_type *proto, unsigned index,
			      unsigned count)
{
	const struct btf_param *params = btf_tail(proto);
	const struct btf_type *t;

	if (index >= btf_vlen_of(proto))
		return false;
	t = btf_type(btf, btf_skip(btf, params[index].type));
	if (!t || btf_kind_of(t) != BTF_KIND_PTR)
		return false;
	t = btf_type(btf, btf_skip(btf, t->type));
	return t && btf_kind_of(t) == BTF_KIND_FUNC_PROTO && btf_vlen_of(t) == count;
}

static bool fact_holds(struct session *s, struct btf *btf, const struct fact *f)
{
	const struct btf_type *proto;
	uint32_t id;

	switch (f->kind) {
	case FACT_EXPORT:
		return kernel_exports(s, f->what);
	case FACT_STRUCT:
	case FACT_MEMBER:
		id = btf_find_type(btf, f->what, 1u << BTF_KIND_STRUCT);
		return id && (f->kind == FACT_STRUCT || has_member(btf, id, f->member, 0));
	case FACT_FUNC_ARGS:
		proto = prototype_of(btf, f->what);
		return proto && btf_vlen_of(proto) == f->count;
	case FACT_CALLBACK_ARGS:
		proto = prototype_of(btf, f->what);
		return proto && callback_has_args(btf, proto, f->index, f->count);
	}
	return false;
}

struct error *facts_text(struct session *s, const char **ret)
{
	struct btf *btf;
	uint32_t id;
	struct strbuf b;
	struct error *err = types_find(s, NULL, "struct module", &btf, &id);

	if (err)
		return error_context(s->arena, err, "facts of kernel %s", s->kernel->release);
	strbuf_init(&b, s->arena);
	strbuf_addf(
		&b,
		"/* Facts about kernel %s: made by stap from its BTF and exported symbols. */\n",
		s->kernel->release);
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (fact_holds(s, btf, &facts[i].how))
			strbuf_addf(&b, "#define STP_HAVE_%s 1\n", facts[i].name);
	*ret = b.s;
	return NULL;
}
