/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap-merge: joins the raw files of a run with -b -M, one for each CPU, into the text
 * that the run would have printed. It works on any machine, because the files contain
 * everything that is needed.
 *
 * Exit status: 0 success; 1 something was missing or damaged, and the readable rest was
 * written; 2 usage; 5 hits were lost, with --strict; 141 nobody reads standard output.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/streams.h"
#include "merge/mergeform.h"
#include "merge/options.h"
#include "trace/messages.h"
#include "trace/progress.h"
#include "trace/sink/spool.h"
#include "trace/source/stream.h"
#include "trace/source/vmcore/vmcore.h"

/* Opens the output. Its name may depend on data of the trace. */
static bool open_output(struct trace *t, const struct mergeform_ops *form)
{
	struct filename name = { .pattern = form->pattern(t->options),
				 .module = t->join.module,
				 .cpu = -1 };
	int rc;

	filename_set_host(&name, t->join.host);
	if (strchr(t->join.module, '/')) {
		message_error("the module's name has a slash");
		return false;
	}
	rc = series_output(&t->output, name.pattern ? &name : NULL, &t->options->rotation);
	if (rc)
		message_error("%s: %s", t->output.name, output_wrong(&t->output, rc));
	return !rc;
}

/* Times are relative to the start of the trace's run. */
static void choose_times(struct join *j, const struct options *o)
{
	const struct raw_header *h = &j->parts[0].header;

	if (o->has_from || o->has_to_time)
		join_between(j, o->has_from ? moment_time(&o->from, h->session, h->monotonic) : 0,
			     o->has_to_time ? moment_time(&o->to_time, h->session, h->monotonic)
					    : UINT64_MAX);
}

/* Shows the progress unless the output itself goes to the terminal. */
static void show_progress(const struct trace *t, const struct mergeform_ops *form)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < t->join.nparts; i++)
		total += t->join.parts[i].size;
	if (total && (!form->fills_stdout || t->options->output || !isatty(STDOUT_FILENO)))
		progress_begin(total);
}

static void give_books(struct join *j, const struct options *o)
{
	if (!j->has_books)
		return;
	if (o->books)
		books_print(&j->books);
	else
		books_warn(&j->books, message_warning);
	records_books(&j->records, &j->books, j->merge.records, true);
}

static int merge_all(struct trace *t, const struct mergeform_ops *form)
{
	const struct options *o = t->options;
	struct join *j = &t->join;
	bool ok;

	if (!form->begin(t))
		return EXIT_FAILED;
	j->verbose = o->verbose;
	choose_times(j, o);
	show_progress(t, form);
	join_run(j);
	progress_end();
	if (!output_reader_left(j->output) && !j->records.form->over)
		join_check(j); // only if everything was read
	give_books(j, o);
	message_tee(NULL, NULL);
	ok = form->end(t) && !j->damaged;
	if (output_reader_left(j->output))
		return STREAMS_READER_LEFT;
	if (!ok)
		return EXIT_FAILED;
	return o->strict && books_lost(&j->books) ? EXIT_LOST : EXIT_OK;
}

/* ---- sources ---- */

static bool open_vmcore(struct trace *t, const struct mergeform_ops *form)
{
	const struct options *o = t->options;

	return vmcore_open(&t->join, o->vmcore, o->count ? o->names[0] : NULL, &t->output);
}

static bool open_files(struct trace *t, const struct mergeform_ops *form)
{
	return join_file_open(&t->join, t->options->names, t->options->count, &t->output);
}

/* The input may have to wait for a database. */
static bool open_stream(struct trace *t, const struct mergeform_ops *form)
{
	FILE *in = stdin;

	if (form->spools(t->options)) {
		t->spool = spool_start(STDIN_FILENO, SPOOL_BOUND);
		if (!t->spool)
			return false;
		in = spool_stream(t->spool);
	}
	if (!stream_open(&t->join, in, &t->output))
		return false;
	if (t->spool)
		spool_keep(t->spool, t->join.at);
	return true;
}

static bool open_source(struct trace *t, const struct mergeform_ops *form)
{
	const struct options *o = t->options;

	if (o->vmcore)
		return open_vmcore(t, form);
	if (o->count == 1 && !strcmp(o->names[0], "-"))
		return open_stream(t, form);
	return open_files(t, form);
}

int main(int argc, char **argv)
{
	static struct options options = { .stored = -1 };
	static struct trace t = { .options = &options };
	const struct mergeform_ops *form;
	int status;

	if (!streams_open())
		return EXIT_FAILED;
	status = options_parse(argc, argv, &options);
	if (status >= 0)
		return status;
	message_setup(0, options.no_warnings);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	status = EXIT_FAILED;
	form = mergeform_of(options.form);
	if (open_source(&t, form) && open_output(&t, form) &&
	    stored_open(&t.stored, options.stored, t.join.tables.probes.count))
		status = merge_all(&t, form);
	stored_close(&t.stored);
	join_close(&t.join);
	if (t.spool)
		spool_end(t.spool);
	return message_lost() || streams_flush(stderr) ? EXIT_FAILED : status;
}
