/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See compiler.h. */
#include "build/compiler.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/remedy.h"
#include "base/session.h"
#include "kernel/config.h"
#include "lib/arena.h"
#include "lib/subprocess.h"

enum { VERSION_OF_MAJOR = 10000 }; /* CONFIG_CLANG_VERSION=190107 is 19.1.7 */

/* ---- gcc ---- */

/* The kernel's own text is "gcc-12 (Debian 12.2.0-14) 12.2.0". */
static const char *gcc_of(struct session *s)
{
	const char *text = kernel_config(s, "CC_VERSION_TEXT");
	size_t len = text ? strcspn(text, " ") : 0;
	const char *name = len ? arena_strndup(s->arena, text, len) : "gcc";
	const char *cross = arch_of(s)->machine->cross;

	/* The kernel may itself have been compiled elsewhere. */
	if (!arch_is_foreign(s) || !strncmp(name, cross, strlen(cross)))
		return name;
	return arena_printf(s->arena, "%s%s", cross, name);
}

/* ---- clang and lld ---- */

/* Returns the major version from an option of the kernel; 0: the option is not set. */
static unsigned major_of(struct session *s, const char *option)
{
	const char *version = kernel_config(s, option);

	return version ? (unsigned)strtoul(version, NULL, 10) / VERSION_OF_MAJOR : 0;
}

/* True: the compiler is of that version or a later one. */
static bool is_recent(struct session *s, const char *compiler, unsigned major)
{
	char *const argv[] = { (char *)compiler, "-dumpversion", NULL };
	struct process_result said;

	return !subprocess_run_tool(s->arena, NULL, argv, NULL, &said) && !said.status &&
	       strtoul(said.output, NULL, 10) >= major;
}

/*
 * Returns clang with its version number (clang-19), unless only plain clang is installed.
 * CC_VERSION_TEXT does not name the program: it begins with the vendor ("Debian clang
 * version 19.1.7").
 */
static const char *clang_of(struct session *s)
{
	unsigned major = major_of(s, "CLANG_VERSION");
	const char *numbered = arena_printf(s->arena, "clang-%u", major);

	if (!major)
		return "clang";
	if (subprocess_find(s->arena, numbered) || !subprocess_find(s->arena, "clang"))
		return numbered;
	return is_recent(s, "clang", major) ? "clang" : numbered;
}

/* Any version of lld can link the objects. */
static const char *lld_of(struct session *s)
{
	unsigned major = major_of(s, "LLD_VERSION");
	const char *numbered = arena_printf(s->arena, "ld.lld-%u", major);

	if (!major || (!subprocess_find(s->arena, numbered) && subprocess_find(s->arena, "ld.lld")))
		return "ld.lld";
	return numbered;
}

/* ---- either ---- */

struct compiler compiler_of(struct session *s)
{
	bool is_clang = kernel_config(s, "CC_IS_CLANG");

	return (struct compiler){
		.name = is_clang ? clang_of(s) : gcc_of(s),
		.linker = kernel_config(s, "LD_IS_LLD") ? lld_of(s) : NULL,
		.is_clang = is_clang,
	};
}

/*
 * LLVM= is set because makefiles derive more than the programs from it. Uses clang's own
 * assembler if the kernel did: the two assemblers accept different options.
 */
void compiler_add_words(struct session *s, const struct compiler *c, words *argv)
{
	struct arena *a = s->arena;
	const char *number = c->linker ? strrchr(c->linker, '-') : NULL;

	if (c->is_clang) {
		vec_push(a, argv, arena_printf(a, "CC=%s", c->name));
		vec_push(a, argv,
			 arena_printf(a, "LLVM_IAS=%d", kernel_config(s, "AS_IS_LLVM") ? 1 : 0));
	}
	if (c->is_clang && c->linker)
		vec_push(a, argv, arena_printf(a, "LLVM=%s", number ? number : "1"));
	if (c->linker)
		vec_push(a, argv, arena_printf(a, "LD=%s", c->linker));
}

/* ---- packages of compilers ---- */

/* Returns the beginning of the names of such packages: "gcc-" for "gcc-12". */
static const char *stem_of(struct arena *a, const char *package)
{
	size_t len = strcspn(package, "-");

	return arena_printf(a, "%.*s-", (int)len, package);
}

/* Returns the text after the number in "gcc-N" or "gcc-N-MACHINE-linux-gnu". */
static const char *behind_number(const char *package, const char *stem)
{
	size_t len = strlen(stem);
	size_t digits = strncmp(package, stem, len) ? 0 : strspn(package + len, "0123456789");

	return digits ? package + len + digits : NULL;
}

/* True: the line names a compiler for the same machine, whose names end with `end`. */
static bool is_compiler(const char *line, size_t len, const char *stem, const char *end)
{
	const char *behind = behind_number(line, stem);

	return behind && line + len == behind + strlen(end) && !strncmp(behind, end, strlen(end));
}

/*
 * True: apt knows compilers by number, and none of that name. False if its lists are
 * empty.
 */
static bool is_not_offered(struct session *s, const char *package)
{
	const char *stem = stem_of(s->arena, package), *end = behind_number(package, stem);
	char *const argv[] = { "apt-cache", "pkgnames", (char *)stem, NULL };
	struct process_result said;
	bool knows_others = false;

	if (!end || !subprocess_find(s->arena, argv[0]) ||
	    subprocess_run(s->arena, NULL, argv, true, &said) || said.status)
		return false;
	for (const char *line = said.output; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (strlen(package) == len && !strncmp(line, package, len))
			return false;
		knows_others |= is_compiler(line, len, stem, end);
		line += len;
	}
	return knows_others;
}

static enum remedy remedy_of(struct session *s, const char *name)
{
	if (!strncmp(name, "clang", strlen("clang")) || !strncmp(name, "ld.lld", strlen("ld.lld")))
		return REMEDY_KERNEL_CLANG;
	return arch_is_foreign(s) ? REMEDY_CROSS_COMPILER : REMEDY_KERNEL_COMPILER;
}

const char *compiler_supply(struct session *s, const char *name)
{
	enum remedy what = remedy_of(s, name);
	const char *packages = remedy_package(s->arena, what, name);
	const char *package = arena_strndup(s->arena, packages, strcspn(packages, " "));

	if (is_not_offered(s, package))
		return arena_printf(s->arena,
				    "this system has no package %s: translate (-p4) on a system "
				    "of the kernel's own release, or in a directory that "
				    "debootstrap made",
				    package);
	return remedy_command(s->arena, what, name);
}
