/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See wholefile.h. */
#include "trace/sink/wholefile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/sink/newfile.h"
#include "trace/sink/sink.h"
#include "trace/sink/stored.h"

#define ROOM	    (256u << 10)
#define ENOUGH	    (128u << 10) /* is written when a record ends */
#define WRITE_EVERY 1		 /* s, while records keep coming */

bool wholefile_open(struct wholefile *f, const char *name, struct stored *stored)
{
	*f = (struct wholefile){ .fd = -1, .name = name, .stored = stored, .since = sink_now() };
	f->buf = malloc(ROOM);
	if (f->buf)
		f->fd = newfile_open(name);
	else
		message_error("%s: no memory", name);
	return f->fd >= 0;
}

/*
 * Gives up: removes an incomplete record, and records that were not reported as stored.
 */
static bool failed(struct wholefile *f, int error)
{
	f->failed = true;
	message_error("%s: it cannot be written: %s", f->name, strerror(error));
	if (ftruncate(f->fd, (off_t)f->whole))
		message_warning("%s: it ends inside a record: %s", f->name, strerror(errno));
	return false;
}

static bool write_all(struct wholefile *f, const uint8_t *s, size_t len)
{
	while (len) {
		ssize_t n = write(f->fd, s, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return failed(f, n ? errno : EIO);
		s += n;
		len -= (size_t)n;
		f->written += (uint64_t)n;
	}
	return true;
}

static bool flush(struct wholefile *f)
{
	size_t used = f->used;

	f->used = 0;
	return !f->failed && write_all(f, f->buf, used);
}

bool wholefile_put(struct wholefile *f, const void *bytes, size_t len)
{
	if (len > ROOM - f->used && !flush(f))
		return false;
	if (len > ROOM)
		return write_all(f, bytes, len);
	memcpy(f->buf + f->used, bytes, len);
	f->used += len;
	return !f->failed;
}

/* Writes the pending records, which are complete. */
static bool settle(struct wholefile *f)
{
	if (!flush(f))
		return false;
	f->whole = f->written;
	f->since = sink_now();
	return true;
}

bool wholefile_begun(struct wholefile *f)
{
	return settle(f);
}

bool wholefile_record(struct wholefile *f)
{
	if (f->used < ENOUGH && sink_now() - f->since < WRITE_EVERY)
		return !f->failed;
	if (!settle(f))
		return false;
	stored_all(f->stored);
	return true;
}

bool wholefile_close(struct wholefile *f)
{
	bool ok = f->fd >= 0 && flush(f);

	if (f->fd >= 0 && close(f->fd) && ok) {
		message_error("%s: it cannot be written: %s", f->name, strerror(errno));
		ok = false;
	}
	free(f->buf);
	f->buf = NULL;
	return ok;
}
