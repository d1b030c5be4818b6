/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See join.h: the code that all sources share. */
#include "trace/source/join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/messages.h"
#include "trace/source/sources.h"

#define BOOKS_MAX (64u << 20)

const char join_past[] = "past the end";

/* ---- reading ---- */

bool join_add_books(struct join *j, const struct stp_record *head, const uint8_t *body)
{
	char *larger = j->books_len < BOOKS_MAX
			       ? realloc(j->books_text, j->books_len + head->len + 1)
			       : NULL;

	if (!larger)
		return false;
	j->books_text = larger;
	memcpy(larger + j->books_len, body, head->len);
	j->books_len += head->len;
	larger[j->books_len] = 0;
	return true;
}

void join_drop_books(struct join *j)
{
	free(j->books_text);
	j->books_text = NULL;
	j->books_len = 0;
}

/* ---- writing ---- */

/*
 * Returns the function that ends the merge: join_past, or nothing before the first wanted
 * record.
 */
static __attribute__((cold, noinline)) const char *outside(const struct join *j, uint64_t time)
{
	return time < j->from ? NULL : join_past;
}

const char *join_emit(void *ctx, unsigned ring, const struct stp_record *head, const uint8_t *body)
{
	struct join *j = ctx;
	char text[64], cpu[16];
	const char *wrong;

	if (head->time < j->from || head->time > j->to)
		return outside(j, head->time);
	if (j->verbose && head->kind == RECORD_OUTPUT && !j->records.continued) {
		int n = snprintf(text, sizeof(text), "[%s,%" PRIu64 ",%u]",
				 dictionary_cpu_name(ring, j->nrings, cpu), ++j->sequence,
				 head->len);

		output_put(j->output, text, (size_t)n);
	}
	wrong = records_emit(&j->records, ring, head, body);
	j->stopped |= j->records.form->over;
	j->damaged |= j->records.form->failed;
	return wrong;
}

const uint8_t *join_emit_run(void *ctx, const uint8_t *at, const uint8_t *end, uint64_t until,
			     uint64_t *records)
{
	struct join *j = ctx;

	if (j->from || j->to != UINT64_MAX || j->verbose)
		return at;
	return records_emit_run(&j->records, at, end, until, records);
}

const char *join_merge(struct join *j, const struct merge_ops *ops, join_report report)
{
	const struct merge_error *e = &j->merge.error;
	long n;

	if (merge_init(&j->merge, j->nrings, JOIN_BUFFER, ops, j)) {
		message_error("no memory for the buffers");
		j->damaged = true;
		return NULL;
	}
	do {
		n = merge_round(&j->merge, MERGE_FINAL);
	} while (n > 0 && !j->output->error && !j->stopped);
	output_flush_all(j->output);
	if (n >= 0)
		return NULL;
	if (e->what == join_past)
		return join_past;
	j->damaged = true;
	if (!j->reported)
		report(j, e->ring, e->offset, e->what);
	return e->what;
}

void join_between(struct join *j, uint64_t from, uint64_t to)
{
	j->from = from;
	j->to = to;
	j->source->seek(j);
}

void join_run(struct join *j)
{
	j->source->run(j);
}

/* ---- the books ---- */

void join_check(struct join *j)
{
	const char *wrong;

	if (!j->books_text) {
		message_warning("the books of the run are missing: it was cut off, or "
				"the file of CPU slow is missing");
		j->damaged = true;
		return;
	}
	j->source->check(j);
	j->books_copy = strdup(j->books_text);
	wrong = books_parse(&j->books, j->books_text, j->tables.probes.count);
	j->books_text = NULL;
	j->has_books = !wrong;
	if (wrong) {
		message_error("%s", wrong);
		j->damaged = true;
	}
}

void join_close(struct join *j)
{
	if (j->source)
		j->source->close(j);
	if (j->merge.rings)
		merge_deinit(&j->merge);
	records_deinit(&j->records);
	books_deinit(&j->books);
	dictionary_deinit(&j->tables);
	free(j->books_text);
	free(j->books_copy);
	free(j->parts);
	free(j->module);
	free(j->host);
}
