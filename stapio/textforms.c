/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forms of a run that are written at once: text, tables on a terminal, JSON. */
#include "lib/heatcolor.h"
#include "stapio/loop.h"
#include "stapio/options.h"
#include "stapio/runform.h"
#include "trace/form/json.h"
#include "trace/form/top.h"
#include "trace/source/module.h"

static struct top top;
static struct json json;

/* ---- text ---- */

/* True: text goes directly to a terminal that shows colours. */
static bool is_coloured(const struct run *r, const struct options *o)
{
	if (o->color == COLOR_NEVER)
		return false;
	return o->color == COLOR_ALWAYS ||
	       (!r->output.has_files && heatcolor_is_shown(r->output.fd));
}

static int text_start(struct run *r, const struct options *o, struct records *records,
		      const struct raw_header *header)
{
	if (header) // of -b: the contents of its files are written unchanged
		return 0;
	if (is_coloured(r, o))
		textform_color(&records->text, &records->fields);
	return runform_reserve(r);
}

RUNFORM_OPS(text, runform_no_open, text_start, runform_merge, runform_look_at_clock,
	    runform_next_file, runform_no_child, runform_no_stored, runform_no_end, runform_close,
	    .fills_stdout = false);

/* ---- tables ---- */

static void on_key(void *ctx, char key)
{
	struct run *r = ctx;

	r->stop_wanted |= !top_key(&top, key);
}

/* Without a terminal, the output is the same text as without --top. */
static int table_start(struct run *r, const struct options *o, struct records *records,
		       const struct raw_header *header)
{
	top_init(&top, &r->output);
	if (top.output) {
		top_start(&top, records);
		r->input.key = on_key;
		r->input.key_ctx = r;
	}
	return text_start(r, o, records, header);
}

static bool table_close(struct run *r)
{
	top_deinit(&top);
	return runform_close(r);
}

RUNFORM_OPS(table, runform_no_open, table_start, runform_merge, runform_look_at_clock,
	    runform_next_file, runform_no_child, runform_no_stored, runform_no_end, table_close,
	    .fills_stdout = false);

/* ---- JSON ---- */

static int json_form_start(struct run *r, const struct options *o, struct records *records,
			   const struct raw_header *header)
{
	json_start(&json, records, r->module->nrings, o->module, r->host, header);
	if (header) // messages were printed during the run
		return 0;
	json_messages(&json);
	return runform_reserve(r);
}

static bool json_form_close(struct run *r)
{
	bool ok = runform_close(r);

	json_deinit(&json);
	return ok;
}

RUNFORM_OPS(json, runform_no_open, json_form_start, runform_merge, runform_look_at_clock,
	    runform_next_file, runform_no_child, runform_no_stored, runform_no_end, json_form_close,
	    .is_data = true, .fills_stdout = true);
