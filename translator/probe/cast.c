/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @cast(value, "type"[, "module"])->member[i], and value->member where the value's type is known. */
#include "probe/cast.h"

#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "base/error.h"
#include "base/session.h"
#include "debuginfo/path.h"

/* The type in the first of the modules "a:b:kernel" that has it. Headers in '<>' are not compiled: the
 * kernel's own BTF has their types. */
static struct error *find_type(struct session *s, const struct node *n, struct btf **btf, uint32_t *ret)
{
	const char *list = n->module ? n->module : "kernel";
	struct error *err = NULL;

	for (const char *p = list; *p;) {
		size_t len = strcspn(p, ":");
		const char *module = arena_strndup(s->arena, p, len);
		size_t plain = strcspn(module, "<");

		p += len + (p[len] == ':');
		module = arena_strndup(s->arena, module, plain);
		if (strchr(module, '/'))
			err = error_create(s->arena, ERROR_ABSENT,
					   "types of user programs ('%s') need debuginfo, which is not read",
					   module);
		else
			err = kernel_find_type(s, !*module || !strcmp(module, "kernel") ? NULL : module,
					       n->cast_type, btf, ret);
		if (!err)
			return NULL;
	}
	return err ? err : error_create(s->arena, ERROR_SCRIPT, "@cast: the list of modules is empty");
}

static struct error *cast_access(struct session *s, struct node *n, struct access *a)
{
	struct kernel_type_info info;
	struct path_start start = { .element = true };
	struct error *err = kernel_need(s);

	if (!err)
		err = find_type(s, n, &start.btf, &start.type_id);
	if (!err)
		err = kernel_type_info(s, start.btf, start.type_id, &info);
	if (err)
		return err;
	if (!n->path.count) {
		/* A value of that type, or the address of one: the number itself. */
		a->c_type = n->cast_type;
		a->btf = start.btf;
		a->type_id = start.type_id;
		return NULL;
	}
	/* The value is a pointer to the type, unless the type already is one. */
	start.place = info.kind == KTYPE_POINTER ? PATH_VALUE : PATH_ADDRESS;
	return path_follow(s, &start, &n->path, n->address_of, a);
}

static void finish(struct node *n, struct access *a, const struct error *err)
{
	n->access = a;
	n->unresolved = err ? err->text : NULL;
}

void cast_bind(struct session *s, struct node *n)
{
	struct access *a = arena_new(s->arena, struct access);

	a->base = ACCESS_VALUE;
	a->value = n->operand;
	finish(n, a, cast_access(s, n, a));
}

static struct error *auto_access(struct session *s, struct node *n, const struct access *from,
				 struct access *a)
{
	const char *text = node_str(s->arena, n->operand);

	if (n->operand->kind == NODE_TARGET && n->operand->unresolved)
		return error_create(s->arena, ERROR_SCRIPT, "%s", n->operand->unresolved);
	if (!strcmp(text, "args"))
		return error_create(s->arena, ERROR_SCRIPT,
				    "there is no 'args' here: what a probe is given are target variables, as $%s; stap -L POINT lists them",
				    n->path.data[0].kind == STEP_MEMBER ? n->path.data[0].member : "name");
	if (!from || !from->btf)
		return error_create(s->arena, ERROR_SCRIPT,
				    "the type of '%s' is not known; write @cast(%s, \"struct ...\")->...",
				    text, text);

	struct path_start start = { .btf = from->btf, .type_id = from->type_id };
	struct kernel_type_info info;
	struct error *err = kernel_type_info(s, start.btf, start.type_id, &info);

	/* A structure's value is its address; so is a cast without a path. */
	if (info.kind == KTYPE_AGGREGATE || info.kind == KTYPE_ARRAY)
		start.place = PATH_ADDRESS;
	a->user = from->user;
	return err ? err : path_follow(s, &start, &n->path, n->address_of, a);
}

void auto_bind(struct session *s, struct node *n, const struct access *from)
{
	struct access *a = arena_new(s->arena, struct access);

	a->base = ACCESS_VALUE;
	a->value = n->operand;
	finish(n, a, auto_access(s, n, from, a));
}

void atvar_bind(struct session *s, struct node *n)
{
	n->access = arena_new(s->arena, struct access);
	n->unresolved = arena_printf(
		s->arena,
		"@var(\"%s\"): variables outside of the probed function need debuginfo, which is not read",
		n->target_name);
}
