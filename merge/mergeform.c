/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See mergeform.h. */
#include "merge/mergeform.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "merge/options.h"
#include "trace/form/json.h"
#include "trace/messages.h"
#include "trace/sink/sink.h"
#include "trace/sink/storedlines.h"
#include "trace/source/raw.h"

static struct storedlines lines;
static struct json json;
static struct sink sink;
static struct raw raw;

const struct mergeform_ops *mergeform_of(enum mergeform form)
{
	static const struct mergeform_ops *const rows[] = {
#define MERGEFORM(name, what) &mergeform_##name,
#include "merge/mergeforms.def"
	};

	return rows[form];
}

static const char *output_pattern(const struct options *o)
{
	return o->output;
}

static const char *no_pattern(const struct options *o)
{
	return NULL;
}

static bool no_spool(const struct options *o)
{
	return false;
}

/* ---- text ---- */

/* With --stored, the written lines are counted. */
static bool text_begin(struct trace *t)
{
	struct join *j = &t->join;

	if (t->options->stored < 0)
		return true;
	lines = (struct storedlines){ .output = j->output,
				      .stored = &t->stored,
				      .since = sink_now() };
	j->lines = &lines;
	j->line = storedlines_record;
	return true;
}

static bool text_end(struct trace *t)
{
	bool ok = output_close(t->join.output);

	if (t->join.lines)
		storedlines_settle(t->join.lines);
	return ok;
}

MERGEFORM_OPS(text, output_pattern, no_spool, text_begin, text_end, .fills_stdout = true);

/* ---- JSON ---- */

static bool json_begin(struct trace *t)
{
	struct join *j = &t->join;

	json_start(&json, &j->records, j->nrings, j->module, j->host, &j->parts[0].header);
	json_messages(&json);
	return text_begin(t);
}

static bool json_end(struct trace *t)
{
	json_deinit(&json);
	return text_end(t);
}

MERGEFORM_OPS(json, output_pattern, no_spool, json_begin, json_end, .fills_stdout = true);

/* ---- raw files ---- */

/* True: the file is one of the input files. */
static bool is_input(const struct join *j, const char *name)
{
	struct stat a, b;

	if (stat(name, &a))
		return false;
	for (unsigned i = 0; i < j->nparts; i++)
		if (!stat(j->parts[i].name, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino) {
			message_error("%s: it would be written over while it is read", name);
			return true;
		}
	return false;
}

static bool raw_begin(struct trace *t)
{
	const struct options *o = t->options;
	struct join *j = &t->join;
	struct filename name = { .pattern = raw_pattern(o->output), .module = j->module };
	char path[PATH_MAX];

	filename_set_host(&name, j->host);
	for (unsigned i = 0; name.pattern && i < j->nrings; i++) {
		name.cpu = i + 1 == j->nrings ? FILENAME_SLOW : (int)i;
		if (!filename_expand(&name, time(NULL), path) && is_input(j, path))
			return false;
	}
	if (!name.pattern || raw_init(&raw, &name, &o->rotation, &j->tables, j->nrings)) {
		message_error("-b: no memory");
		return false;
	}
	raw.header.session = j->parts[0].header.session;
	raw.header.monotonic = j->parts[0].header.monotonic;
	raw_start(&raw, &j->records);
	return true;
}

static bool raw_end(struct trace *t)
{
	bool ok = raw_close(&raw, t->join.books_copy);

	return output_close(t->join.output) && ok;
}

MERGEFORM_OPS(raw, no_pattern, no_spool, raw_begin, raw_end, .fills_stdout = false);

/* ---- data ---- */

static bool spools(const struct options *o)
{
	return sink_spools(o->sink);
}

static bool sink_begin(struct trace *t)
{
	static struct sink_trace known;

	known = sink_trace_of(&t->join);
	known.spool = t->spool;
	known.stored = &t->stored;
	if (!sink_open(&sink, t->options->sink, &known))
		return false;
	sink_start(&sink, &t->join.records);
	return true;
}

static bool sink_end(struct trace *t)
{
	struct join *j = &t->join;
	bool ok = sink_close(&sink, j->has_books ? &j->books : NULL);

	// A truncated stream is the remainder of an interrupted run.
	if (j->cut_off && !sink.form.over)
		message_error("%s: %" PRIu64 " records are stored", "standard input",
			      stored_sum(&t->stored));
	return output_close(j->output) && ok;
}

MERGEFORM_OPS(sink, output_pattern, spools, sink_begin, sink_end, .fills_stdout = false);
