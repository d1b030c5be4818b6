/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader's side of the rings; for a module, stapio does this. Records of all rings
 * are merged by time, formatted and written.
 */
#include <stdlib.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/record_format.h"
#include "core/ring.h"
#include "core/session.h"
#include "lib/repeats.h"
#include "lib/sinkpipe.h"
#include "user/colored.h"
#include "user/rawout.h"
#include "user/user.h"

#define READ_BYTES (2 * (STP_RECORD_MAX + sizeof(struct stp_record)))

/* Records taken from a ring but not yet written. */
struct backlog {
	uint8_t *data;
	size_t at, len, room;
};

static struct {
	FILE *out;
	struct stp_format_text *formats;
	struct backlog *rings;
	unsigned nrings;
	unsigned commands; /* running commands of system(), not waited for yet */
	bool is_pipe, failed, write_failed, write_reported, reader_left, verbose;
	bool continued;	       /* the last record had RECORD_MORE */
	struct sinkpipe *sink; /* takes all records as they are: rawout.h; or NULL */
	const char *sink_name;
	uint64_t stored; /* records, once the sink has ended */
	bool aside;	 /* stdout is not for commands */
	bool colored;	 /* rows of heat maps are in colours */
} drain;

void user_drain_init(FILE *out, bool verbose, struct sinkpipe *sink, const char *sink_name,
		     bool aside, bool colored)
{
	struct stat st;

	drain.out = out;
	drain.verbose = verbose;
	drain.is_pipe = !fstat(fileno(out), &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
	drain.nrings = stp_session_nrings();
	drain.rings = calloc(drain.nrings, sizeof(drain.rings[0]));
	drain.formats = calloc(stp_script.nformats + 1, sizeof(drain.formats[0]));
	if (!drain.rings || !drain.formats)
		abort();
	for (uint32_t i = 0; i < stp_script.nformats; i++)
		drain.formats[i] = (struct stp_format_text){ stp_script.formats[i].text,
							     stp_script.formats[i].len };
	drain.sink = sink;
	drain.sink_name = sink_name;
	drain.aside = aside;
	drain.colored = colored;
	if (sink)
		rawout_begin(out, drain.nrings);
}

void user_drain_free(void)
{
	for (unsigned i = 0; i < drain.nrings; i++)
		free(drain.rings[i].data);
	free(drain.rings);
	free(drain.formats);
	memset(&drain, 0, sizeof(drain));
}

bool user_drain_failed(void)
{
	return drain.failed;
}

/* ---- rings to backlogs ---- */

static void backlog_read(struct backlog *b, struct stp_ring *r)
{
	size_t n;

	if (b->at == b->len)
		b->at = b->len = 0;
	do {
		if (b->room - b->len < READ_BYTES) {
			b->room = b->len + 2 * READ_BYTES;
			b->data = realloc(b->data, b->room);
			if (!b->data)
				abort();
		}
		n = stp_ring_read(r, b->data + b->len, b->room - b->len);
		b->len += n;
	} while (n);
}

static bool backlog_peek(const struct backlog *b, struct stp_record *ret)
{
	if (b->at == b->len)
		return false;
	memcpy(ret, b->data + b->at, sizeof(*ret));
	return true;
}

/* ---- records to text ---- */

static void put_out(void *ctx, const char *s, size_t len)
{
	if (fwrite(s, 1, len, drain.out) != len)
		drain.write_failed = true;
}

static void run_command(const char *text, size_t len)
{
	char *command = strndup(text, len);
	pid_t pid = command ? fork() : -1;
	sigset_t none;

	if (pid == 0) {
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (drain.aside)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid < 0)
		user_warning("system(): %s", strerror(errno));
	drain.commands += pid > 0;
	free(command);
}

static void write_output(const void *body, size_t len)
{
	bool whole = drain.colored ? colored_format(body, len, put_out)
				   : stp_record_format(drain.formats, stp_script.nformats, body,
						       len, put_out, NULL);

	if (!whole) {
		fprintf(stderr, "ERROR: damaged record\n");
		drain.failed = true;
	}
}

static void write_record(unsigned ring, const struct stp_record *head, const uint8_t *body)
{
	static const char *const prefixes[RECORD_KINDS] = {
		[RECORD_WARNING] = "WARNING: ",
		[RECORD_ERROR] = "ERROR: ",
	};
	bool whole = !drain.continued && !(head->flags & RECORD_MORE);

	drain.continued = head->flags & RECORD_MORE;

	if (drain.sink)
		rawout_record(drain.out, ring, head, body);
	else if (head->kind == RECORD_OUTPUT)
		write_output(body, head->len);
	if (head->kind == RECORD_OUTPUT || (head->kind == RECORD_LOG && drain.sink))
		return;
	if (head->kind == RECORD_LOG) {
		put_out(NULL, (const char *)body, head->len);
		put_out(NULL, "\n", 1);
		return;
	}
	if (head->kind == RECORD_WARNING &&
	    (!user_warns() ||
	     (whole && !drain.verbose && repeats_seen((const char *)body, head->len))))
		return;
	fflush(drain.out); /* stderr and commands come after earlier output */
	if (head->kind == RECORD_COMMAND)
		run_command((const char *)body, head->len);
	else
		fprintf(stderr, "%s%.*s\n", prefixes[head->kind], (int)head->len,
			(const char *)body);
	if (head->kind == RECORD_ERROR)
		drain.failed = true;
}

/* Writes the records at the front of one backlog that belong together. */
static void backlog_write(struct backlog *b)
{
	struct stp_record head;

	do {
		memcpy(&head, b->data + b->at, sizeof(head));
		write_record((unsigned)(b - drain.rings), &head, b->data + b->at + sizeof(head));
		b->at += sizeof(head) + STP_RECORD_ALIGN(head.len);
	} while (head.flags & RECORD_MORE && b->at < b->len);
}

static struct backlog *earliest(uint64_t *time)
{
	struct backlog *best = NULL;

	for (unsigned i = 0; i < drain.nrings; i++) {
		struct stp_record head;

		if (!backlog_peek(&drain.rings[i], &head) || (best && head.time >= *time))
			continue;
		best = &drain.rings[i];
		*time = head.time;
	}
	return best;
}

/* Reports a failed write, once. */
static void report_failure(int error)
{
	if (!drain.write_failed || drain.write_reported)
		return;
	drain.write_reported = true;
	drain.reader_left = error == EPIPE && drain.out == stdout;
	stp_session_request_exit();
	if (drain.reader_left || drain.sink)
		return; /* finish_sink() knows more */
	fprintf(stderr, "ERROR: writing output: %s\n", strerror(error));
	drain.failed = true;
}

int user_drain_reader(void)
{
	return drain.is_pipe && !drain.write_failed ? fileno(drain.out) : -1;
}

void user_drain_hangup(void)
{
	drain.write_failed = true;
	report_failure(EPIPE);
}

bool user_drain_reader_left(void)
{
	return drain.reader_left;
}

static void finish_sink(void)
{
	bool ok = sinkpipe_finish(drain.sink);
	uint64_t all = 0, given = rawout_records();
	uint64_t *stored = calloc(stp_script.nprobes + 1, sizeof(*stored));
	char text[160];

	if (stored)
		all = sinkpipe_stored(drain.sink, stored, stp_script.nprobes + 1);
	free(stored);
	drain.stored = all;
	drain.reader_left = drain.aside && sinkpipe_reader_left(drain.sink);
	if (drain.reader_left)
		return;
	drain.failed |= !ok;
	if (!sinkpipe_explain(drain.sink, given, all, text, sizeof(text)))
		return;
	fprintf(stderr, "ERROR: %s: %s\n", drain.sink_name, text);
	drain.failed = true;
}

/* Closes the output: a remote file system may tell only now that it has no room. */
bool user_drain_end(void)
{
	if (drain.sink)
		rawout_end(drain.out);
	if (fclose(drain.out))
		drain.write_failed = true;
	report_failure(errno);
	if (drain.sink)
		finish_sink();
	return drain.failed || ferror(stderr);
}

void user_drain_print_stored(FILE *to)
{
	if (drain.sink)
		fprintf(to, "records: %llu given, %llu stored\n",
			(unsigned long long)rawout_records(), (unsigned long long)drain.stored);
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
	uint64_t horizon = last ? UINT64_MAX : stp_session_horizon(), time = 0;
	struct backlog *b;

	for (unsigned i = 0; i < drain.nrings; i++)
		backlog_read(&drain.rings[i], stp_session_ring(i));
	while ((b = earliest(&time)) && time <= horizon)
		backlog_write(b);
	if (fflush(drain.out))
		drain.write_failed = true;
	report_failure(errno);
	if (last)
		wait_for_commands();
	return b != NULL;
}
