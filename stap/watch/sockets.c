/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See sockets.h. Any user may create sockets with these names, any number of them, that
 * never answer. So all are asked at once, for a limited time, and only a limited number
 * for each user.
 */
#include "stap/watch/sockets.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/session.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/strbuf.h"
#include "lib/trust.h"
#include "stap/watch/runs.h"
#include "stap/watch/runtext.h"
#include "uapi/status.h"

#define ANSWER_MS	  2000
#define ANSWER_MOST	  (16u << 20)
#define ANSWERS_OF_A_USER (64u << 20)
#define MOST_OF_A_USER	  128
#define ACCEPTS_CALLERS	  0x10000 /* flags in /proc/net/unix */

/* Connects without waiting. Fails if the queue of the other side is full. */
static int connect_to(const char *name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	int fd, error;

	if (len > sizeof(a.sun_path) - 1) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(a.sun_path + 1, name, len);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || !connect(fd, (struct sockaddr *)&a,
			       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int sockets_connect(const struct run *r)
{
	int fd = connect_to(r->address);

	if (fd >= 0 && !trust_socket(fd, r->owner, r->pid)) {
		close(fd);
		fd = -1;
		errno = ECONNREFUSED;
	}
	if (fd < 0 && errno == ECONNREFUSED)
		errno = ESRCH;
	return fd;
}

bool sockets_ask(int fd, const char *request)
{
	char line[STP_RUN_REQUEST_SIZE];
	int n = snprintf(line, sizeof(line), "%s\n", request);

	return send(fd, line, (size_t)n, MSG_NOSIGNAL) == n;
}

/* An answer on its way. */
struct answer {
	struct run run;
	int fd;
	struct strbuf text;
};

typedef VEC(struct answer) answers;

/* The sockets to look for, and the request to send. */
struct search {
	const char *pattern, *request;
};

static unsigned count_of(const answers *list, const struct runs *runs, uid_t owner)
{
	unsigned n = 0;

	vec_each(list, i)
		n += list->data[i].run.owner == owner;
	vec_each(&runs->others, i)
		n += runs->others.data[i].owner == owner;
	return n;
}

static bool is_wanted(const char *pattern, const char *name, pid_t pid)
{
	struct glob g = glob_make(pattern ?: "*");
	char number[16];

	snprintf(number, sizeof(number), "%d", (int)pid);
	return !pattern || glob_match(&g, name) || !strcmp(pattern, number);
}

/* Returns NAME from "stap-run/NAME/PID"; NULL: it has another form. */
static const char *name_in(struct session *s, const char *address)
{
	const char *name = address + strlen(STP_RUN_SOCKET), *slash = strrchr(name, '/');

	return slash && slash > name ? arena_strndup(s->arena, name, slash - name) : NULL;
}

/*
 * Finds the owner of a socket. If its queue is full, because the run is stopped and
 * others have asked, only the process number in its name is known.
 */
static bool find_owner(const struct answer *a, const char *address, struct ucred *ret)
{
	int error = errno;
	struct stat st;
	char path[32];

	if (a->fd >= 0)
		return trust_peer(a->fd, ret);
	ret->pid = (pid_t)strtol(strrchr(address, '/') + 1, NULL, 10);
	snprintf(path, sizeof(path), "/proc/%d", (int)ret->pid);
	if (ret->pid <= 0 || error != EAGAIN || stat(path, &st))
		return false;
	ret->uid = st.st_uid;
	return true;
}

/* Asks the run, or leaves it to its user. False: the connection is useless. */
static bool ask(struct session *s, struct answer *a, const struct ucred *peer, const char *request,
		answers *list, struct runs *others)
{
	a->run.owner = peer->uid;
	a->run.pid = peer->pid;
	if (count_of(list, others, peer->uid) >= MOST_OF_A_USER)
		return false;
	if (geteuid() && peer->uid != geteuid()) {
		vec_push(s->arena, &others->others, a->run);
		return false;
	}
	if (a->fd >= 0)
		sockets_ask(a->fd, request);
	vec_push(s->arena, list, *a);
	return true;
}

/* Examines a socket that may belong to a run. */
static void look_at(struct session *s, const char *address, const struct search *what,
		    answers *list, struct runs *others)
{
	struct answer a = { .run.address = arena_strdup(s->arena, address),
			    .run.name = name_in(s, address) };
	struct ucred peer;
	bool taken;

	if (!a.run.name)
		return;
	strbuf_init(&a.text, s->arena);
	a.fd = connect_to(address);
	taken = find_owner(&a, address, &peer) && is_wanted(what->pattern, a.run.name, peer.pid) &&
		ask(s, &a, &peer, what->request, list, others);
	if (!taken && a.fd >= 0)
		close(a.fd);
}

/* Returns the name of a socket in /proc/net/unix, if it is listening, or NULL. */
static const char *address_in(char *line)
{
	unsigned flags;
	int name = 0;

	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "%*s %*x %*x %x %*x %*x %*u @%n", &flags, &name) < 1 || !name ||
	    !(flags & ACCEPTS_CALLERS))
		return NULL;
	return strncmp(line + name, STP_RUN_SOCKET, strlen(STP_RUN_SOCKET)) ? NULL : line + name;
}

