/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/tmpdir.h"
#include "formats/file.h"
#include "kernel/factcache.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/digest.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/subprocess.h"

enum { DIGEST_DIGITS = 64 };

static void add(struct session *s, struct host *h, const char *arg)
{
	vec_push(s->arena, &h->shell, arena_strdup(s->arena, arg));
}

const char *host_shown(struct session *s, const char *text)
{
	return diag_printable(s->arena, text, strlen(text));
}

static struct error *wrong(struct session *s, const char *uri)
{
	return error_create(s->arena, ERROR_USAGE,
			    "--remote takes [USER@]HOST, ssh://[USER@]HOST[:PORT], or direct: for "
			    "this machine, not '%s'",
			    host_shown(s, uri));
}

/* Adds the options that make ssh give up a silent machine. */
static void add_limits(struct session *s, struct host *h, const struct host_ssh *ssh)
{
	unsigned alive = ssh->timeout / 3 ? ssh->timeout / 3 : 1;

	add(s, h, "-o");
	add(s, h, arena_printf(s->arena, "ConnectTimeout=%u", ssh->timeout));
	add(s, h, "-o");
	add(s, h, arena_printf(s->arena, "ServerAliveInterval=%u", alive));
	if (ssh->batch) {
		add(s, h, "-o");
		add(s, h, "BatchMode=yes");
	}
}

/* True: the text has only characters that a terminal shows, and no spaces. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text == 0x7f)
			return false;
	return true;
}

/* Parses the name for ssh. A name that begins with '-' would be an option of ssh. */
static struct error *parse_ssh(struct session *s, const char *name, const struct host_ssh *ssh,
			       struct host *ret)
{
	const char *host = strrchr(name, '@') ? strrchr(name, '@') + 1 : name,
		   *port = strncmp(ret->uri, "ssh://", 6) ? NULL : strchr(host, ':');

	if (!*host || *host == ':' || *name == '-' || *host == '-' || strchr(name, '/') ||
	    !is_plain(name) || (!port && strchr(host, ':')))
		return wrong(s, ret->uri);
	if (port && (!port[1] || strspn(port + 1, "0123456789") != strlen(port + 1)))
		return wrong(s, ret->uri);
	add(s, ret, "ssh");
	add(s, ret, "-T");
	add_limits(s, ret, ssh);
	if (port) {
		add(s, ret, "-p");
		add(s, ret, port + 1);
	}
	add(s, ret, port ? arena_strndup(s->arena, name, (size_t)(port - name)) : name);
	ret->name = port ? arena_strndup(s->arena, host, (size_t)(port - host)) : host;
	return NULL;
}

struct error *host_parse(struct session *s, const char *uri, const struct host_ssh *ssh,
			 struct host *ret)
{
	char name[HOST_NAME_MAX + 1] = "";

	*ret = (struct host){ .uri = uri, .input = -1, .output = -1, .errors = -1 };
	strbuf_init(&ret->to_send, s->arena);
	strbuf_init(&ret->line, s->arena);
	strbuf_init(&ret->error_line, s->arena);
	strbuf_init(&ret->text, s->arena);
	if (strcmp(uri, "direct:") && strcmp(uri, "direct://"))
		return parse_ssh(s, strncmp(uri, "ssh://", 6) ? uri : uri + 6, ssh, ret);
	gethostname(name, sizeof(name) - 1);
	ret->name = arena_strdup(s->arena, name);
	add(s, ret, "sh");
	add(s, ret, "-c");
	return NULL;
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

/* ---- the machine's kernel ---- */

/*
 * True: this is a possible name of a kernel. It becomes part of paths and messages here,
 * and the machine could send any text.
 */
static bool is_release(const char *text)
{
	return isalnum((unsigned char)*text) &&
	       text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				 "0123456789._+~-")] == 0;
}

/* Returns the digest at the beginning of the text; NULL: there is none. */
static const char *digest_at(struct session *s, const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");

	return len == DIGEST_DIGITS && (!text[len] || text[len] == ' ')
		       ? arena_strndup(s->arena, text, len)
		       : NULL;
}

/* Makes the lines of an os-release file from "ID=rocky ID_LIKE="rhel fedora"". */
static const char *lines_of(struct session *s, const char *text)
{
	char *ret = arena_strdup(s->arena, text);

	for (char *at = ret; (at = strstr(at, " ID"));)
		*at = '\n';
	return *ret ? ret : NULL;
}

/*
 * Reads "signed DIGEST DIGEST none ID=debian" or "any - - has". Other text is ignored.
 */
static void read_more(struct session *s, struct host *h, const char *text)
{
	const char *word = strchr(text, ' ');

	h->signs = !strncmp(text, "signed ", 7);
	if (!word)
		return;
	h->btf = digest_at(s, word + 1);
	word = strchr(word + 1, ' ');
	h->build = word ? digest_at(s, word + 1) : NULL;
	word = word ? strchr(word + 1, ' ') : NULL;
	h->lacks_staprun = word && !strncmp(word, " none", 5);
	h->is_old = word && !strncmp(word, " old", 4);
	word = word ? strchr(word + 1, ' ') : NULL;
	h->os_release = word ? lines_of(s, word + 1) : NULL;
}

struct error *host_answered(struct session *s, struct host *h, const char *answer)
{
	char *line = arena_strdup(s->arena, answer), *machine = strchr(line, ' '),
	     *more = machine ? strchr(machine + 1, ' ') : NULL;
	const char *said;

