/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostconnection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "stap/remote/fleet.h"
#include "stap/remote/hostlines.h"
#include "stap/remote/hostrecords.h"
#include "stap/remote/hostset.h"
#include "stap/remote/hostsignals.h"
#include "stap/remote/remote.h"
#include "stap/remote/talk.h"

#define SECOND FLEET_SECOND
/* The time that a user has to type a password. */
#define TYPING (120 * SECOND)
/* A clock is read this many times; the shortest round trip is the most accurate. */
#define CLOCK_ROUNDS 3
/* The rest of a long greeting, or of a long message, is cut off. */
#define TALK_MOST 65536

bool hostconnection_is_open(const struct host *h)
{
	return h->state >= HOST_ASKED && h->state <= HOST_RUNS;
}

void hostconnection_close_input(struct remote *r, struct host *h)
{
	hostsignals_listen(r, h, -1);
	host_close_fd(&h->input);
}

void hostconnection_leave_out(struct remote *r, struct host *h, const char *why)
{
	hostsignals_listen(r, h, -1);
	host_close(h);
	h->state = HOST_OUT;
	h->why = why;
}

/* Leaves out a machine that has not run, with a message, or ends everything. */
static void give_up(struct remote *r, struct host *h, const struct error *err)
{
	size_t len = strlen(h->uri);
	bool named = !strncmp(err->text, h->uri, len) && err->text[len] == ' ';

	hostconnection_leave_out(r, h, named ? err->text + len + 1 : err->text);
	if (r->ending || r->fatal)
		return;
	if (r->s->options->remote_strict || r->count == 1)
		r->fatal = error_create(r->s->arena, err->kind, "%s", err->text);
	else
		fprintf(stderr, "stap: %s; it is left out\n", err->text);
}

void hostconnection_give_up_silent(struct remote *r, struct host *h, const char *said)
{
	give_up(r, h,
		error_create(r->s->arena, ERROR_ENVIRONMENT,
			     "%s cannot be asked for its kernel: %s", h->uri, said));
}

/* Leaves out a machine that had answered and was waiting for its module. */
static void give_up_lost(struct remote *r, struct host *h)
{
	give_up(r, h,
		error_create(r->s->arena, ERROR_ENVIRONMENT,
			     "%s lost its connection before its run%s%s", h->uri,
			     *h->said.text ? ": " : "", h->said.text));
}

void hostconnection_start(struct remote *r, struct host *h)
{
	bool few = r->count <= HOSTSET_FEW;
	struct error *err;

	h->deadline = fleet_now() + r->s->options->remote_timeout * SECOND + (few ? TYPING : 0);
	err = host_start(r->s, h, host_command(r->s, h, talk_command(r->s)), &r->heard);
	h->state = HOST_ASKED;
	if (err)
		give_up(r, h, err);
}

static void ask_clock(struct host *h)
{
	talk_ask_clock(h);
	h->clock.sent = fleet_time();
}

/* Handles an answer about its clock. An answer without nanoseconds is ignored. */
static void take_clock(struct remote *r, struct host *h, const char *text)
{
	int64_t now = fleet_time(), trip = now - h->clock.sent;
	size_t digits = strspn(text, "0123456789");
	long long there = strtoll(text, NULL, 10);

	if (digits > 15 && digits < 20 && !text[digits] && trip > 0 &&
	    (!h->clock.trip || trip < h->clock.trip)) {
		h->clock.trip = trip;
		h->clock.offset = there - (h->clock.sent + trip / 2);
	}
	if (++h->clock.rounds < CLOCK_ROUNDS) {
		ask_clock(h);
		return;
	}
	h->state = HOST_READY;
	h->deadline = 0;
}

/* Returns what the staprun of an older stap cannot do. */
static const char *lacks_of_old(const struct remote *r)
{
	if (fleet_runs_program(r->s))
		return "runs no programs of --runtime=bpf";
	return r->page ? "sends no values" : "sends no records";
}

