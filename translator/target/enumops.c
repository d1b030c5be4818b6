/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "target/enumops.h"

#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "base/options.h"
#include "base/session.h"
#include "dwarf/dwarf.h"
#include "dwarf/kernelinfo.h"
#include "kernel/kernel.h"
#include "lib/error.h"
#include "target/cast.h"
#include "types/enums.h"
#include "types/relocation.h"

bool enumops_are_asked(const struct node *n)
{
	return !strcmp(n->atop, "enum") || !strcmp(n->atop, "enumname");
}

/* Returns the module, or NULL for the kernel itself. */
static const char *own_module(const char *module)
{
	return module && *module != '/' && strcmp(module, "kernel") ? module : NULL;
}

/* *of_kernel: the value is the kernel's, of the module or (NULL) its own. */
static struct error *find_value(struct session *s, const char *module, const char *name,
				int64_t *ret, bool *of_kernel)
{
	struct dwarf_file *program;
	struct error *err;

	/*
	 * In a probe of a program, the enumeration is that of the program; a script may
	 * use the kernel's there as well.
	 */
	if (module && *module == '/') {
		err = dwarf_open(s, module, &program);
		if (!err)
			err = dwarf_enumerator(s, program, name, ret);
		*of_kernel = err && !kernel_need(s) && !enums_enumerator(s, NULL, name, ret);
		return *of_kernel ? NULL : err;
	}
	err = kernel_need(s);
	*of_kernel = true;
	return err ? err : enums_enumerator(s, own_module(module), name, ret);
}

/*
 * Makes the node a variable of no memory: each kernel that runs the program has its own
 * value.
 */
static void make_variable(struct session *s, const char *module, struct node *n, int64_t value)
{
	struct access *a = arena_new(s->arena, struct access);
	struct node old = *n;

	*a = (struct access){ .base = ACCESS_ADDRESS,
			      .number = value,
			      .origin = relocation_enumerator(s, own_module(module),
							      old.list->string, value),
			      .c_type = "int" };
	*n = (struct node){ .kind = NODE_TARGET,
			    .target = TARGET_VAR,
			    .target_name =
				    arena_printf(s->arena, "@enum(\"%s\")", old.list->string),
			    .access = a,
			    .loc = old.loc,
			    .op_loc = old.op_loc,
			    .next = old.next };
}

static void bind_value(struct session *s, const char *module, struct node *n)
{
	bool of_kernel = false;
	int64_t value;
	struct error *err = find_value(s, module, n->list->string, &value, &of_kernel);

	if (err)
		n->missing = err->text;
	else if (of_kernel && s->options->runtime == RUNTIME_BPF)
		make_variable(s, module, n, value);
	else
		*n = (struct node){ .kind = NODE_NUMBER,
				    .number = value,
				    .of_enum = true,
				    .loc = n->loc,
				    .op_loc = n->op_loc,
				    .next = n->next };
}

/*
 * Finds the type: "pid_type" is the enumeration, even if there is a structure with that
 * name.
 */
static struct error *find_type(struct session *s, const char *module, const struct node *type,
			       struct cast_type *ret)
{
	const char *modules = type->next ? type->next->string : NULL;

	if (strncmp(type->string, "enum ", 5) &&
	    !cast_find_type_from(s, arena_printf(s->arena, "enum %s", type->string), modules,
				 module, ret))
		return NULL;
	return cast_find_type_from(s, type->string, modules, module, ret);
}

static void bind_named(struct session *s, const char *module, struct node *n,
		       const struct node *type)
{
	struct cast_type found;
	struct error *err = find_type(s, module, type, &found);

	if (err) {
		n->missing = err->text;
		return;
	}
	n->enumeration = enums_enumeration(s, found.btf, found.id);
	if (!n->enumeration)
		n->missing = arena_printf(s->arena, "'%s' is not an enumeration", type->string);
}

static void bind_typed(struct session *s, struct node *n)
{
	const struct node *value = n->list->kind == NODE_ENTRY ? n->list->operand : n->list;

	if (value && value->kind == NODE_TARGET && node_is_open(value))
		return;
	if (value && value->kind == NODE_TARGET && value->unresolved)
		return; /* this has a separate message */
	if (value && value->kind == NODE_TARGET && value->access->btf && !value->access->is_address)
		n->enumeration = enums_enumeration(s, value->access->btf, value->access->type_id);
	if (!n->enumeration)
		n->missing = arena_printf(s->arena,
					  "'%s' does not have the type of an enumeration; write "
					  "@enumname(%s, \"enum ...\")",
					  unparse_node(s->arena, n->list),
					  unparse_node(s->arena, n->list));
}

void enumops_bind_variable(struct session *s, const char *module, struct node *n)
{
	struct dwarf_global constant = { .name = n->target_name + 1, .is_constant = true };
	struct access *a = arena_new(s->arena, struct access);
	struct enum_value found;
	struct error *err = kernel_need(s);

	if (module && !strcmp(module, "kernel"))
		module = NULL;
	if (err ? err->kind == ERROR_ABSENT : !enums_have(s, module, constant.name))
		return;
	if (!err)
		err = enums_find(s, module, constant.name, &found);
	if (!err) {
		constant.address = (uint64_t)found.value;
		constant.btf = found.btf;
		constant.type = found.type;
		err = dwarf_constant(s, &constant, &n->path, n->address_of, a);
	}
	if (!err)
		a->origin = relocation_enumerator(s, module, constant.name, found.value);
	n->access = a;
	n->unresolved = err ? err->text : NULL;
}

void enumops_bind(struct session *s, const char *module, struct node *n)
{
	if (!enumops_are_asked(n) || n->missing || n->enumeration || n->type == TYPE_ERROR)
		return;
	if (!strcmp(n->atop, "enum"))
		bind_value(s, module, n);
	else if (n->list->next)
		bind_named(s, module, n, n->list->next);
	else
		bind_typed(s, n);
}
