/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader's side of the rings; for a module, stapio does this. The parts of the trace
 * do the work: merge.c puts the records of all rings in order of time, records.c gives
 * them to a form, output.c writes that.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ring.h"
#include "core/session.h"
#include "lib/sinkpipe.h"
#include "trace/dictionary.h"
#include "trace/form/streamform.h"
#include "trace/merge.h"
#include "trace/messages.h"
#include "trace/output.h"
#include "trace/records.h"
#include "user/user.h"

#define READ_BYTES (512u << 10) /* bytes of each ring, until they are written */

static struct {
	struct tables tables;
	struct merge merge;
	struct records records;
	struct output output;
	struct streamform stream; /* for a sink, or of --records */
	struct sinkpipe *sink;	  /* takes all records unchanged, or NULL */
	bool is_stream, has_values;
	struct streamform_clock looks; /* of --records */
	unsigned commands;	       /* running commands of system() */
	uint64_t stored;	       /* records, once the sink has ended */
	bool aside;		       /* commands must not write to stdout */
	bool is_read;		       /* there is a reader; else records stay in the ring */
	bool counts;		       /* records are dropped, and counted in `unread` */
	uint64_t unread;
	bool broken, failed, reader_left;
} drain;

/* ---- rings to records ---- */

static ssize_t drain_read(void *ctx, unsigned ring, void *buf, size_t size)
{
	return (ssize_t)stp_ring_read(stp_session_ring(ring), buf, size);
}

static const char *drain_emit(void *ctx, unsigned ring, const struct stp_record *head,
			      const uint8_t *body)
{
	if (drain.counts) {
		drain.unread += !(head->flags & RECORD_MORE);
		return NULL;
	}
	return records_emit(&drain.records, ring, head, body);
}

static const uint8_t *drain_emit_run(void *ctx, const uint8_t *at, const uint8_t *end,
				     uint64_t until, uint64_t *records)
{
	return drain.counts ? at : records_emit_run(&drain.records, at, end, until, records);
}

static void drain_command(void *ctx, const char *text, size_t len)
{
	char *command = strndup(text, len);
	sigset_t none;
	/* With --runtime=bpf a copy of the process would lack the arena: its data. */
	pid_t pid = command ? vfork() : -1;

	if (pid == 0) {
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (drain.aside)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid < 0)
		message_warning("system(): %s", strerror(errno));
	drain.commands += pid > 0;
	free(command);
}

/* Waits until the reader takes more. Signals stay blocked. */
static bool drain_wait(void *ctx, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	poll(&p, 1, -1);
	return true;
}

/* ---- the names that records refer to ---- */

static void drain_row(FILE *f, const char *text, uint32_t len)
{
	fwrite(&len, sizeof(len), 1, f);
	fwrite(text, 1, len, f);
}

static void drain_formats(FILE *f)
{
	for (uint32_t i = 0; i < stp_script.nformats; i++)
		drain_row(f, stp_script.formats[i].text, stp_script.formats[i].len);
	for (uint32_t i = 0; i < stp_script.nformats; i++) {
		const char *fields = stp_script.formats[i].fields;

		drain_row(f, fields ? fields : "", fields ? (uint32_t)strlen(fields) : 0);
	}
}

static void drain_points(FILE *f)
{
	for (uint32_t i = 0; i < stp_script.nprobes; i++)
		drain_row(f, stp_script.probes[i].pp, (uint32_t)strlen(stp_script.probes[i].pp));
}

/* Returns the text that the function writes, from malloc(); NULL: no memory. */
static char *drain_text(void (*write)(FILE *f), size_t *size)
{
	char *ret = NULL;
	FILE *f = open_memstream(&ret, size);

	if (!f)
		return NULL;
	write(f);
	return fclose(f) ? NULL : ret;
}

static bool drain_name(struct tables *t)
{
	size_t size;
	char *text = drain_text(drain_formats, &size);

	if (!text || dictionary_formats(t, text, size, stp_script.nformats, true))
		return false;
	text = drain_text(drain_points, &size);
	return text && !dictionary_init(&t->probes, text, size, stp_script.nprobes);
}

