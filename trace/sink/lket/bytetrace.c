/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads files of LKET as the programs of 2006 and 2007 wrote them, and as --to lket:DIR
 * does, one for each CPU:
 *
 *   2006:    u32 sequence | data | NUL             2007: u32 sequence | u32 length | data
 *   data:    once the header, in one of the files:
 *              u32 magic | u16 length | major | minor | endianness | [timing] | width | …
 *            else a record:
 *              u16 total | u16 own | common | fields | text that the script printed
 *   common:  2006: u64 usec | u64 tid << 32 | group << 24 | hook << 16 | cpu << 8
 *            2007: u64 tid << 32 | pid | u64 usec | u64 ppid << 32 | group << 24 | …
 *
 * Numbers are in the byte order of the traced machine, which the magic number tells. The
 * files may come from anywhere: everything in them is checked.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/sink/lket/convert.h"

#define MAGIC	    0xAEFCDB6Bu
#define HEADER_MAX  64
#define COMMON_2006 16
#define COMMON_2007 24

struct part {
	const char *name;
	FILE *file;
	uint64_t at;	/* of the next record */
	bool has_event; /* valid after the next record was read: */
	struct {
		uint64_t usec, who, place;
	} common;
	uint32_t len, own; /* of the rest, in `body` */
	uint8_t *body;
};

struct bytetrace {
	struct convert *convert;
	struct part *parts;
	unsigned nparts;
	bool of_2007, swapped, has_header;
	struct event event;
};

/* ---- bytes ---- */

static bool refuse(struct bytetrace *t, struct part *p, uint64_t at, const char *what)
{
	message_error("%s: offset %" PRIu64 ": %s", p->name, at, what);
	t->convert->damaged = true;
	return false;
}

