/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to ctf:DIR, Common Trace Format 1.8: a file "metadata" that describes the events, one
 * for each print of the script, and a file for each ring.
 *
 *   packet:  magic 4 | stream 4 | time of first, last event 8 8 | bits of content, of
 *            packet 8 8 | events discarded so far 8 | cpu 4 | event ...
 *   event:   id 4 | time 8 | probe 4 | pid 4 | tid 4 | hit 8 | fields, packed
 *
 * Readers take losses for what happened between one packet and the next. The books tell
 * the number of a CPU's, not when they were: so these are in a file of their own, whose
 * two packets, without events, are as far apart as the trace is long. Names of fields
 * have a '_' in front, which readers take away: so none is a word of the language.
 */
#include "trace/sink/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/books.h"
#include "trace/dictionary.h"
#include "trace/form/json.h"
#include "trace/messages.h"
#include "trace/sink/newfile.h"
#include "trace/sink/stored.h"
#include "lib/fullwrite.h"
#include "lib/utf8.h"

#define PACKET	  (256u << 10)
#define CTF_MAGIC 0xC1FC1FC1u

struct __attribute__((packed)) packet_head {
	uint32_t magic, stream;
	uint64_t begin, end, content_bits, packet_bits, discarded;
	uint32_t cpu;
};

struct ring_file {
	int fd;
	uint8_t *buf; /* NULL: no record has come yet */
	size_t used;  /* bytes after the packet's head */
	uint64_t begin, last;
	uint64_t lost;	   /* number of losses in the books */
	off_t whole;	   /* up to here the file has whole packets */
	uint32_t *waiting; /* records in the buffer, of each probe; last: of none */
};

struct ctf {
	const char *name;
	const struct sink_trace *trace;
	int dir;
	struct ring_file *rings;
	bool failed; /* this was reported; nothing more is written */
};

static bool failed(struct ctf *c, const char *file)
{
	if (!c->failed)
		message_error("%s/%s: %s", c->name, file, strerror(errno));
	c->failed = true;
	return false;
}

static int make_file(const struct ctf *c, const char *file)
{
	return openat(c->dir, file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* ---- metadata ---- */

static const char preamble[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; base = 16; } := hex64_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
	"trace {\n"
	"\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n"
	"\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n"
	"};\n";

/*
 * Writes a text in quotes. Quotes, backslashes and characters that are not plain become
 * '?'.
 */
static void put_quoted(FILE *f, const char *s, size_t len)
{
	fputc('"', f);
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '"' || s[i] == '\\')
			fputc('\\', f);
		fputc(s[i] < ' ' || s[i] == 127 ? '?' : s[i], f);
	}
	fputc('"', f);
}

static void put_environment(FILE *f, const struct sink_trace *t)
{
	uint64_t offset = t->realtime - t->monotonic;

	fprintf(f, "env {\n\tdomain = \"kernel\";\n\ttracer_name = \"stap\";\n\thostname = ");
	put_quoted(f, t->host, strlen(t->host));
	fprintf(f, ";\n\tmodule = ");
	put_quoted(f, t->module, strlen(t->module));
	fprintf(f,
		";\n};\nclock {\n\tname = \"monotonic\";\n\tfreq = 1000000000;\n"
		"\toffset_s = %" PRIu64 ";\n\toffset = %" PRIu64 ";\n};\n"
		"typealias integer { size = 64; align = 8; signed = false;\n"
		"\tmap = clock.monotonic.value; } := ns_t;\n",
		offset / 1000000000u, offset % 1000000000u);
}

static void put_stream(FILE *f, const struct sink_trace *t)
{
	const struct table *p = &t->tables->probes;

	fprintf(f, "stream {\n\tid = 0;\n"
		   "\tpacket.context := struct {\n\t\tns_t timestamp_begin;\n"
		   "\t\tns_t timestamp_end;\n\t\tuint64_t content_size;\n"
		   "\t\tuint64_t packet_size;\n"
		   "\t\tuint64_t events_discarded;\n\t\tuint32_t cpu_id;\n\t};\n"
		   "\tevent.header := struct { uint32_t id; ns_t timestamp; };\n"
		   "\tevent.context := struct {\n\t\tenum : uint32_t {");
	for (uint32_t i = 0; i < p->count; i++) {
		fprintf(f, "\n\t\t\t");
		put_quoted(f, p->rows[i].text, p->rows[i].len);
		fprintf(f, " = %u,", i);
	}
	fprintf(f,
		"\n\t\t\t\"stap\" = %u\n\t\t} _probe;\n"
		"\t\tint32_t _pid;\n\t\tint32_t _tid;\n\t\tuint64_t _hit;\n\t};\n};\n",
		STP_NO_PROBE);
}

