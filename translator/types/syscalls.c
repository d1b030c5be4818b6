/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls: their prototypes from the declarations in include/linux/syscalls.h, or
 * from calls.def if that file is missing; their entry points from BTF.
 *
 *   asmlinkage long sys_read(unsigned int fd, char __user *buf, size_t count);
 *
 * Some declarations leave parameter names out ("sys_socket(int, int, int)"); then the
 * function that does the work has them (__do_sys_socket, __se_sys_socket, __sys_socket).
 * If a call is declared more than once, under #ifdef, the last declaration is the generic
 * one.
 */
#include "types/syscalls.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <fnmatch.h>
#include <string.h>

#include "arch/arch.h"
#include "kernel/config.h"
#include "kernel/facts.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/symbols.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/word.h"
#include "types/types.h"

/* A declaration as text. */
struct text_param {
	const char *c_type, *name; /* name: "" when there is none */
};
typedef VEC(struct text_param) text_params;

/* ---- the header ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const struct declaration *find_undeclared(struct session *s, const char *name)
{
	for (const struct declaration *c = arch_of(s)->syscalls->undeclared; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static void read_declarations(struct session *s, char *text)
{
	static const char start[] = "asmlinkage long sys_";
	struct facts *f = session_facts(s);

	for (char *p = text; (p = strstr(p, start));) {
		char *name = p + sizeof(start) - 1, *open = strchr(name, '('),
		     *close = open ? strchr(open, ')') : NULL;

		if (!close)
			break;
		p = close;

		size_t len = open - name;
		struct declaration *d;

		while (len && !isalnum((unsigned char)name[len - 1]))
			len--;
		name = arena_strndup(s->arena, name, len);
		d = hashmap_get(&f->syscalls, name);
		if (!d) {
			d = arena_new(s->arena, struct declaration);
			d->name = name;
			hashmap_put(&f->syscalls, name, d);
			vec_push(s->arena, &f->syscall_list, d);
		}
		d->params = arena_strndup(s->arena, open + 1, close - open - 1);
	}
}

static void read_header(struct session *s)
{
	struct facts *f = session_facts(s);
	const char *header;
	char *text;
	size_t len;

	if (f->syscalls_read)
		return;
	f->syscalls_read = true;
	header = kernel_header(s, "include/linux/syscalls.h");
	if (header && !path_read(s->arena, header, &text, &len))
		read_declarations(s, text);
}

static const struct declaration *find_row(struct session *s, const char *name)
{
	static const struct {
		struct declaration call;
		const char *type; /* kernels that have it; NULL: all */
	} calls[] = {
#define CALL_WITH(type, name, params) { { name, params }, type },
#define CALL(name, params)	      { { name, params }, NULL },
#include "types/calls.def"
#undef CALL
#undef CALL_WITH
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].call.name, name) &&
		    (!calls[i].type || types_known(s, calls[i].type)))
			return &calls[i].call;
	return NULL;
}

/*
 * Returns the declaration from the kernel's own header, or else from the table, or NULL.
 */
static const struct declaration *find_declaration(struct session *s, const char *name)
{
	const struct declaration *d = find_undeclared(s, name);

	read_header(s);
	if (!d)
		d = hashmap_get(&session_facts(s)->syscalls, name);
	return d ? d : find_row(s, name);
}

/* ---- a parameter's text ---- */

static bool is_type_word(const char *w)
{
	static const char *const words[] = { "int",  "long",  "unsigned", "signed",
					     "char", "short", "void",	  "const" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(w, words[i]))
			return true;
	return false;
}

/* Splits a parameter: "const char __user *filename" -> { "const char *", "filename" }. */
static struct text_param read_param(struct session *s, const char *p, size_t len)
{
	struct strbuf type;
	const char *last = "", *before = "";
	bool star = false;

	strbuf_init(&type, s->arena);
	for (size_t i = 0; i < len;) {
		size_t n = 0;

		while (i + n < len && word_char(p[i + n]))
			n++;
		if (!n) {
			if (p[i] == '*') {
				if (*last)
					strbuf_addf(&type, "%s%s", type.len ? " " : "", last);
				strbuf_adds(&type, star ? "*" : " *");
				star = true;
				before = last = "";
			}
			i++;
			continue;
		}

		const char *word = arena_strndup(s->arena, p + i, n);

		i += n;
		if (!strcmp(word, "__user"))
			continue;
		if (*last)
			strbuf_addf(&type, "%s%s", type.len ? " " : "", last);
		before = last;
		last = word;
	}

	bool named = *last && !is_type_word(last) &&
		     (star || (*before && strcmp(before, "struct") && strcmp(before, "union") &&
			       strcmp(before, "enum")));

	if (*last && !named)
		strbuf_addf(&type, "%s%s", type.len ? " " : "", last);
	return (struct text_param){ type.s, named ? last : "" };
}

static void read_params(struct session *s, const char *params, text_params *ret)
{
	size_t blank = strspn(params, " \t\n");

	if (!strcmp(params + blank, "void") || !params[blank])
		return;
	for (const char *p = params; p; p = *p ? p + 1 : NULL) {
		size_t len = strcspn(p, ",");

		vec_push(s->arena, ret, read_param(s, p, len));
		p += len;
	}
}

