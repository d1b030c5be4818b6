/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of a run with -b: while the script runs, the records of each CPU are written
 * unchanged to a separate raw file; only warnings, errors and commands are handled. At
 * the end the files are converted to another form and removed, unless -M keeps them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stapio/loop.h"
#include "stapio/options.h"
#include "stapio/runform.h"
#include "trace/messages.h"
#include "trace/source/join.h"
#include "trace/source/module.h"
#include "trace/source/raw.h"

#define BUFFER (512u << 10)
#define READS  16 /* from one ring, before it is the turn of the others */

static struct {
	struct raw raw;
	char *pattern, *buf;
} bulk;

static int bulk_start(struct run *r, const struct options *o, struct records *records,
		      const struct raw_header *header)
{
	static const struct rotation none;
	struct filename name = { .module = o->module, .cpu = -1 };
	int rc = -ENOMEM;

	memcpy(name.host, r->host, sizeof(name.host));
	name.pattern = bulk.pattern = raw_pattern(o->output);
	bulk.buf = malloc(BUFFER);
	if (bulk.buf && bulk.pattern)
		rc = raw_init(&bulk.raw, &name, o->keep_raw ? &o->rotation : &none, &r->tables,
			      r->module->nrings);
	bulk.raw.wait = loop_wait;
	bulk.raw.wait_ctx = r;
	if (rc)
		message_error("-b: %s", strerror(-rc));
	return rc ? -1 : 0;
}

/* ---- while the script runs ---- */

static long broken(unsigned ring, const char *what)
{
	message_error("the module's output is damaged: ring %u: %s", ring, what);
	return -1;
}

/*
 * Handles the records that are not just output. buf is aligned. Returns the number of
 * records, or -1.
 */
static long look_at(struct run *r, unsigned ring, const char *buf, size_t size)
{
	const char *at = buf, *end = buf + size, *wrong = NULL;
	long records = 0;

	for (; at < end; records++) {
		const struct stp_record *head = (const struct stp_record *)at;

		if ((size_t)(end - at) < sizeof(*head))
			return broken(ring, "record cut short");
		at += sizeof(*head) + STP_RECORD_ALIGN((size_t)head->len);
		if (head->kind >= RECORD_KINDS || head->flags & ~RECORD_FLAGS || at > end)
			return broken(ring, "not a record");
		if (head->kind != RECORD_OUTPUT && head->kind != RECORD_LOG)
			wrong = runform_emit(r, ring, head, (const uint8_t *)(head + 1));
		if (wrong)
			return broken(ring, wrong);
	}
	return records;
}

/*
 * Reads once, directly into the buffer of the ring's file if possible. Returns the number
 * of records, or -1.
 */
static long read_once(struct run *r, unsigned ring)
{
	size_t room = BUFFER;
	char *place = raw_place(&bulk.raw, ring, &room), *to = place ? place : bulk.buf;
	ssize_t size = loop_read(r, ring, to, room);
	long n;

	if (size < 0)
		return broken(ring, strerror((int)-size));
	n = look_at(r, ring, to, (size_t)size);
	if (n > 0 && place)
		raw_took(&bulk.raw, ring, (size_t)size);
	else if (n > 0 && raw_write(&bulk.raw, ring, bulk.buf, (size_t)size))
		return -1;
	return n;
}

static long ring_round(struct run *r, unsigned ring)
{
	long all = 0, n;

	for (unsigned i = 0; i < READS; i++) {
		n = read_once(r, ring);
		if (n < 0)
			return -1;
		if (!n)
			break;
		all += n;
	}
	return all;
}

static long bulk_round(struct run *r, uint64_t horizon)
{
	long all = 0;

	for (unsigned ring = 0; ring < r->module->nrings; ring++) {
		long n = ring_round(r, ring);

		if (n < 0)
			return -1;
		all += n;
	}
	raw_flush(&bulk.raw);
	r->stop_wanted |= raw_failed(&bulk.raw);
	r->merge.records += (uint64_t)all;
	return all;
}

static void bulk_look_at_clock(struct run *r)
{
	raw_look_at_clock(&bulk.raw);
}

static void bulk_next_file(struct run *r)
{
	raw_next_files(&bulk.raw);
}

/* ---- the end ---- */

static bool join_files(struct run *r, const struct options *o, char **names, unsigned n)
{
	struct join j;
	bool ok = join_file_open(&j, names, n, &r->output);

	j.records.quiet = true;
	ok = ok && !r->joined->start(r, o, &j.records, &bulk.raw.header);
	if (ok) {
		join_run(&j);
		join_check(&j);
		if (j.has_books)
			records_books(&j.records, &j.books, j.merge.records, true);
		ok = !j.damaged && !r->output.error;
	}
	r->records.late += j.records.late;
	join_close(&j);
	return ok;
}

static bool join_and_remove(struct run *r, const struct options *o)
{
	unsigned n;
	char **names = raw_names(&bulk.raw, &n);
	bool ok = names && join_files(r, o, names, n);

	for (unsigned i = 0; ok && i < n; i++)
		if (unlink(names[i]))
			message_warning("removing %s: %s", names[i], strerror(errno));
	if (!ok)
		message_warning("the raw files stay; stap-merge joins them");
	free(names);
	return ok;
}

static bool bulk_end(struct run *r, const struct options *o)
{
	char *books = NULL;
	bool ok;

	if (module_read_books(r->module, &books) < 0)
		books = NULL;
	ok = raw_close(&bulk.raw, books);
	message_verbose("%" PRIu64 " bytes written to raw files", bulk.raw.bytes);
	if (!o->keep_raw)
		ok = join_and_remove(r, o) && ok;
	raw_deinit(&bulk.raw);
	free(books);
	free(bulk.pattern);
	free(bulk.buf);
	return ok;
}

static bool bulk_close(struct run *r)
{
	return r->joined->close(r);
}

RUNFORM_OPS(bulk, runform_no_open, bulk_start, bulk_round, bulk_look_at_clock, bulk_next_file,
	    runform_no_child, runform_no_stored, bulk_end, bulk_close, .files = "-b",
	    .is_data = true);
