/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into the translator: a program, library or module of the user's,
 * with symbols, DWARF, markers and unwind tables. The first byte chooses the script, the
 * file is what follows.
 */
#include <stdint.h>

#include "harness/stap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define PROGRAM "probe process(@1)"

static const char *const scripts[] = {
	PROGRAM ".function(\"*\") { println($$vars$$) print_ubacktrace() }",
	PROGRAM ".function(\"*\").return { println($return$, @entry($$parms)) }",
	PROGRAM ".statement(\"*@*:*\") { println(pp()) }",
	PROGRAM ".mark(\"*\") { println($$vars, $arg1) }",
	PROGRAM ".plt.return { println(pn()) }",
	PROGRAM ".function(\"*@*\").inline, " PROGRAM
		".function(\"*\").label(\"*\") { println($$locals$$) }",
	PROGRAM ".library(\"*\").function(\"*\") { } " PROGRAM
		".function(\"walk\").callees(2) { println(usymline(uaddr()), usymname(1)) }",
	PROGRAM ".function(\"walk\") { println(@var(\"origin\", @1)$$,"
		" @cast(0, \"struct point\", @1)$$,"
		" @enumname(\"colour\", 7, @1), &@var(\"sum\"), $p->next->l, $name$, $c) }",
	PROGRAM ".begin { println(@var(\"sum\", @1)) print_ustack(ubacktrace()) }",
	"probe module(@1).function(\"*\") { println($$vars$$) print_backtrace() }",
	"probe module(@1).statement(\"*@*:*\"), module(@1).function(\"*\").label(\"*\") {"
	" println($$parms) }",
};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	harness_make_tree();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *script;

	if (!size)
		return 0;
	script = scripts[data[0] % (sizeof(scripts) / sizeof(*scripts))];
	harness_write("victim.ko", data + 1, size - 1);
	harness_stap((const char *const[]){ "-p3", "-g", "-d", harness_path("victim.ko"), "-r",
					    HARNESS_RELEASE, "--ldd", "-e", script,
					    harness_path("victim.ko"), NULL });
	return 0;
}
