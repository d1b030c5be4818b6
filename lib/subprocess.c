/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/error.h"
#include "lib/strbuf.h"

extern char **environ;

enum { NOT_RUN = 127 }; /* status of a child that could not execute the program */

/* How a program is started. */
struct way {
	const char *dir; /* NULL: here */
	char **environment;
	bool feed, capture;
	const struct subprocess_bounds *bounds; /* NULL: none */
};

/* ---- the environment of tools ---- */

static char **tool_environment(struct arena *a)
{
	static const char *const kept[] = {
		"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "SOURCE_DATE_EPOCH",
	};
	const size_t count = sizeof(kept) / sizeof(kept[0]);
	char **ret = arena_alloc(a, (count + 2) * sizeof(*ret));
	size_t n = 0;

	ret[n++] = arena_strdup(a, "LC_ALL=C");
	for (size_t i = 0; i < count; i++) {
		const char *value = getenv(kept[i]);

		if (value)
			ret[n++] = arena_printf(a, "%s=%s", kept[i], value);
	}
	ret[n] = NULL;
	return ret;
}

/* ---- the start ---- */

/* At the soft limit of CPU time a program can still report why it ends. */
#define HARD_LATER 1

/* Lowers a limit. A limit that is already lower is kept. False: errno is set. */
static bool lower(int resource, uint64_t most)
{
	struct rlimit l;

	if (!most)
		return true;
	if (getrlimit(resource, &l))
		return false;
	if (l.rlim_cur > most)
		l.rlim_cur = most;
	if (l.rlim_max > most + HARD_LATER)
		l.rlim_max = most + HARD_LATER;
	return !setrlimit(resource, &l);
}

/*
 * Executes the program, in the child. No new descriptor is 0, 1 or 2: those are stap's
 * own.
 */
static void become(const struct way *way, char *const argv[], int input, int output)
{
	bool ok =
		(!way->dir || !chdir(way->dir)) && (input < 0 || dup2(input, STDIN_FILENO) >= 0) &&
		(output < 0 ||
		 (dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0)) &&
		lower(RLIMIT_CPU, way->bounds->cpu_seconds) && lower(RLIMIT_AS, way->bounds->bytes);

	if (ok)
		execvpe(argv[0], argv, way->environment);
	_exit(NOT_RUN);
}

/* Starts a program with bounds. posix_spawn() cannot set them. */
static int spawn_bounded(struct arena *a, const struct way *way, char *const argv[], int input,
			 int output, pid_t *pid)
{
	if (!subprocess_find(a, argv[0]))
		return ENOENT;
	*pid = fork();
	if (!*pid)
		become(way, argv, input, output);
	return *pid < 0 ? errno : 0;
}

/* Starts argv. A descriptor of -1 means stap's own. */
static int spawn(const struct way *way, char *const argv[], int input, int output, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int err;

	err = posix_spawn_file_actions_init(&actions);
	if (err)
		return err;
	if (way->dir)
		err = posix_spawn_file_actions_addchdir_np(&actions, way->dir);
	if (!err && input >= 0)
		err = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!err && output >= 0) {
		err = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
		if (!err)
			err = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	}
	if (!err)
		err = posix_spawnp(pid, argv[0], &actions, NULL, argv, way->environment);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

static const char *read_all(struct arena *a, int fd)
{
	struct strbuf out;
	char chunk[4096];
	ssize_t n;

	strbuf_init(&out, a);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			strbuf_add(&out, chunk, (size_t)n);
	return out.s;
}

static void close_pipe(const int pipe[2])
{
	for (unsigned end = 0; end < 2; end++)
		if (pipe[end] >= 0)
			close(pipe[end]);
}

static struct error *start(struct arena *a, const struct way *way, char *const argv[],
			   struct subprocess *ret)
{
	int input[2] = { -1, -1 }, output[2] = { -1, -1 }, err;

