/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds functions and tracepoints by name or glob, from BTF. If the kernel's symbols are
 * known, only functions that have one are found.
 */
#include "kernel/functions.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "kernel/facts.h"
#include "lib/arena.h"

#define TRACE_PREFIX	 "__traceiter_"
#define TRACE_PREFIX_LEN (sizeof(TRACE_PREFIX) - 1)

static void read_params(struct session *s, struct btf *b, const struct btf_type *proto,
			unsigned skip, struct kernel_function *f)
{
	const struct btf_param *p = btf_tail(proto);
	unsigned n = btf_vlen_of(proto);

	for (unsigned i = skip; i < n; i++) {
		/* A last parameter without name and type means "...". */
		if (i == n - 1 && !p[i].type && !p[i].name_off) {
			f->variadic = true;
			break;
		}

		struct kernel_param param = { btf_string(b, p[i].name_off), p[i].type };

		vec_push(s->arena, &f->params, param);
	}
}

static struct kernel_function read_function(struct session *s, struct btf *b, const char *module,
					    uint32_t id, unsigned skip)
{
	const struct btf_type *t = btf_type(b, id), *proto = btf_type(b, t->type);
	struct kernel_function f = {
		.name = btf_string(b, t->name_off) + (skip ? TRACE_PREFIX_LEN : 0),
		.module = module,
		.return_type = proto->type,
		.btf = b,
	};

	f.symbol = f.name;
	read_params(s, b, proto, skip, &f);
	return f;
}

/*
 * True for names made by the compiler or for ftrace and CFI: a wildcard should not match
 * them.
 */
static bool is_artificial(const char *name)
{
	return strchr(name, '.') || !strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6);
}

/*
 * Appends the i-th function of the table, unless it cannot be probed: it has no symbol,
 * or is gone after boot.
 */
static void add_function(struct session *s, struct btf *b, const char *module, size_t i,
			 kernel_functions *ret)
{
	size_t count;
	struct kernel_function f = read_function(s, b, module, btf_functions(b, &count)[i], 0);
	enum symbol_place place = module ? module_function_place(s, module, f.name)
					 : symbol_place(s, i, f.name, &f.symbol);

	if (place == SYMBOL_TEXT || place == SYMBOL_SUFFIXED)
		vec_push(s->arena, ret, f);
}

static int by_name(const void *a, const void *b)
{
	const struct kernel_function *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->module ? x->module : "", y->module ? y->module : "");
}

static void sort_unique(kernel_functions *list)
{
	size_t n = 0;

	if (list->count)
		vec_sort(list, by_name);
	vec_each(list, i)
		if (!n || by_name(&list->data[n - 1], &list->data[i]))
			list->data[n++] = list->data[i];
	list->count = n;
}

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Returns the text after the prefix, or NULL. */
static const char *behind(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(name, prefix, len) ? NULL : name + len;
}

/*
 * Appends the entry point of a system call, if the glob matches it and BTF has its
 * prototype under another name.
 */
static void add_plain_syscall(struct session *s, struct btf *b, const char *call,
			      const struct glob *g, kernel_functions *ret)
{
	const char *entry = arena_printf(s->arena, "%s%s", arch_of(s)->syscalls->native, call);
	struct kernel_function f;

	if (!glob_match(g, entry) || btf_find_function(b, entry) ||
	    !syscall_without_params(b, call))
		return;
	f = read_function(s, b, NULL,
			  btf_find_function(b, arena_printf(s->arena, "__do_sys_%s", call)), 0);
	f.name = f.symbol = entry;
	vec_push(s->arena, ret, f);
}

/* Without `module`: the image. */
static void scan_functions(struct session *s, struct btf *b, const char *module,
			   const struct glob *g, kernel_functions *ret)
{
	size_t count;
	const uint32_t *ids = btf_functions(b, &count);

	for (size_t i = 0; i < count; i++) {
		const char *name = btf_name(b, ids[i]);
		const char *call = module ? NULL : behind(name, "__do_sys_");

		if (glob_match(g, name) && !is_artificial(name))
			add_function(s, b, module, i, ret);
		if (call)
			add_plain_syscall(s, b, call, g, ret);
	}
}

static void find_in(struct session *s, struct btf *b, const char *module, const struct glob *g,
		    kernel_functions *ret)
{
	size_t count;
	const uint32_t *ids = btf_functions(b, &count);

	if (!g->literal) {
		scan_functions(s, b, module, g, ret);
		return;
	}

	uint32_t id = btf_find_function(b, g->pattern);
	const uint32_t *at = id ? bsearch(&id, ids, count, sizeof(*ids), by_id) : NULL;
	const char *call = behind(g->pattern, arch_of(s)->syscalls->native);

	if (at)
		add_function(s, b, module, at - ids, ret);
	else if (!module && call)
		add_plain_syscall(s, b, call, g, ret);
}

