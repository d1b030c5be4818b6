/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapio: the unprivileged side of a run. staprun has loaded the module and opened its
 * files; stapio starts the script, merges the output of the CPUs, formats it, writes it,
 * and stops the script cleanly.
 *
 * Exit status: 0 success; 1 an error of the script or of the run; 2 usage; 5 hits were
 * lost, with --strict.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/confined.h"
#include "lib/functiontracer.h"
#include "lib/streams.h"
#include "stapio/gathering.h"
#include "stapio/loop.h"
#include "stapio/options.h"
#include "stapio/places.h"
#include "stapio/sandbox.h"
#include "trace/books.h"
#include "trace/messages.h"
#include "trace/source/module.h"

#define RING_BUFFER (512u << 10) /* bytes for each ring in this process */

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_LOST = 5 };

static int setup_failed(const char *what, const char *why)
{
	message_error("%s: %s", what, why);
	return -1;
}

/*
 * Marks the module's files as close-on-exec: a file that a command inherits would prevent
 * the removal of the module.
 */
static int close_on_exec(const struct module *m)
{
	int rc = fcntl(m->ctl, F_SETFD, FD_CLOEXEC) | fcntl(m->formats, F_SETFD, FD_CLOEXEC) |
		 fcntl(m->probes, F_SETFD, FD_CLOEXEC) | fcntl(m->books, F_SETFD, FD_CLOEXEC);

	if (m->globals)
		rc |= fcntl(m->globals, F_SETFD, FD_CLOEXEC);
	if (m->about)
		rc |= fcntl(m->about, F_SETFD, FD_CLOEXEC);
	for (unsigned i = 0; i < m->nrings; i++)
		rc |= fcntl(m->rings[i], F_SETFD, FD_CLOEXEC);
	return rc;
}

static int check_hello(struct module *m, const char *name)
{
	int rc = module_hello(m);

	if (rc)
		return setup_failed(name,
				    rc == -ENOTTY ? "this is not a module of stap" : strerror(-rc));
	if (m->hello.abi != STP_ABI) {
		message_error("%s speaks interface %u, this stapio speaks %u: build the module and "
			      "stapio "
			      "from the same stap",
			      name, m->hello.abi, STP_ABI);
		return -1;
	}
	if (m->hello.nrings != m->nrings) {
		message_error("%s has %u rings, --fds names %u", name, m->hello.nrings, m->nrings);
		return -1;
	}
	message_verbose("%s: %u probes, %u formats, %u rings of %u bytes", name, m->hello.nprobes,
			m->hello.nformats, m->hello.nrings, m->hello.ring_bytes);
	return 0;
}

static const char *emit(void *ctx, unsigned ring, const struct stp_record *head,
			const uint8_t *body)
{
	return runform_emit(ctx, ring, head, body);
}

static const uint8_t *emit_run(void *ctx, const uint8_t *at, const uint8_t *end, uint64_t until,
			       uint64_t *records)
{
	struct run *r = ctx;

	return records_emit_run(&r->records, at, end, until, records);
}

/* True: stdout is for data only, and commands print to stderr. */
static bool is_stdout_data(const struct run *r, const struct options *o)
{
	return r->joined->fills_stdout && !o->output;
}

static int setup_target(struct run *r, const struct options *o)
{
	int rc = 0;

	target_init(&r->target);
	if (o->command)
		rc = target_run(&r->target, o->command, &r->signals, is_stdout_data(r, o));
	else if (o->target)
		rc = target_attach(&r->target, (pid_t)o->target);
	if (rc == -ESRCH)
		return setup_failed("-x", confined_in(CONFINED_PID)
						  ? "there is no such process; " CONFINED_PID_HINT
						  : "there is no such process");
	return rc ? setup_failed(o->command ? "-c" : "-x", command_reason(rc)) : 0;
}

static int setup_output(struct run *r, const struct options *o)
{
	struct filename name = { .pattern = o->output, .module = o->module, .cpu = -1 };
	bool to_file = o->output && !o->keep_raw;
	int rc;

	memcpy(name.host, r->host, sizeof(name.host));
	rc = series_output(&r->output, to_file ? &name : NULL, &o->rotation);
	if (rc)
		return setup_failed(r->output.name, output_wrong(&r->output, rc));
	r->output.waits_for_room = r->output.has_files && o->waits_for_room;
	return r->form->open(r, o);
}

