/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * @cast(value, "type"[, "module"])->member[i], and
 * value->member where the value's type is known.
 */
#include "target/cast.h"

#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "base/diag.h"
#include "base/session.h"
#include "drift/drift.h"
#include "dwarf/kernelinfo.h"
#include "dwarf/thread.h"
#include "kernel/kernel.h"
#include "kernel/modules.h"
#include "lib/error.h"
#include "program/executable.h"
#include "types/relocation.h"
#include "types/headers.h"
#include "types/member.h"
#include "types/types.h"

static struct error *type_of_program(struct session *s, const char *path, const char *name,
				     struct cast_type *ret)
{
	struct dwarf_file *f;
	struct error *err = dwarf_open(s, path, &f);

	ret->user = true;
	return err ? err : dwarf_type(s, f, name, &ret->btf, &ret->id);
}

/*
 * Finds a kernel's type. Modules that were not built with the kernel have no BTF.
 */
static struct error *type_of_kernel(struct session *s, const char *module, const char *name,
				    struct cast_type *ret)
{
	struct dwarf_file *f;
	struct error *err;

	if (module && kernel_module_kind(s, module) == MODULE_BUILT_IN)
		module = NULL;
	err = types_find(s, module, name, &ret->btf, &ret->id);

	if (!err || !module || dwarf_kernel(s, module, &f))
		return err;
	return dwarf_type(s, f, name, &ret->btf, &ret->id);
}

/* Finds a type in any module: a type that the kernel itself lacks may be a module's. */
static struct error *type_of_any_module(struct session *s, const char *type, struct error *err,
					struct cast_type *ret)
{
	const char *module =
		err->kind == ERROR_ABSENT ? types_holder(s, type, &ret->btf, &ret->id) : NULL;

	if (!module)
		return err;
	ret->drift = arena_printf(s->arena, "the kernel has no type '%s'; its module '%s' has",
				  type, module);
	return NULL;
}

/*
 * Finds a type in one of "kernel", "kernel<linux/fs.h>", "ext4", "/tmp/mine.ko",
 * "<sys/time.h>", "/bin/ls".
 */
static struct error *find_in(struct session *s, const char *type, const char *module,
			     struct cast_type *ret)
{
	const char *headers = strchr(module, '<');
	const char *name =
		headers ? arena_strndup(s->arena, module, (size_t)(headers - module)) : module;
	struct error *err;

	if (strchr(name, '/') && !strstr(name, ".ko"))
		return type_of_program(s, name, type, ret);
	ret->user = headers == module;
	if (ret->user)
		return headers_find_type(s, headers, type, &ret->btf, &ret->id);
	err = kernel_need(s);
	if (!err && strchr(name, '/'))
		err = kernel_module_file(s, name, &name);
	if (err)
		return err;
	err = type_of_kernel(s, !*name || !strcmp(name, "kernel") ? NULL : name, type, ret);
	/* Types of code that the kernel is compiled without are in headers only. */
	if (err && err->kind == ERROR_ABSENT && headers)
		err = headers_find_kernel_type(s, headers, type, &ret->btf, &ret->id);
	return err;
}

/* Finds a type that has another name now. */
static struct error *find_drifted(struct session *s, const char *type, const char *modules,
				  struct error *err, struct cast_type *ret)
{
	const char *tag = !strncmp(type, "struct ", 7) ? type + 7 : type;
	const char *stars = tag + strcspn(tag, " *");
	const struct drift *row =
		drift_type(s->arena, arena_strndup(s->arena, tag, (size_t)(stars - tag)));

	for (size_t i = 0; row && i < row->now.count; i++) {
		const char *now = row->now.data[i].name;

		if (cast_find_type(s, arena_printf(s->arena, "%s%s", now, stars), modules, ret))
			continue;
		ret->drift = arena_printf(s->arena, "there is no type '%s' %s; '%s' is taken", type,
					  drift_story(s->arena, row), now);
		return NULL;
	}
	return err;
}

struct error *cast_find_type(struct session *s, const char *type, const char *modules,
			     struct cast_type *ret)
{
	const char *list = modules ? modules : "kernel";
	struct error *err = NULL;

	for (const char *p = list; *p;) {
		size_t len = strcspn(p, ":");

		err = find_in(s, type, arena_strndup(s->arena, p, len), ret);
		if (!err)
			return NULL;
		p += len + (p[len] == ':');
	}
	if (!err)
		return error_create(s->arena, ERROR_SCRIPT, "the list of modules is empty");
	if (err->kind == ERROR_ABSENT)
		err = find_drifted(s, type, modules, err, ret);
	return err && !modules ? type_of_any_module(s, type, err, ret) : err;
}

