/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiler reads the headers and writes their types as BTF, once a session for each
 * list of headers.
 */
#include "types/headers.h"

#include <string.h>

#include "arch/arch.h"
#include "base/path.h"
#include "base/remedy.h"
#include "base/strbuf.h"
#include "base/subprocess.h"
#include "kernel/config.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "types/types.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-"

/*
 * Returns a line `#include <a.h>` for each header; NULL: the text is no list of headers.
 */
static const char *include_lines(struct session *s, const char *headers)
{
	struct strbuf b;

	strbuf_init(&b, s->arena);
	for (const char *p = headers; *p;) {
		size_t len = *p == '<' ? strspn(p + 1, NAME_CHARS) : 0;

		if (!len || p[1 + len] != '>')
			return NULL;
		strbuf_addf(&b, "#include %.*s\n", (int)len + 2, p);
		p += len + 2;
	}
	return b.s;
}

/*
 * Returns the text behind the first `error: ` in output like "headers.c:1:10: fatal
 * error: no.h: No such file or directory".
 */
static const char *first_error(struct session *s, const char *output)
{
	const char *text = strstr(output, "error: ");

	return text ? arena_strndup(s->arena, text + 7, strcspn(text + 7, "\n"))
		    : "the compiler failed";
}

typedef VEC(char *) words;

/* Adds the options of the kernel's own makefiles that declarations depend on. */
static void add_kernel_flags(struct session *s, words *argv)
{
	static const char *const dirs[] = {
		"arch/%s/include", "include", "arch/%s/include/uapi", "include/uapi",
		"arch/%s/include/generated", "arch/%s/include/generated/uapi",
		"include/generated/uapi",
	};
	static const char *const flags[] = {
		"-nostdinc", "-D__KERNEL__", "-DKBUILD_MODNAME=\"stap\"", "-O2", "-fno-pie",
		"-fshort-wchar", "-include", "linux/kconfig.h", "-include",
		"linux/compiler_types.h",
	};
	const struct arch_machine *machine = arch_of(s)->machine;
	const char *trees[] = { s->kernel->build_dir, kernel_source_dir(s) };

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		vec_push(s->arena, argv, (char *)flags[i]);
	for (const char *const *flag = machine->header_flags; *flag; flag++)
		vec_push(s->arena, argv, (char *)*flag);
	for (size_t i = 0; i < 2 * sizeof(dirs) / sizeof(dirs[0]); i++)
		vec_push(s->arena, argv,
			 arena_printf(s->arena, "-I%s/%s", trees[i % 2],
				      arena_printf(s->arena, dirs[i / 2], machine->kernel_dir)));
}

static struct error *compile(struct session *s, const char *headers, bool of_kernel,
			     const char *source, const char *object)
{
	static const char *const first[] = { "gcc", "-std=gnu11", "-w", "-gbtf",
					     "-fno-eliminate-unused-debug-types", "-c", "-o" };
	struct process_result result;
	words argv = { 0 };
	struct error *err;

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		vec_push(s->arena, &argv, (char *)first[i]);
	vec_push(s->arena, &argv, (char *)object);
	if (of_kernel)
		add_kernel_flags(s, &argv);
	vec_push(s->arena, &argv, (char *)source);
	vec_push(s->arena, &argv, NULL);
	err = subprocess_run(s->arena, NULL, argv.data, true, &result);

	if (err)
		return error_create(
			s->arena, ERROR_ENVIRONMENT,
			"types of '%s' need the C compiler; %s", headers,
			remedy_command(s->arena, REMEDY_COMPILER, NULL));
	if (result.status)
		return error_create(s->arena, ERROR_SCRIPT, "'%s' does not compile: %s", headers,
				    first_error(s, result.output));
	return NULL;
}

static struct error *read_headers(struct session *s, const char *headers, bool of_kernel,
				  const char *more, struct btf **ret)
{
	const char *lines = include_lines(s, headers), *dir, *source, *object;
	struct bytes elf, section;
	struct error *err;

	if (!lines)
		return error_create(s->arena, ERROR_SCRIPT,
				    "'%s' is not a list of headers, such as "
				    "<sys/time.h><sys/types.h>",
				    headers);
	err = of_kernel ? kernel_need_headers(s) : NULL;
	if (!err)
		err = path_tmp_dir(s, &dir);
	if (err)
		return err;
	source = arena_printf(s->arena, "%s/headers%zu.c", dir, s->headers->count);
	object = arena_printf(s->arena, "%s/headers%zu.o", dir, s->headers->count);
	lines = arena_printf(s->arena, "%s%s\n", lines, more);
	err = path_write(s->arena, source, lines, strlen(lines));
	if (!err)
		err = compile(s, headers, of_kernel, source, object);
	if (!err)
		err = file_map(s->arena, object, &elf);
	if (!err)
		err = elf_section(s->arena, &elf, ".BTF", &section);
	return err ? err : btf_open(s->arena, headers, section.data, section.len, NULL, ret);
}

struct known_headers {
	struct btf *btf;
	struct error *err;
};

static struct known_headers *know_headers(struct session *s, const char *headers, bool of_kernel,
					  const char *more)
{
	const char *key =
		arena_printf(s->arena, "%s%s%s", of_kernel ? "kernel" : "", headers, more);
	struct hashmap *all = hashmap_made(&s->headers, s->arena);
	struct known_headers *known = hashmap_get(all, key);

	if (!known) {
		known = arena_new(s->arena, struct known_headers);
		known->err = read_headers(s, headers, of_kernel, more, &known->btf);
		hashmap_put(all, key, known);
	}
	return known;
}

struct error *headers_find_type(struct session *s, const char *headers, const char *name,
				struct btf **btf, uint32_t *ret)
{
	return headers_find_declared(s, headers, "", name, btf, ret);
}

struct error *headers_find_declared(struct session *s, const char *headers, const char *declaration,
				    const char *name, struct btf **btf, uint32_t *ret)
{
	const struct known_headers *known = know_headers(s, headers, false, declaration);

	*btf = known->btf;
	return known->err ? known->err : types_by_name(s, *btf, headers, name, ret);
}

struct error *headers_find_kernel_type(struct session *s, const char *headers, const char *name,
				       struct btf **btf, uint32_t *ret)
{
	const struct known_headers *known = know_headers(s, headers, true, "");

	*btf = known->btf;
	return known->err ? known->err : types_by_name(s, *btf, headers, name, ret);
}
