/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See spool.h. A thread stores the input, and the reader follows it. */
#include "trace/sink/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace/messages.h"

#define PIECE	     65536u
#define RELEASE_STEP (1u << 20) /* bytes: the size of the holes that are punched */
#define BLOCK	     4096u

struct spool {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t taker;
	int input, fd;
	FILE *stream;
	uint64_t bound;
	uint64_t kept, released, punched, written, read; /* offsets in the stream */
	bool over, full, stop;
	void (*idle)(void *ctx);
	void *idle_ctx;
	char saved[4096];
};

static const char *directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/var/tmp";
}

static int open_nameless(void)
{
	char name[4096];
	int fd = open(directory(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	snprintf(name, sizeof(name), "%s/stap-spool-XXXXXX", directory());
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

/* ---- taking ---- */

static struct timespec in_a_second(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec++;
	return t;
}

/*
 * True: the spool is full and takes no more input. A reader that has read everything gets
 * more nevertheless: it may need that before it can release anything.
 */
static bool is_at_bound(const struct spool *s)
{
	return s->written - s->released >= s->bound && s->read < s->written;
}

/* Waits for room. False: the thread must end. */
static bool wait_for_room(struct spool *s, bool disk_full)
{
	struct timespec until = in_a_second();

	pthread_mutex_lock(&s->lock);
	s->full = disk_full;
	if (disk_full && !s->stop)
		pthread_cond_timedwait(&s->changed, &s->lock, &until);
	while (!s->stop && is_at_bound(s)) {
		s->full = true;
		pthread_cond_wait(&s->changed, &s->lock);
	}
	if (!disk_full)
		s->full = false;
	pthread_mutex_unlock(&s->lock);
	return !s->stop;
}

static bool append(struct spool *s, const char *buf, size_t size)
{
	bool disk_full = false;

	for (size_t done = 0; done < size;) {
		ssize_t n;

		if (!wait_for_room(s, disk_full))
			return false;
		n = pwrite(s->fd, buf + done, size - done, (off_t)s->written);
		disk_full = n <= 0;
		if (n <= 0)
			continue;
		done += (size_t)n;
		pthread_mutex_lock(&s->lock);
		s->written += (uint64_t)n;
		pthread_cond_broadcast(&s->changed);
		pthread_mutex_unlock(&s->lock);
	}
	return true;
}

static void *take(void *ctx)
{
	struct spool *s = ctx;
	static char buf[PIECE];
	ssize_t n;

	do {
		n = read(s->input, buf, sizeof(buf));
	} while ((n > 0 && append(s, buf, (size_t)n)) || (n < 0 && errno == EINTR));
	pthread_mutex_lock(&s->lock);
	s->over = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* ---- reading ---- */

/* Waits for readable data. Returns the number of bytes; 0: the end. */
static uint64_t wait_for_more(struct spool *s)
{
	uint64_t n;

	pthread_mutex_lock(&s->lock);
	while (s->read == s->written && !s->over) {
		struct timespec until = in_a_second();
		int rc = pthread_cond_timedwait(&s->changed, &s->lock, &until);

		if (rc != ETIMEDOUT || !s->idle)
			continue;
		pthread_mutex_unlock(&s->lock);
		s->idle(s->idle_ctx);
		pthread_mutex_lock(&s->lock);
	}
	n = s->written - s->read;
	pthread_mutex_unlock(&s->lock);
	return n;
}

static ssize_t spool_read(void *cookie, char *buf, size_t size)
{
	struct spool *s = cookie;
	uint64_t more = wait_for_more(s);
	ssize_t n = pread(s->fd, buf, size < more ? size : more, (off_t)s->read);

	if (n <= 0)
		return n;
	pthread_mutex_lock(&s->lock);
	s->read += (uint64_t)n;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return n;
}

/* ---- functions for the owner ---- */

struct spool *spool_start(int input, uint64_t bound)
{
	const cookie_io_functions_t functions = { .read = spool_read };
	struct spool *s = calloc(1, sizeof(*s));
	pthread_condattr_t clock;
	int fd = s ? open_nameless() : -1;

	if (fd < 0) {
		message_error("%s: %s; $TMPDIR names another directory for the spool", directory(),
			      strerror(errno));
		free(s);
		return NULL;
	}
	s->input = input;
	s->fd = fd;
	s->bound = bound;
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &clock);
	s->stream = fopencookie(s, "r", functions);
	if (s->stream && !pthread_create(&s->taker, NULL, take, s))
		return s;
	message_error("no memory");
	return NULL;
}

void spool_set_bound(struct spool *s, uint64_t bound)
{
	pthread_mutex_lock(&s->lock);
	s->bound = bound;
	pthread_mutex_unlock(&s->lock);
}

FILE *spool_stream(struct spool *s)
{
	return s->stream;
}

void spool_on_idle(struct spool *s, void (*fn)(void *ctx), void *ctx)
{
	s->idle = fn;
	s->idle_ctx = ctx;
}

void spool_keep(struct spool *s, uint64_t offset)
{
	s->kept = offset;
}

void spool_release(struct spool *s, uint64_t offset)
{
	uint64_t from = s->punched > s->kept ? s->punched : s->kept;
	uint64_t end = offset / BLOCK * BLOCK;

	from = (from + BLOCK - 1) / BLOCK * BLOCK;
	if (end >= from + RELEASE_STEP) {
		fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
			  (off_t)(end - from));
		s->punched = end;
	}
	pthread_mutex_lock(&s->lock);
	if (offset > s->released)
		s->released = offset;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

static bool look(struct spool *s, const bool *flag)
{
	bool ret;

	pthread_mutex_lock(&s->lock);
	ret = *flag;
	pthread_mutex_unlock(&s->lock);
	return ret;
}

bool spool_is_over(struct spool *s)
{
	return look(s, &s->over);
}

bool spool_is_full(struct spool *s)
{
	return look(s, &s->full);
}

uint64_t spool_waiting(struct spool *s)
{
	uint64_t n;

	pthread_mutex_lock(&s->lock);
	n = s->written - s->released;
	pthread_mutex_unlock(&s->lock);
	return n;
}

/* ---- saving ---- */

static bool copy(struct spool *s, FILE *to, uint64_t from, uint64_t end)
{
	static char buf[PIECE];

	while (from < end) {
		size_t want = end - from < sizeof(buf) ? end - from : sizeof(buf);
		ssize_t n = pread(s->fd, buf, want, (off_t)from);

		if (n <= 0 || fwrite(buf, 1, (size_t)n, to) != (size_t)n)
			return false;
		from += (uint64_t)n;
	}
	return true;
}

const char *spool_save(struct spool *s, const void *more, size_t size, uint64_t offset)
{
	FILE *to;
	int fd;
	bool ok;

	if (offset < s->kept)
		offset = s->kept;
	snprintf(s->saved, sizeof(s->saved), "%s/stap-rest-XXXXXX", directory());
	fd = mkostemp(s->saved, O_CLOEXEC);
	to = fd < 0 ? NULL : fdopen(fd, "w");
	ok = to && copy(s, to, 0, s->kept) && fwrite(more, 1, size, to) == size &&
	     copy(s, to, offset, s->written);
	if (to)
		ok = !fclose(to) && ok;
	if (ok)
		return s->saved;
	message_error("%s: it cannot be written: %s", s->saved, strerror(errno));
	if (fd >= 0)
		unlink(s->saved);
	return NULL;
}

void spool_end(struct spool *s)
{
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	if (!spool_is_over(s))
		pthread_cancel(s->taker);
	pthread_join(s->taker, NULL);
	fclose(s->stream);
	close(s->fd);
	free(s);
}