/* True: the machine's staprun cannot do what this run needs. */
static bool needs_programs(const struct remote *r, const struct host *h)
{
	return r->s->options->last_pass > 4 &&
	       (h->lacks_staprun || (h->is_old && (r->streams || fleet_runs_program(r->s))));
}

/* Sends our staprun to a machine without one. */
static struct error *lend_programs(struct remote *r, struct host *h)
{
	const char *has = h->is_old ? arena_printf(r->s->arena,
						   "the staprun of an older stap, "
						   "which %s",
						   lacks_of_old(r))
				    : "no staprun";
	struct error *err = arch_is_own(h->arch) ? hostprograms_read(r->s, h, &r->programs)
						 : hostprograms_foreign(r->s, h);

	h->programs = &r->programs;
	return err ? error_create(r->s->arena, err->kind, "%s has %s, and %s", h->uri, has,
				  err->text)
		   : NULL;
}

static void take_answer(struct remote *r, struct host *h, const char *text)
{
	struct error *err = host_answered(r->s, h, text);

	if (!err && fleet_runs_program(r->s) && !arch_is_own(h->arch))
		err = error_create(r->s->arena, ERROR_ENVIRONMENT,
				   "%s is a machine of the kind %s; programs of --runtime=bpf are "
				   "made for this machine's, %s",
				   h->uri, h->arch->name, arch_of(r->s)->name);
	if (!err && needs_programs(r, h))
		err = lend_programs(r, h);
	if (err) {
		give_up(r, h, err);
		return;
	}
	h->state = HOST_TIMED;
	ask_clock(h);
}

/* Handles a line before the run. A login shell may greet first. */
static void take_talk(struct remote *r, struct host *h, char *line)
{
	line[strcspn(line, "\r\n")] = 0;
	if (h->state == HOST_ASKED && !strncmp(line, TALK_GREETING, strlen(TALK_GREETING)))
		take_answer(r, h, line + strlen(TALK_GREETING));
	else if (h->state == HOST_TIMED && !strncmp(line, TALK_CLOCK, strlen(TALK_CLOCK)))
		take_clock(r, h, line + strlen(TALK_CLOCK));
	else if (*line)
		printable_keep(&h->said, line, strlen(line));
}

static void take_answers(struct remote *r, struct host *h, const char *text, size_t len)
{
	for (; len && h->state < HOST_READY; text++, len--) {
		if (*text && h->line.len < TALK_MOST)
			strbuf_addc(&h->line, *text);
		if (*text != '\n')
			continue;
		take_talk(r, h, h->line.s);
		h->line.len = 0;
	}
}

static void note_status(struct remote *r, struct host *h, int status)
{
	static const char lost[] = "the connection was lost";

	h->status = status;
	h->state = HOST_ENDED;
	/* the status of ssh itself; a shell never returns it */
	if (status == 255) {
		h->why = *h->said.text ? arena_printf(r->s->arena, "%s: %s", lost, h->said.text)
				       : lost;
		h->status = REMOTE_LEFT_OUT;
		if (r->count > 1)
			fprintf(stderr, "stap: %s: %s\n", h->uri, h->why);
	} else if (status) {
		h->why = *h->said.text ? h->said.text : NULL;
	}
}

/* A machine that sends nonsense is ignored from then on. */
static void take_run(struct remote *r, struct host *h, const char *bytes, size_t len)
{
	if (!r->streams)
		hostlines_take(r, h, bytes, len);
	else if (!hostrecords_take(r, h, bytes, len))
		hostconnection_close_input(r, h);
}

void hostconnection_take_output(struct remote *r, struct host *h)
{
	char chunk[65536];
	ssize_t n = read(h->output, chunk, sizeof(chunk));

	if (n > 0 && h->state == HOST_RUNS)
		take_run(r, h, chunk, (size_t)n);
	else if (n > 0)
		take_answers(r, h, chunk, (size_t)n);
	if (n > 0 || (n < 0 && errno == EINTR))
		return;
	host_close_fd(&h->output);
}