/* Returns the size of the answers from all runs of that user. */
static size_t answered_by(const answers *list, uid_t owner)
{
	size_t ret = 0;

	vec_each(list, i)
		if (list->data[i].run.owner == owner)
			ret += list->data[i].text.len;
	return ret;
}

/*
 * Reads the bytes that have arrived. False: the answer is complete, or will not arrive,
 * or exceeds the limit for one user.
 */
static bool read_more(const answers *list, struct answer *a)
{
	char buf[16384];
	ssize_t n = recv(a->fd, buf, sizeof(buf), 0);

	if (n > 0)
		strbuf_add(&a->text, buf, (size_t)n);
	if (n == 0)
		a->run.answers = a->text.len;
	return n > 0 ? a->text.len < ANSWER_MOST &&
			       answered_by(list, a->run.owner) < ANSWERS_OF_A_USER
		     : n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Reads all answers, for as long as there is time. */
static void read_answers(struct session *s, answers *list)
{
	struct pollfd *polls = arena_array(s->arena, struct pollfd, list->count);
	uint64_t end = clock_now() + ANSWER_MS * UINT64_C(1000000), now;
	size_t open = 0;

	vec_each(list, i) {
		polls[i] = (struct pollfd){ .fd = list->data[i].fd, .events = POLLIN };
		open += polls[i].fd >= 0;
	}
	while (open && (now = clock_now()) < end) {
		int left = (int)((end - now) / 1000000 + 1);

		if (poll(polls, list->count, left) < 0 && errno != EINTR)
			return;
		vec_each(list, i) {
			if (polls[i].fd < 0 || !polls[i].revents || read_more(list, &list->data[i]))
				continue;
			polls[i].fd = -1;
			open--;
		}
	}
}

struct error *sockets_find(struct session *s, const char *pattern, const char *request,
			   struct runs *ret)
{
	const struct search what = { .pattern = pattern, .request = request };
	_cleanup_fclose_ FILE *f = fopen("/proc/net/unix", "re");
	answers list = { 0 };
	const char *address;
	char line[512];

	if (!f)
		return errno == ENOENT ? NULL : error_errno(s->arena, "/proc/net/unix");
	while (fgets(line, sizeof(line), f))
		if ((address = address_in(line)) != NULL)
			look_at(s, address, &what, &list, ret);
	read_answers(s, &list);
	vec_each(&list, i) {
		struct answer *a = &list.data[i];

		if (a->fd >= 0)
			close(a->fd);
		a->run.looked = clock_now();
		if (a->run.answers)
			runtext_read(s, &a->run, a->text.s, a->text.len);
		vec_push(s->arena, &ret->list, a->run);
	}
	return NULL;
}