	if (more)
		*more++ = 0;
	said = host_shown(s, line);
	if (machine)
		*machine++ = 0;
	if (!machine || !is_release(line))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s has a shell that answers 'uname -mr' by '%s'", h->uri,
				    said);
	h->arch = arch_named(machine);
	if (!h->arch || (s->options->architecture && h->arch != s->arch))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s is a machine of the kind %s; scripts are translated for %s",
				    h->uri, host_shown(s, machine),
				    h->arch ? s->arch->name : arch_names(s->arena));
	h->release = line;
	if (more)
		read_more(s, h, more);
	return NULL;
}

/* ---- the process of a machine ---- */

struct streams {
	int input, output, errors; /* errors -1: they go to stap's */
};

/*
 * Executes the command. ^C at the local terminal reaches only stap, which ends the run by
 * closing its input.
 */
static void become(char **argv, const struct streams *io, const sigset_t *mask)
{
	static const int of_terminals[] = { SIGINT, SIGQUIT, SIGHUP };

	for (size_t i = 0; i < sizeof(of_terminals) / sizeof(of_terminals[0]); i++)
		signal(of_terminals[i], SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	dup2(io->input, STDIN_FILENO);
	dup2(io->output, STDOUT_FILENO);
	if (io->errors >= 0)
		dup2(io->errors, STDERR_FILENO);
	execvp(argv[0], argv);
	fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 3 : 4);
}

void host_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Starts the command; sets *ret to our ends of its streams. */
static struct error *start(struct session *s, char **argv, const sigset_t *mask, bool errors,
			   struct streams *ret, pid_t *pid)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || (errors && pipe2(err, O_CLOEXEC))) {
		struct error *e = error_errno(s->arena, "pipe");

		for (int i = 0; i < 2; i++) {
			host_close_fd(&in[i]);
			host_close_fd(&out[i]);
			host_close_fd(&err[i]);
		}
		return e;
	}
	fflush(NULL);
	*pid = fork();
	if (*pid == 0)
		become(argv, &(struct streams){ in[0], out[1], err[1] }, mask);
	host_close_fd(&in[0]);
	host_close_fd(&out[1]);
	host_close_fd(&err[1]);
	*ret = (struct streams){ in[1], out[0], err[0] };
	return *pid < 0 ? error_errno(s->arena, "fork") : NULL;
}

struct error *host_start(struct session *s, struct host *h, char **argv, const sigset_t *mask)
{
	struct streams io = { -1, -1, -1 };
	struct error *err = start(s, argv, mask, true, &io, &h->pid);

	h->input = io.input;
	h->output = io.output;
	h->errors = io.errors;
	if (err)
		return err;
	fcntl(h->input, F_SETFL, O_NONBLOCK);
	fcntl(h->errors, F_SETFL, O_NONBLOCK);
	return NULL;
}

bool host_has_ended(struct host *h)
{
	int status;

	if (h->pid <= 0)
		return true;
	if (waitpid(h->pid, &status, WNOHANG) != h->pid)
		return false;
	h->exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	h->pid = 0;
	return true;
}

void host_close(struct host *h)
{
	host_close_fd(&h->input);
	host_close_fd(&h->output);
	host_close_fd(&h->errors);
	if (h->pid > 0) {
		kill(h->pid, SIGKILL);
		h->exit = subprocess_end(h->pid);
	}
	h->pid = 0;
}

/* ---- BTF of a machine ---- */

/*
 * More than any BTF, which takes a quarter of this when compressed; if a machine sends
 * more, it is not BTF.
 */
#define BTF_MOST (64u << 20)

#define BTF_SEND                                                                                   \
	"sh -c 'f=/sys/kernel/btf/vmlinux; "                                                       \
	"if type gzip > /dev/null 2>&1; then exec gzip -c $f; else exec cat $f; fi'"

/* Reads the command's whole output, but not much more than BTF_MOST. */
static void read_output(int fd, struct strbuf *ret)
{
	char chunk[65536];
	ssize_t n;

	while (ret->len < BTF_MOST &&
	       ((n = read(fd, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0)
			strbuf_add(ret, chunk, (size_t)n);
}

static struct error *fetch(struct session *s, const struct host *h, struct bytes *ret)
{
	struct streams io;
	struct strbuf out;
	sigset_t mask;
	pid_t pid;
	struct error *err;

	strbuf_init(&out, s->arena);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	err = start(s, host_command(s, h, BTF_SEND), &mask, false, &io, &pid);
	if (err)
		return err;
	close(io.input);
	read_output(io.output, &out);
	close(io.output);
	subprocess_end(pid);
	return unpack(s->arena, &(struct bytes){ h->uri, (const uint8_t *)out.s, out.len }, ret);
}

struct error *host_btf(struct session *s, const struct host *h, const char **ret)
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
				   "the transfer is incomplete or damaged (%zu bytes)", b.len);
	if (err)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "the BTF of kernel %s cannot be fetched from %s: %s", release,
				    h->uri, err->text);
	if (!*ret) {
		err = tmpdir_of(s, &dir);
		*ret = err ? NULL : arena_printf(s->arena, "%s/%s", dir, name);
	}
	return err ? err : path_write(s->arena, *ret, (const char *)b.data, b.len);
}
