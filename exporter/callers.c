/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See callers.h. To disconnect a caller, its socket is shut down: the caller's thread
 * notices that.
 */
#include "exporter/callers.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"

#define ROOM	       (CALLERS_MOST + CALLERS_SPARE)
#define HASHES_MOST    8
#define HASHES_EACH    2
#define SLOW_READER_MS 1000 /* a caller that has not read its answer by then may lose its place */
#define LOOK_MS	       250

static struct {
	pthread_mutex_t lock;
	pthread_cond_t come; /* a caller has arrived */
	struct caller all[ROOM];
} callers = { .lock = PTHREAD_MUTEX_INITIALIZER, .come = PTHREAD_COND_INITIALIZER };

static int64_t now_ms(void)
{
	return (int64_t)(clock_now() / 1000000);
}

/*
 * Returns the first half of an address of IPv6; IPv4 addresses count as mapped ones.
 */
static uint64_t neighbourhood_of(const struct sockaddr *from)
{
	struct in6_addr a = IN6ADDR_ANY_INIT;
	uint64_t half[2];

	if (from->sa_family == AF_INET6) {
		a = ((const struct sockaddr_in6 *)from)->sin6_addr;
	} else if (from->sa_family == AF_INET) {
		a.s6_addr[10] = a.s6_addr[11] = 0xff;
		memcpy(a.s6_addr + 12, &((const struct sockaddr_in *)from)->sin_addr, 4);
	}
	memcpy(half, &a, sizeof(half));
	return IN6_IS_ADDR_V4MAPPED(&a) || IN6_IS_ADDR_LOOPBACK(&a) ? half[1] : half[0];
}

/* ---- under the lock ---- */

static bool is_here(const struct caller *c)
{
	return c->state != CALLER_ABSENT && !c->is_ended;
}

static bool is_neighbour(const struct caller *c, uint64_t neighbourhood)
{
	return is_here(c) && c->neighbourhood == neighbourhood;
}

static unsigned count(enum caller_state state, const uint64_t *neighbourhood)
{
	unsigned n = 0;

	for (unsigned i = 0; i < ROOM; i++) {
		const struct caller *c = &callers.all[i];

		n += is_here(c) && (!state || c->state == state) &&
		     (!neighbourhood || c->neighbourhood == *neighbourhood);
	}
	return n;
}

/* True: its place may be given to another caller. */
static bool is_slow(const struct caller *c, int64_t now)
{
	return is_here(c) && (c->state == CALLER_ASKS ||
			      (c->state == CALLER_READS && now - c->since > SLOW_READER_MS));
}

/*
 * Returns the caller that has been slow for longest: in this neighbourhood, or (NULL) in
 * the one with the most callers. NULL: nobody is slow.
 */
static struct caller *slowest(const uint64_t *neighbourhood, int64_t now)
{
	unsigned most = 0;
	struct caller *ret = NULL;

	for (unsigned i = 0; i < ROOM; i++) {
		struct caller *c = &callers.all[i];
		unsigned n;

		if (!is_slow(c, now) || (neighbourhood && !is_neighbour(c, *neighbourhood)))
			continue;
		n = count(0, &c->neighbourhood);
		if (!ret || n > most || (n == most && c->since < ret->since)) {
			ret = c;
			most = n;
		}
	}
	return ret;
}

static void end(struct caller *c)
{
	c->is_ended = true;
	shutdown(c->fd, SHUT_RDWR);
}

/* Makes room for a newcomer. */
static bool make_place(uint64_t neighbourhood)
{
	int64_t now = now_ms();
	struct caller *c;

	if (count(0, &neighbourhood) >= CALLERS_EACH)
		c = slowest(&neighbourhood, now);
	else if (count(0, NULL) >= CALLERS_MOST)
		c = slowest(NULL, now);
	else
		return true;
	if (c)
		end(c);
	return c;
}

static struct caller *absent(void)
{
	for (unsigned i = 0; i < ROOM; i++)
		if (callers.all[i].state == CALLER_ABSENT)
			return &callers.all[i];
	return NULL;
}

/* ---- interface ---- */

struct caller *callers_take(int fd, const struct sockaddr *from)
{
	uint64_t neighbourhood = neighbourhood_of(from);
	struct caller *c;

	pthread_mutex_lock(&callers.lock);
	c = make_place(neighbourhood) ? absent() : NULL;
	if (c) {
		*c = (struct caller){ .state = CALLER_ASKS,
				      .neighbourhood = neighbourhood,
				      .since = now_ms(),
				      .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0) };
		pthread_cond_signal(&callers.come);
	}
	pthread_mutex_unlock(&callers.lock);
	return c;
}

void callers_set(struct caller *c, enum caller_state state)
{
	if (!c)
		return;
	pthread_mutex_lock(&callers.lock);
	c->state = state;
	c->since = now_ms();
	pthread_mutex_unlock(&callers.lock);
}

bool callers_may_hash(struct caller *c)
{
	bool ret;

	if (!c)
		return false;
	pthread_mutex_lock(&callers.lock);
	ret = count(CALLER_HASHES, NULL) < HASHES_MOST &&
	      count(CALLER_HASHES, &c->neighbourhood) < HASHES_EACH;
	if (ret)
		c->state = CALLER_HASHES;
	pthread_mutex_unlock(&callers.lock);
	return ret;
}

void callers_leave(struct caller *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&callers.lock);
	if (c->fd >= 0)
		close(c->fd);
	*c = (struct caller){ .state = CALLER_ABSENT };
	pthread_mutex_unlock(&callers.lock);
}

/* ---- the thread ---- */

/* Disconnects callers whose time is over. Returns how many are left. */
static unsigned end_overdue(int64_t now)
{
	static const int64_t most[] = {
		[CALLER_ASKS] = CALLERS_ASK_S * 1000, [CALLER_READS] = CALLERS_READ_S * 1000
	};
	unsigned n = 0;

	for (unsigned i = 0; i < ROOM; i++) {
		struct caller *c = &callers.all[i];

		if (!is_here(c))
			continue;
		n++;
		if ((c->state == CALLER_ASKS || c->state == CALLER_READS) &&
		    now - c->since > most[c->state])
			end(c);
	}
	return n;
}

static void *watch(void *unused)
{
	const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000 };

	for (;;) {
		pthread_mutex_lock(&callers.lock);
		while (!end_overdue(now_ms()))
			pthread_cond_wait(&callers.come, &callers.lock);
		pthread_mutex_unlock(&callers.lock);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

bool callers_begin(void)
{
	pthread_t thread;
	int rc = pthread_create(&thread, NULL, watch, NULL);

	if (!rc)
		rc = pthread_detach(thread);
	if (rc)
		fprintf(stderr, "stap-exporter: no thread: %s\n", strerror(rc));
	return !rc;
}