/* Finds the matches in one table. */
typedef void finder(struct session *s, struct btf *b, const char *module, const struct glob *g,
		    kernel_functions *ret);

/* For a glob, modules without BTF are passed over; for a name, they are an error. */
static struct error *find_in_modules(struct session *s, const char *module, const struct glob *g,
				     finder *find, kernel_functions *ret)
{
	struct facts *f = session_facts(s);
	struct kernel_module *m;
	struct glob names = glob_make(module);
	struct btf *b;

	if (!glob_is(module)) {
		struct error *err = module_find(s, module, &m);

		if (!err)
			err = module_btf(s, m, &b);
		if (!err)
			find(s, b, m->name, g, ret);
		return err;
	}
	modules_read(s);
	vec_each(&f->module_list, i) {
		m = f->module_list.data[i];
		if (glob_match(&names, m->name) && !module_btf(s, m, &b))
			find(s, b, m->name, g, ret);
	}
	return NULL;
}

/*
 * Finds in the image, or in the modules that are named. `widens`: functions that the
 * image lacks may be in any module.
 */
static struct error *find_everywhere(struct session *s, const char *module, const char *pattern,
				     finder *find, bool widens, kernel_functions *ret)
{
	struct glob g = glob_make(pattern);
	struct btf *b;
	struct error *err = kernel_btf(s, &b);

	if (err)
		return err;
	if (!module)
		find(s, b, NULL, &g, ret);
	if (module || (widens && !ret->count))
		err = find_in_modules(s, module ? module : "*", &g, find, ret);
	sort_unique(ret);
	return err;
}

struct error *kernel_find_functions(struct session *s, const char *module, const char *pattern,
				    kernel_functions *ret)
{
	return find_everywhere(s, module, pattern, find_in, false, ret);
}

bool kernel_function_passes(struct session *s, const char *module, const char *name)
{
	const char *symbol;
	size_t count;
	const uint32_t *ids, *at;
	struct btf *b;
	uint32_t id;

	if (module)
		return !glob_is(module) && module_function_place(s, module, name) == SYMBOL_INIT;
	if (kernel_btf(s, &b))
		return false;
	ids = btf_functions(b, &count);
	id = btf_find_function(b, name);
	at = id ? bsearch(&id, ids, count, sizeof(*ids), by_id) : NULL;
	return at && symbol_place(s, at - ids, name, &symbol) == SYMBOL_INIT;
}

static void scan_tracepoints(struct session *s, struct btf *b, const char *module,
			     const struct glob *g, kernel_functions *ret)
{
	size_t count;
	const uint32_t *ids = btf_functions(b, &count);

	for (size_t i = 0; i < count; i++) {
		const char *name = btf_name(b, ids[i]);

		if (strncmp(name, TRACE_PREFIX, TRACE_PREFIX_LEN) ||
		    !glob_match(g, name + TRACE_PREFIX_LEN))
			continue;
		vec_push(s->arena, ret, read_function(s, b, module, ids[i], 1));
	}
}

struct error *kernel_find_tracepoints(struct session *s, const char *module, const char *pattern,
				      kernel_functions *ret)
{
	return find_everywhere(s, module, pattern, scan_tracepoints, true, ret);
}

/* ---- near names ---- */

static const char *near_in(struct session *s, struct btf *b, const char *prefix, const char *name)
{
	VEC(const char *) names = { 0 };
	size_t count, skip = strlen(prefix);
	const uint32_t *ids = btf_functions(b, &count);

	for (size_t i = 0; i < count; i++) {
		const char *n = btf_name(b, ids[i]);

		if (!strncmp(n, prefix, skip) && !is_artificial(n) && strcmp(n + skip, name))
			vec_push(s->arena, &names, n + skip);
	}
	return diag_near(s, name, names.data, names.count);
}

const char *kernel_near_functions(struct session *s, const char *module, const char *name)
{
	struct kernel_module *m;
	struct btf *b;

	if (module ? glob_is(module) || module_find(s, module, &m) || module_btf(s, m, &b)
		   : kernel_btf(s, &b) != NULL)
		return NULL;
	return near_in(s, b, "", name);
}

const char *kernel_near_tracepoints(struct session *s, const char *name)
{
	struct btf *b;

	return kernel_btf(s, &b) ? NULL : near_in(s, b, TRACE_PREFIX, name);
}