static uint64_t number(const struct bytetrace *t, const uint8_t *from, unsigned width)
{
	const bool big = t->swapped ^ (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value = value << 8 | from[big ? i : width - 1 - i];
	return value;
}

/* Reads len bytes. False: the file ends before. */
static bool take(struct part *p, void *to, size_t len)
{
	size_t n = fread(to, 1, len, p->file);

	p->at += n;
	return n == len;
}

/* ---- the header ---- */

static bool find_header(struct bytetrace *t, struct part *p)
{
	const uint32_t magic = MAGIC, other = __builtin_bswap32(MAGIC);
	uint8_t begin[12];
	size_t n = fread(begin, 1, sizeof(begin), p->file);

	rewind(p->file);
	for (unsigned at = 4; at <= 8 && at + 4 <= n; at += 4) {
		if (memcmp(begin + at, &magic, 4) && memcmp(begin + at, &other, 4))
			continue;
		t->of_2007 = at == 8;
		t->swapped = !memcmp(begin + at, &other, 4);
		t->has_header = true;
		return true;
	}
	return false;
}

/* Parses the header, which find_header() has found at the beginning of this file. */
static bool take_header(struct bytetrace *t, struct part *p)
{
	struct trace_header *h = &t->convert->header;
	uint8_t frame[14] = { 0 }, rest[HEADER_MAX] = { 0 };
	unsigned skip = t->of_2007 ? 8 : 4;

	if (!take(p, frame, skip + 6))
		return refuse(t, p, p->at, "the file ends inside its header");
	h->header_len = (unsigned)number(t, frame + skip + 4, 2);
	if (h->header_len < (t->of_2007 ? 9u : 4u) || h->header_len > HEADER_MAX)
		return refuse(t, p, skip + 4, "not the length of a header");
	if (t->of_2007 && number(t, frame + 4, 4) != h->header_len + 6)
		return refuse(t, p, 4, "the lengths in the header do not fit together");
	if (!take(p, rest, h->header_len) || (!t->of_2007 && fgetc(p->file) != 0))
		return refuse(t, p, p->at, "the file ends inside its header");
	p->at += !t->of_2007;
	h->major = rest[0];
	h->minor = rest[1];
	h->big_endian = t->swapped ^ (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	h->width = rest[t->of_2007 ? 4 : 3];
	h->has_timing = t->of_2007;
	if (t->of_2007) {
		h->timing = rest[3];
		h->timebase = (uint32_t)number(t, rest + 5, 4);
	}
	return true;
}

/* ---- records ---- */

static void take_common(struct bytetrace *t, struct part *p, const uint8_t *common)
{
	p->common.who = t->of_2007 ? number(t, common, 8) : 0;
	p->common.usec = number(t, common + (t->of_2007 ? 8 : 0), 8);
	p->common.place = number(t, common + (t->of_2007 ? 16 : 8), 8);
}

static bool cut_short(struct bytetrace *t, struct part *p, uint64_t from)
{
	message_warning("%s: cut short: it ends at offset %" PRIu64 ", inside the record at "
			"offset %" PRIu64,
			p->name, p->at, from);
	t->convert->damaged = true;
	return false;
}

/* Reads the next record of the file. False: there is none. */
static bool read_record(struct bytetrace *t, struct part *p)
{
	const unsigned frame = t->of_2007 ? 8 : 4, common = t->of_2007 ? COMMON_2007 : COMMON_2006;
	uint64_t from = p->at;
	uint8_t head[8 + 4 + COMMON_2007];
	uint32_t total, own;

	p->has_event = false;
	if (!take(p, head, frame + 4))
		return p->at > from ? cut_short(t, p, from) : false;
	total = (uint32_t)number(t, head + frame, 2);
	own = (uint32_t)number(t, head + frame + 2, 2);
	if (own < common || total < own)
		return refuse(t, p, from + frame, "the lengths of a record do not fit together");
	if (t->of_2007 && number(t, head + 4, 4) != total + 4)
		return refuse(t, p, from + 4, "the lengths of a record do not fit together");
	if (!take(p, head + frame + 4, common) || !take(p, p->body, total - common))
		return cut_short(t, p, from);
	if (!t->of_2007 && fgetc(p->file) != 0)
		return refuse(t, p, p->at, "a record is not where it should end");
	p->at += !t->of_2007;
	take_common(t, p, head + frame + 4);
	p->len = total - common;
	p->own = own - common;
	p->has_event = true;
	return true;
}

/* ---- fields ---- */

static void warn_once(struct bytetrace *t, struct registry_hook *h, const char *what)
{
	if (!h->reported)
		message_warning("group %u, hook %u: %s", t->event.group, t->event.hook, what);
	h->reported = true;
}

/*
 * Adds the fields that these bytes encode. False: the bytes do not fit the fields.
 */
static bool add_fields(struct bytetrace *t, const struct registry_fields *f, const uint8_t *at,
		       const uint8_t *end)
{
	for (unsigned i = 0; i < f->count; i++) {
		unsigned width = event_width(f->types[i]);
		const uint8_t *nul = width ? NULL : memchr(at, 0, (size_t)(end - at));

		if (width ? (size_t)(end - at) < width : !nul)
			return false;
		if (width)
			event_add_number(&t->event, f->types[i], (int64_t)number(t, at, width));
		else
			event_add_string(&t->event, (const char *)at, (size_t)(nul - at));
		at = width ? at + width : nul + 1;
	}
	return at == end;
}

static void add_own(struct bytetrace *t, struct registry_hook *h, const struct part *p)
{
	static const struct registry_fields registration = {
		.count = 4, .types = { EVENT_INT8, EVENT_INT8, EVENT_STRING, EVENT_STRING },
	}, text = { .count = 3, .types = { EVENT_INT8, EVENT_INT8, EVENT_STRING } };
	bool fits;

	if (t->event.group == GROUP_REGISTER)
		fits = add_fields(t, t->event.hook == REGISTER_TEXT ? &text : &registration,
				  p->body, p->body + p->own);
	else if (!h->own.known)
		fits = !p->own;
	else
		fits = add_fields(t, &h->own, p->body, p->body + p->own);
	if (!fits)
		warn_once(t, h,
			  h->own.known ? "its records are not as registered"
				       : "it is not registered, its fields are left out");
	t->event.nown = t->event.nfields;
}

static void add_user(struct bytetrace *t, struct registry_hook *h, const struct part *p)
{
	if (p->len == p->own)
		return;
	if (!h->user.known)
		warn_once(t, h, "the script's output is not registered, it is left out");
	else if (!add_fields(t, &h->user, p->body + p->own, p->body + p->len))
		warn_once(t, h, "the script's output is not as registered");
}

static bool give(struct bytetrace *t, const struct part *p)
{
	struct event *e = &t->event;
	struct registry_hook *h;

	e->usec = p->common.usec;
	e->group = (uint8_t)(p->common.place >> 24);
	e->hook = (uint8_t)(p->common.place >> 16);
	e->cpu = (uint8_t)(p->common.place >> 8);
	e->tid = (int32_t)((t->of_2007 ? p->common.who : p->common.place) >> 32);
	e->pid = t->of_2007 ? (int32_t)p->common.who : -1;
	e->ppid = t->of_2007 ? (int32_t)(p->common.place >> 32) : -1;
	e->nfields = e->nown = 0;
	e->used = 0;
	e->cut = false;
	h = registry_of(&t->convert->registry, e->group, e->hook);
	if (!h)
		return false;
	add_own(t, h, p);
	add_user(t, h, p);
	return convert_event(t->convert, e);
}

/* ---- the whole trace ---- */

static bool open_part(struct bytetrace *t, struct part *p, const char *name)
{
	struct stat st;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	p->name = name;
	if (fd >= 0 && !fstat(fd, &st) && !S_ISREG(st.st_mode))
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	else if (fd >= 0)
		p->file = fdopen(fd, "r");
	p->body = malloc(UINT16_MAX);
	if (p->file && p->body)
		return true;
	if (fd >= 0 && !p->file)
		close(fd);
	message_error("Unable to open %s: %s", name, strerror(errno));
	return false;
}

/*
 * Returns the file with the earliest event; of two at the same time, the one named first.
 */
static struct part *earliest(struct bytetrace *t)
{
	struct part *ret = NULL;

	for (unsigned i = 0; i < t->nparts; i++) {
		struct part *p = &t->parts[i];

		if (p->has_event && (!ret || p->common.usec < ret->common.usec))
			ret = p;
	}
	return ret;
}

static void read_all(struct bytetrace *t)
{
	struct part *p;

	for (unsigned i = 0; i < t->nparts; i++)
		if (t->parts[i].file)
			read_record(t, &t->parts[i]);
	while ((p = earliest(t)) && give(t, p))
		read_record(t, p);
}

/*
 * Such files do not name the run that they belong to: it is the run of the file with the
 * header.
 */
static void note_run(struct bytetrace *t, const struct part *p)
{
	struct stat st;

	if (fstat(fileno(p->file), &st))
		return;
	t->convert->run.time = (uint64_t)st.st_size;
	t->convert->run.realtime =
		(uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
}

static bool open_all(struct bytetrace *t, char *const *names, unsigned n)
{
	struct part *header = NULL;

	t->parts = calloc(n, sizeof(*t->parts));
	t->nparts = t->parts ? n : 0;
	for (unsigned i = 0; i < t->nparts; i++) {
		if (!open_part(t, &t->parts[i], names[i]))
			return false;
		if (!header && find_header(t, &t->parts[i]))
			header = &t->parts[i];
	}
	if (header) {
		note_run(t, header);
		return take_header(t, header);
	}
	message_error("%s: offset 0: neither a raw file of stap nor one of LKET: the magic number "
		      "0xAEFCDB6B is in none of the files",
		      names[0]);
	return false;
}

bool bytetrace_read(struct convert *c, char *const *names, unsigned n)
{
	struct bytetrace *t = calloc(1, sizeof(*t));
	bool ok;

	if (!t)
		return false;
	t->convert = c;
	ok = open_all(t, names, n) && convert_begin(c);
	if (ok)
		read_all(t);
	convert_end(c, NULL);
	for (unsigned i = 0; i < t->nparts; i++) {
		if (t->parts[i].file)
			fclose(t->parts[i].file);
		free(t->parts[i].body);
	}
	free(t->parts);
	free(t);
	return ok;
}
