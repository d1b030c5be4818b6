/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See output.h. SIGPIPE and SIGXFSZ are ignored by main(): both appear here as an errno.
 */
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/messages.h"

static int take_buffer(struct output *o)
{
	o->buf = malloc(OUTPUT_BUFFER);
	o->ends = malloc(OUTPUT_ENDS * sizeof(*o->ends));
	return o->buf && o->ends ? 0 : -ENOMEM;
}

int output_on(struct output *o, int fd, const char *name)
{
	struct stat st;

	o->fd = fd;
	o->name = name;
	if (fstat(fd, &st))
		return -errno;
	o->is_pipe = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
	o->may_block = o->is_pipe || S_ISCHR(st.st_mode);
	return take_buffer(o);
}

int output_to(struct output *o, void (*take)(void *ctx, const char *s, size_t len), void *ctx)
{
	*o = (struct output){ .fd = -1, .name = "memory", .take = take, .take_ctx = ctx };
	return take_buffer(o);
}

void output_drop(struct output *o)
{
	free(o->buf);
	free(o->ends);
	o->buf = NULL;
	o->ends = NULL;
}

const char *output_wrong(const struct output *o, int rc)
{
	return o->files.why[0] ? o->files.why : strerror(-rc);
}

/*
 * Gives up writing: the records in the buffer are lost. A record that was written only in
 * part is removed.
 */
static void set_failed(struct output *o, int error)
{
	if (o->has_files && ftruncate(o->fd, (off_t)o->file_whole))
		message_warning("%s ends inside a record: %s", o->name, strerror(errno));
	o->error = error;
	o->lost += o->nends;
	o->nends = 0;
	o->used = 0;
	o->begun = 0;
}

/*
 * Counts the records that end in the first `out` bytes of the buffer, which have been
 * written; `counted` of them were counted before. Returns their number.
 */
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
 * Waits for room and still reacts to other events, which a blocked write() would not.
 * Making the descriptor non-blocking is not an option: it is shared with the shell.
 */
static bool wait_writable(struct output *o)
{
	while (!is_writable(o)) {
		if (o->wait && !o->wait(o->wait_ctx, o->fd))
			return false;
	}
	return true;
}

/*
 * Waits a while for room on a full disk. Meanwhile the module's buffers store the output,
 * and its books count what does not fit. False: the write has failed.
 */
static bool wait_for_room(struct output *o, int error)
{
	if (!o->waits_for_room || (error != ENOSPC && error != EDQUOT))
		return false;
	if (!o->is_full)
		message_warning("writing %s: %s: waiting for room; %" PRIu64 " records written",
				o->name, strerror(error), o->written);
	o->is_full = true;
	return o->wait && o->wait(o->wait_ctx, -1);
}

static void report_room(struct output *o)
{
	if (o->is_full)
		message_warning("writing %s: there is room again", o->name);
	o->is_full = false;
}

/* Writes some bytes. Returns their number, 0 to try again, or -errno. */
static ssize_t write_some(struct output *o, const char *s, size_t len)
{
	ssize_t n;
	int error;

	if (o->take) {
		o->take(o->take_ctx, s, len);
		return (ssize_t)len;
	}
	if (o->may_block) {
		if (!wait_writable(o))
			return -EINTR;
		// A writable pipe takes this many bytes without blocking.
		len = len < PIPE_BUF ? len : PIPE_BUF;
	}
	n = write(o->fd, s, len);
	error = errno;
	if (n > 0) {
		report_room(o);
		return n;
	}
	if (n == 0)
		return -EIO;
	return error == EINTR || error == EAGAIN || wait_for_room(o, error) ? 0 : -error;
}

/* Drops the first `bytes` of the buffer, which have been written. */
static void drop_written(struct output *o, size_t bytes, uint32_t records)
{
	memmove(o->buf, o->buf + bytes, o->used - bytes);
	o->used -= bytes;
	o->begun -= o->begun < bytes ? o->begun : bytes;
	o->nends -= records;
	for (uint32_t i = 0; i < o->nends; i++)
		o->ends[i] = o->ends[i + records] - (uint32_t)bytes;
}

static void write_first(struct output *o, size_t bytes)
{
	uint64_t before = o->file_bytes;
	uint32_t counted = 0;
	size_t out = 0;

	while (out < bytes) {
		ssize_t n = write_some(o, o->buf + out, bytes - out);

		if (n < 0) {
			o->nends -= counted;
			set_failed(o, (int)-n);
			return;
		}
		out += (size_t)n;
		o->bytes += (uint64_t)n;
		o->file_bytes += (uint64_t)n;
		counted = count_written(o, out, counted);
		if (counted)
			o->file_whole = before + o->ends[counted - 1];
	}
	drop_written(o, bytes, counted);
}

void output_write_now(struct output *o, const void *bytes, size_t len)
{
	const char *s = bytes;

	while (len && !o->error) {
		ssize_t n = write_some(o, s, len);

		if (n < 0) {
			set_failed(o, (int)-n);
			return;
		}
		s += n;
		len -= (size_t)n;
		o->bytes += (uint64_t)n;
		o->file_bytes += (uint64_t)n;
	}
}