/* ---- the run ---- */

static int drain_output(const struct user_output *o)
{
	int rc = output_on(&drain.output, o->fd, o->name);

	drain.output.wait = drain_wait;
	drain.output.is_sink = o->sink;
	return rc;
}

/* The form of records is that of the reader. A hit that was read in part goes on. */
static bool drain_records(void)
{
	struct records before = drain.records;

	records_deinit(&drain.records);
	if (!records_init(&drain.records, &drain.tables, &drain.output))
		return false;
	drain.records.late = before.late;
	drain.records.last_time = before.last_time;
	drain.records.continued = before.continued;
	drain.records.errors = before.errors;
	records_commands(&drain.records, drain_command, NULL);
	return true;
}

/* Directs the output there, in that form. */
static bool drain_open(const struct user_output *o)
{
	char host[256] = "";

	drain.sink = o->sink;
	drain.is_stream = o->stream;
	drain.has_values = o->stream && o->stream->look_values;
	drain.aside = o->aside;
	drain.output = (struct output){ 0 };
	drain.stream.given = 0;
	drain.is_read = true;
	if (drain_output(o))
		return false;
	if (o->colored)
		textform_color(&drain.records.text, &drain.records.fields);
	gethostname(host, sizeof(host) - 1);
	if (o->sink || o->stream)
		streamform_start(&drain.stream, &drain.records, drain.merge.nrings,
				 o->stream ? program_invocation_short_name : "user", host, NULL);
	if (o->stream) {
		streamform_messages(&drain.stream);
		streamform_clock_init(&drain.looks, o->stream);
	}
	return true;
}

static bool drain_ready(const struct user_output *o)
{
	static const struct merge_ops ops = {
		.read = drain_read, .empties = true, .emit = drain_emit, .emit_run = drain_emit_run
	};

	return drain_name(&drain.tables) && drain_records() &&
	       !merge_init(&drain.merge, stp_session_nrings(), READ_BYTES, &ops, NULL) &&
	       (o->fd < 0 || drain_open(o));
}

void user_drain_init(const struct user_output *o)
{
	if (!drain_ready(o))
		abort();
}

bool user_drain_attach(const struct user_output *o)
{
	return drain_records() && drain_open(o);
}

uint64_t user_drain_given(void)
{
	return drain.stream.given;
}

bool user_drain_is_read(void)
{
	return drain.is_read;
}

void user_drain_free(void)
{
	merge_deinit(&drain.merge);
	records_deinit(&drain.records);
	dictionary_deinit(&drain.tables);
	memset(&drain, 0, sizeof(drain));
}

bool user_drain_failed(void)
{
	return drain.failed || drain.records.errors;
}

int user_drain_reader(void)
{
	return drain.output.is_pipe && !drain.output.error ? drain.output.fd : -1;
}

void user_drain_hangup(void)
{
	output_hangup(&drain.output);
	if (!user_reader_lost())
		stp_session_request_exit();
}

bool user_drain_reader_left(void)
{
	return drain.reader_left;
}

/*
 * Passes on records that are not later than the horizon. Returns how many; 0 at the end,
 * and before the output is set.
 */
static long drain_round(uint64_t horizon)
{
	const struct merge_error *e = &drain.merge.error;
	long n = drain.broken || !drain.merge.rings ? 0 : merge_round(&drain.merge, horizon);

	if (n >= 0)
		return n;
	message_error("damaged record: ring %u, offset %llu: %s", e->ring,
		      (unsigned long long)e->offset, e->what);
	drain.broken = drain.failed = true;
	stp_session_request_exit();
	return 0;
}

static void wait_for_commands(void)
{
	int status;
	pid_t pid;

	while (drain.commands && (pid = wait(&status)) > 0)
		drain.commands -= !user_target_reaped(pid, status) &&
				  !(drain.sink && sinkpipe_reaped(drain.sink, pid, status));
}

