/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to perfetto:FILE: a timeline, for ui.perfetto.dev and trace_processor. Numbers of
 * fields are those of Perfetto's published .proto files; tests/cli/sinks.d/perfetto.proto
 * lists those that are used here.
 *
 * An item is an event of its thread, or of its CPU if the trace does not name the thread.
 * Fields with the names in roles[] turn it into a slice, a counter or a switch. The first
 * packet has the names of sites and fields; later packets use their numbers.
 *
 * Perfetto counts in CLOCK_BOOTTIME. Records use CLOCK_MONOTONIC, which runs at the same
 * rate unless the machine sleeps: the first packet declares the two clocks equal.
 */
#include "trace/sink/sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/books.h"
#include "trace/dictionary.h"
#include "trace/form/json.h"
#include "trace/messages.h"
#include "trace/sink/protobuf.h"
#include "trace/sink/stored.h"
#include "trace/sink/tracks.h"
#include "trace/sink/wholefile.h"

#define ROOM (1u << 20) /* of a packet: more than any record needs */

enum { TRACE_PACKET = 1 };
enum {
	PACKET_FTRACE = 1,
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60
};
enum { CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME = 2 };
enum { ID_REALTIME = 1, ID_MONOTONIC = 3, ID_BOOTTIME = 6 };
enum { INTERNED_EVENT = 2, INTERNED_ANNOTATION = 3, NAME_NUMBER = 1, NAME_TEXT = 2 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS_NAMES = 2 };
enum {
	TRACK_NUMBER = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_OF_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTS = 8
};
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_NUMBER = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_COUNT = 30
};
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 };
enum {
	VALUE_NAME_NUMBER = 1,
	VALUE_UNSIGNED = 3,
	VALUE_SIGNED = 4,
	VALUE_STRING = 6,
	VALUE_POINTER = 7,
	VALUE_NAME = 10
};
enum { FTRACE_CPU = 1, FTRACE_EVENT = 2, FTRACE_TIME = 1, FTRACE_PID = 2, FTRACE_SWITCH = 4 };
/* Base of the numbers of processes' tracks: no other track has such a number. */
#define PROCESS_NUMBERS (1ull << 32)

/* Roles of fields in their event. Those of a switch are in the order of their numbers. */
enum role {
	ROLE_SLICE,
	ROLE_END,
	ROLE_NS,
	ROLE_US,
	ROLE_TRACK,
	ROLE_COMM,
	ROLE_EXECNAME,
	ROLE_PREV_COMM,
	ROLE_PREV_PID,
	ROLE_PREV_PRIO,
	ROLE_PREV_STATE,
	ROLE_NEXT_COMM,
	ROLE_NEXT_PID,
	ROLE_NEXT_PRIO,
	ROLES
};
static const struct {
	const char *name;
	bool is_text, is_shown; /* shown: also as a value, like any other field */
} roles[] = {
	[ROLE_SLICE] = { "slice", true, false },
	[ROLE_END] = { "slice_end", false, false },
	[ROLE_NS] = { "slice_ns", false, false },
	[ROLE_US] = { "slice_us", false, false },
	[ROLE_TRACK] = { "track", true, false },
	[ROLE_COMM] = { "comm", true, true },
	[ROLE_EXECNAME] = { "execname", true, true },
	[ROLE_PREV_COMM] = { "prev_comm", true, true },
	[ROLE_PREV_PID] = { "prev_pid", false, true },
	[ROLE_PREV_PRIO] = { "prev_prio", false, true },
	[ROLE_PREV_STATE] = { "prev_state", false, true },
	[ROLE_NEXT_COMM] = { "next_comm", true, true },
	[ROLE_NEXT_PID] = { "next_pid", false, true },
	[ROLE_NEXT_PRIO] = { "next_prio", false, true },
};
_Static_assert(sizeof(roles) / sizeof(roles[0]) == ROLES, "a row for every role");

static const char counter_prefix[] = "counter_";

/* How a field is written. A field with a role may also be written as a value. */
enum use { USE_VALUE, USE_COUNTER, USE_ROLE_ONLY };

