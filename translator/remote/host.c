/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "remote/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/path.h"
#include "base/session.h"
#include "base/subprocess.h"
#include "formats/file.h"
#include "kernel/factcache.h"
#include "kernel/kernel.h"
#include "run/launch.h"

enum { DIGEST_DIGITS = 64 };

static void add(struct session *s, struct host *h, const char *arg)
{
	vec_push(s->arena, &h->shell, arena_strdup(s->arena, arg));
}

static struct error *wrong(struct session *s, const char *uri)
{
	return error_create(s->arena, ERROR_USAGE,
			    "--remote takes [USER@]HOST, ssh://[USER@]HOST[:PORT], or direct: for "
			    "this machine, not '%s'",
			    uri);
}

/* Parses the name for ssh. A name that begins with '-' would be an option of ssh's. */
static struct error *parse_ssh(struct session *s, const char *name, struct host *ret)
{
	const char *host = strrchr(name, '@') ? strrchr(name, '@') + 1 : name,
		   *port = strncmp(ret->uri, "ssh://", 6) ? NULL : strchr(host, ':');

	if (!*host || *host == ':' || *name == '-' || *host == '-' || strpbrk(name, "/ ") ||
	    (!port && strchr(host, ':')))
		return wrong(s, ret->uri);
	if (port && (!port[1] || strspn(port + 1, "0123456789") != strlen(port + 1)))
		return wrong(s, ret->uri);
	add(s, ret, "ssh");
	add(s, ret, "-T");
	if (port) {
		add(s, ret, "-p");
		add(s, ret, port + 1);
	}
	add(s, ret, port ? arena_strndup(s->arena, name, (size_t)(port - name)) : name);
	return NULL;
}

struct error *host_parse(struct session *s, const char *uri, struct host *ret)
{
	*ret = (struct host){ .uri = uri, .input = -1, .output = -1 };
	strbuf_init(&ret->line, s->arena);
	if (!strcmp(uri, "direct:") || !strcmp(uri, "direct://")) {
		add(s, ret, "sh");
		add(s, ret, "-c");
		return NULL;
	}
	return parse_ssh(s, strncmp(uri, "ssh://", 6) ? uri : uri + 6, ret);
}

char **host_command(struct session *s, const struct host *h, const char *command)
{
	VEC(char *) argv = { 0 };

	vec_each(&h->shell, i)
		vec_push(s->arena, &argv, h->shell.data[i]);
	vec_push(s->arena, &argv, arena_strdup(s->arena, command));
	vec_push(s->arena, &argv, NULL);
	return argv.data;
}

/* ---- which kernel ---- */

/*
 * True: the kernel can have that name. It becomes a part of paths and of messages here,
 * and the machine may say what it likes.
 */
static bool is_release(const char *text)
{
	return isalnum((unsigned char)*text) &&
	       text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				 "0123456789._+~-")] == 0;
}

static const char *shown(struct session *s, const char *text)
{
	return diag_printable(s->arena, text, strlen(text));
}

/* Reads "signed DIGEST" or "any ". What is not of that form says nothing. */
static void read_more(struct host *h, const char *text)
{
	const char *digest = strchr(text, ' ');

	h->signs = !strncmp(text, "signed ", 7);
	if (digest && strlen(++digest) == DIGEST_DIGITS &&
	    strspn(digest, "0123456789abcdef") == DIGEST_DIGITS)
		h->btf = digest;
}

/* Reads the machine's answer. A shell there may greet first: the last line counts. */
struct error *host_answered(struct session *s, struct host *h, int status, const char *output)
{
	char *text = arena_strdup(s->arena, output), *line = NULL, *rest = NULL, *machine, *more;
	const char *answer;

	for (char *next = strtok_r(text, "\r\n", &rest); next; next = strtok_r(NULL, "\r\n", &rest))
		line = next;
	if (status || !line)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s cannot be asked for its kernel: %s", h->uri,
				    line ? shown(s, line) : "no answer");
	more = strchr(line, ' ') ? strchr(strchr(line, ' ') + 1, ' ') : NULL;
	if (more)
		*more++ = 0;
	answer = shown(s, line);
	machine = strchr(line, ' ');
	if (machine)
		*machine++ = 0;
	if (!machine || !is_release(line))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s has a shell that answers 'uname -mr' by '%s'", h->uri,
				    answer);
	if (strcmp(machine, arch_of(s)->name))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s is a machine of the kind %s; modules are made for %s",
				    h->uri, shown(s, machine), arch_of(s)->name);
	h->release = line;
	if (more)
		read_more(h, more);
	return NULL;
}

/* ---- the run ---- */

static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_addc(out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			strbuf_adds(out, "'\\''");
		else
			strbuf_addc(out, *text);
	strbuf_addc(out, '\'');
}

/*
 * Returns the command of the run, for any login shell. The run ends when the local end of
 * its standard input closes, also because stap dies: the rest of standard input behind
 * the module is read to its end beside the run. (A shell gives background processes no
 * input of their own, and lets them ignore ^C.)
 */