bool user_drain(bool last)
{
	if (!drain.is_read)
		return false;
	while (drain_round(last ? MERGE_FINAL : stp_session_horizon()) > 0 &&
	       (last || (drain.merge.full && !drain.output.error)))
		;
	output_flush(&drain.output);
	if (drain.output.error && (last || !user_reader_lost()))
		stp_session_request_exit();
	if (last)
		wait_for_commands();
	return drain.merge.nheap > 0;
}

uint64_t user_drain_unread(void)
{
	drain.counts = true;
	while (drain_round(MERGE_FINAL) > 0)
		;
	drain.counts = false;
	return drain.unread;
}

/* ---- books and values ---- */

static void drain_line(void *f, const char *text)
{
	fputs(text, f);
}

static void drain_books(FILE *f)
{
	stp_books_write(drain_line, f);
}

static void drain_values(FILE *f)
{
	stp_about_write(drain_line, f);
	if (stp_script.snapshot_reader)
		stp_script.snapshot_reader->write(drain_line, f);
}

/* Returns the text of values, from malloc(); NULL: nobody asks. */
static char *drain_values_text(void)
{
	size_t size;

	return drain.has_values ? drain_text(drain_values, &size) : NULL;
}

void user_drain_look(void)
{
	uint64_t now = port_monotonic_ns();
	size_t size;
	char *books, *values;

	if (!streamform_clock_due(&drain.looks, now))
		return;
	books = drain_text(drain_books, &size);
	values = drain_values_text();
	if (books)
		streamform_look(&drain.stream, books, values);
	free(books);
	free(values);
	output_flush(&drain.output);
	streamform_clock_next(&drain.looks, now, port_monotonic_ns());
}

int user_drain_look_ms(void)
{
	uint64_t now = port_monotonic_ns();

	if (!drain.looks.every)
		return -1;
	return now < drain.looks.next ? (int)((drain.looks.next - now) / 1000000) + 1 : 0;
}

/* ---- the end ---- */

static void finish_sink(void)
{
	bool ok = sinkpipe_finish(drain.sink);
	uint64_t *stored = calloc(stp_script.nprobes + 1, sizeof(*stored));
	char text[160];

	if (stored)
		drain.stored = sinkpipe_stored(drain.sink, stored, stp_script.nprobes + 1);
	free(stored);
	drain.reader_left = drain.aside && sinkpipe_reader_left(drain.sink);
	if (drain.reader_left)
		return;
	drain.failed |= !ok;
	if (!sinkpipe_explain(drain.sink, drain.stream.given, drain.stored, text, sizeof(text)))
		return;
	message_error("%s: %s", drain.output.name, text);
	drain.failed = true;
}

static void end_stream(void)
{
	size_t size;
	char *books = drain_text(drain_books, &size), *values = drain_values_text();

	message_tee(NULL, NULL);
	streamform_end(&drain.stream, books, values);
	free(books);
	free(values);
}

void user_drain_detach(bool flush)
{
	if (flush && drain.is_stream)
		end_stream();
	if (flush)
		output_flush_all(&drain.output);
	message_tee(NULL, NULL);
	if (drain.output.fd > STDERR_FILENO)
		close(drain.output.fd);
	output_drop(&drain.output);
	drain.output = (struct output){ 0 };
	drain.looks = (struct streamform_clock){ 0 };
	drain.is_stream = drain.is_read = false;
}

/* Closes the output: a remote file system may report only now that it has no room. */
bool user_drain_end(void)
{
	bool closed;

	if (!drain.is_read)
		return user_drain_failed();
	if (drain.sink || drain.is_stream)
		end_stream();
	closed = output_close(&drain.output);
	drain.reader_left = output_reader_left(&drain.output);
	if (drain.sink)
		finish_sink();
	else
		drain.failed |= !closed && !drain.reader_left;
	return user_drain_failed() || message_lost();
}

void user_drain_print(FILE *to)
{
	fprintf(to, "records: %llu merged, %llu out of order",
		(unsigned long long)drain.merge.records, (unsigned long long)drain.records.late);
	if (drain.sink)
		fprintf(to, ", %llu given, %llu stored", (unsigned long long)drain.stream.given,
			(unsigned long long)drain.stored);
	fputc('\n', to);
}