static void take_error_line(struct remote *r, struct host *h)
{
	size_t len = h->error_line.len;

	while (len && strchr("\r\n", h->error_line.s[len - 1]))
		len--;
	if (len)
		printable_keep(&h->said, h->error_line.s, len);
	if (h->state == HOST_RUNS)
		hostlines_say(r, h, h->error_line.s, len);
	h->error_line.len = 0;
}

void hostconnection_take_errors(struct remote *r, struct host *h)
{
	char chunk[65536];
	ssize_t n = read(h->errors, chunk, sizeof(chunk));

	for (ssize_t i = 0; i < n; i++) {
		strbuf_addc(&h->error_line, chunk[i]);
		if (chunk[i] == '\n' || h->error_line.len >= TALK_MOST)
			take_error_line(r, h);
	}
	if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))
		return;
	if (h->error_line.len)
		take_error_line(r, h);
	host_close_fd(&h->errors);
}

void hostconnection_take_end(struct remote *r, struct host *h)
{
	bool ran = h->state == HOST_RUNS, had_answered = h->state == HOST_READY, whole = true;

	if (h->errors >= 0)
		hostconnection_take_errors(r, h);
	if (h->error_line.len)
		take_error_line(r, h);
	if (ran && r->streams)
		whole = hostrecords_end(r, h);
	if (ran)
		hostlines_end(r, h);
	if (h->line.len && !ran)
		take_talk(r, h, h->line.s);
	hostsignals_listen(r, h, -1);
	host_close(h);
	if (ran)
		note_status(r, h, h->exit || whole ? h->exit : 1);
	else if (r->ending)
		hostconnection_leave_out(r, h, NULL);
	else if (had_answered)
		give_up_lost(r, h);
	else
		hostconnection_give_up_silent(r, h, *h->said.text ? h->said.text : "no answer");
}

static size_t programs_len(const struct host *h)
{
	return h->programs ? h->programs->staprun + h->programs->stapio : 0;
}

size_t hostconnection_left_to_send(const struct host *h)
{
	size_t behind = h->state == HOST_RUNS ? programs_len(h) + h->module_len : 0;

	return h->input < 0 ? 0 : h->to_send.len + behind - h->sent;
}

/*
 * Returns the next bytes to send and sets *len: the rest of the command, the programs or
 * the module.
 */
static const char *next_to_send(const struct host *h, size_t *len)
{
	size_t at = h->sent, programs = programs_len(h);

	if (at < h->to_send.len) {
		*len = h->to_send.len - at;
		return h->to_send.s + at;
	}
	at -= h->to_send.len;
	if (at < programs) {
		*len = programs - at;
		return h->programs->text + at;
	}
	at -= programs;
	*len = h->module_len - at;
	return h->module_text + at;
}

void hostconnection_send(struct remote *r, struct host *h)
{
	size_t len;
	const char *from = next_to_send(h, &len);
	ssize_t n = write(h->input, from, len);

	if (n > 0)
		h->sent += (size_t)n;
	else if (n < 0 && errno != EINTR && errno != EAGAIN)
		hostconnection_close_input(r, h); /* the run has ended, and will report why */
	if (h->state == HOST_RUNS && h->input >= 0 && !hostconnection_left_to_send(h))
		hostsignals_listen(r, h, h->input);
}

/* Returns the argument of --records, or NULL: the machine sends text. */
static const char *stream_of(const struct remote *r)
{
	const char *form = r->has_data ? "data" : "text";

	if (!r->streams)
		return NULL;
	if (r->page)
		return arena_printf(r->s->arena, "%s,1,values", form);
	return r->monitor ? arena_printf(r->s->arena, "%s,%u", form, r->s->options->monitor) : form;
}

void hostconnection_run(struct remote *r, struct host *h)
{
	struct error *err = hostlines_open(r, h);

	if (err) {
		r->fatal = err;
		return;
	}
	talk_run(r->s, h, (size_t)(h - r->hosts), stream_of(r));
	h->state = HOST_RUNS;
	*h->said.text = 0;
	if (r->streams)
		hostrecords_open(r, h);
}