static void put_field(FILE *f, const struct field *d)
{
	switch (d->type) {
	case FIELD_SIGNED:
		fprintf(f, "\t\tint64_t _%s;\n", d->name);
		break;
	case FIELD_UNSIGNED:
		fprintf(f, "\t\t%s _%s;\n", d->in_hex ? "hex64_t" : "uint64_t", d->name);
		break;
	case FIELD_STRING:
		fprintf(f, "\t\tstring _%s;\n", d->name);
		break;
	default:
		fprintf(f, "\t\tuint16_t __%s_len;\n\t\tuint8_t _%s[__%s_len];\n", d->name, d->name,
			d->name);
	}
}

static void put_events(FILE *f, const struct sink_trace *t)
{
	for (uint32_t i = 0; i < t->fields->nsites; i++) {
		const struct site *s = &t->fields->sites[i];

		if (!s->nfields)
			continue;
		fprintf(f,
			"event {\n\tid = %u;\n\tstream_id = 0;\n\tname = \"%s\";\n"
			"\tfields := struct {\n",
			i, s->name);
		for (uint32_t k = 0; k < s->nfields; k++)
			put_field(f, &s->fields[k]);
		fprintf(f, "\t};\n};\n");
	}
	fprintf(f,
		"event {\n\tid = %u;\n\tstream_id = 0;\n\tname = \"stap_message\";\n"
		"\tfields := struct {\n\t\tstring _kind;\n\t\tstring _text;\n\t};\n};\n",
		t->fields->nsites);
	fprintf(f,
		"event {\n\tid = %u;\n\tstream_id = 0;\n\tname = \"stap_histogram\";\n"
		"\tfields := struct {\n\t\tstring _site;\n\t\tint64_t _count;\n"
		"\t\tint64_t _sum;\n\t\tint64_t _min;\n\t\tint64_t _max;\n"
		"\t\tuint16_t __n;\n\t\tstruct { int64_t _low; int64_t _high; uint64_t _n; }"
		" _buckets[__n];\n\t};\n};\n",
		t->fields->nsites + 1);
}

static bool put_metadata(struct ctf *c)
{
	int fd = make_file(c, "metadata");
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	bool wrong;

	if (!f)
		return failed(c, "metadata");
	fputs(preamble, f);
	put_environment(f, c->trace);
	put_stream(f, c->trace);
	put_events(f, c->trace);
	wrong = ferror(f);
	wrong |= fclose(f) != 0;
	return !wrong || failed(c, "metadata");
}

/* ---- packets ---- */

static const char *ring_name(const struct ctf *c, const char *what, unsigned ring, char name[32])
{
	char cpu[16];

	snprintf(name, 32, "%s_%s", what, dictionary_cpu_name(ring, c->trace->nrings, cpu));
	return name;
}

/* Writes the packet's head, and the bytes in buf after it. */
static bool put_packet(int fd, uint8_t *buf, struct packet_head h, size_t used)
{
	size_t size = sizeof(h) + used;

	h.magic = CTF_MAGIC;
	h.content_bits = h.packet_bits = 8 * size;
	memcpy(buf, &h, sizeof(h));
	return fullwrite(fd, buf, size);
}

/* Reports that the records in a ring's packets are stored. */
static void tell_stored(struct ctf *c, struct ring_file *r)
{
	for (uint32_t i = 0; i <= c->trace->tables->probes.count; i++) {
		if (r->waiting[i])
			stored_some(c->trace->stored, i, r->waiting[i]);
		r->waiting[i] = 0;
	}
}

/*
 * Writes the finished packet, and begins the next one. If only a part can be written, it
 * is removed.
 */
