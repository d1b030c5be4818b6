/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See compiler.h. */
#include "build/compiler.h"

#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/remedy.h"
#include "base/session.h"
#include "base/subprocess.h"
#include "kernel/config.h"

/* The kernel's own text is "gcc-12 (Debian 12.2.0-14) 12.2.0". */
const char *compiler_of(struct session *s)
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

/* Returns what stands behind the number of "gcc-N", or of "gcc-N-MACHINE-linux-gnu". */
static const char *behind_number(const char *package)
{
	size_t digits = strncmp(package, "gcc-", 4) ? 0 : strspn(package + 4, "0123456789");

	return digits ? package + 4 + digits : NULL;
}

/* True: the line is the name of a compiler for the same machine as `end` is for. */
static bool is_compiler(const char *line, size_t len, const char *end)
{
	const char *behind = behind_number(line);

	return behind && line + len == behind + strlen(end) && !strncmp(behind, end, strlen(end));
}

/*
 * True: apt knows compilers by number, and none of that name. Where its lists are empty
 * it knows none.
 */
static bool is_not_offered(struct session *s, const char *package)
{
	char *const argv[] = { "apt-cache", "pkgnames", "gcc-", NULL };
	const char *end = behind_number(package);
	struct process_result said;
	bool knows_others = false;

	if (!end || !subprocess_find(s->arena, argv[0]) ||
	    subprocess_run(s->arena, NULL, argv, true, &said) || said.status)
		return false;
	for (const char *line = said.output; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (strlen(package) == len && !strncmp(line, package, len))
			return false;
		knows_others |= is_compiler(line, len, end);
		line += len;
	}
	return knows_others;
}

const char *compiler_supply(struct session *s, const char *name)
{
	enum remedy what = arch_is_foreign(s) ? REMEDY_CROSS_COMPILER : REMEDY_KERNEL_COMPILER;
	const char *package = remedy_package(s->arena, what, name);

	if (is_not_offered(s, package))
		return arena_printf(s->arena,
				    "this system has no package %s: translate (-p4) on a system "
				    "of the kernel's own release, or in a directory that "
				    "debootstrap made",
				    package);
	return remedy_command(s->arena, what, name);
}