struct shape {
	uint32_t first_name; /* number of the first field's name; others follow */
	int at[ROLES];	     /* field of each role, or -1 */
	uint8_t *uses;	     /* enum use of each field; part of perfetto.uses */
	uint32_t shown;	     /* number of fields that are values */
};

struct perfetto {
	struct wholefile file;
	const struct sink_trace *trace;
	struct shape *shapes; /* one for each site */
	uint8_t *uses;	      /* one for each field of all sites */
	struct tracks tracks;
	struct protobuf out; /* one packet, or a few that belong together */
	uint64_t last;
	bool no_track;		  /* none is left for a counter in `out` */
	uint64_t left_out, moved; /* events not in the file; on the track of their CPU */
};

/* ---- sites ---- */

static bool is_counter(const struct field *d)
{
	return d->type < FIELD_STRING && !strncmp(d->name, counter_prefix, strlen(counter_prefix));
}

/* Returns the field's role; ROLES: it has none. */
static enum role role_of(const struct field *d)
{
	for (int r = 0; r < ROLES; r++)
		if (!strcmp(d->name, roles[r].name) &&
		    (r == ROLE_END || roles[r].is_text == (d->type == FIELD_STRING)))
			return (enum role)r;
	return ROLES;
}

static enum use use_of(const struct field *d, enum role r)
{
	if (is_counter(d))
		return USE_COUNTER;
	return r == ROLES || roles[r].is_shown ? USE_VALUE : USE_ROLE_ONLY;
}

static void set_shape(struct shape *h, const struct site *s)
{
	for (int r = 0; r < ROLES; r++)
		h->at[r] = -1;
	for (uint32_t k = 0; k < s->nfields; k++) {
		enum role r = role_of(&s->fields[k]);

		if (r < ROLES)
			h->at[r] = (int)k;
		h->uses[k] = (uint8_t)use_of(&s->fields[k], r);
		h->shown += h->uses[k] == USE_VALUE;
	}
}

/* ---- packets ---- */

/* Writes the packets, or drops them if they did not fit or a counter has no track. */
static bool write_out(struct perfetto *p)
{
	bool out = p->out.full || p->no_track;
	bool ok = out || wholefile_put(&p->file, p->out.bytes, p->out.len);

	if (out && p->trace->stored)
		stored_skip(p->trace->stored);
	p->left_out += out;
	p->out.len = 0;
	p->out.full = p->no_track = false;
	return ok;
}

static size_t begin_packet(struct perfetto *p, uint64_t time, unsigned flags)
{
	size_t place = protobuf_begin(&p->out, TRACE_PACKET);

	if (time)
		protobuf_number(&p->out, PACKET_TIME, time);
	protobuf_number(&p->out, PACKET_SEQUENCE, 1);
	if (flags)
		protobuf_number(&p->out, PACKET_FLAGS, flags);
	return place;
}

static void put_clock(struct perfetto *p, unsigned id, uint64_t time)
{
	size_t clock = protobuf_begin(&p->out, CLOCKS_CLOCK);

	protobuf_number(&p->out, CLOCK_ID, id);
	protobuf_number(&p->out, CLOCK_TIME, time);
	protobuf_end(&p->out, clock);
}

static void put_name(struct perfetto *p, unsigned of, uint32_t number, const char *text)
{
	size_t name = protobuf_begin(&p->out, of);

	protobuf_number(&p->out, NAME_NUMBER, number);
	protobuf_string(&p->out, NAME_TEXT, text);
	protobuf_end(&p->out, name);
}