	*ret = (struct subprocess){ .input = -1, .output = -1, .program = argv[0] };
	STAP_PROBE2(stap, stap_system, argv[0], argv);
	if ((way->feed && pipe2(input, O_CLOEXEC)) || (way->capture && pipe2(output, O_CLOEXEC))) {
		close_pipe(input);
		return error_errno(a, "pipe");
	}
	err = way->bounds ? spawn_bounded(a, way, argv, input[0], output[1], &ret->pid)
			  : spawn(way, argv, input[0], output[1], &ret->pid);
	STAP_PROBE2(stap, stap_system__spawn, err, ret->pid);
	if (err) {
		close_pipe(input);
		close_pipe(output);
		errno = err;
		return error_errno(a, "cannot run %s", argv[0]);
	}
	ret->input = input[1];
	ret->output = output[0];
	close_pipe((int[]){ input[0], output[1] });
	return NULL;
}

struct error *subprocess_start_tool(struct arena *a, const char *dir, char *const argv[],
				    struct subprocess *ret)
{
	const struct way way = {
		.dir = dir,
		.environment = tool_environment(a),
		.capture = true,
	};

	return start(a, &way, argv, ret);
}

struct error *subprocess_start_tool_fed(struct arena *a, const char *dir, char *const argv[],
					struct subprocess *ret)
{
	const struct way way = {
		.dir = dir,
		.environment = tool_environment(a),
		.feed = true,
		.capture = true,
	};

	return start(a, &way, argv, ret);
}

void subprocess_feed(struct subprocess *p, const char *text, size_t len)
{
	/*
	 * SIGPIPE is ignored: a program that no longer reads has ended, and its exit
	 * status tells why.
	 */
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);

	for (ssize_t n = 0; len && (n >= 0 || errno == EINTR);
	     text += n > 0 ? n : 0, len -= n > 0 ? (size_t)n : 0)
		n = write(p->input, text, len);
	signal(SIGPIPE, before);
	close(p->input);
	p->input = -1;
}

int subprocess_end(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct error *subprocess_wait(struct arena *a, struct subprocess *p, struct process_result *ret)
{
	*ret = (struct process_result){ .output = "" };
	if (p->output >= 0) {
		ret->output = read_all(a, p->output);
		close(p->output);
	}
	ret->status = subprocess_end(p->pid);
	if (ret->status < 0)
		return error_errno(a, "waiting for %s", p->program);
	STAP_PROBE1(stap, stap_system__return, ret->status);
	return NULL;
}

static struct error *run(struct arena *a, const struct way *way, char *const argv[],
			 struct process_result *ret)
{
	struct subprocess p;
	struct error *err = start(a, way, argv, &p);

	*ret = (struct process_result){ .output = "" };
	return err ? err : subprocess_wait(a, &p, ret);
}

struct error *subprocess_run(struct arena *a, const char *dir, char *const argv[], bool capture,
			     struct process_result *ret)
{
	const struct way way = { .dir = dir, .environment = environ, .capture = capture };

	return run(a, &way, argv, ret);
}

struct error *subprocess_run_tool(struct arena *a, const char *dir, char *const argv[],
				  const struct subprocess_bounds *bounds,
				  struct process_result *ret)
{
	const struct way way = {
		.dir = dir,
		.environment = tool_environment(a),
		.capture = true,
		.bounds = bounds,
	};

	return run(a, &way, argv, ret);
}

void subprocess_leave(int kept)
{
	int null = open("/dev/null", O_RDWR);

	setsid();
	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		if (fd != kept)
			dup2(null, fd);
	if (kept > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned)kept - 1, 0);
	close_range((unsigned)(kept > STDERR_FILENO ? kept : STDERR_FILENO) + 1, UINT_MAX, 0);
}

const char *subprocess_path(void)
{
	const char *path = getenv("PATH");

	return path ? path : "/usr/bin:/bin";
}

const char *subprocess_find(struct arena *a, const char *name)
{
	const char *path = subprocess_path();

	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : name;
	while (*path) {
		size_t len = strcspn(path, ":");
		const char *file = arena_printf(a, "%.*s/%s", (int)len, path, name);

		if (len && !access(file, X_OK))
			return file;
		path += len;
		path += *path == ':';
	}
	return NULL;
}
