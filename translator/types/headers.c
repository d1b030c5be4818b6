/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiler reads the headers and writes their types as BTF, once a session for each
 * list of headers.
 */
#include "types/headers.h"

#include <string.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "base/remedy.h"
#include "base/tmpdir.h"
#include "kernel/config.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"
#include "types/types.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-"

/* Bounds of the compiler. For all headers of C and POSIX it needs 0.5 s and 100 MB. */
#define CPU_SECONDS 60
#define MEMORY	    (4ull << 30)

typedef VEC(char *) words;

/* Reads the names of the list "<a.h><b/c.h>". False: it is not such a list. */
static bool list_headers(struct session *s, const char *headers, words *ret)
{
	for (const char *p = headers; *p;) {
		size_t len = *p == '<' ? strspn(p + 1, NAME_CHARS) : 0;

		if (!len || p[1 + len] != '>')
			return false;
		vec_push(s->arena, ret, arena_strndup(s->arena, p + 1, len));
		p += len + 2;
	}
	return true;
}

/*
 * True: the name leads out of the directories of headers. The compiler would read any
 * file there, and reveal its contents.
 */
static bool leads_out(const char *name)
{
	while (*name && *name != '/') {
		size_t len = strcspn(name, "/");

		if (len == 2 && !strncmp(name, "..", 2))
			return true;
		name += len + (name[len] == '/');
	}
	return *name == '/';
}

/*
 * Returns the text after the first `error: ` in output like "headers.c:1:10: fatal
 * error: no.h: No such file or directory".
 */
static const char *first_error(struct session *s, const char *output)
{
	static const char *const stopped[] = {
		"CPU time limit exceeded",
		"Killed signal",
		"out of memory",
		"virtual memory exhausted",
	};
	const char *text = strstr(output, "error: ");

	for (size_t i = 0; i < sizeof(stopped) / sizeof(stopped[0]); i++)
		if (strstr(output, stopped[i]))
			return "the compiler took too much time or memory, and was stopped";
	return text ? arena_strndup(s->arena, text + 7, strcspn(text + 7, "\n"))
		    : "the compiler failed";
}

/* Returns the directories of the kernel's headers, in the order of its makefiles. */
static words kernel_dirs(struct session *s)
{
	static const char *const dirs[] = {
		"arch/%s/include",	     "include",
		"arch/%s/include/uapi",	     "include/uapi",
		"arch/%s/include/generated", "arch/%s/include/generated/uapi",
		"include/generated/uapi",
	};
	const char *trees[] = { s->kernel->build_dir, kernel_source_dir(s) };
	words ret = { 0 };

	for (size_t i = 0; i < 2 * sizeof(dirs) / sizeof(dirs[0]); i++)
		vec_push(s->arena, &ret,
			 arena_printf(s->arena, "%s/%s", trees[i % 2],
				      arena_printf(s->arena, dirs[i / 2],
						   arch_of(s)->machine->kernel_dir)));
	return ret;
}

/* True: the first file of that name is not a regular file but, for example, a pipe. */
static bool is_special(struct session *s, const char *name, const words *dirs)
{
	struct stat st;

	vec_each(dirs, i)
		if (!stat(arena_printf(s->arena, "%s/%s", dirs->data[i], name), &st))
			return !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
	return false;
}

/* Adds the options of the kernel's own makefiles that declarations depend on. */
static void add_kernel_flags(struct session *s, words *argv)
{
	static const char *const flags[] = {
		"-nostdinc",
		"-D__KERNEL__",
		"-DKBUILD_MODNAME=\"stap\"",
		"-O2",
		"-fno-pie",
		"-fshort-wchar",
		"-fms-extensions", /* since 6.19 */
		"-include",
		"linux/kconfig.h",
		"-include",
		"linux/compiler_types.h",
	};
	const words dirs = kernel_dirs(s);

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		vec_push(s->arena, argv, (char *)flags[i]);
	for (const char *const *flag = arch_of(s)->machine->header_flags; *flag; flag++)
		vec_push(s->arena, argv, (char *)*flag);
	vec_each(&dirs, i)
		vec_push(s->arena, argv, arena_printf(s->arena, "-I%s", dirs.data[i]));
}

static struct error *compile(struct session *s, const char *headers, bool of_kernel,
			     const char *source, const char *object)
{
	static const char *const first[] = {
		"gcc", "-std=gnu11", "-w", "-gbtf", "-fno-eliminate-unused-debug-types", "-c", "-o"
	};
	static const struct subprocess_bounds bounds = { CPU_SECONDS, MEMORY };
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
	err = subprocess_run_tool(s->arena, NULL, argv.data, &bounds, &result);

	if (err)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "types of '%s' need the C compiler; %s", headers,
				    remedy_command(s->arena, REMEDY_COMPILER, NULL));
	if (result.status)
		return error_create(s->arena, ERROR_SCRIPT, "'%s' does not compile: %s", headers,
				    first_error(s, result.output));
	return NULL;
}

/* Returns a line `#include <a.h>` for each header, or an error. */
static struct error *include_lines(struct session *s, const char *headers, bool of_kernel,
				   const char **ret)
{
	const words dirs = of_kernel ? kernel_dirs(s) : (words){ 0 };
	words names = { 0 };
	struct strbuf b;

	if (!list_headers(s, headers, &names))
		return error_create(s->arena, ERROR_SCRIPT,
				    "'%s' is not a list of headers, such as "
				    "<sys/time.h><sys/types.h>",
				    headers);
	strbuf_init(&b, s->arena);
	vec_each(&names, i) {
		const char *name = names.data[i];

		if (leads_out(name))
			return error_create(s->arena, ERROR_SCRIPT,
					    "'<%s>' leads out of the directories of headers; a "
					    "name begins there, as in <sys/time.h>",
					    name);
		if (is_special(s, name, &dirs))
			return error_create(s->arena, ERROR_SCRIPT, "'<%s>' is not a regular file",
					    name);
		strbuf_addf(&b, "#include <%s>\n", name);
	}
	*ret = b.s;
	return NULL;
}

static struct error *read_headers(struct session *s, const char *headers, bool of_kernel,
				  const char *more, struct btf **ret)
{
	struct error *err = of_kernel ? kernel_need_headers(s) : NULL;
	const char *lines = "", *dir, *source, *object;
	struct bytes elf, section;

	if (!err)
		err = include_lines(s, headers, of_kernel, &lines);
	if (!err)
		err = tmpdir_of(s, &dir);
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
