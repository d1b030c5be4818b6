/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/relocation.h"

#include <inttypes.h>
#include <string.h>

#include "base/options.h"
#include "kernel/facts.h"
#include "kernel/functions.h"
#include "lib/strbuf.h"
#include "types/enums.h"
#include "types/follow.h"
#include "types/types.h"

/* True: the table is the kernel's own, or of a module (*module), as /sys has them. */
static bool of_kernel(struct session *s, const struct btf *btf, const char **module)
{
	const struct facts *f = s->kernel ? s->kernel->facts : NULL;

	*module = NULL;
	if (!f || btf == f->btf)
		return f != NULL;
	vec_each(&f->module_list, i)
		if (f->module_list.data[i]->btf == btf) {
			*module = f->module_list.data[i]->name;
			return true;
		}
	return false;
}

const struct access_field *relocation_bound(struct session *s, const char *why)
{
	struct access_field *ret = arena_new(s->arena, struct access_field);

	*ret = (struct access_field){ .kind = FIELD_KERNEL, .type = "", .path = "", .is = why };
	return ret;
}

/* ---- types: as runtime/user/bpffields.c names them ---- */

static const char *named(struct session *s, const char *word, const struct btf *btf, uint32_t id)
{
	return arena_printf(s->arena, "%s %s", word, btf_name(btf, id));
}

static const char *number_text(struct session *s, const struct btf *btf, uint32_t id)
{
	struct type_info info;
	struct error *err = types_info(s, btf, id, &info);

	return arena_printf(s->arena, "%s number of %" PRIu64 " bytes",
			    !err && info.is_signed ? "signed" : "unsigned", btf_size(btf, id));
}

static const char *type_text(struct session *s, const struct btf *btf, uint32_t type,
			     unsigned depth)
{
	uint32_t id = btf_skip(btf, type);
	const struct btf_type *t = btf_type(btf, id);

	switch (depth < BTF_MAX_DEPTH ? btf_kind(btf, id) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_ID_ENUM64:
		return depth ? number_text(s, btf, id) : "number";
	case BTF_KIND_FLOAT:
		return "floating-point number";
	case BTF_KIND_PTR:
		return arena_printf(s->arena, "%s *", type_text(s, btf, t->type, depth + 1));
	case BTF_KIND_ARRAY:
		return arena_printf(s->arena, "%s []",
				    type_text(s, btf, ((const struct btf_array *)btf_tail(t))->type,
					      depth + 1));
	case BTF_KIND_STRUCT:
		return named(s, "struct", btf, id);
	case BTF_KIND_UNION:
		return named(s, "union", btf, id);
	case BTF_KIND_FWD:
		return named(s, BTF_INFO_KFLAG(t->info) ? "union" : "struct", btf, id);
	case BTF_KIND_FUNC_PROTO:
		return "function";
	default:
		return "void";
	}
}

/* ---- functions ---- */

static const struct access_field *of_function(struct session *s, const struct kernel_function *fn,
					      struct access_field field, uint32_t type)
{
	struct access_field *ret = arena_new(s->arena, struct access_field);

	if (!s->options || s->options->runtime != RUNTIME_BPF)
		return NULL;
	*ret = field;
	ret->module = fn->module;
	ret->is = type_text(s, fn->btf, type, 1);
	return ret;
}

const struct access_field *relocation_parameter(struct session *s, const struct kernel_function *fn,
						size_t i, bool is_traced)
{
	struct access_field field = { .kind = FIELD_PARAMETER,
				      .type = fn->name,
				      .path = fn->params.data[i].name,
				      .number = (int64_t)i };

	if (is_traced) { /* after the data of the tracepoint's handler */
		field.type = arena_printf(s->arena, "__traceiter_%s", fn->name);
		field.number++;
	}
	return of_function(s, fn, field, fn->params.data[i].type_id);
}

const struct access_field *relocation_result(struct session *s, const struct kernel_function *fn)
{
	const struct access_field field = { .kind = FIELD_RESULT, .type = fn->name, .path = "" };

	return of_function(s, fn, field, fn->return_type);
}

/*
 * Returns the name by which a type is found again: "struct file", "atomic_t"; "": it has
 * none; NULL: no kernel has another such type.
 */
static const char *origin_name(struct session *s, const struct btf *btf, uint32_t type)
{
	const uint32_t qualified = KIND(CONST) | KIND(VOLATILE) | KIND(RESTRICT) | KIND(TYPE_TAG);
	uint32_t id = btf_skip(btf, type);
	const uint32_t kind = 1u << btf_kind(btf, id);

	if (kind & (AGGREGATES | KIND(FWD)) && *btf_name(btf, id))
		return type_text(s, btf, id, 0);
	for (unsigned i = 0; i < BTF_MAX_DEPTH && qualified >> btf_kind(btf, type) & 1; i++)
		type = btf_type(btf, type)->type;
	if (btf_kind(btf, type) == BTF_KIND_TYPEDEF)
		return btf_name(btf, type);
	return kind & (AGGREGATES | KIND(ARRAY)) ? "" : NULL;
}

void relocation_cut(struct session *s, struct access *a)
{
	struct access_step cut = { .kind = ACCESS_TRUNCATE, .size = 8, .field = a->origin };

	if (!a->origin || strchr(a->origin->is, '*') || !strstr(a->origin->is, "signed number of"))
		return;
	if (a->steps.count && a->steps.data[0].kind == ACCESS_TRUNCATE) {
		a->steps.data[0].field = a->origin;
		return;
	}
	vec_push(s->arena, &a->steps, cut);
	memmove(a->steps.data + 1, a->steps.data, (a->steps.count - 1) * sizeof(cut));
	a->steps.data[0] = cut;
}