/* Sets up the output of the module's records, in the chosen form. */
static int setup_records(struct run *r, const struct options *o)
{
	static const struct merge_ops ops = {
		.read = loop_read, .empties = true, .emit = emit, .emit_run = emit_run
	};

	if (!records_init(&r->records, &r->tables, &r->output))
		return setup_failed(o->module, strerror(ENOMEM));
	records_commands(&r->records, commands_add, &r->commands);
	if (merge_init(&r->merge, r->module->nrings, RING_BUFFER, &ops, r))
		return setup_failed("buffers", strerror(ENOMEM));
	return r->form->start(r, o, &r->records, NULL);
}

/* Releases the command, in the thread of r->control, unless begin has called exit(). */
static void on_start(void *ctx)
{
	struct run *r = ctx;
	struct stp_status s;

	places_confine_thread(r);
	if (!module_status(r->module, &s) && s.state == STP_RUNNING)
		target_release(&r->target);
}

static int start(struct run *r, const struct options *o)
{
	struct start_options s = { .target = r->target.pid,
				   .on_full = o->on_full,
				   .keep = o->leave,
				   .as_data = r->form->is_data,
				   .verbose = o->verbose > 0 };
	int rc;

	if (o->leave && !o->on_full_given)
		s.on_full = STP_OVERWRITE;
	r->leave = o->leave;
	r->ready = o->ready;
	if (o->ready >= 0 && fcntl(o->ready, F_SETFD, FD_CLOEXEC))
		return setup_failed("--ready", strerror(errno));
	r->wait_ms = (int)o->wait_ms;
	signals_read(&r->signals);
	if (r->signals.stop && !o->attach)
		return setup_failed(o->module, "interrupted before the start");
	r->control = (struct control){
		.options = s,
		.target = r->target.watch,
		.timeout_ns = (uint64_t)o->timeout * 1000000000u + o->has_timeout,
		.started = on_start,
		.ctx = r,
	};
	rc = control_start(&r->control, r->module, o->attach);
	return rc ? setup_failed("making a thread", strerror(-rc)) : 0;
}

/* Checks -A: a module that was never started cannot be started here. */
static int check_attach(struct run *r, const struct options *o)
{
	struct stp_status s;
	int rc = module_status(r->module, &s);

	if (rc)
		return setup_failed(o->module, strerror(-rc));
	if (s.state == STP_LOADED)
		return setup_failed(o->module, "it has not been started");
	return 0;
}

static int setup(struct run *r, const struct options *o)
{
	const char *wrong;
	int rc;

	r->form = runform_of(o->form);
	r->joined = runform_of(o->joined);
	r->name = o->module;
	if (close_on_exec(r->module))
		return setup_failed("--fds", strerror(errno));
	if (check_hello(r->module, o->module) || (o->attach && check_attach(r, o)))
		return -1;
	if (gethostname(r->host, sizeof(r->host) - 1))
		return setup_failed("the host's name", strerror(errno));
	if (setup_output(r, o))
		return -1;
	if (places_settle(r, o))
		return -1;
	rc = signals_setup(&r->signals);
	if (rc)
		return setup_failed("signals", strerror(-rc));
	rc = commands_init(&r->commands, &r->signals, r->module->hello.runs_commands,
			   is_stdout_data(r, o));
	if (rc)
		return setup_failed("the starter of commands", strerror(-rc));
	wrong = module_read_tables(r->module, &r->tables);
	if (wrong)
		return setup_failed(o->module, wrong);
	input_init(&r->input);
	if (setup_records(r, o) || setup_target(r, o))
		return -1;
	rc = o->ready >= 0 ? message_log_open() : 0;
	if (rc)
		message_warning(
			"the system's log cannot be reached: %s; messages are lost when the script "
			"runs in the background",
			strerror(-rc));
	gathering_prepare();
	rc = sandbox_enter(r->target.is_command ? r->target.pid : 0);
	if (rc)
		message_verbose("no filter of system calls: %s", strerror(-rc));
	// Without -A this happens when the probes are in place and the script's files are
	// open.
	if (o->attach) {
		places_confine(r);
		gathering_start(r->module);
	}
	return start(r, o);
}

