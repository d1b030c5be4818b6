/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's socket, for stap --status and --stop; uapi/status.h describes its
 * protocol. It is served between two hits, by the thread that runs them. Nobody can delay
 * the script there: it waits for nothing, and does not even read requests of users other
 * than the owner and root.
 */
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/session.h"
#include "lib/trust.h"
#include "trace/messages.h"
#include "uapi/status.h"
#include "user/user.h"

#define CALLERS	     8	/* callers at a time */
#define WAITING	     64 /* callers, while the script is busy */
#define ACCEPT_TURNS 16 /* before the script continues */

struct caller {
	int fd;			      /* -1: free */
	bool is_reader, stops;	      /* it has the turn to read; it has asked the run to end */
	int pipes[USER_READER_PIPES]; /* as many as `given` */
	unsigned given;
	char request[STP_RUN_REQUEST_SIZE];
	size_t asked;
	char *answer; /* malloc; NULL: none yet */
	size_t at, len, room;
};

static struct {
	int poll, listener;
	struct caller callers[CALLERS];
} control = { .poll = -1, .listener = -1 };

static bool watch(int fd, uint32_t events, void *of, int operation)
{
	struct epoll_event e = { .events = events, .data.ptr = of };

	return !epoll_ctl(control.poll, operation, fd, &e);
}

/* Binds the socket to the name plus a suffix. False: errno is set. */
static bool bind_to(int fd, const char *name, const char *behind)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int n = snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1, STP_RUN_SOCKET "%s/%d%s", name,
			 (int)getpid(), behind);
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);

	errno = ENAMETOOLONG;
	return (size_t)n < sizeof(a.sun_path) - 1 && !bind(fd, (struct sockaddr *)&a, len);
}

/*
 * Binds the socket to a name that can be found. Anybody may have taken the first choice,
 * but not a name that cannot be foreseen.
 */
static bool bind_somewhere(int fd, const char *name)
{
	char behind[16];
	unsigned random;

	if (bind_to(fd, name, ""))
		return true;
	if (errno != EADDRINUSE || getrandom(&random, sizeof(random), 0) != sizeof(random))
		return false;
	snprintf(behind, sizeof(behind), "-%08x", random);
	return bind_to(fd, name, behind);
}

/* Returns -1 with errno if no socket is possible. */
static int listen_at(const char *name)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error;

	if (fd < 0 || (bind_somewhere(fd, name) && !listen(fd, WAITING)))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

void user_control_open(void)
{
	for (unsigned i = 0; i < CALLERS; i++)
		control.callers[i].fd = -1;
	control.poll = epoll_create1(EPOLL_CLOEXEC);
	control.listener = control.poll < 0 ? -1 : listen_at(program_invocation_short_name);
	if (control.listener >= 0 && watch(control.listener, EPOLLIN, NULL, EPOLL_CTL_ADD))
		return;
	message_warning("stap --status, --stop and --exporter cannot reach this run: no socket: %s",
			strerror(errno));
	user_control_close();
}

int user_control_poll(void)
{
	return control.poll;
}

static void close_pipes(struct caller *c)
{
	while (c->given)
		close(c->pipes[--c->given]);
}

static void hang_up(struct caller *c)
{
	close_pipes(c);
	close(c->fd);
	if (c->is_reader)
		user_reader_gone();
	free(c->answer);
	*c = (struct caller){ .fd = -1 };
}

static struct caller *free_caller(void)
{
	for (unsigned i = 0; i < CALLERS; i++)
		if (control.callers[i].fd < 0)
			return &control.callers[i];
	return NULL;
}

