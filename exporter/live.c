/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/live.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exporter/fetch.h"
#include "exporter/jsontext.h"
#include "exporter/livehosts.h"
#include "exporter/livestate.h"
#include "exporter/outputlines.h"
#include "exporter/stapprocess.h"
#include "exporter/text.h"
#include "exporter/values.h"
#include "lib/clock.h"

#define LOOK_MS	   200
#define SHARE	   20	/* examining the values takes a twentieth of a processor at most */
#define LOOK_MOST  2000 /* ms between two examinations */
#define LINES_MS   20	/* ms between two objects for a reader */
#define LINES_ONCE 500	/* lines in one object */
#define LAST_MS	   400	/* ms that readers get for the last news */
#define WORDS_MOST 250
#define ANSWER_MS  3000 /* machines of --remote get so long for a switch */

static struct {
	struct live_options o;
	char module[40];
	pid_t pid;
	int output;   /* our end of the pipe */
	int last;     /* a file in memory, for the values at the end of the run */
	int hosts_fd; /* the socket of --page-hosts */
	pthread_t reader, looker, listener;
	pthread_mutex_t switching; /* requests, one at a time */
	pthread_mutex_t lock;	   /* protects all following members */
	pthread_cond_t news, wanted;
	struct livestate *state;
	struct livehosts *hosts; /* of --remote */
	struct outputlines lines;
	unsigned readers;
	bool is_data; /* the lines are JSON: stap --page */
	bool was_read, has_ended, is_closing;
	int status;
} live = {
	.switching = PTHREAD_MUTEX_INITIALIZER,
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.news = PTHREAD_COND_INITIALIZER,
	.wanted = PTHREAD_COND_INITIALIZER,
};

/* ---- stap ---- */

static bool start_stap(void)
{
	char page[32], hosts[40];
	char *argv[WORDS_MOST + 8] = { "stap", "--globals", page, hosts, "-m", live.module };
	size_t n = 6;
	int fds[2], sockets[2], kept[3];

	for (char *const *w = live.o.words; *w && n < WORDS_MOST; w++)
		argv[n++] = *w;
	snprintf(live.module, sizeof(live.module), "w_%d", (int)getpid());
	live.last = memfd_create("last", MFD_CLOEXEC);
	snprintf(page, sizeof(page), "--page=%d", live.last);
	if (live.last < 0 || pipe2(fds, O_CLOEXEC) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) {
		fprintf(stderr, "stap-exporter: %s\n", strerror(errno));
		return false;
	}
	snprintf(hosts, sizeof(hosts), "--page-hosts=%d", sockets[1]);
	kept[0] = live.last;
	kept[1] = sockets[1];
	kept[2] = -1;
	live.pid = stapprocess_start(live.o.stap, argv, fds[1], kept);
	close(fds[1]);
	close(sockets[1]);
	live.hosts_fd = sockets[0];
	live.output = fds[0];
	return live.pid > 0;
}

/* ---- the thread that reads the output ---- */

static bool begins(const char *s, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(s, with, strlen(with));
}

/* The first line shows whether the output is text or data. */
static void take_output(const char *s, size_t len)
{
	if (!live.lines.count && !live.lines.rest_len)
		live.is_data = begins(s, len, "{\"type\":\"start\",\"version\":") ||
			       (livehosts_count(live.hosts) && begins(s, len, "{\"from\":"));
	outputlines_add(&live.lines, s, len);
}

