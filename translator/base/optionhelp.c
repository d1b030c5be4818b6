/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap --help and --version. */
#include <stdio.h>

#include "base/bpfclang.h"
#include "base/optionrow.h"
#include "base/version.h"
#include "lib/arena.h"

#ifdef HAVE_EXPORTER
#define HAS_EXPORTER true
#else
#define HAS_EXPORTER false
#endif

static void print_row(const struct option_row *r)
{
	char left[64];

	snprintf(left, sizeof(left), "%s%.1s%s%s%s%s%s", r->letter ? "-" : "    ",
		 r->letter ? &r->letter : "", r->letter && r->name ? ", " : "", r->name ? "--" : "",
		 r->name ? r->name : "",
		 options_row_takes_argument(r) ? (r->letter ? " " : "=") : "",
		 r->arg ? r->arg : "");
	printf("  %-28s %s\n", left, r->help);
}

void optionhelp_print(void)
{
	static char room[1 << 15];
	unsigned has_commands = 0;

	/* Everything in one write, in main(), which reports a failure. */
	setvbuf(stdout, room, _IOFBF, sizeof(room));
	puts("Usage: stap [OPTIONS] FILE [ARGS]      run the script in FILE ('-': standard input)\n"
	     "       stap [OPTIONS] -e SCRIPT [ARGS]  run SCRIPT\n"
	     "       stap [OPTIONS] -l POINT          list probe points\n"
	     "       stap [OPTIONS] -i [FILE]         a dialogue\n"
	     "       stap service VERB [NAME]         scripts that run from boot on\n\n"
	     "Options:");
	for (size_t i = 0; i < option_row_count; i++) {
		if (option_rows[i].set == optiontype_command && !has_commands++)
			puts("\nInstead of a run:");
		print_row(&option_rows[i]);
	}
	puts("\nExamples:\n"
	     "  stap -e 'probe kernel.function(\"vfs_read\") { printf(\"%s %d\\n\", execname(), "
	     "$count) }' -c 'cat /etc/hostname'\n"
	     "  stap -l 'syscall.*'\n"
	     "  stap --runtime=user -e 'probe begin { println(\"hello\") exit() }'\n\n"
	     "man stap, man stap-language, man stapprobes");
}

void optionhelp_version(void)
{
	struct arena *a = arena_create();
	const char *commit = version_commit, *clang = bpfclang_find(a);

	printf("stap %s%s%s%s, speaking SystemTap's language, %s ncurses (--monitor), %s "
	       "libedit (-i), %s stap-exporter; %s (--runtime=bpf)\n"
	       "Licence: GPL-2.0-or-later. There is no warranty, to the extent permitted by law.\n",
	       STAP_VERSION, *commit ? " (commit " : "", commit, *commit ? ")" : "",
	       version_has_screen ? "with" : "without", version_has_editor ? "with" : "without",
	       HAS_EXPORTER ? "with" : "without", clang ? clang : "no clang");
	arena_destroy(a);
}
