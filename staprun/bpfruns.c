/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bpfruns.h. */
#include "staprun/bpfruns.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/printable.h"
#include "lib/trust.h"
#include "staprun/caller.h"
#include "staprun/kmodule.h"
#include "staprun/privileges.h"
#include "staprun/report.h"
#include "uapi/status.h"

#define SOCKETS		"/proc/net/unix"
#define ACCEPTS_CALLERS 0x10000 /* flags in it */
#define ANSWER_MS	2000
#define STOP_MS		30000
#define ANSWER_MOST	(16u << 20)

/* A question to the runs of one name, and what has come of it. */
struct question {
	const char *name, *request;
	const struct caller *caller;
	bool (*take)(struct question *q, int fd, const struct ucred *peer);
	uint64_t end;		/* of the waits for runs that end */
	unsigned asked, others; /* runs; and those of other users */
	bool failed;
	/* Only runs of this user are asked; the first of the others; there are more. */
	bool has_owner, several;
	uid_t owner, other;
	struct bpfruns_turn *turn; /* fd -1: not yet */
	int reader, own;	   /* a process that reads it; that reads its output itself */
	bool is_left;
};

/* Returns the address in a line of SOCKETS if it is one of a run with that name. */
static const char *address_in(char *line, const char *name)
{
	size_t len = strlen(name);
	unsigned flags;
	int at = 0;
	char *s;

	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "%*s %*x %*x %x %*x %*x %*u @%n", &flags, &at) < 1 || !at ||
	    !(flags & ACCEPTS_CALLERS) ||
	    strncmp(line + at, STP_RUN_SOCKET, strlen(STP_RUN_SOCKET)))
		return NULL;
	s = line + at + strlen(STP_RUN_SOCKET);
	return !strncmp(s, name, len) && s[len] == '/' ? line + at : NULL;
}

/* Waits for nobody: anybody can have such a socket, and fill its queue. */
static int connect_to(const char *address)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t len = strlen(address);
	int fd = len < sizeof(a.sun_path)
			 ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)
			 : -1;

	if (fd < 0)
		return -1;
	memcpy(a.sun_path + 1, address, len);
	if (!connect(fd, (struct sockaddr *)&a,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)))
		return fd;
	close(fd);
	return -1;
}

/* False: the other side has gone. */
static bool send_request(const struct question *q, int fd)
{
	char line[STP_RUN_REQUEST_SIZE];
	int n = snprintf(line, sizeof(line), "%s\n", q->request);

	return n < (int)sizeof(line) && send(fd, line, (size_t)n, MSG_NOSIGNAL) == n;
}

static bool is_asked(const struct question *q, uid_t owner)
{
	return q->has_owner ? owner == q->owner : owner == getuid() || caller_may_all(q->caller);
}

static void note_other(struct question *q, uid_t owner)
{
	q->several |= q->others && owner != q->other;
	if (!q->others++)
		q->other = owner;
}

/* Asks one run. */
static void ask(struct question *q, const char *address)
{
	int fd = connect_to(address);
	struct ucred peer;

	if (fd < 0)
		return;
	if (!trust_peer(fd, &peer) || !is_asked(q, peer.uid)) {
		note_other(q, peer.uid);
	} else if (send_request(q, fd)) {
		q->asked++;
		q->failed |= !q->take(q, fd, &peer);
	}
	close(fd);
}

static bool each_run(struct question *q, bool (*fn)(struct question *q, const char *address))
{
	FILE *f = fopen(SOCKETS, "re");
	const char *address;
	char line[512];
	bool found = false;

	while (f && fgets(line, sizeof(line), f))
		if ((address = address_in(line, q->name)) != NULL)
			found |= fn(q, address);
	if (f)
		fclose(f);
	return found;
}

static bool is_there(struct question *q, const char *address)
{
	return true;
}

static bool ask_each(struct question *q, const char *address)
{
	ask(q, address);
	return true;
}

bool bpfruns_are_meant(const char *name)
{
	struct question q = { .name = name };
	int dir = kmodule_open_dir(name);

	if (dir < 0)
		return each_run(&q, is_there);
	close(dir);
	return false;
}

/* Asks all. Root's eyes are only needed to be answered by programs of others. */
static bool ask_all(struct question *q)
{
	if (!caller_may_all(q->caller) && !privileges_drop())
		return false;
	q->end = clock_now() + STOP_MS * UINT64_C(1000000);
	each_run(q, ask_each);
	if (!q->asked)
		report_error(q->others ? "program %s is another user's: left alone"
				       : "program %s has ended",
			     q->name);
	return q->asked && !q->failed;
}

/* Waits until the connection has something or ends. */
static bool wait_for(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) > 0;
}

/* Returns the milliseconds until that time of clock_now(). */
static int left_ms(uint64_t end)
{
	uint64_t now = clock_now();

	return now < end ? (int)((end - now) / 1000000) + 1 : 0;
}

/* All runs have been asked before the last wait, whatever those of other users do. */
static bool wait_end(struct question *q, int fd, const struct ucred *peer)
{
	unsigned long long unread = 0;
	char line[64];
	ssize_t n = 1, at = 0;

	while (n > 0 && at < (ssize_t)sizeof(line) - 1 && wait_for(fd, left_ms(q->end))) {
		n = read(fd, line + at, sizeof(line) - 1 - (size_t)at);
		at += n > 0 ? n : 0;
	}
	line[at] = 0;
	if (n <= 0 && sscanf(line, "unread %llu", &unread) == 1 && unread)
		dprintf(STDERR_FILENO, "WARNING: %s: the output of %llu hits was not read\n",
			q->name, unread);
	if (n <= 0)
		return true;
	report_error("program %s (process %d) was asked to end, and has not yet", q->name,
		     (int)peer->pid);
	return false;
}

