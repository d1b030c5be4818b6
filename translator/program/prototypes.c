/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The library's headers have the types, the table has the names. A structure of the
 * result and the parameters, one member each, is declared after the headers, and the
 * compiler computes the members' types.
 */
#include "program/prototypes.h"

#include <linux/btf.h>
#include <string.h>

#include "base/session.h"
#include "formats/btf.h"
#include "kernel/functions.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "program/executable.h"
#include "types/headers.h"

static const struct prototype {
	const char *name, *headers, *result, *parameters, *others;
} prototypes[] = {
#define ROW(name, headers, result, parameters, others)                                             \
	{ name, headers, result, parameters, others },
#include "program/prototypes.def"
#undef ROW
};

static const struct prototype *find_row(struct session *s, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(prototypes) / sizeof(prototypes[0]); i++)
		if (!strcmp(prototypes[i].name, name))
			return &prototypes[i];
	if (!strncmp(name, "__libc_", 7))
		return find_row(s, name + 7);
	if (!strncmp(name, "__", 2))
		return find_row(s, name + 2);
	return len > 2 && !strcmp(name + len - 2, "64")
		       ? find_row(s, arena_strndup(s->arena, name, len - 2))
		       : NULL;
}

static bool is_c_library(const struct executable *file)
{
	const char *slash = strrchr(file->path, '/'), *base = slash ? slash + 1 : file->path;

	return !file->is_32 && (!strncmp(base, "libc.so", 7) || !strncmp(base, "libc-", 5) ||
				!strncmp(base, "libpthread", 10));
}

bool prototype_of_library(struct session *s, const struct executable *file, const char *function,
			  struct kernel_function *ret)
{
	const struct prototype *row = is_c_library(file) ? find_row(s, function) : NULL;
	const struct btf_member *members;
	struct btf *btf;
	uint32_t id;
	bool is_void;

	if (!row)
		return false;
	is_void = !strcmp(row->result, "void");
	if (headers_find_declared(s, row->headers,
				  arena_printf(s->arena,
					       "struct stap_prototype { %s%s%s} stap_prototype;",
					       is_void ? "" : row->result,
					       is_void ? "" : " stap_result; ", row->parameters),
				  "struct stap_prototype", &btf, &id))
		return false;
	members = btf_tail(btf_type(btf, id));
	*ret = (struct kernel_function){ .name = function,
					 .btf = btf,
					 .return_type = is_void ? 0 : members[0].type };
	for (unsigned i = !is_void; i < btf_vlen_of(btf_type(btf, id)); i++) {
		struct kernel_param param = { .name = btf_string(btf, members[i].name_off),
					      .type_id = members[i].type };

		vec_push(s->arena, &ret->params, param);
	}
	return true;
}

const char *prototype_parameter(struct session *s, const char *function, const char *name)
{
	const struct prototype *row = find_row(s, function);
	size_t len = strlen(name);

	for (const char *p = row && row->others ? row->others : ""; *p;
	     p += strcspn(p, " "), p += *p == ' ')
		if (!strncmp(p, name, len) && p[len] == '=')
			return arena_strndup(s->arena, p + len + 1, strcspn(p + len + 1, " "));
	return name;
}