/* Reports the script's own errors. True: the run failed by them. */
static bool report_errors(struct run *r, const struct books *b)
{
	struct stp_status s = { 0 };

	if (module_status(r->module, &s))
		return true;
	if (s.failed || s.errors)
		message_warning("Number of errors: %" PRIu64 ", skipped probes: %" PRIu64, s.errors,
				b->total.skipped - b->reasons[STP_SKIP_ERROR]);
	if (s.warnings_lost)
		message_warning("%" PRIu64
				" warnings and errors of the script were lost (buffer full)",
				s.warnings_lost);
	return s.failed || s.errors > s.suppressed || r->records.errors;
}

static void print_books(const struct run *r, const struct books *b)
{
	books_print(b);
	fprintf(stderr, "records: %" PRIu64 " merged, %" PRIu64 " out of order", r->merge.records,
		r->records.late);
	if (b->stored)
		fprintf(stderr, ", %" PRIu64 " given, %" PRIu64 " stored", b->given, b->all_stored);
	fputc('\n', stderr);
}

static int report_books(struct run *r, const struct options *o)
{
	int status = EXIT_OK;
	struct books books;
	const char *wrong = module_parse_books(r->module, &books);

	if (wrong) {
		message_error("%s", wrong);
		status = EXIT_FAILED;
	} else {
		r->form->stored(r, &books);
		if (report_errors(r, &books))
			status = EXIT_FAILED;
		if (o->print_books)
			print_books(r, &books);
		else if (!r->detached)
			books_warn(&books, message_warning);
		records_books(&r->records, &books, r->merge.records, !r->detached);
		if (status == EXIT_OK && o->strict && books_lost(&books))
			status = EXIT_LOST;
	}
	books_deinit(&books);
	return status;
}

static int finish(struct run *r, const struct options *o)
{
	bool failed = r->gave_up || r->broken || r->control.phase == CONTROL_FAILED;
	int status;
	bool closed;

	output_flush(&r->output);
	if (r->gave_up)
		message_warning("interrupted again: unread output is lost");
	if (!r->detached)
		failed |= target_finish(&r->target);
	failed |= !r->form->end(r, o);
	message_verbose("%" PRIu64 " records merged, %" PRIu64 " of them early; %" PRIu64
			" bytes written",
			r->merge.records, r->merge.forced, r->output.bytes);
	status = r->gave_up ? EXIT_FAILED : report_books(r, o);
	message_tee(NULL, NULL);
	closed = r->form->close(r);
	failed |= !closed && !output_reader_left(&r->output);
	failed |= message_lost() || streams_flush(stderr);
	if (failed || status)
		return failed ? EXIT_FAILED : status;
	return closed ? EXIT_OK : STREAMS_READER_LEFT;
}

/* Returns the exit status of -h and -V: 0 if their text was written. */
static int report_flushed(void)
{
	int error = streams_flush(stdout);

	if (error)
		message_error("writing stdout: %s", strerror(error));
	return error ? EXIT_FAILED : EXIT_OK;
}

/*
 * In stap, -T ends the script after this many seconds; a short interval may be a mistake.
 */
static void hint_timeout(const struct options *o)
{
	if (o->wait_ms && o->wait_ms < LOOP_WAIT_MS && !o->has_timeout)
		message_warning("-T %ld looks for output every %ld ms; --timeout=%ld ends the "
				"script after %ld seconds",
				o->wait_ms, o->wait_ms, o->wait_ms, o->wait_ms);
}

int main(int argc, char **argv)
{
	static struct module module;
	static struct run run = { .module = &module };
	struct options options;
	int status;

	if (!streams_open())
		return EXIT_FAILED;
	switch (options_parse(argc, argv, &options, &module)) {
	case OPTIONS_EXIT:
		return report_flushed();
	case OPTIONS_WRONG:
		return EXIT_USAGE;
	case OPTIONS_RUN:
		break;
	}
	message_setup(options.verbose, options.no_warnings);
	hint_timeout(&options);
	if (functiontracer_is_off())
		message_warning("%s", FUNCTIONTRACER_HINT);
	notify_open(&run.notify);
	if (setup(&run, &options))
		return EXIT_FAILED;
	loop_run(&run);
	status = finish(&run, &options);
	// After a second ^C, START or STOP may still be running in its thread, which
	// still uses everything below.
	if (run.gave_up || run.broken)
		_exit(status);
	merge_deinit(&run.merge);
	records_deinit(&run.records);
	dictionary_deinit(&run.tables);
	commands_deinit(&run.commands);
	return status;
}