/* Puts the first packets: the names, a packet for each site, and the clocks. */
static bool put_beginning(struct perfetto *p)
{
	const struct sink_trace *t = p->trace;
	unsigned flags = FLAG_CLEARED;
	uint32_t names = 0;
	size_t packet, in;
	bool ok = true;

	for (uint32_t i = 0; ok && i < t->fields->nsites; i++) {
		const struct site *s = &t->fields->sites[i];

		packet = begin_packet(p, 0, flags);
		in = protobuf_begin(&p->out, PACKET_INTERNED);
		put_name(p, INTERNED_EVENT, i + 1, s->name);
		p->shapes[i].first_name = names + 1;
		p->shapes[i].uses = p->uses + names;
		for (uint32_t k = 0; k < s->nfields; k++)
			put_name(p, INTERNED_ANNOTATION, ++names, s->fields[k].name);
		protobuf_end(&p->out, in);
		protobuf_end(&p->out, packet);
		flags = FLAG_NEEDS_NAMES;
		ok = write_out(p);
		set_shape(&p->shapes[i], s);
	}
	packet = begin_packet(p, 0, flags);
	in = protobuf_begin(&p->out, PACKET_CLOCKS);
	put_clock(p, ID_REALTIME, t->realtime);
	put_clock(p, ID_MONOTONIC, t->monotonic);
	put_clock(p, ID_BOOTTIME, t->monotonic);
	protobuf_end(&p->out, in);
	protobuf_end(&p->out, packet);
	return ok && write_out(p);
}

/* ---- tracks ---- */

/* Describes the process of a thread. It gets the name of the first thread seen. */
static void put_process(struct perfetto *p, const struct track *k)
{
	size_t packet = begin_packet(p, 0, 0), track = protobuf_begin(&p->out, PACKET_TRACK), of;

	protobuf_number(&p->out, TRACK_NUMBER, PROCESS_NUMBERS + k->pid);
	of = protobuf_begin(&p->out, TRACK_PROCESS);
	protobuf_number(&p->out, PROCESS_PID, k->pid);
	if (k->name && k->pid == k->tid)
		protobuf_string(&p->out, PROCESS_NAME, k->name);
	protobuf_end(&p->out, of);
	protobuf_end(&p->out, track);
	protobuf_end(&p->out, packet);
}

static void put_thread(struct perfetto *p, const struct track *k)
{
	size_t of;

	protobuf_number(&p->out, TRACK_PARENT, PROCESS_NUMBERS + k->pid);
	of = protobuf_begin(&p->out, TRACK_OF_THREAD);
	protobuf_number(&p->out, THREAD_PID, k->pid);
	protobuf_number(&p->out, THREAD_TID, k->tid);
	if (k->name)
		protobuf_string(&p->out, THREAD_NAME, k->name);
	protobuf_end(&p->out, of);
}

static void put_track(struct perfetto *p, struct track *k)
{
	size_t packet, track;
	char name[40], cpu[16];

	if (k->kind == TRACK_THREAD)
		put_process(p, k);
	packet = begin_packet(p, 0, 0);
	track = protobuf_begin(&p->out, PACKET_TRACK);
	protobuf_number(&p->out, TRACK_NUMBER, k->number);
	if (k->kind == TRACK_THREAD) {
		put_thread(p, k);
	} else if (k->kind == TRACK_CPU) {
		snprintf(name, sizeof(name), "CPU %s",
			 dictionary_cpu_name(k->tid, p->trace->nrings, cpu));
		protobuf_string(&p->out, TRACK_NAME, name);
	} else {
		protobuf_string(&p->out, TRACK_NAME, k->name);
	}
	if (k->kind == TRACK_COUNTER)
		protobuf_end(&p->out, protobuf_begin(&p->out, TRACK_COUNTS));
	protobuf_end(&p->out, track);
	protobuf_end(&p->out, packet);
	k->is_new = false;
}

/*
 * Returns the number of the track, and describes the track if it is new; 0: none is left.
 */
static uint64_t use_track(struct perfetto *p, struct track *k)
{
	if (k && k->is_new)
		put_track(p, k);
	p->no_track |= !k;
	return k ? k->number : 0;
}

static const struct value *role_value(const struct shape *h, const struct item *i, enum role r)
{
	return h->at[r] < 0 ? NULL : &i->values[h->at[r]];
}

/* Finds the track of an event. i is NULL for an event that is not an item. */
static uint64_t track_of(struct perfetto *p, const struct sink_hit *h, const struct item *i)
{
	const struct shape *s = i ? &p->shapes[i->index] : NULL;
	const struct value *named = i ? role_value(s, i, ROLE_TRACK) : NULL;
	const struct value *comm = i ? role_value(s, i, ROLE_COMM) : NULL;
	struct track *k = NULL;

	if (i && !comm)
		comm = role_value(s, i, ROLE_EXECNAME);
	if (named)
		k = tracks_named(&p->tracks, TRACK_NAMED, named->s, named->len);
	else if (h->has_task)
		k = tracks_thread(&p->tracks, h->pid, h->tid, comm ? comm->s : NULL,
				  comm ? comm->len : 0);
	p->moved += !k && (named || h->has_task);
	return use_track(p, k ? k : tracks_cpu(&p->tracks, h->ring));
}