static void take_callers(void)
{
	for (unsigned i = 0; i < ACCEPT_TURNS; i++) {
		int fd = accept4(control.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		struct caller *c = fd >= 0 && trust_socket(fd, geteuid(), 0) ? free_caller() : NULL;

		if (c && watch(fd, EPOLLIN, c, EPOLL_CTL_ADD))
			c->fd = fd;
		else if (fd >= 0)
			close(fd);
		else
			return;
	}
}

static void answer_line(void *ctx, const char *text)
{
	struct caller *c = ctx;
	size_t len = strlen(text);

	if (c->room - c->len < len) {
		c->room = 2 * (c->room + len);
		c->answer = realloc(c->answer, c->room);
		if (!c->answer)
			abort();
	}
	memcpy(c->answer + c->len, text, len);
	c->len += len;
}

static void answer_status(struct caller *c)
{
	answer_line(c, "name\t");
	answer_line(c, program_invocation_short_name);
	answer_line(c, user_reader_is_awaited() ? "\nkept\t1\n" : "\nkept\t0\n");
	stp_about_write(answer_line, c);
	stp_books_write(answer_line, c);
}

/* Writes as much of the answer as the connection takes. */
static void answer_more(struct caller *c)
{
	ssize_t n = send(c->fd, c->answer + c->at, c->len - c->at, MSG_NOSIGNAL);

	if (n > 0)
		c->at += (size_t)n;
	if (c->at == c->len || (n < 0 && errno != EAGAIN && errno != EINTR) ||
	    !watch(c->fd, EPOLLOUT, c, EPOLL_CTL_MOD))
		hang_up(c);
}

/* Sends a line to somebody who stays connected. False: the connection has been closed. */
static bool say_to(struct caller *c, const char *line)
{
	if (send(c->fd, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line))
		return true;
	hang_up(c);
	return false;
}

/* Gives the caller the turn to read, or says who has it. */
static void serve_attach(struct caller *c)
{
	struct ucred peer;
	char line[32];

	if (trust_peer(c->fd, &peer) && user_reader_reserve(peer.pid)) {
		c->is_reader = true;
		say_to(c, "ok\n");
		return;
	}
	snprintf(line, sizeof(line), user_reader_pid() ? "read %d\n" : "own\n",
		 (int)user_reader_pid());
	answer_line(c, line);
	answer_more(c);
}

/* The requests of the one who has the turn to read. */
static void serve_reader(struct caller *c)
{
	char line[40];
	bool ok = true;

	if (!strncmp(c->request, "read ", 5) && c->given == USER_READER_PIPES) {
		ok = user_reader_attach(c->request + 5, c->pipes);
		close_pipes(c);
		if (ok)
			say_to(c, "reading\n");
	} else if (!strcmp(c->request, "detach")) {
		user_reader_detach(true);
		snprintf(line, sizeof(line), "detached %llu\n",
			 (unsigned long long)user_drain_given());
		if (say_to(c, line))
			hang_up(c);
	} else {
		ok = false;
	}
	if (!ok)
		hang_up(c);
}

static void serve_request(struct caller *c)
{
	bool globals = !strcmp(c->request, "globals");

	if (globals || !strcmp(c->request, "status")) {
		answer_status(c);
		if (globals && stp_script.snapshot_reader)
			stp_script.snapshot_reader->write(answer_line, c);
		answer_more(c);
	} else if (!strncmp(c->request, "switch ", 7) && stp_session_switch(c->request + 7)) {
		answer_line(c, "ok\n");
		answer_more(c);
	} else if (!strcmp(c->request, "stop")) {
		/* The connection stays open until the program ends. */
		c->stops = true;
		user_reader_stop();
	} else if (!strcmp(c->request, "attach") && !c->is_reader) {
		serve_attach(c);
	} else if (c->is_reader) {
		serve_reader(c);
	} else {
		hang_up(c);
	}
}

/* Takes descriptors that came with a request. Only those of a reader are of use. */
static void take_pipes(struct caller *c, struct msghdr *m)
{
	for (struct cmsghdr *h = CMSG_FIRSTHDR(m); h; h = CMSG_NXTHDR(m, h)) {
		size_t n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(h) + i * sizeof(fd), sizeof(fd));
			if (c->is_reader && c->given < USER_READER_PIPES)
				c->pipes[c->given++] = fd;
			else
				close(fd);
		}
	}
}

static ssize_t receive(struct caller *c, size_t room)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(USER_READER_PIPES * sizeof(int))];
	} ancillary;
	struct iovec to = { c->request + c->asked, room };
	struct msghdr m = { .msg_iov = &to,
			    .msg_iovlen = 1,
			    .msg_control = ancillary.bytes,
			    .msg_controllen = sizeof(ancillary.bytes) };
	ssize_t n = recvmsg(c->fd, &m, MSG_CMSG_CLOEXEC);

	if (n >= 0)
		take_pipes(c, &m);
	return n;
}

static void read_request(struct caller *c)
{
	size_t room = sizeof(c->request) - 1 - c->asked;
	ssize_t n = receive(c, room);
	char *end;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		hang_up(c);
		return;
	}
	c->asked += (size_t)n;
	end = memchr(c->request, '\n', c->asked);
	if (end) {
		*end = 0;
		c->asked = 0;
		serve_request(c);
	} else if ((size_t)n == room) {
		hang_up(c);
	}
}

void user_control_serve(void)
{
	struct epoll_event events[CALLERS + 1];
	int n = epoll_wait(control.poll, events, CALLERS + 1, 0);

	for (int i = 0; i < n; i++) {
		struct caller *c = events[i].data.ptr;

		if (!c)
			take_callers();
		else if (c->answer)
			answer_more(c);
		else
			read_request(c);
	}
}

void user_control_wait(int timeout_ms)
{
	struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };
	struct pollfd p = { .fd = control.poll, .events = POLLIN };
	sigset_t none;

	sigemptyset(&none);
	if (ppoll(&p, 1, timeout_ms < 0 ? NULL : &timeout, &none) > 0)
		user_control_serve();
}

void user_control_end(const struct user_end *end)
{
	char line[96];

	for (unsigned i = 0; i < CALLERS; i++) {
		struct caller *c = &control.callers[i];

		if (c->fd < 0 || !(c->is_reader || c->stops) || c->answer)
			continue;
		if (c->is_reader)
			snprintf(line, sizeof(line), "end %d %d %llu %llu\n", end->status,
				 end->lost, (unsigned long long)end->given,
				 (unsigned long long)end->unread);
		else
			snprintf(line, sizeof(line), "unread %llu\n",
				 (unsigned long long)end->unread);
		say_to(c, line);
	}
}

void user_control_close(void)
{
	for (unsigned i = 0; i < CALLERS; i++)
		if (control.callers[i].fd >= 0)
			hang_up(&control.callers[i]);
	if (control.listener >= 0)
		close(control.listener);
	if (control.poll >= 0)
		close(control.poll);
	control.poll = control.listener = -1;
}