static bool flush(struct ctf *c, unsigned ring)
{
	struct ring_file *r = &c->rings[ring];
	const struct packet_head h = { .begin = r->begin, .end = r->last, .cpu = ring };
	char name[32];

	if (c->failed)
		return false;
	if (r->used && !put_packet(r->fd, r->buf, h, r->used)) {
		failed(c, ring_name(c, "cpu", ring, name));
		if (ftruncate(r->fd, r->whole))
			message_warning("%s/%s: it ends inside a packet: %s", c->name, name,
					strerror(errno));
		return false;
	}
	r->whole += r->used ? (off_t)(sizeof(h) + r->used) : 0;
	r->used = 0;
	tell_stored(c, r);
	return true;
}

static bool open_ring(struct ctf *c, unsigned ring)
{
	struct ring_file *r = &c->rings[ring];
	char name[32];

	if (r->buf)
		return true;
	r->fd = make_file(c, ring_name(c, "cpu", ring, name));
	r->waiting = calloc(c->trace->tables->probes.count + 1u, sizeof(*r->waiting));
	r->buf = r->fd < 0 || !r->waiting ? NULL : malloc(PACKET);
	return r->buf || failed(c, name);
}

struct __attribute__((packed)) event_head {
	uint32_t id;
	uint64_t time;
	uint32_t probe, pid, tid;
	uint64_t hit;
};

static void put(struct ring_file *r, const void *s, size_t len)
{
	memcpy(r->buf + sizeof(struct packet_head) + r->used, s, len);
	r->used += len;
}

/* Puts a string in UTF-8. It ends at its first NUL, as strings in CTF do. */
static void put_string(struct ring_file *r, const char *s, size_t len)
{
	len = strnlen(s, len);
	put(r, s, len);
	utf8_blot((char *)r->buf + sizeof(struct packet_head) + r->used - len, len);
	put(r, "", 1);
}

/* Begins an event with this many bytes of fields. NULL: it cannot be written. */
static struct ring_file *begin_event(struct ctf *c, const struct sink_hit *h, uint32_t id,
				     size_t bytes)
{
	struct ring_file *r = &c->rings[h->ring];
	const uint32_t nobody = UINT32_MAX;
	struct event_head e = {
		.id = id,
		.probe = h->probe < c->trace->tables->probes.count ? h->probe : STP_NO_PROBE,
		.pid = h->has_task ? h->pid : nobody,
		.tid = h->has_task ? h->tid : nobody,
		.hit = h->hit,
	};

	if (!open_ring(c, h->ring))
		return NULL;
	if (sizeof(struct packet_head) + r->used + sizeof(e) + bytes > PACKET && !flush(c, h->ring))
		return NULL;
	// Readers expect times that never decrease.
	r->last = e.time = h->time > r->last ? h->time : r->last;
	if (!r->used)
		r->begin = r->last;
	put(r, &e, sizeof(e));
	return r;
}

static bool ctf_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	const struct site *s = i->site;
	struct ring_file *r;
	size_t bytes = 0;

	for (uint32_t k = 0; k < s->nfields; k++)
		bytes += s->fields[k].type < FIELD_STRING ? 8 : 2 + (size_t)i->values[k].len;
	r = begin_event(sink, h, i->index, bytes);
	if (!r)
		return false;
	for (uint32_t k = 0; k < s->nfields; k++) {
		const struct value *v = &i->values[k];
		uint16_t len = (uint16_t)v->len;

		if (s->fields[k].type < FIELD_STRING) {
			put(r, &v->number, sizeof(v->number));
		} else if (s->fields[k].type == FIELD_STRING) {
			put_string(r, v->s, v->len);
		} else {
			put(r, &len, sizeof(len));
			put(r, v->s, v->len);
		}
	}
	return true;
}

static bool ctf_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind, const char *s,
		     size_t len)
{
	struct ctf *c = sink;
	struct ring_file *r =
		begin_event(c, h, c->trace->fields->nsites, strlen(json_kind_name(kind)) + len + 2);

	if (!r)
		return false;
	put_string(r, json_kind_name(kind), strlen(json_kind_name(kind)));
	put_string(r, s, len);
	return true;
}

/*
 * Sum, min and max are 0 if the script does not keep them. Open bounds are the limits of
 * the type.
 */
