/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes lket.out: as the program of 2006 did, or with -f as that of 2007. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/outfile.h"
#include "trace/messages.h"
#include "trace/sink/lket/convert.h"

static bool failed(struct convert *c, const char *why)
{
	message_error("%s: %s", c->options->text_name, why);
	return false;
}

static const char *timing_name(unsigned timing)
{
	return timing == 1 ? "get_cycles()" : timing == 3 ? "sched_clock()" : "do_gettimeofday()";
}

static void put_header(struct convert *c, FILE *f)
{
	const struct trace_header *h = &c->header;

	fprintf(f,
		"LKET Magic:\t0xAEFCDB6B\nInitHdrLen:\t%u\nVersion Major:\t%u\n"
		"Version Minor:\t%u\nBig endian:\t%s\n",
		h->header_len, h->major, h->minor, h->big_endian ? "YES" : "NO");
	if (c->options->full && h->has_timing)
		fprintf(f, "Timing method:\t%s\n", timing_name(h->timing));
	fprintf(f, "Bits width:\t%u\n", h->width);
	if (c->options->full && h->has_timing)
		fprintf(f, "Initial CPU timebase:\t%" PRIu32 " (cycles per microsecond)\n",
			h->timebase);
}

static bool begin(struct convert *c, void **ret)
{
	struct outfile out;
	int rc = outfile_open(&out, c->options->text_name, 0666);
	FILE *f;

	if (rc)
		return failed(c, outfile_error(&out, rc));
	close(out.dir);
	f = fdopen(out.fd, "w");
	if (!f)
		return failed(c, strerror(errno));
	put_header(c, f);
	*ret = f;
	return true;
}

/*
 * Prints a string. Characters that would end the line, or look like a value, are shown as
 * "\012".
 */
static void put_string(FILE *f, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte < ' ' || byte == 127)
			fprintf(f, "\\%03o", byte);
		else
			putc(byte, f);
	}
}

/* Prints the name of a field, or its number if it has no name. */
static void put_name(FILE *f, const struct registry_hook *h, const struct event *e, unsigned i)
{
	const struct registry_fields *from = i < e->nown ? &h->own : &h->user;
	unsigned n = i < e->nown ? i : i - e->nown;

	if (from->known && n < from->count)
		put_string(f, from->names[n], strlen(from->names[n]));
	else
		fprintf(f, "%s%u", i < e->nown ? "arg" : "user", n + 1);
	putc(':', f);
}

static void put_fields(FILE *f, const struct registry_hook *h, const struct event *e)
{
	for (unsigned i = 0; i < e->nfields; i++) {
		put_name(f, h, e, i);
		if (e->fields[i].type == EVENT_STRING)
			put_string(f, e->fields[i].text, e->fields[i].len);
		else
			fprintf(f, "%" PRId64, e->fields[i].number);
		putc(',', f);
	}
}

/* "2.527880 CPU:0 TID:2450, PID:2450, PPID:1, APPNAME:bash EVT_NAME:pagefault ..." */
static void put_full(struct convert *c, FILE *f, const struct registry_hook *h,
		     const struct event *e, uint64_t usec)
{
	fprintf(f,
		"\n%" PRIu64 ".%06" PRIu64 " CPU:%u TID:%" PRId32 ", PID:%" PRId32 ", PPID:%" PRId32
		", ",
		usec / 1000000, usec % 1000000, e->cpu, e->tid, e->pid, e->ppid);
	if (c->options->processes) {
		const char *name = names_of(&c->names, e);

		fputs("APPNAME:", f);
		put_string(f, name, strlen(name));
		putc(' ', f);
	}
	if (c->options->names) {
		fputs("EVT_NAME:", f);
		put_string(f, h->name ? h->name : "?", strlen(h->name ? h->name : "?"));
		putc(' ', f);
	}
	if (c->options->ids)
		fprintf(f, "HOOKGRP:%u HOOKID:%u ", e->group, e->hook);
}

static void put_short(struct convert *c, FILE *f, const struct event *e, uint64_t usec)
{
	const char *name = names_of(&c->names, e);

	fprintf(f, "\n%" PRIu64 " APPNAME: ", usec);
	put_string(f, name, strlen(name));
	fprintf(f, " PID:%" PRId32 " CPU:%u HOOKGRP:%u HOOKID:%u -- ", e->tid, e->cpu, e->group,
		e->hook);
}

static bool take_event(struct convert *c, void *form, const struct event *e)
{
	const struct registry_hook *h = registry_of(&c->registry, e->group, e->hook);
	uint64_t usec = e->usec < c->first_usec ? 0 : e->usec - c->first_usec;
	FILE *f = form;

	if (!h)
		return failed(c, "no memory");
	if (c->options->full)
		put_full(c, f, h, e, usec);
	else
		put_short(c, f, e, usec);
	put_fields(f, h, e);
	return !ferror(f) || failed(c, "it cannot be written");
}

static bool end(struct convert *c, void *form, const struct books *books)
{
	FILE *f = form;
	bool ok;

	putc('\n', f);
	ok = !ferror(f);
	ok = !fclose(f) && ok;
	return ok || failed(c, strerror(errno));
}

const struct lketform_ops text_form = { .begin = begin, .event = take_event, .end = end };