struct error *cast_find_type_from(struct session *s, const char *type, const char *modules,
				  const char *program, struct cast_type *ret)
{
	struct error *err;

	if (modules || !program || !strcmp(program, "kernel"))
		return cast_find_type(s, type, modules, ret);
	err = strchr(program, '/') && !strstr(program, ".ko")
		      ? type_of_program(s, program, type, ret)
		      : find_in(s, type, program, ret);
	return err && cast_find_type(s, type, NULL, ret) ? err : NULL;
}

static struct error *cast_access(struct session *s, struct node *n, const char *program,
				 struct access *a)
{
	struct type_info info;
	struct path_start start = { 0 };
	struct cast_type type = { .drift = NULL };
	struct error *err = cast_find_type_from(s, n->cast_type, n->module, program, &type);

	a->user = type.user;
	if (err && !type.user && (!n->module || !strcmp(n->module, "kernel")))
		a->absent = relocation_no_type(s, n->cast_type);
	if (!err)
		err = types_info(s, type.btf, type.id, &info);
	if (err)
		return err;
	a->user = type.user;
	a->drift = type.drift;
	start.btf = type.btf;
	start.type_id = type.id;
	/* The value is a pointer to the type, unless the type already is one. */
	start.place = info.kind == KTYPE_POINTER ? PATH_VALUE : PATH_ADDRESS;
	start.element = info.kind != KTYPE_POINTER && info.kind != KTYPE_ARRAY;
	return member_follow(s, &start, &n->path, n->address_of, a);
}

static void finish(struct node *n, struct access *a, const struct error *err)
{
	n->access = a;
	n->unresolved = err ? err->text : NULL;
}

void cast_bind(struct session *s, struct node *n, const char *program)
{
	struct access *a = arena_new(s->arena, struct access);

	a->base = ACCESS_VALUE;
	a->value = n->operand;
	finish(n, a, cast_access(s, n, program, a));
}

static struct error *auto_access(struct session *s, struct node *n, const struct access *from,
				 struct access *a)
{
	struct path_start start = { .btf = from->btf, .type_id = from->type_id };
	struct type_info info;
	struct error *err = types_info(s, start.btf, start.type_id, &info);

	if (from->is_address)
		start.place = PATH_ADDRESS;
	start.element = from->is_address && info.kind != KTYPE_ARRAY;
	a->user = from->user;
	return err ? err : member_follow(s, &start, &n->path, n->address_of, a);
}

void cast_bind_auto(struct session *s, struct node *n, const struct access *from)
{
	struct access *a = arena_new(s->arena, struct access);

	a->base = ACCESS_VALUE;
	a->value = n->operand;
	finish(n, a, auto_access(s, n, from, a));
}

static struct error *place_in_program(struct session *s, const struct executable *file,
				      const struct dwarf_global *variable, struct access *a)
{
	struct access_operation loaded = { .kind = ACCESS_FILE, .file = file };
	struct access_expression *x;

	a->expression = x = dwarf_from_anchor(
		s, loaded, variable->is_thread_local ? 0 : (int64_t)variable->address);
	return variable->is_thread_local
		       ? thread_variable(s, file->path, x, x->words.data[0],
					 (int64_t)variable->address, &x->words.data[0])
		       : NULL;
}

/* Finds a variable, thread-local or not, by the symbols of a file. */
static bool has_symbol(const struct executable *file, const struct node *n,
		       struct dwarf_global *ret)
{
	if (datasymbol_variable(file, n->target_name, &ret->address))
		return true;
	ret->is_thread_local = datasymbol_thread_local(file, n->target_name, &ret->address);
	return ret->is_thread_local;
}

/*
 * Finds a variable by symbols: the C library's errno with its known type, any other one
 * only with its address.
 */
static bool find_by_symbol(struct session *s, const struct executable *file, const struct node *n,
			   struct dwarf_global *ret)
{
	bool is_errno = !strcmp(n->target_name, "errno");

	if (!is_errno && (!n->address_of || n->path.count))
		return false;
	*ret = (struct dwarf_global){ .name = n->target_name };
	if (is_errno)
		ret->is_thread_local = datasymbol_thread_local(file, "errno", &ret->address);
	return (is_errno ? ret->is_thread_local : has_symbol(file, n, ret)) &&
	       !types_find(s, NULL, is_errno ? "int" : "char", &ret->btf, &ret->type);
}