static bool ctf_histogram(void *sink, const struct sink_hit *h, const struct histogram *g)
{
	const struct stp_hist_item *n = &g->head;
	struct ctf *c = sink;
	size_t bytes = strlen(g->name) + 1 + 34 + (size_t)n->shown * 24;
	struct ring_file *r = begin_event(c, h, c->trace->fields->nsites + 1, bytes);
	const int64_t numbers[] = { n->count, n->keeps & STP_KEEP_SUM ? n->sum : 0,
				    n->keeps & STP_KEEP_MIN ? n->min : 0,
				    n->keeps & STP_KEEP_MAX ? n->max : 0 };
	uint16_t shown = (uint16_t)n->shown;

	if (!r)
		return false;
	put_string(r, g->name, strlen(g->name));
	put(r, numbers, sizeof(numbers));
	put(r, &shown, sizeof(shown));
	for (uint32_t i = 0; i < n->shown; i++) {
		struct histogram_bucket b = fields_bucket(g, i);
		const int64_t bounds[] = { b.has_low ? b.low : INT64_MIN,
					   b.has_high ? b.high : INT64_MAX };

		put(r, bounds, sizeof(bounds));
		put(r, &b.count, sizeof(b.count));
	}
	return true;
}

/*
 * A record that adds nothing to the ring counts as stored when the events before it are
 * stored.
 */
static bool ctf_whole(void *sink, const struct sink_hit *h)
{
	struct ctf *c = sink;
	struct ring_file *r = &c->rings[h->ring];
	uint32_t none = c->trace->tables->probes.count;

	if (r->buf)
		r->waiting[h->probe < none ? h->probe : none]++;
	return true;
}

/* ---- the beginning and the end ---- */

static bool ctf_books(void *sink, const struct books *b)
{
	struct ctf *c = sink;

	for (uint32_t i = 0; i < b->nrows; i++) {
		const struct book_row *row = &b->rows[i];
		unsigned slow = c->trace->nrings - 1;
		char *end;
		unsigned long cpu = strtoul(row->cpu, &end, 10);
		unsigned ring = *end || cpu >= slow ? slow : (unsigned)cpu;

		c->rings[ring].lost += row->book.dropped + row->book.skipped;
	}
	return true;
}

static bool put_losses(struct ctf *c, unsigned ring, uint64_t end)
{
	struct packet_head h = { .begin = c->trace->monotonic, .cpu = ring };
	uint8_t buf[sizeof(h)];
	char name[32];
	int fd = make_file(c, ring_name(c, "lost", ring, name));
	bool ok;

	h.end = h.begin;
	ok = fd >= 0 && put_packet(fd, buf, h, 0);
	h.end = h.begin = end > h.end ? end : h.end;
	h.discarded = c->rings[ring].lost;
	ok = ok && put_packet(fd, buf, h, 0);
	if (fd >= 0 && close(fd))
		ok = false;
	return ok || failed(c, name);
}

static bool close_ring(struct ctf *c, unsigned ring)
{
	struct ring_file *r = &c->rings[ring];
	char name[32];
	bool ok;

	if (!r->buf) {
		free(r->waiting);
		return true;
	}
	ok = flush(c, ring);
	if (close(r->fd))
		ok = failed(c, ring_name(c, "cpu", ring, name));
	free(r->buf);
	free(r->waiting);
	return ok;
}

static bool ctf_close(void *sink)
{
	struct ctf *c = sink;
	unsigned n = c->rings ? c->trace->nrings : 0;
	uint64_t end = 0;
	bool ok = true;

	for (unsigned i = 0; i < n; i++) {
		end = c->rings[i].last > end ? c->rings[i].last : end;
		ok &= close_ring(c, i);
	}
	for (unsigned i = 0; i < n; i++)
		if (c->rings[i].lost && !c->failed)
			ok &= put_losses(c, i, end);
	if (c->dir >= 0)
		close(c->dir);
	free(c->rings);
	free(c);
	return ok;
}

static void *ctf_open(const char *where, const struct sink_trace *t)
{
	struct ctf *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	*c = (struct ctf){ .name = where, .trace = t, .dir = -1 };
	c->rings = calloc(t->nrings, sizeof(*c->rings));
	if (c->rings && newfile_directory(where)) {
		c->dir = open(where, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (c->dir < 0)
			failed(c, "");
	}
	if (c->dir >= 0 && put_metadata(c))
		return c;
	ctf_close(c);
	return NULL;
}

SINK_OPS(ctf, ctf_open, ctf_item, ctf_close, .text = ctf_text, .histogram = ctf_histogram,
	 .whole = ctf_whole, .books = ctf_books);