bool bpfruns_stop(const char *name, const struct caller *c)
{
	struct question q = { .name = name, .request = "stop", .caller = c, .take = wait_end };

	return ask_all(&q);
}

/* Reads the whole answer, in limited time and room. NULL: there is none. */
static char *read_answer(int fd, size_t *len)
{
	uint64_t end = clock_now() + ANSWER_MS * UINT64_C(1000000);
	char *text = malloc(ANSWER_MOST + 1);
	ssize_t n = 1;
	int left;

	*len = 0;
	while (text && n > 0 && *len < ANSWER_MOST && (left = left_ms(end)) > 0) {
		n = wait_for(fd, left) ? read(fd, text + *len, ANSWER_MOST - *len) : -1;
		if (n > 0)
			*len += (size_t)n;
	}
	if (text && !n && *len) {
		text[*len] = 0;
		return text;
	}
	free(text);
	return NULL;
}

/* Lines that the kernel answers, and not the run. The text has no 0 inside. */
static void spoil_own_lines(char *text)
{
	static const char *const own[] = { "owner\t", "pid\t" };

	for (char *s = text; s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
		for (unsigned i = 0; i < sizeof(own) / sizeof(own[0]); i++)
			if (!strncmp(s, own[i], strlen(own[i])))
				*s = '?';
}

static bool write_answer(struct question *q, int fd, const struct ucred *peer)
{
	size_t len;
	char *text = read_answer(fd, &len), head[64];
	int n;

	if (!text) {
		report_error("program %s (process %d) does not answer", q->name, (int)peer->pid);
		return false;
	}
	printable_make(text, len); /* the program may be another user's */
	spoil_own_lines(text);
	n = snprintf(head, sizeof(head), "owner\t%u\npid\t%d\n", (unsigned)peer->uid,
		     (int)peer->pid);
	printf("run %zu\n%s", len + (size_t)n, head);
	fwrite(text, 1, len, stdout);
	free(text);
	return true;
}

bool bpfruns_write(const char *name, const char *request, const struct caller *c)
{
	struct question q = { .name = name, .request = request, .caller = c, .take = write_answer };
	bool ok = ask_all(&q);

	if (!fflush(stdout))
		return ok;
	report_error("writing to standard output: %s", strerror(errno));
	return false;
}

static bool take_ok(struct question *q, int fd, const struct ucred *peer)
{
	char answer[3];

	if (wait_for(fd, ANSWER_MS) && read(fd, answer, sizeof(answer)) == sizeof(answer))
		return true;
	report_error("--switch: program %s has no such probe; it is N:on, N:off, all:on or all:off",
		     q->name);
	return false;
}

bool bpfruns_switch(const char *name, const char *which, const struct caller *c)
{
	char request[STP_RUN_REQUEST_SIZE - 1];
	struct question q = { .name = name, .request = request, .caller = c, .take = take_ok };

	snprintf(request, sizeof(request), "switch %s", which);
	return ask_all(&q);
}

/* ---- runs without a reader ---- */

static bool take_turn(struct question *q, int fd, const struct ucred *peer)
{
	char answer[32] = "";
	int pid;

	if (q->turn->fd >= 0)
		return true;
	if (!wait_for(fd, ANSWER_MS) || read(fd, answer, sizeof(answer) - 1) <= 0)
		return true;
	if (!strcmp(answer, "ok\n")) {
		*q->turn = (struct bpfruns_turn){ fcntl(fd, F_DUPFD_CLOEXEC, 3), *peer };
		return q->turn->fd >= 0;
	}
	if (sscanf(answer, "read %d", &pid) == 1)
		q->reader = pid;
	else
		q->own = (int)peer->pid;
	return true;
}

static void explain(const struct question *q)
{
	if (q->reader)
		report_error("program %s is read by process %d already", q->name, q->reader);
	else if (q->own)
		report_error(
			"program %s (process %d) reads its output itself: -A is for those that "
			"staprun -L has started",
			q->name, q->own);
	else if (q->several)
		report_error("several users run a program %s: attach as one of them", q->name);
	else
		report_error(q->others ? "program %s is another user's: left alone"
				       : "program %s does not answer",
			     q->name);
}

bool bpfruns_attach(const char *name, const struct caller *c, struct bpfruns_turn *ret)
{
	struct question q = { .name = name,
			      .request = "attach",
			      .caller = c,
			      .take = take_turn,
			      .has_owner = true,
			      .owner = getuid(),
			      .turn = ret };

	ret->fd = -1;
	each_run(&q, ask_each);
	if (ret->fd < 0 && !q.asked && q.others && !q.several && caller_may_all(c)) {
		q.owner = q.other;
		each_run(&q, ask_each);
	}
	if (ret->fd < 0)
		explain(&q);
	return ret->fd >= 0;
}

static bool take_kept(struct question *q, int fd, const struct ucred *peer)
{
	size_t len;
	char *text = read_answer(fd, &len);

	q->is_left |= text && strstr(text, "\nkept\t1\n");
	free(text);
	return true;
}

bool bpfruns_is_left(const char *name)
{
	struct question q = { .name = name,
			      .request = "status",
			      .take = take_kept,
			      .has_owner = true,
			      .owner = getuid() };

	each_run(&q, ask_each);
	return q.is_left;
}
