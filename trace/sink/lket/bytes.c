/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the files that LKET wrote in 2006, one for each CPU: bytetrace.c has the layout.
 * Numbers are in this machine's byte order, and the header says which it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/outfile.h"
#include "trace/messages.h"
#include "trace/sink/lket/convert.h"

#define CPUS	 256
#define BUFFER	 (64u << 10) /* of a file; it is flushed when half full */
#define BODY_MAX UINT16_MAX

struct bytes {
	int dir;
	FILE *files[CPUS];
	char *buffers[CPUS];
	size_t pending[CPUS]; /* bytes written since the last flush */
	off_t whole[CPUS];    /* size of the file at the last flush */
	bool failed;	      /* this was reported */
	uint32_t sequence;
	size_t len, own;
	bool cut;
	uint8_t body[BODY_MAX]; /* of a record, after the two lengths */
};

static bool failed(struct convert *c, const char *name, const char *why)
{
	message_error("%s/%s: %s", c->options->bytes_dir, name, why);
	return false;
}

static void put(struct bytes *b, const void *from, size_t len)
{
	if (len > BODY_MAX - b->len) {
		b->cut = true;
		return;
	}
	memcpy(b->body + b->len, from, len);
	b->len += len;
}

static void put_field(struct bytes *b, const struct event_field *f)
{
	if (f->type == EVENT_STRING) {
		/*
		 * A NUL ends the string: bytes after it would be read as the next field.
		 */
		put(b, f->text, strnlen(f->text, f->len));
		put(b, "", 1);
		return;
	}
	switch (event_width(f->type)) {
	case 1:
		put(b, &(int8_t){ (int8_t)f->number }, 1);
		break;
	case 2:
		put(b, &(int16_t){ (int16_t)f->number }, 2);
		break;
	case 4:
		put(b, &(int32_t){ (int32_t)f->number }, 4);
		break;
	default:
		put(b, &f->number, 8);
	}
}

static void frame(struct bytes *b, FILE *f)
{
	uint32_t sequence = ++b->sequence;

	fwrite(&sequence, sizeof(sequence), 1, f);
}

static void put_header(struct convert *c, struct bytes *b, FILE *f)
{
	const uint32_t magic = 0xAEFCDB6B;
	const uint16_t len = 4;
	const uint8_t rest[] = { 1, 1, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 2 : 1, 64, 0 };

	frame(b, f);
	fwrite(&magic, sizeof(magic), 1, f);
	fwrite(&len, sizeof(len), 1, f);
	fwrite(rest, sizeof(rest), 1, f);
}

/* Returns the CPU's file, and creates it the first time. NULL: the error was reported. */
static FILE *file_of(struct convert *c, struct bytes *b, unsigned cpu)
{
	struct outfile out;
	char name[32];
	int rc;

	if (b->files[cpu])
		return b->files[cpu];
	snprintf(name, sizeof(name), "stpd_cpu%u", cpu);
	rc = outfile_open_at(&out, b->dir, name, 0666);
	if (!rc)
		b->files[cpu] = fdopen(out.fd, "w");
	b->buffers[cpu] = b->files[cpu] ? malloc(BUFFER) : NULL;
	if (b->buffers[cpu])
		setvbuf(b->files[cpu], b->buffers[cpu], _IOFBF, BUFFER);
	if (!b->files[cpu])
		failed(c, name, rc ? outfile_error(&out, rc) : strerror(errno));
	return b->files[cpu];
}

static bool begin(struct convert *c, void **ret)
{
	const char *dir = c->options->bytes_dir;
	struct bytes *b = calloc(1, sizeof(*b));
	FILE *f;

	if (!b)
		return failed(c, "", "no memory");
	b->dir = -1;
	*ret = b;
	if (mkdir(dir, 0777) && errno != EEXIST)
		return failed(c, "", strerror(errno));
	b->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b->dir < 0)
		return failed(c, "", strerror(errno));
	f = file_of(c, b, 0);
	if (f)
		put_header(c, b, f);
	b->pending[0] = BUFFER;
	return f != NULL;
}

/* Gives up, and removes incomplete records. */
static bool cannot_write(struct convert *c, struct bytes *b)
{
	if (!b->failed)
		failed(c, "", strerror(errno));
	b->failed = true;
	for (unsigned i = 0; i < CPUS; i++) {
		if (!b->files[i])
			continue;
		__fpurge(b->files[i]);
		if (ftruncate(fileno(b->files[i]), b->whole[i]))
			message_warning("a file ends inside a record: %s", strerror(errno));
		b->pending[i] = 0;
	}
	return false;
}

static bool take_event(struct convert *c, void *form, const struct event *e)
{
	struct bytes *b = form;
	FILE *f = file_of(c, b, e->cpu);
	uint64_t place = (uint64_t)(uint32_t)e->tid << 32 | (uint64_t)e->group << 24 |
			 (uint64_t)e->hook << 16 | (uint64_t)e->cpu << 8;
	uint16_t sizes[2];

	if (!f)
		return false;
	b->len = b->own = 0;
	put(b, &e->usec, 8);
	put(b, &place, 8);
	for (unsigned i = 0; i < e->nfields; i++) {
		if (i == e->nown)
			b->own = b->len;
		put_field(b, &e->fields[i]);
	}
	sizes[0] = (uint16_t)b->len;
	sizes[1] = (uint16_t)(e->nfields > e->nown ? b->own : b->len);
	frame(b, f);
	fwrite(sizes, sizeof(sizes), 1, f);
	fwrite(b->body, b->len, 1, f);
	putc(0, f);
	b->pending[e->cpu] += b->len + 9;
	c->flush_due |= b->pending[e->cpu] > BUFFER / 2;
	return !ferror(f) || cannot_write(c, b);
}

static bool flush(struct convert *c, void *form)
{
	struct bytes *b = form;

	for (unsigned i = 0; i < CPUS && !b->failed; i++) {
		if (!b->files[i] || !b->pending[i])
			continue;
		if (fflush(b->files[i]))
			return cannot_write(c, b);
		b->whole[i] = ftello(b->files[i]);
		b->pending[i] = 0;
	}
	return !b->failed;
}

static bool end(struct convert *c, void *form, const struct books *books)
{
	struct bytes *b = form;
	bool ok = flush(c, b);

	for (unsigned i = 0; i < CPUS; i++) {
		if (b->files[i] && fclose(b->files[i]) && ok)
			ok = failed(c, "", strerror(errno));
		free(b->buffers[i]);
	}
	if (b->dir >= 0)
		close(b->dir);
	if (b->cut)
		message_warning("a record has more bytes than LKET's have: values are left out");
	ok = ok && !b->cut;
	free(b);
	return ok;
}

const struct lketform_ops bytes_form = {
	.takes_registrations = true,
	.begin = begin,
	.event = take_event,
	.flush = flush,
	.end = end,
};