/* ---- events ---- */

struct place {
	size_t packet, event;
};

static struct place begin_event(struct perfetto *p, uint64_t time, unsigned type, uint64_t track)
{
	struct place ret = { .packet = begin_packet(p, time, FLAG_NEEDS_NAMES) };

	ret.event = protobuf_begin(&p->out, PACKET_EVENT);
	protobuf_number(&p->out, EVENT_TYPE, type);
	protobuf_number(&p->out, EVENT_TRACK, track);
	if (p->last < time)
		p->last = time;
	return ret;
}

static void end_event(struct perfetto *p, struct place at)
{
	protobuf_end(&p->out, at.event);
	protobuf_end(&p->out, at.packet);
}

static void put_hex(struct perfetto *p, const struct value *v)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * UINT16_MAX];
	size_t n = 0;

	for (uint32_t i = 0; i < v->len && n + 1 < sizeof(text); i++) {
		text[n++] = digits[(uint8_t)v->s[i] >> 4];
		text[n++] = digits[(uint8_t)v->s[i] & 15];
	}
	protobuf_text(&p->out, VALUE_STRING, text, n);
}

static void put_value(struct perfetto *p, const struct field *d, uint32_t name,
		      const struct value *v)
{
	size_t place = protobuf_begin(&p->out, EVENT_ANNOTATION);

	protobuf_number(&p->out, VALUE_NAME_NUMBER, name);
	switch (d->type) {
	case FIELD_SIGNED:
		protobuf_number(&p->out, VALUE_SIGNED, (uint64_t)v->number);
		break;
	case FIELD_UNSIGNED:
		protobuf_number(&p->out, d->in_hex ? VALUE_POINTER : VALUE_UNSIGNED,
				(uint64_t)v->number);
		break;
	case FIELD_STRING:
		protobuf_text(&p->out, VALUE_STRING, v->s, v->len);
		break;
	default:
		put_hex(p, v);
	}
	protobuf_end(&p->out, place);
}

static void put_number(struct perfetto *p, const char *name, int64_t number)
{
	size_t place = protobuf_begin(&p->out, EVENT_ANNOTATION);

	protobuf_string(&p->out, VALUE_NAME, name);
	protobuf_number(&p->out, VALUE_SIGNED, (uint64_t)number);
	protobuf_end(&p->out, place);
}

static void put_text(struct perfetto *p, const char *name, const char *s, size_t len)
{
	size_t place = protobuf_begin(&p->out, EVENT_ANNOTATION);

	protobuf_string(&p->out, VALUE_NAME, name);
	protobuf_text(&p->out, VALUE_STRING, s, len);
	protobuf_end(&p->out, place);
}

/*
 * Puts the name and the values of an item, in its instant or at the beginning of its
 * slice.
 */
static void put_values(struct perfetto *p, const struct item *i)
{
	const struct shape *h = &p->shapes[i->index];
	const struct value *slice = role_value(h, i, ROLE_SLICE);

	if (slice)
		protobuf_text(&p->out, EVENT_NAME, slice->s, slice->len);
	else
		protobuf_number(&p->out, EVENT_NAME_NUMBER, i->index + 1);
	for (uint32_t k = 0; k < i->site->nfields; k++)
		if (h->uses[k] == USE_VALUE)
			put_value(p, &i->site->fields[k], h->first_name + k, &i->values[k]);
}

static void put_counters(struct perfetto *p, const struct sink_hit *h, const struct item *i)
{
	for (uint32_t k = 0; k < i->site->nfields; k++) {
		const struct field *d = &i->site->fields[k];
		const char *name = d->name + strlen(counter_prefix);
		struct place at;
		uint64_t track;

		if (p->shapes[i->index].uses[k] != USE_COUNTER)
			continue;
		track = use_track(p, tracks_named(&p->tracks, TRACK_COUNTER, name, strlen(name)));
		at = begin_event(p, h->time, COUNTER, track);
		protobuf_number(&p->out, EVENT_COUNT, (uint64_t)i->values[k].number);
		end_event(p, at);
	}
}

