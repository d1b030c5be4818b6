/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See output.h. SIGPIPE and SIGXFSZ are ignored by main(): both arrive here as an errno. */
#include "stapio/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stapio/messages.h"

int output_open(struct output *o, const char *path)
{
	struct stat st;

	*o = (struct output){ .fd = STDOUT_FILENO, .name = path ? path : "stdout" };
	if (path)
		o->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
	if (o->fd < 0 || fstat(o->fd, &st))
		return -errno;
	o->is_pipe = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
	o->may_block = o->is_pipe || S_ISCHR(st.st_mode);
	o->buf = malloc(OUTPUT_BUFFER);
	o->ends = malloc(OUTPUT_ENDS * sizeof(*o->ends));
	return o->buf && o->ends ? 0 : -ENOMEM;
}

/* What the buffer still holds is lost. */
static void set_failed(struct output *o, int error)
{
	o->error = error;
	o->lost += o->nends;
	o->nends = 0;
	o->used = 0;
}

/* `out` bytes of the buffer are written: counts the records that end there, of which `counted` are counted
 * already. Returns their number. */
static uint32_t count_written(struct output *o, size_t out, uint32_t counted)
{
	uint32_t n = counted;

	while (n < o->nends && o->ends[n] <= out)
		n++;
	o->written += n - counted;
	return n;
}

static bool is_writable(const struct output *o)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };

	return poll(&p, 1, 0) == 1;
}

/*
 * Waits for room without being deaf to everything else, as a blocked write() would be. Making the descriptor
 * non-blocking is no way: it is shared with the shell, and may have been made so by somebody else.
 */
static bool wait_writable(struct output *o)
{
	while (!is_writable(o)) {
		if (o->wait && !o->wait(o->wait_ctx, o->fd))
			return false;
	}
	return true;
}

/* Bytes written, 0: try again, -errno. */
static ssize_t write_some(struct output *o, const char *s, size_t len)
{
	ssize_t n;

	if (o->may_block) {
		if (!wait_writable(o))
			return -EINTR;
		// What a pipe that is writable takes without blocking.
		len = len < PIPE_BUF ? len : PIPE_BUF;
	}
	n = write(o->fd, s, len);
	if (n > 0)
		return n;
	if (n == 0)
		return -EIO;
	return errno == EINTR || errno == EAGAIN ? 0 : -errno;
}

void output_flush(struct output *o)
{
	uint32_t counted = 0;
	size_t out = 0;

	while (out < o->used) {
		ssize_t n = write_some(o, o->buf + out, o->used - out);

		if (n < 0) {
			o->nends -= counted;
			set_failed(o, (int)-n);
			return;
		}
		out += (size_t)n;
		o->bytes += (uint64_t)n;
		counted = count_written(o, out, counted);
	}
	o->used = 0;
	o->nends = 0;
}

void output_put(struct output *o, const char *s, size_t len)
{
	while (len && !o->error) {
		size_t n = OUTPUT_BUFFER - o->used;

		n = n < len ? n : len;
		memcpy(o->buf + o->used, s, n);
		o->used += n;
		s += n;
		len -= n;
		if (o->used == OUTPUT_BUFFER)
			output_flush(o);
	}
}

void output_record_end(struct output *o)
{
	if (o->error) {
		o->lost++;
		return;
	}
	o->ends[o->nends++] = (uint32_t)o->used;
	// A record that ended exactly with a full buffer, or printed nothing, has nothing left to wait for.
	if (!o->used) {
		o->written++;
		o->nends--;
	}
	if (o->nends == OUTPUT_ENDS)
		output_flush(o);
}

void output_hangup(struct output *o)
{
	if (!o->error)
		set_failed(o, EPIPE);
}

bool output_close(struct output *o)
{
	output_flush(o);
	if (o->fd != STDOUT_FILENO && o->fd >= 0 && close(o->fd) && !o->error)
		o->error = errno;
	if (o->error)
		message_error("writing %s: %s; %" PRIu64 " records written, %" PRIu64 " lost", o->name,
			      strerror(o->error), o->written, o->lost);
	free(o->buf);
	free(o->ends);
	return !o->error;
}
