/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bulk.h. */
#include "stapio/bulk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stapio/loop.h"
#include "stapio/options.h"
#include "trace/messages.h"
#include "trace/source/join.h"
#include "trace/source/module.h"

#define BUFFER (512u << 10)
#define READS  16 /* of one ring, before the others have their turn */

int bulk_setup(struct run *r, const struct options *o, const struct merge_ops *ops)
{
	static const struct rotation none;
	struct bulk *b = calloc(1, sizeof(*b));
	struct filename name = { .module = o->module, .cpu = -1 };
	int rc = -ENOMEM;

	memcpy(name.host, r->host, sizeof(name.host));
	if (b) {
		b->ops = ops;
		b->buf = malloc(BUFFER);
		name.pattern = b->pattern = raw_pattern(o->output);
		r->bulk = b;
	}
	if (b && b->buf && b->pattern)
		rc = raw_init(&b->raw, &name, o->keep_raw ? &o->rotation : &none, &r->tables,
			      r->module->nrings);
	if (rc)
		message_error("-b: %s", strerror(-rc));
	return rc ? -1 : 0;
}

/* ---- while it runs ---- */

static long broken(struct run *r, unsigned ring, const char *what)
{
	message_error("the module's output is damaged: ring %u: %s", ring, what);
	r->broken = true;
	return -1;
}

/*
 * Handles the records that are more than a line of output at once. buf is aligned.
 * Returns the number of records, or -1.
 */
static long look_at(struct run *r, unsigned ring, const char *buf, size_t size)
{
	const char *at = buf, *end = buf + size, *wrong = NULL;
	long records = 0;

	for (; at < end; records++) {
		const struct stp_record *head = (const struct stp_record *)at;

		if ((size_t)(end - at) < sizeof(*head))
			return broken(r, ring, "record cut short");
		at += sizeof(*head) + STP_RECORD_ALIGN((size_t)head->len);
		if (head->kind >= RECORD_KINDS || head->flags & ~RECORD_FLAGS || at > end)
			return broken(r, ring, "not a record");
		if (head->kind != RECORD_OUTPUT && head->kind != RECORD_LOG)
			wrong = r->bulk->ops->emit(r, ring, head, (const uint8_t *)(head + 1));
		if (wrong)
			return broken(r, ring, wrong);
	}
	return records;
}

/*
 * Reads once, into the buffer of the ring's file where that takes records as they are.
 * Returns the number of records, or -1.
 */
static long read_once(struct run *r, unsigned ring)
{
	struct bulk *b = r->bulk;
	size_t room = BUFFER;
	char *place = raw_place(&b->raw, ring, &room), *to = place ? place : b->buf;
	ssize_t size = b->ops->read(r, ring, to, room);
	long n;

	if (size < 0)
		return broken(r, ring, strerror((int)-size));
	n = look_at(r, ring, to, (size_t)size);
	if (n > 0 && place)
		raw_took(&b->raw, ring, (size_t)size);
	else if (n > 0 && raw_write(&b->raw, ring, b->buf, (size_t)size))
		return -1;
	return n;
}

static long ring_round(struct run *r, unsigned ring)
{
	long all = 0, n;

	for (unsigned i = 0; i < READS; i++) {
		n = read_once(r, ring);
		if (n < 0) {
			r->broken = true;
			return -1;
		}
		if (!n)
			break;
		all += n;
	}
	return all;
}

long bulk_round(struct run *r)
{
	long all = 0;

	for (unsigned ring = 0; ring < r->module->nrings; ring++) {
		long n = ring_round(r, ring);

		if (n < 0)
			return -1;
		all += n;
	}
	raw_flush(&r->bulk->raw);
	r->stop_wanted |= raw_failed(&r->bulk->raw);
	r->merge.records += (uint64_t)all;
	return all;
}

/* ---- the end ---- */

static bool join_files(struct run *r, const struct options *o, char **names, unsigned n)
{
	struct json json = { .form.over = false };
	struct join j;
	bool ok = join_file_open(&j, names, n, &r->output);

	j.records.quiet = true;
	if (ok && o->json)
		json_start(&json, &j.records, j.nrings, o->module, r->host, &r->bulk->raw.header);
	if (ok) {
		join_run(&j);
		join_check(&j);
		if (j.has_books)
			records_books(&j.records, &j.books, j.merge.records, true);
		ok = !j.damaged && !r->output.error;
	}
	r->records.late += j.records.late;
	join_close(&j);
	json_deinit(&json);
	return ok;
}

static bool join_and_remove(struct run *r, const struct options *o)
{
	unsigned n;
	char **names = raw_names(&r->bulk->raw, &n);
	bool ok = names && join_files(r, o, names, n);

	for (unsigned i = 0; ok && i < n; i++)
		if (unlink(names[i]))
			message_warning("removing %s: %s", names[i], strerror(errno));
	if (!ok)
		message_warning("the raw files stay; stap-merge joins them");
	free(names);
	return ok;
}

bool bulk_finish(struct run *r, const struct options *o)
{
	struct bulk *b = r->bulk;
	char *books = NULL;
	bool ok;

	if (module_read_books(r->module, &books) < 0)
		books = NULL;
	ok = raw_close(&b->raw, books);
	message_verbose("%" PRIu64 " bytes written to raw files", b->raw.bytes);
	if (!o->keep_raw)
		ok = join_and_remove(r, o) && ok;
	raw_deinit(&b->raw);
	free(books);
	free(b->pattern);
	free(b->buf);
	free(b);
	r->bulk = NULL;
	return ok;
}