/* Puts an event of the scheduler. These events make the timeline of the CPUs. */
static void put_switch(struct perfetto *p, const struct sink_hit *h, const struct item *i)
{
	const struct shape *s = &p->shapes[i->index];
	size_t packet = begin_packet(p, 0, 0), bundle, event, of;

	bundle = protobuf_begin(&p->out, PACKET_FTRACE);
	protobuf_number(&p->out, FTRACE_CPU, h->ring);
	event = protobuf_begin(&p->out, FTRACE_EVENT);
	protobuf_number(&p->out, FTRACE_TIME, h->time);
	protobuf_number(&p->out, FTRACE_PID, (uint64_t)role_value(s, i, ROLE_PREV_PID)->number);
	of = protobuf_begin(&p->out, FTRACE_SWITCH);
	for (int r = ROLE_PREV_COMM; r <= ROLE_NEXT_PRIO; r++) {
		const struct value *v = role_value(s, i, (enum role)r);
		unsigned field = (unsigned)(r - ROLE_PREV_COMM + 1);

		if (v && roles[r].is_text)
			protobuf_text(&p->out, field, v->s, v->len);
		else if (v)
			protobuf_number(&p->out, field, (uint64_t)v->number);
	}
	protobuf_end(&p->out, of);
	protobuf_end(&p->out, event);
	protobuf_end(&p->out, bundle);
	protobuf_end(&p->out, packet);
}

/*
 * Returns the duration of the item's slice, which ends now; 0: the item does not give it.
 */
static uint64_t slice_time(const struct shape *h, const struct item *i, uint64_t now)
{
	const struct value *ns = role_value(h, i, ROLE_NS), *us = role_value(h, i, ROLE_US);
	uint64_t took = ns ? (uint64_t)ns->number : us ? (uint64_t)us->number * 1000 : 0;

	return took < now ? took : now - 1;
}

static void put_item(struct perfetto *p, const struct sink_hit *h, const struct item *i)
{
	const struct shape *s = &p->shapes[i->index];
	bool took = s->at[ROLE_NS] >= 0 || s->at[ROLE_US] >= 0;
	bool begins = took || s->at[ROLE_SLICE] >= 0, ends = took || s->at[ROLE_END] >= 0;
	uint64_t track;

	if (!begins && !ends && !s->shown)
		return;
	track = track_of(p, h, i);
	if (begins || !ends) {
		uint64_t time = took ? h->time - slice_time(s, i, h->time) : h->time;
		struct place at = begin_event(p, time, begins ? SLICE_BEGIN : INSTANT, track);

		put_values(p, i);
		end_event(p, at);
	}
	if (ends)
		end_event(p, begin_event(p, h->time, SLICE_END, track));
}

static bool perfetto_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	struct perfetto *p = sink;
	const struct shape *s = &p->shapes[i->index];

	if (s->at[ROLE_PREV_PID] >= 0 && s->at[ROLE_NEXT_PID] >= 0 &&
	    h->ring + 1 < p->trace->nrings)
		put_switch(p, h, i);
	else
		put_item(p, h, i);
	put_counters(p, h, i);
	return write_out(p);
}

static bool perfetto_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind,
			  const char *s, size_t len)
{
	struct perfetto *p = sink;
	struct place at;

	for (; len && (s[len - 1] == '\n' || s[len - 1] == ' '); len--)
		;
	if (!len)
		return true;
	at = begin_event(p, h->time, INSTANT, track_of(p, h, NULL));
	protobuf_string(&p->out, EVENT_NAME, json_kind_name(kind));
	put_text(p, "text", s, len);
	end_event(p, at);
	return write_out(p);
}