/* ---- details from BTF ---- */

/*
 * Returns the prototype of the first function, among those that implement the call, with
 * n parameters (n < 0: any number); NULL when BTF has none.
 */
static const struct btf_type *find_worker(struct session *s, struct btf *b, const char *name, int n,
					  const char *const *formats)
{
	for (; *formats; formats++) {
		const char *full = arena_printf(s->arena, "%s%s", *formats, name);
		const struct btf_type *t = btf_type(b, btf_find_function(b, full));

		t = t ? btf_type(b, t->type) : NULL;
		if (t && (n < 0 || (int)btf_vlen_of(t) == n))
			return t;
	}
	return NULL;
}

static bool has_names(const text_params *params)
{
	vec_each(params, i)
		if (!*params->data[i].name)
			return false;
	return true;
}

/*
 * Names the parameters that the header declares without names after those of the function
 * that does the work; if that is inlined, after the table.
 */
static void add_names(struct session *s, struct btf *b, const char *name, text_params *params)
{
	static const char *const workers[] = { "__do_sys_", "__se_sys_", "__sys_", "ksys_",
					       "do_sys_",   "do_",	 NULL };
	const struct declaration *row;
	const struct btf_type *t;
	text_params known = { 0 };

	if (has_names(params))
		return;
	t = find_worker(s, b, name, params->count, workers);
	row = t ? NULL : find_row(s, name);
	if (row)
		read_params(s, row->params, &known);
	vec_each(params, i) {
		struct text_param *p = &params->data[i];

		if (!*p->name && t)
			p->name =
				btf_string(b, ((const struct btf_param *)btf_tail(t))[i].name_off);
		else if (!*p->name && known.count == params->count)
			*p = known.data[i];
		if (!*p->name)
			p->name = arena_printf(s->arena, "arg%zu", i + 1);
	}
}

/*
 * Adds a parameter with its size and signedness; where BTF does not tell, it is taken as
 * 64 bits.
 */
static void add_param(struct session *s, struct btf *b, const char *c_type, const char *name,
		      uint32_t type_id, struct kernel_syscall *ret)
{
	struct type_info info = { .size = 8 };
	struct kernel_param param = { name, type_id };

	if (!type_id && strchr(c_type, '*'))
		info.size = 8;
	else if (types_info(s, b, type_id, &info) ||
		 (info.kind != KTYPE_INT && info.kind != KTYPE_POINTER))
		info = (struct type_info){ .size = 8 };
	vec_push(s->arena, &ret->params, param);
	vec_push(s->arena, &ret->c_types, c_type);
	vec_push(s->arena, &ret->sizes, info.size);
	vec_push(s->arena, &ret->is_signed, info.is_signed);
}

static void fill_from_header(struct session *s, struct btf *b, const struct declaration *d,
			     struct kernel_syscall *ret)
{
	text_params params = { 0 };

	read_params(s, d->params, &params);
	add_names(s, b, d->name, &params);
	vec_each(&params, i) {
		const struct text_param *p = &params.data[i];

		add_param(s, b, p->c_type, p->name, types_known(s, p->c_type), ret);
	}
}

static void fill_from_btf(struct session *s, struct btf *b, const struct btf_type *proto,
			  struct kernel_syscall *ret)
{
	const struct btf_param *p = btf_tail(proto);

	for (unsigned i = 0; i < btf_vlen_of(proto); i++)
		add_param(s, b, types_str(s, b, p[i].type), btf_string(b, p[i].name_off), p[i].type,
			  ret);
}

/*
 * Calls without parameters: the entry points are other names for __do_sys_NAME, and BTF
 * has only one name.
 */
bool syscall_without_params(struct btf *b, const char *name)
{
	char worker[128];
	uint32_t id;

	if (snprintf(worker, sizeof(worker), "__do_sys_%s", name) >= (int)sizeof(worker))
		return false;
	id = btf_find_function(b, worker);
	if (!id)
		return false;

	/* Since 4.17 even these calls get the registers, as `__unused`. */
	const struct btf_type *proto = btf_type(b, btf_type(b, id)->type);
	const struct btf_param *p = btf_tail(proto);

	return btf_vlen_of(proto) == 1 && !strcmp(btf_string(b, p->name_off), "__unused");
}

bool syscalls_may_be_inlined(struct session *s)
{
	const char *config = arch_of(s)->syscalls->inlining_config;

	return config && kernel_config(s, config);
}

static void note_inlined(void *ctx, const char *entry)
{
	struct session *s = ctx;
	struct facts *f = session_facts(s);
	const char *name = arena_strdup(s->arena, entry + strlen(arch_of(s)->syscalls->native));
	const struct declaration *d = find_declaration(s, name);

	if (!d || strcmp(d->params, "void") || hashmap_get(&f->inlined_calls, name))
		return;
	hashmap_put(&f->inlined_calls, name, (void *)name);
	vec_push(s->arena, &f->inlined_list, name);
}

