/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/talk.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "stap/remote/fleet.h"
#include "stap/remote/host.h"
#include "stap/remote/hostprograms.h"
#include "stap/run/launch.h"

/*
 * The script must not contain an apostrophe or '!', because it is passed between
 * apostrophes, as one word for any login shell. %s: text in the help of each staprun that
 * is recent enough. It uses dd(1) because head(1) may read more than the requested number
 * of bytes.
 */
static const char talk_format[] =
	"PATH=$PATH:/usr/local/bin:/usr/local/sbin:/usr/sbin:/sbin; umask 077; "
	"k=$(uname -mr) || { echo \"$k\"; exit 1; }; s=any; "
	"case $({ cat /sys/module/module/parameters/sig_enforce; "
	"cat /sys/kernel/security/lockdown; } 2> /dev/null) in "
	"Y*|*\"[integrity]\"*|*\"[confidentiality]\"*) s=signed ;; esac; "
	"b=$(sha256sum /sys/kernel/btf/vmlinux 2> /dev/null); b=${b%%%% *}; "
	"n=$(cat /sys/kernel/notes /proc/version 2> /dev/null | sha256sum 2> /dev/null); "
	"n=${n%%%% *}; p=none; command -v staprun > /dev/null && { p=old; "
	"staprun -h 2> /dev/null | grep -q -e \"%s\" && p=has; }; "
	"o=$(cat /etc/os-release 2> /dev/null | grep -E \"^ID(_LIKE)?=\"); "
	"echo \"" TALK_GREETING "$k $s ${b:--} ${n:--} $p \"$o; "
	"while read -r w n; do case $w in "
	"clock) echo \"" TALK_CLOCK "$(date +%%s%%N)\" ;; "
	"run) eval \"$(dd bs=1 count=\"$n\" 2> /dev/null)\" ;; "
	"esac; done";

/* Returns text in the help of each staprun that can do what the run needs. */
static const char *help_of_recent(const struct session *s)
{
	if (fleet_runs_program(s))
		return "PROGRAM.bpf .PARAM";
	return s->options->page_hosts_fd ? ",values" : "--records";
}

const char *talk_command(struct session *s)
{
	struct strbuf whole;

	strbuf_init(&whole, s->arena);
	strbuf_adds(&whole, "sh -c ");
	strbuf_addword(&whole, arena_printf(s->arena, talk_format, help_of_recent(s)));
	return whole.s;
}

bool talk_switch(struct host *h, int index, bool on)
{
	char line[32];
	int len = index < 0 ? snprintf(line, sizeof(line), "sall:%s\n", on ? "on" : "off")
			    : snprintf(line, sizeof(line), "s%d:%s\n", index, on ? "on" : "off");

	return h->input >= 0 && write(h->input, line, (size_t)len) == len;
}

void talk_ask_clock(struct host *h)
{
	strbuf_adds(&h->to_send, TALK_CLOCK "0\n");
}

/*
 * True: the option is about the files of -o, which are on this machine, except with -F
 * and -M.
 */
static bool rotates_here(const struct session *s, const char *arg)
{
	return !options_passed(s->options, "-F") && !options_passed(s->options, "-M") &&
	       (!strcmp(arg, "-S") || !strcmp(arg, "--compress"));
}

static const char *module_name(struct session *s, const struct host *h)
{
	const char *file = strrchr(h->module, '/') + 1;

	return arena_strndup(s->arena, file, strcspn(file, "."));
}

/* Returns the name of the module's file, or the program's, on the machine. */
static const char *file_name(struct session *s, const struct host *h)
{
	return arena_printf(s->arena, "%s.%s", module_name(s, h),
			    fleet_runs_program(s) ? "bpf" : "ko");
}

/* Adds the words of staprun's command. */
static void add_staprun(struct session *s, const struct host *h, size_t id, const char *stream,
			const run_args *args, struct strbuf *out)
{
	strbuf_adds(out, "staprun -r ");
	strbuf_addword(out, arena_printf(s->arena, "%zu:%s", id, h->uri));
	vec_each(args, i) {
		if (rotates_here(s, args->data[i])) {
			i += !strcmp(args->data[i], "-S");
			continue;
		}
		strbuf_addc(out, ' ');
		strbuf_addword(out, args->data[i]);
	}
	if (stream)
		strbuf_addf(out, " --records=%s", stream);
	if (s->options->output && options_passed(s->options, "-F")) {
		strbuf_adds(out, " -o ");
		strbuf_addword(out, s->options->output);
	}
	strbuf_adds(out, " \"$d/\"");
	strbuf_addword(out, file_name(s, h));
}

/* A signal ends the shell, which removes its directory. */
#define TALK_TRAP "trap 'exit 143' HUP INT TERM; "