const struct access_field *relocation_enumerator(struct session *s, const char *module,
						 const char *name, int64_t value)
{
	struct access_field *ret = arena_new(s->arena, struct access_field);

	if (!s->options || s->options->runtime != RUNTIME_BPF)
		return NULL;
	*ret = (struct access_field){ .kind = FIELD_ENUMERATOR,
				      .module = module,
				      .type = "",
				      .path = name,
				      .number = value };
	return ret;
}

const struct access_field *relocation_names(struct session *s, const struct btf *btf,
					    const struct enumeration *e)
{
	struct access_field *ret = arena_new(s->arena, struct access_field);
	const char *module;
	struct strbuf list;

	if (!s->options || s->options->runtime != RUNTIME_BPF || !of_kernel(s, btf, &module))
		return NULL;
	strbuf_init(&list, s->arena);
	vec_each(&e->rows, i)
		strbuf_addf(&list, "%s=%" PRId64 " ", e->rows.data[i].name, e->rows.data[i].value);
	*ret = (struct access_field){
		.kind = FIELD_NAMES, .module = module, .type = "", .path = list.s
	};
	return ret;
}

/* ---- places ---- */

static void set_place(struct follow *f, const char *type, const char *path)
{
	struct access_field *place = arena_new(f->s->arena, struct access_field);

	*place = (struct access_field){
		.kind = FIELD_MEMBER, .module = f->module, .type = type, .path = path
	};
	f->field = place;
}

void relocation_origin(struct follow *f)
{
	const struct access_field *from = f->field;
	const char *name = f->is_relocated ? origin_name(f->s, f->btf, f->type) : NULL;

	if (f->is_bound)
		f->a->bound = relocation_bound(f->s, "its types come from debuginfo or headers");
	f->field = NULL;
	if (name && *name)
		set_place(f, name, "");
	else if (name && from)
		set_place(f, from->type, arena_printf(f->s->arena, "%s*", from->path));
	else if (name)
		f->a->bound = relocation_bound(
			f->s, arena_printf(f->s->arena, "'%s' has no name", follow_type_text(f)));
	f->added = f->field;
}

void relocation_begin(struct follow *f)
{
	if (!f->s->options || f->s->options->runtime != RUNTIME_BPF || f->a->user || !f->s->kernel)
		return;
	f->is_relocated = of_kernel(f->s, f->btf, &f->module);
	f->is_bound = !f->is_relocated;
	if (f->place == PATH_ADDRESS)
		relocation_origin(f);
	else if (f->place == PATH_REGISTERS)
		f->a->bound =
			relocation_bound(f->s, arena_printf(f->s->arena, "'%s' is passed by value",
							    follow_type_text(f)));
}

void relocation_member(struct follow *f, const char *name)
{
	if (f->field)
		set_place(f, f->field->type,
			  arena_printf(f->s->arena, "%s.%s", f->field->path, name));
}

void relocation_element(struct follow *f, int64_t n)
{
	if (f->field)
		set_place(f, f->field->type,
			  arena_printf(f->s->arena, "%s[%" PRId64 "]", f->field->path, n));
}

const struct access_field *relocation_part(struct session *s, const struct access_field *origin,
					   const char *path, const struct btf *btf, uint32_t type)
{
	struct access_field *ret = arena_new(s->arena, struct access_field);

	*ret = *origin;
	ret->path = arena_printf(s->arena, "%s%s", origin->path, path);
	ret->is = type_text(s, btf, type, 0);
	ret->may_lack = true;
	return ret;
}

void relocation_absent(struct follow *f, const char *name)
{
	struct access_field *absent = arena_new(f->s->arena, struct access_field);

	if (!f->field)
		return;
	*absent = *f->field;
	absent->kind = FIELD_NO_MEMBER;
	absent->path = arena_printf(f->s->arena, "%s.%s", absent->path, name);
	f->a->absent = absent;
}

const struct access_field *relocation_no_type(struct session *s, const char *name)
{
	struct access_field *absent = arena_new(s->arena, struct access_field);
	size_t len = strcspn(name, "*");

	while (len && name[len - 1] == ' ')
		len--;
	*absent = (struct access_field){ .kind = FIELD_NO_MEMBER,
					 .type = arena_strndup(s->arena, name, len),
					 .path = "" };
	return absent;
}

const struct access_field *relocation_no_parameter(struct session *s,
						   const struct kernel_function *fn,
						   const char *name, bool is_traced)
{
	struct access_field *absent = arena_new(s->arena, struct access_field);

	*absent = (struct access_field){
		.kind = FIELD_NO_PARAMETER,
		.module = fn->module,
		.type = is_traced ? arena_printf(s->arena, "__traceiter_%s", fn->name) : fn->name,
		.path = name
	};
	return absent;
}

static const struct access_field *with_type(const struct follow *f,
					    const struct access_field *field)
{
	struct access_field *ret = arena_new(f->s->arena, struct access_field);

	*ret = *field;
	ret->is = type_text(f->s, f->btf, f->type, 0);
	return ret;
}

const struct access_field *relocation_here(const struct follow *f)
{
	return f->field ? with_type(f, f->field) : NULL;
}

void relocation_end(struct follow *f)
{
	size_t n = f->a->steps.count;

	if (f->field && n && f->a->steps.data[n - 1].field == f->field)
		f->a->steps.data[n - 1].field = with_type(f, f->field);
}