void output_head_written(struct output *o)
{
	o->file_head = o->file_whole = o->file_bytes;
}

void output_flush_all(struct output *o)
{
	if (!o->buf)
		return; /* it was never opened: the records go to a sink */
	o->begun_earlier |= o->begun < o->used;
	write_first(o, o->used);
}

/*
 * Writes the buffer. When the size of files is limited, an incomplete record is kept
 * until its end arrives: it may belong in the next file.
 */
void output_flush(struct output *o)
{
	if (o->file_most)
		write_first(o, o->begun);
	else
		output_flush_all(o);
}

/* True: somebody has removed the file, or its directory, and its records are lost. */
static bool is_removed(const struct output *o)
{
	struct stat st;

	return o->has_files && !fstat(o->fd, &st) && !st.st_nlink;
}

static void report_removed(struct output *o, bool removed)
{
	uint64_t records = o->written - o->file_from;

	if (!removed || o->file_bytes <= o->file_head)
		return;
	message_error("%s was removed while it was being written: %" PRIu64 " records are lost",
		      o->name, records);
	o->damaged = true;
}

static void switch_file(struct output *o)
{
	bool empty = o->file_bytes <= o->file_head, removed = is_removed(o);
	int fd = o->ops->next(&o->files, empty);

	if (fd < 0 && removed) {
		set_failed(o, ENOENT);
		return;
	}
	if (fd < 0) {
		// Try again after the same amount of output.
		o->file_most += o->files.rotation.bytes;
		return;
	}
	if (o->file_end && !empty)
		o->file_end(o->file_ctx, o);
	report_removed(o, removed);
	if (close(o->fd)) {
		message_error("closing the file before %s: %s", o->name, strerror(errno));
		o->damaged = true;
	}
	o->fd = fd;
	o->file_from = o->written;
	o->file_most = o->files.rotation.bytes;
	o->file_bytes = 0;
	if (o->file_begin)
		o->file_begin(o->file_ctx, o);
	output_head_written(o);
}

/*
 * Writes the complete records, if there are any. Otherwise one record fills the buffer,
 * and its beginning is written.
 */
static void make_room(struct output *o)
{
	if (o->begun) {
		write_first(o, o->begun);
		return;
	}
	if (o->file_most && o->file_bytes && !o->begun_earlier &&
	    o->file_bytes + o->used > o->file_most)
		switch_file(o);
	output_flush_all(o);
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
			make_room(o);
	}
}

/* ---- files ---- */

/*
 * Begins the next file with the record that has just ended, if that makes this file too
 * large.
 */
static void keep_size(struct output *o)
{
	if (o->file_bytes + o->used <= o->file_most)
		return;
	if (!o->begun_earlier && o->file_bytes + o->begun)
		write_first(o, o->begun);
	else
		output_flush_all(o);
	if (!o->error)
		switch_file(o);
}

static void next_file_now(struct output *o)
{
	o->next_wanted = false;
	output_flush_all(o);
	if (!o->error)
		switch_file(o);
}

void output_next_file(struct output *o)
{
	if (!o->has_files || o->error)
		return;
	// A record that has begun ends first.
	if (o->begun < o->used || o->begun_earlier)
		o->next_wanted = true;
	else
		next_file_now(o);
}

void output_look_at_clock(struct output *o)
{
	if (o->has_files && o->ops->is_due(&o->files))
		output_next_file(o);
}

void output_record_end_rare(struct output *o)
{
	if (o->error) {
		o->lost++;
		return;
	}
	o->ends[o->nends++] = (uint32_t)o->used;
	if (o->file_most)
		keep_size(o);
	o->begun = o->used;
	o->begun_earlier = false;
	// Nothing waits if the last record ended exactly when the buffer was full, or
	// printed nothing.
	if (!o->used && o->nends) {
		o->written++;
		o->nends--;
	}
	if (o->next_wanted)
		next_file_now(o);
	if (o->nends == OUTPUT_ENDS)
		output_flush_all(o);
}

void output_hangup(struct output *o)
{
	if (!o->error)
		set_failed(o, EPIPE);
}

/*
 * Closes the file, but not stdout: the next opened file would get its number. A remote
 * file system may report a failed write only here.
 */
static int close_file(struct output *o)
{
	int fd = o->fd == STDOUT_FILENO ? dup(o->fd) : o->fd;

	return fd >= 0 && close(fd) ? errno : 0;
}

bool output_reader_left(const struct output *o)
{
	return o->error == EPIPE && o->fd == STDOUT_FILENO;
}

bool output_close(struct output *o)
{
	int error;

	output_flush_all(o);
	if (o->fd >= 0)
		report_removed(o, is_removed(o));
	error = close_file(o);
	if (!o->error)
		o->error = error;
	if (o->ops)
		o->ops->close(&o->files); // a device has its directory, too
	if (output_reader_left(o))
		message_verbose("the reader of the output has gone");
	else if (o->error && !o->is_sink)
		message_error("writing %s: %s; %" PRIu64 " records written, %" PRIu64 " lost",
			      o->name, strerror(o->error), o->written, o->lost);
	free(o->buf);
	free(o->ends);
	return !o->error && !o->damaged;
}