/* Closes the descriptors of add_watched() for programs that must not inherit them. */
#define TALK_NO_FILES "3<&- 5<&- 6>&- 7<&- 8>&- "

/*
 * Adds two cat(1) processes that copy the run's output. If the connection is lost, nobody
 * reads this output, and the run would never end; then these processes are ended, so that
 * the run sees that its reader has gone. A run that ends at once would never open its
 * side of a FIFO. Therefore both sides are opened here, without waiting, through a third
 * descriptor.
 */
static void add_cats(struct strbuf *out)
{
	strbuf_adds(out, "l=; exec 3<&0; mkfifo \"$d/o\" \"$d/e\" || exit 4; "
			 "exec 4<> \"$d/o\" 5< \"$d/o\" 6> \"$d/o\"; "
			 "exec 4<> \"$d/e\" 7< \"$d/e\" 8> \"$d/e\" 4<&-; "
			 "cat <&5 " TALK_NO_FILES "& o=$!; "
			 "cat <&7 >&2 " TALK_NO_FILES "& e=$!; ");
}

/*
 * Adds the run and its watch. (A shell gives background processes no input of their own,
 * and makes them ignore ^C.) No trap is set while staprun is being forked: until the
 * child has executed staprun, it would handle a signal as the shell does, and lose it.
 */
static void add_watched(struct session *s, const char *staprun, struct strbuf *out)
{
	strbuf_addf(out,
		    "trap - HUP INT TERM; "
		    "%s < /dev/null >&6 2>&8 " TALK_NO_FILES "& p=$!; " TALK_TRAP
		    "exec 5<&- 6>&- 7<&- 8>&-; "
		    "{ while b=$(timeout %u head -c 1) || l=1; [ \"$b\" ]; do "
		    "[ \"$b\" != s ] || { read -r b; staprun --switch=\"$b\" \"$m\"; }; done; "
		    "kill -TERM $p; [ -z \"$l\" ] || { sleep 3; kill $o $e; }; } "
		    "<&3 > /dev/null 2>&1 & "
		    "w=$!; exec 3<&- < /dev/null; wait $p; r=$?; wait $o $e; "
		    "kill $w 2> /dev/null; exit $r",
		    staprun, s->options->remote_timeout);
}

/*
 * Adds the commands that receive the programs and the module. One head(1) reads them all:
 * a head(1) that reads more than requested would take bytes from the next one.
 */
static void add_taking_all(const struct hostprograms *p, const struct host *h, struct strbuf *out)
{
	strbuf_addf(out,
		    "head -c %zu > \"$d/in\" && "
		    "head -c %zu \"$d/in\" | gzip -dc > \"$d/staprun\" && "
		    "tail -c +%zu \"$d/in\" | head -c %zu | gzip -dc > \"$d/stapio\" && "
		    "chmod 700 \"$d/staprun\" \"$d/stapio\" && PATH=$d:$PATH && "
		    "{ staprun -V > /dev/null || "
		    "{ echo \"stap: what is sent cannot be run in $d\" >&2; "
		    "exit 4; }; } && "
		    "{ tail -c %zu \"$d/in\" && rm \"$d/in\"; }",
		    p->staprun + p->stapio + h->module_len, p->staprun, p->staprun + 1, p->stapio,
		    h->module_len);
}

/* Adds the commands that receive the data after the script. */
static void add_taking(const struct host *h, const char *module, struct strbuf *out)
{
	if (h->programs)
		add_taking_all(h->programs, h, out);
	else
		strbuf_addf(out, "head -c %zu", h->module_len);
	strbuf_adds(out, " > \"$d/\"");
	strbuf_addword(out, module);
	strbuf_adds(out, " || exit 4; ");
}

void talk_run(struct session *s, struct host *h, size_t id, const char *stream)
{
	struct strbuf script, staprun;
	run_args args = { 0 };

	run_options(s, &args);
	strbuf_init(&script, s->arena);
	strbuf_init(&staprun, s->arena);
	strbuf_adds(&script, "m=");
	strbuf_addword(&script, module_name(s, h));
	strbuf_adds(&script, "; d=$(mktemp -d) || exit 4; trap 'rm -rf \"$d\"' EXIT; " TALK_TRAP);
	add_taking(h, file_name(s, h), &script);
	add_staprun(s, h, id, stream, &args, &staprun);
	if (options_passed(s->options, "-F")) {
		strbuf_addf(&script, "%s < /dev/null; exit", staprun.s);
	} else {
		strbuf_adds(&script,
			    "command -v timeout > /dev/null || timeout() { shift; \"$@\"; }; ");
		add_cats(&script);
		add_watched(s, staprun.s, &script);
	}
	strbuf_addf(&h->to_send, "run %zu\n%s", script.len, script.s);
}