static bool perfetto_histogram(void *sink, const struct sink_hit *h, const struct histogram *g)
{
	const struct stp_hist_item *n = &g->head;
	struct perfetto *p = sink;
	struct place at = begin_event(p, h->time, INSTANT, track_of(p, h, NULL));
	char name[64];

	protobuf_string(&p->out, EVENT_NAME, g->name);
	put_number(p, "count", n->count);
	if (n->keeps & STP_KEEP_SUM)
		put_number(p, "sum", n->sum);
	if (n->keeps & STP_KEEP_MIN)
		put_number(p, "min", n->min);
	if (n->keeps & STP_KEEP_MAX)
		put_number(p, "max", n->max);
	for (uint32_t i = 0; i < n->shown; i++) {
		struct histogram_bucket b = fields_bucket(g, i);
		int len = 0;

		if (!b.count)
			continue;
		if (b.has_low)
			len = snprintf(name, sizeof(name), "%" PRId64, b.low);
		len += snprintf(name + len, sizeof(name) - (size_t)len, "..");
		if (b.has_high)
			snprintf(name + len, sizeof(name) - (size_t)len, "%" PRId64, b.high);
		put_number(p, name, (int64_t)b.count);
	}
	end_event(p, at);
	return write_out(p);
}

static bool perfetto_whole(void *sink, const struct sink_hit *h)
{
	struct perfetto *p = sink;

	return wholefile_record(&p->file);
}

/* ---- the beginning and the end ---- */

/* Losses are events on a track of their own, at the end. */
static bool perfetto_books(void *sink, const struct books *b)
{
	struct perfetto *p = sink;
	uint64_t time = p->last ? p->last : p->trace->monotonic;

	for (uint32_t i = 0; i < b->nrows; i++) {
		const struct book_row *r = &b->rows[i];
		uint64_t track;
		struct place at;

		if (!(r->book.dropped + r->book.skipped))
			continue;
		track = use_track(p, tracks_named(&p->tracks, TRACK_NAMED, "stap: lost hits", 15));
		at = begin_event(p, time, INSTANT, track);
		protobuf_string(&p->out, EVENT_NAME, r->point);
		put_text(p, "cpu", r->cpu, strlen(r->cpu));
		put_number(p, "hits", (int64_t)r->book.hits);
		put_number(p, "dropped", (int64_t)r->book.dropped);
		put_number(p, "skipped", (int64_t)r->book.skipped);
		end_event(p, at);
		if (!write_out(p))
			return false;
	}
	return true;
}

static bool perfetto_close(void *sink)
{
	struct perfetto *p = sink;
	bool ok = wholefile_close(&p->file);

	if (ok)
		stored_all(p->trace->stored);
	if (p->left_out)
		message_error("%s: %" PRIu64 " events are not in it: of more counters than %d "
			      "tracks, or larger than %u bytes",
			      p->file.name, p->left_out, TRACKS_MOST, ROOM);
	if (p->moved)
		message_warning("%s: %" PRIu64 " events of more than %d tracks are shown on their "
				"CPU's",
				p->file.name, p->moved, TRACKS_MOST);
	ok &= !p->left_out;
	tracks_deinit(&p->tracks);
	free(p->shapes);
	free(p->uses);
	free(p->out.bytes);
	free(p);
	return ok;
}

static size_t fields_of_all(const struct fields *f)
{
	size_t sum = 0;

	for (uint32_t i = 0; i < f->nsites; i++)
		sum += f->sites[i].nfields;
	return sum;
}

static void *perfetto_open(const char *where, const struct sink_trace *t)
{
	struct perfetto *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->file.fd = -1;
	p->trace = t;
	p->shapes = calloc(t->fields->nsites + 1u, sizeof(*p->shapes));
	p->uses = calloc(fields_of_all(t->fields) + 1, sizeof(*p->uses));
	p->out = (struct protobuf){ .bytes = malloc(ROOM), .room = ROOM };
	if (p->shapes && p->uses && p->out.bytes && wholefile_open(&p->file, where, t->stored) &&
	    put_beginning(p) && wholefile_begun(&p->file))
		return p;
	perfetto_close(p);
	return NULL;
}

SINK_OPS(perfetto, perfetto_open, perfetto_item, perfetto_close, .text = perfetto_text,
	 .histogram = perfetto_histogram, .whole = perfetto_whole, .books = perfetto_books);