static const char *run_command(struct session *s, const struct host *h, size_t id)
{
	struct strbuf script, whole;
	run_args args = { 0 };

	run_options(s, &args);
	strbuf_init(&script, s->arena);
	strbuf_addf(&script,
		    "PATH=$PATH:/usr/local/bin:/usr/local/sbin:/usr/sbin:/sbin; umask 077; "
		    "d=$(mktemp -d) || exit 4; trap 'rm -rf \"$d\"' EXIT; "
		    "head -c %zu > \"$d/\"",
		    h->left_len);
	add_quoted(&script, strrchr(h->module, '/') + 1);
	strbuf_adds(&script, " || exit 4; exec 3<&0; staprun -r ");
	add_quoted(&script, arena_printf(s->arena, "%zu:%s", id, h->uri));
	vec_each(&args, i) {
		strbuf_addc(&script, ' ');
		add_quoted(&script, args.data[i]);
	}
	strbuf_adds(&script, " \"$d/\"");
	add_quoted(&script, strrchr(h->module, '/') + 1);
	strbuf_adds(&script,
		    " < /dev/null 3<&- & p=$!; { cat; kill -TERM $p; } <&3 > /dev/null 2>&1 & "
		    "w=$!; exec 3<&-; wait $p; e=$?; kill $w 2> /dev/null; exit $e");
	strbuf_init(&whole, s->arena);
	strbuf_adds(&whole, "sh -c ");
	add_quoted(&whole, script.s);
	return whole.s;
}

/*
 * Becomes the command. ^C at the local terminal is for stap, which tells the run by
 * closing its input.
 */
static void become(char **argv, int input, int output, const sigset_t *mask)
{
	static const int of_terminals[] = { SIGINT, SIGQUIT, SIGHUP };

	for (size_t i = 0; i < sizeof(of_terminals) / sizeof(of_terminals[0]); i++)
		signal(of_terminals[i], SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	dup2(input, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	execvp(argv[0], argv);
	fprintf(stderr, "stap: cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 3 : 4);
}

/* Starts the command; h->input and h->output become its streams. */
static struct error *start(struct session *s, struct host *h, char **argv, const sigset_t *mask)
{
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return error_errno(s->arena, "pipe");
	fflush(NULL);
	h->pid = fork();
	if (h->pid == 0)
		become(argv, in[0], out[1], mask);
	close(in[0]);
	close(out[1]);
	h->input = in[1];
	h->output = out[0];
	return h->pid < 0 ? error_errno(s->arena, "fork") : NULL;
}

struct error *host_start(struct session *s, struct host *h, size_t id, const sigset_t *mask)
{
	struct error *err = path_read(s->arena, h->module, &h->left, &h->left_len);

	if (!err)
		err = start(s, h, host_command(s, h, run_command(s, h, id)), mask);
	if (!err)
		fcntl(h->input, F_SETFL, O_NONBLOCK);
	return err;
}

/* ---- its BTF ---- */

/* Packed it is a quarter of that; a machine that sends more sends something else. */
#define BTF_MOST (64u << 20)

#define BTF_SEND                                                                                   \
	"sh -c 'f=/sys/kernel/btf/vmlinux; "                                                       \
	"if type gzip > /dev/null 2>&1; then exec gzip -c $f; else exec cat $f; fi'"

/* Reads the command's whole output; more than BTF_MOST is left. */
static void read_output(const struct host *h, struct strbuf *ret)
{
	char chunk[65536];
	ssize_t n;

	while (ret->len < BTF_MOST && ((n = read(h->output, chunk, sizeof(chunk))) > 0 ||
				       (n < 0 && errno == EINTR)))
		if (n > 0)
			strbuf_add(ret, chunk, (size_t)n);
}

static struct error *fetch(struct session *s, struct host *h, struct bytes *ret)
{
	struct strbuf out;
	sigset_t mask;
	struct error *err;

	strbuf_init(&out, s->arena);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	err = start(s, h, host_command(s, h, BTF_SEND), &mask);
	if (err)
		return err;
	close(h->input);
	read_output(h, &out);
	close(h->output);
	h->input = h->output = -1;
	subprocess_end(h->pid);
	return unpack(s->arena,
		      &(struct bytes){ h->uri, (const uint8_t *)out.s, out.len }, ret);
}

struct error *host_btf(struct session *s, struct host *h, const char **ret)
{
	const char *release = s->kernel->release;
	struct bytes b;

	if (!h->btf)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "no BTF of kernel %s, neither here nor on %s, which has no "
				    "/sys/kernel/btf/vmlinux: the kernel was built without "
				    "CONFIG_DEBUG_INFO_BTF",
				    release, h->uri);

	const char *name = arena_printf(s->arena, "%s.btf", h->btf), *dir;
	struct error *err = NULL;

	*ret = factcache_path(s, name);
	if (*ret && factcache_get(s, name, &b) &&
	    !strcmp(digest_hex(s->arena, (const char *)b.data, b.len), h->btf))
		return NULL;
	err = fetch(s, h, &b);
	if (!err && strcmp(digest_hex(s->arena, (const char *)b.data, b.len), h->btf))
		err = error_create(s->arena, ERROR_ENVIRONMENT,
				   "what came is not what it has (%zu bytes)", b.len);
	if (err)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "the BTF of kernel %s cannot be fetched from %s: %s", release,
				    h->uri, err->text);
	if (!*ret) {
		err = path_tmp_dir(s, &dir);
		*ret = err ? NULL : arena_printf(s->arena, "%s/%s", dir, name);
	}
	return err ? err : path_write(s->arena, *ret, (const char *)b.data, b.len);
}