static void *read_output(void *unused)
{
	char buf[65536];
	ssize_t n;

	while ((n = read(live.output, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR)) {
		pthread_mutex_lock(&live.lock);
		if (n > 0)
			take_output(buf, (size_t)n);
		pthread_cond_broadcast(&live.news);
		pthread_mutex_unlock(&live.lock);
	}
	pthread_mutex_lock(&live.lock);
	outputlines_end(&live.lines);
	pthread_mutex_unlock(&live.lock);
	return NULL;
}

/* ---- the thread that reads from the machines of --remote ---- */

/* True: more may arrive. */
static bool take_hosts(void)
{
	struct pollfd p = { .fd = live.hosts_fd, .events = POLLIN };
	bool has_ended, comes = poll(&p, 1, LOOK_MS) > 0;
	char buf[65536];
	ssize_t n = comes ? read(live.hosts_fd, buf, sizeof(buf)) : 0;

	pthread_mutex_lock(&live.lock);
	if (n > 0) {
		livehosts_take(live.hosts, buf, (size_t)n,
			       (int64_t)(clock_ns(CLOCK_REALTIME) / 1000000));
		pthread_cond_broadcast(&live.news);
	}
	has_ended = live.has_ended;
	pthread_mutex_unlock(&live.lock);
	return comes ? n > 0 || (n < 0 && errno == EINTR) : !has_ended;
}

static void *listen_to_hosts(void *unused)
{
	while (take_hosts())
		;
	return NULL;
}

/* ---- the thread that examines the values ---- */

static int64_t now_ms(void)
{
	return (int64_t)(clock_ns(CLOCK_MONOTONIC) / 1000000);
}

static struct timespec after_ms(clockid_t clock, int64_t ms)
{
	uint64_t t = clock_ns(clock) + (uint64_t)ms * 1000000;

	return (struct timespec){ (time_t)(t / 1000000000), (long)(t % 1000000000) };
}

static void take(const struct values *v)
{
	livestate_look(live.state, v, (int64_t)(clock_ns(CLOCK_REALTIME) / 1000000),
		       livestate_last(live.state) + 1);
	pthread_cond_broadcast(&live.news);
}

/* Examines the values, and returns the time to wait before the next examination. */
static int64_t look(void)
{
	uint64_t began = clock_ns(CLOCK_THREAD_CPUTIME_ID), took;
	struct values v = { 0 };

	if (fetch_values(live.o.staprun, live.module, live.pid, &v)) {
		pthread_mutex_lock(&live.lock);
		take(&v);
		pthread_mutex_unlock(&live.lock);
	}
	values_free(&v);
	took = (clock_ns(CLOCK_THREAD_CPUTIME_ID) - began) / 1000000 * SHARE;
	return took > LOOK_MOST ? LOOK_MOST : took > LOOK_MS ? (int64_t)took : LOOK_MS;
}

/* Reads the values and books that the run left at its end, if it had begun. */
static void take_last(void)
{
	struct values v = { 0 };

	if (fetch_last(live.last, &v))
		take(&v);
	values_free(&v);
}

static void note_end(void)
{
	int status;

	if (live.has_ended || waitpid(live.pid, &status, WNOHANG) != live.pid)
		return;
	live.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	take_last();
	live.has_ended = true;
	pthread_cond_broadcast(&live.news);
}

/*
 * The values are read only while somebody looks at the page. Machines of --remote send
 * theirs anyway.
 */
static void *look_at_values(void *unused)
{
	int64_t pause = LOOK_MS;

	pthread_mutex_lock(&live.lock);
	while (!live.has_ended) {
		struct timespec until = after_ms(CLOCK_MONOTONIC, pause);
		bool is_read;

		pthread_cond_clockwait(&live.wanted, &live.lock, CLOCK_MONOTONIC, &until);
		note_end();
		is_read = live.readers && !live.has_ended && !livehosts_count(live.hosts);
		pthread_mutex_unlock(&live.lock);
		pause = is_read ? look() : LOOK_MS;
		pthread_mutex_lock(&live.lock);
	}
	pthread_mutex_unlock(&live.lock);
	return NULL;
}

/* ---- the run ---- */

bool live_begin(const struct live_options *o)
{
	live.o = *o;
	live.state = livestate_create();
	live.hosts = livehosts_create();
	if (!start_stap())
		return false;
	if (!pthread_create(&live.reader, NULL, read_output, NULL) &&
	    !pthread_create(&live.listener, NULL, listen_to_hosts, NULL) &&
	    !pthread_create(&live.looker, NULL, look_at_values, NULL))
		return true;
	fputs("stap-exporter: no thread\n", stderr);
	kill(-live.pid, SIGTERM);
	return false;
}

bool live_has_ended(int *status)
{
	bool ret;

	pthread_mutex_lock(&live.lock);
	ret = live.has_ended;
	*status = live.status;
	pthread_mutex_unlock(&live.lock);
	return ret;
}

bool live_was_read(void)
{
	bool ret;

	pthread_mutex_lock(&live.lock);
	ret = live.was_read;
	pthread_mutex_unlock(&live.lock);
	return ret;
}

void live_interrupt(void)
{
	int status;

	if (!live_has_ended(&status))
		kill(-live.pid, SIGINT); /* like ^C of a terminal: also to staprun and stapio */
}

int live_end(void)
{
	int status;
	bool has_readers;

	pthread_join(live.looker, NULL);
	pthread_join(live.reader, NULL);
	pthread_join(live.listener, NULL);
	pthread_mutex_lock(&live.lock);
	has_readers = live.readers;
	pthread_cond_broadcast(&live.news);
	pthread_mutex_unlock(&live.lock);
	if (has_readers)
		nanosleep(&(struct timespec){ .tv_nsec = LAST_MS * 1000000 }, NULL);
	pthread_mutex_lock(&live.lock);
	live.is_closing = true;
	pthread_cond_broadcast(&live.news);
	pthread_mutex_unlock(&live.lock);
	live_has_ended(&status);
	return status;
}

void live_free(void)
{
	livestate_free(live.state);
	livehosts_free(live.hosts);
}

/* ---- switches ---- */

/* Waits for the answer to a request. NULL: none has come in time. */
static char *wait_for_answer(void)
{
	struct timespec until = after_ms(CLOCK_MONOTONIC, ANSWER_MS);
	char *ret;

	pthread_mutex_lock(&live.lock);
	while (!livehosts_answer(live.hosts, &ret))
		if (live.has_ended ||
		    pthread_cond_clockwait(&live.news, &live.lock, CLOCK_MONOTONIC, &until))
			break;
	pthread_mutex_unlock(&live.lock);
	return ret;
}

/* Drops the answer to an earlier request that came too late. */
static void drop_answer(void)
{
	char *answer;

	pthread_mutex_lock(&live.lock);
	if (livehosts_answer(live.hosts, &answer))
		free(answer);
	pthread_mutex_unlock(&live.lock);
}

static bool switch_hosts(unsigned host, const char *what, struct text *why)
{
	struct text request = { 0 };
	char *answer;
	bool ok;

	text_addf(&request, "switch\t%u\t%s\n", host, what);
	pthread_mutex_lock(&live.switching);
	drop_answer();
	ok = send(live.hosts_fd, request.s, request.len, MSG_NOSIGNAL) == (ssize_t)request.len;
	answer = ok ? wait_for_answer() : NULL;
	pthread_mutex_unlock(&live.switching);
	ok = answer && !strcmp(answer, "ok");
	if (!ok)
		text_adds(why, answer ? answer : "stap gives no answer");
	free(answer);
	text_free(&request);
	return ok;
}

bool live_switch(unsigned host, const char *what, struct text *why)
{
	bool is_remote;

	pthread_mutex_lock(&live.lock);
	is_remote = livehosts_count(live.hosts) > 0;
	pthread_mutex_unlock(&live.lock);
	if (is_remote)
		return switch_hosts(host, what, why);
	if (fetch_switch(live.o.staprun, live.module, live.pid, what))
		return true;
	text_adds(why, "it is not done");
	return false;
}

/* ---- readers ---- */

void live_enter(void)
{
	pthread_mutex_lock(&live.lock);
	live.readers++;
	live.was_read = true;
	pthread_cond_signal(&live.wanted);
	pthread_mutex_unlock(&live.lock);
}

void live_leave(void)
{
	pthread_mutex_lock(&live.lock);
	live.readers--;
	pthread_mutex_unlock(&live.lock);
}

/* Returns the number of the last look, or of the last change of the machines. */
static uint64_t last_look(void)
{
	return livehosts_count(live.hosts) ? livehosts_last(live.hosts)
					   : livestate_last(live.state);
}

static bool has_news(const struct live_seen *seen)
{
	return !seen->has_begun || last_look() > seen->look || live.lines.count > seen->line ||
	       (live.has_ended && !seen->is_over);
}

static void add_lines(struct live_seen *seen, struct text *ret)
{
	uint64_t first = outputlines_first(&live.lines), end = live.lines.count;
	uint64_t from = seen->line > first ? seen->line : first;

	if (end > from + LINES_ONCE)
		end = from + LINES_ONCE;
	text_addf(ret, ",\"first\":%" PRIu64 ",\"lines\":[", from);
	for (uint64_t i = from; i < end; i++) {
		const char *line = outputlines_get(&live.lines, i);

		text_adds(ret, i > from ? "," : "");
		jsontext_string(ret, line, strlen(line));
	}
	text_adds(ret, live.is_data ? "],\"data\":true" : "]");
	seen->line = end;
}

static void add_news(struct live_seen *seen, struct text *ret)
{
	text_adds(ret, "{\"script\":");
	jsontext_string(ret, live.o.name, strlen(live.o.name));
	text_adds(ret, ",");
	if (livehosts_count(live.hosts))
		livehosts_write(live.hosts, seen->look, ret);
	else
		livestate_write(live.state, seen->look, ret);
	add_lines(seen, ret);
	if (live.has_ended)
		text_addf(ret, ",\"over\":%d", live.status);
	text_adds(ret, "}");
	seen->look = last_look();
	seen->is_over = live.has_ended;
	seen->has_begun = true;
}

bool live_wait(struct live_seen *seen, struct text *ret)
{
	struct timespec until = after_ms(CLOCK_MONOTONIC, 1000);
	int64_t early = seen->sent_ms + LINES_MS - now_ms();
	bool is_closing;

	// Lines that arrive close together are sent together.
	if (seen->has_begun && early > 0)
		nanosleep(&(struct timespec){ .tv_nsec = early * 1000000 }, NULL);
	pthread_mutex_lock(&live.lock);
	while (!has_news(seen) && !live.is_closing)
		if (pthread_cond_clockwait(&live.news, &live.lock, CLOCK_MONOTONIC, &until))
			break;
	if (has_news(seen))
		add_news(seen, ret);
	seen->sent_ms = now_ms();
	is_closing = live.is_closing && !has_news(seen);
	pthread_mutex_unlock(&live.lock);
	return ret->len || !is_closing;
}