/* Finds a variable by debuginfo, with its type and place, or else by symbols. */
static struct error *find_in_program(struct session *s, const struct executable *file,
				     const struct node *n, struct dwarf_global *ret)
{
	struct dwarf_file *f;
	struct error *err = dwarf_open(s, file->path, &f);

	if (!err)
		err = dwarf_global(s, f, n->target_name, ret);
	return err && find_by_symbol(s, file, n, ret) ? NULL : err;
}

/*
 * Binds a variable of a program or library, at any probe point: it is read in the current
 * process, if that has the file mapped.
 */
static struct error *variable_of_file(struct session *s, const struct executable *file,
				      struct node *n, struct access *a)
{
	struct path_start start = { .place = PATH_ADDRESS };
	struct dwarf_global variable;
	struct error *err = find_in_program(s, file, n, &variable);

	if (!err && variable.is_constant)
		return dwarf_constant(s, &variable, &n->path, n->address_of, a);
	if (err)
		return err;
	a->base = ACCESS_EXPRESSION;
	a->user = true;
	err = place_in_program(s, file, &variable, a);
	if (err)
		return err;
	start.btf = variable.btf;
	start.type_id = variable.type;
	return member_follow(s, &start, &n->path, n->address_of, a);
}

static struct error *variable_of_program(struct session *s, const char *path, struct node *n,
					 struct access *a)
{
	struct executable *file;
	struct error *err = kernel_need(s);

	if (!err)
		err = lookup_executable(s, path, &file);
	return err ? err : variable_of_file(s, file, n, a);
}

/*
 * Binds a variable of the program of -x or -c, or of the first library of that program
 * with such a symbol.
 */
static struct error *variable_of_target(struct session *s, struct node *n, struct access *a)
{
	executables libraries = { 0 };
	struct executable *program;
	struct dwarf_global ignored;
	struct error *err = kernel_need(s);

	if (!err)
		err = lookup_target(s, &program);
	if (err)
		return err;
	if (!has_symbol(program, n, &ignored))
		library_list(s, program, &libraries);
	vec_each(&libraries, i)
		if (has_symbol(libraries.data[i], n, &ignored))
			return variable_of_file(s, libraries.data[i], n, a);
	return variable_of_file(s, program, n, a);
}

static struct error *variable_of_kernel(struct session *s, const char *module, struct node *n,
					struct access *a)
{
	struct error *err = kernel_need(s);

	if (!err && module && strchr(module, '/'))
		err = kernel_module_file(s, module, &module);
	return err ? err
		   : dwarf_kernel_variable(s, module, n->target_name, &n->path, n->address_of, a);
}

/*
 * Returns the present path: a library may be named without its directory, or may have
 * moved.
 */
static const char *program_now(struct session *s, const char *path, const struct node *n)
{
	const char *now = librarydrift_now(s, path);

	if (now && strchr(path, '/'))
		diag_taken(s, n->loc, "'%s' is '%s' here", path, now);
	return now ? now : path;
}

static bool is_program(const char *name)
{
	if (strstr(name, ".ko"))
		return false;
	return strchr(name, '/') || strstr(name, ".so");
}

/*
 * Binds a variable of "kernel", "ext4", "/tmp/mine.ko", "/bin/ls", "libc.so.6" or
 * "process".
 */
static struct error *variable_of(struct session *s, const char *module, struct node *n,
				 struct access *a)
{
	*a = (struct access){ 0 };
	if (!*module || !strcmp(module, "kernel"))
		return variable_of_kernel(s, NULL, n, a);
	if (!strcmp(module, "process"))
		return variable_of_target(s, n, a);
	if (is_program(module))
		return variable_of_program(s, program_now(s, module, n), n, a);
	return variable_of_kernel(s, module, n, a);
}

/* Binds @var: a list "/bin/ls:/bin/cat:kernel" means the first that has the variable. */
void cast_bind_atvar(struct session *s, struct node *n)
{
	struct access *a = arena_new(s->arena, struct access);
	const char *list = n->module ? n->module : "kernel";
	struct error *err, *first = NULL;

	do {
		size_t len = strcspn(list, ":");

		err = variable_of(s, arena_strndup(s->arena, list, len), n, a);
		first = first ? first : err;
		list += len + (list[len] == ':');
	} while (err && *list);
	err = err ? first : NULL;
	finish(n, a, err ? error_context(s->arena, err, "@var(\"%s\")", n->target_name) : NULL);
}