/*
 * BTF may lack calls without parameters if their entry points were inlined at link time.
 * The symbol table has them.
 */
static void read_inlined(struct session *s)
{
	struct facts *f = session_facts(s);

	if (f->inlined_read || !syscalls_may_be_inlined(s))
		return;
	f->inlined_read = true;
	kernel_each_symbol(s, arch_of(s)->syscalls->native, note_inlined, s);
}

/* True: a call without parameters, by BTF or by the symbol table. */
static bool is_plain(struct session *s, struct btf *b, const char *name)
{
	if (syscall_without_params(b, name))
		return true;
	read_inlined(s);
	return hashmap_get(&session_facts(s)->inlined_calls, name);
}

/* Returns the first of prefix + name that the kernel has. */
static const char *find_entry(struct session *s, struct btf *b, const char *name,
			      const char *const *prefixes)
{
	for (; *prefixes; prefixes++) {
		const char *full = arena_printf(s->arena, "%s%s", *prefixes, name);

		if (btf_find_function(b, full))
			return full;
	}
	return NULL;
}

struct error *syscalls_find(struct session *s, const char *name, struct kernel_syscall *ret)
{
	static const char *const typed[] = { "__do_sys_", NULL }, *const any[] = { "__se_sys_",
										   "__sys_",
										   "ksys_", NULL };
	const struct arch_syscalls *arch = arch_of(s)->syscalls;
	const char *const native[] = { arch->native, NULL };
	struct btf *b;
	struct error *err = kernel_btf(s, &b);

	if (err)
		return err;

	const struct declaration *d = find_declaration(s, name);
	const struct btf_type *worker = find_worker(s, b, name, -1, typed);
	const bool plain = is_plain(s, b, name);

	*ret = (struct kernel_syscall){ .name = arena_strdup(s->arena, name), .btf = b };
	ret->entry = find_entry(s, b, name, native);
	/* Callers of both kinds (64 and 32 bits) use one address. */
	if (!ret->entry && plain)
		ret->entry = arena_printf(s->arena, "%s%s", native[0], name);
	if ((kernel_config(s, arch->compat_config) || !kernel_knows_config(s)) &&
	    !(ret->entry && plain))
		ret->compat_entry = find_entry(s, b, name, arch->compat);
	if (!ret->entry && !ret->compat_entry)
		return error_create(s->arena, ERROR_ABSENT, "kernel %s has no system call '%s'",
				    s->kernel->release, name);
	if (!worker && !d)
		worker = find_worker(s, b, name, -1, any);
	if (plain)
		return NULL;
	if (worker)
		fill_from_btf(s, b, worker, ret);
	else if (d)
		fill_from_header(s, b, d, ret);
	return NULL;
}

struct error *syscalls_names(struct session *s, const char *const **ret, size_t *count)
{
	static const char plain[] = "__do_sys_";
	const char *prefix = arch_of(s)->syscalls->native;
	const size_t skip = strlen(prefix);
	VEC(const char *) names = { 0 };
	size_t n, unique = 0;
	struct btf *b;
	struct error *err = kernel_btf(s, &b);

	if (err)
		return err;

	const uint32_t *ids = btf_functions(b, &n);

	for (size_t i = 0; i < n; i++) {
		const char *name = btf_name(b, ids[i]);

		if (!strncmp(name, prefix, skip))
			vec_push(s->arena, &names, name + skip);
		else if (!strncmp(name, plain, sizeof(plain) - 1) &&
			 syscall_without_params(b, name + sizeof(plain) - 1))
			vec_push(s->arena, &names, name + sizeof(plain) - 1);
	}
	read_inlined(s);
	vec_each(&session_facts(s)->inlined_list, i)
		vec_push(s->arena, &names, session_facts(s)->inlined_list.data[i]);
	if (names.count)
		vec_sort(&names, by_name);
	vec_each(&names, i)
		if (!unique || strcmp(names.data[unique - 1], names.data[i]))
			names.data[unique++] = names.data[i];
	*ret = names.data;
	*count = unique;
	return NULL;
}

/* ---- entry points, by the library's names ---- */

static const char *const library_kinds[] = { "64.", "32.", "compat." };
#define KIND_32 1

/* True: no 64-bit program comes through the entry point that "32.sys_NAME" would be. */
static bool is_of_32(struct session *s, const char *name)
{
	const char *const *only = arch_of(s)->syscalls->only_32;
	size_t n = strlen(library_kinds[KIND_32]) + strlen("sys_");

	if (!only)
		return true;
	while (*only && (strlen(name) < n || fnmatch(*only, name + n, 0)))
		only++;
	return *only;
}

const char *syscalls_entry_point(struct session *s, const char *name)
{
	for (size_t i = 0; name && i < sizeof(library_kinds) / sizeof(*library_kinds); i++) {
		const char *prefix = arch_of(s)->syscalls->library[i];
		size_t n = strlen(library_kinds[i]);

		if (!strncmp(name, library_kinds[i], n) && prefix &&
		    (i != KIND_32 || is_of_32(s, name)))
			return arena_printf(s->arena, "%s%s", prefix, name + n);
	}
	return name;
}
