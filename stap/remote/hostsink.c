/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostsink.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/dburl.h"
#include "lib/error.h"

/* Replaces each %h with the machine's name. */
static const char *name_sink(struct remote *r, const struct host *h)
{
	struct strbuf out;
	const char *at = r->s->options->to, *next;

	strbuf_init(&out, r->s->arena);
	for (; (next = strstr(at, "%h")); at = next + 2) {
		strbuf_add(&out, at, (size_t)(next - at));
		strbuf_adds(&out, h->name);
	}
	strbuf_adds(&out, at);
	return out.s;
}

struct error *hostsink_init(struct remote *r)
{
	const char *to = r->s->options->to;
	bool is_server = dburl_is(to);

	if (!is_server && r->count > 1 && !strstr(to, "%h"))
		return error_create(r->s->arena, ERROR_USAGE,
				    "--to %s would be the file of %zu machines; put %%h, the name "
				    "of the machine, into its name",
				    to, r->count);
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		h->sink.to = is_server ? to : name_sink(r, h);
		for (size_t k = 0; k < i && !is_server; k++)
			if (!strcmp(h->sink.to, r->hosts[k].sink.to))
				return error_create(r->s->arena, ERROR_USAGE,
						    "--to %s: %s and %s would have one file", to,
						    r->hosts[k].uri, h->uri);
	}
	return NULL;
}

static void report(struct host *h, const char *what)
{
	fprintf(stderr, "stap: %s: %s: %s\n", h->uri, h->sink.to, what);
	h->sink.failed = true;
}

/*
 * With several machines, times are converted to our clock: the header's time is corrected
 * accordingly.
 */
static void correct_clock(const struct remote *r, struct host *h)
{
	uint64_t session = h->from.header.session - (uint64_t)h->clock.offset;

	if (r->count > 1 && bytequeue_len(&h->sink.out) >= sizeof(struct raw_header))
		memcpy(bytequeue_at(&h->sink.out) + offsetof(struct raw_header, session), &session,
		       sizeof(session));
}

void hostsink_begin(struct remote *r, struct host *h)
{
	const char *program = arena_printf(r->s->arena, "%s/stap-merge", r->s->bin_dir);
	int rc;

	if (!h->sink.to)
		return;
	if (access(program, X_OK)) {
		report(h, "stap-merge is not where stap is");
		return;
	}
	rc = sinkpipe_start(&h->sink.pipe, program, h->sink.to, STDOUT_FILENO);
	if (rc) {
		report(h, strerror(-rc));
		return;
	}
	h->sink.is_started = true;
	fcntl(h->sink.pipe.fd, F_SETFL, O_NONBLOCK);
}

void hostsink_add(struct remote *r, struct host *h, const char *bytes, size_t len)
{
	struct hostsink *s = &h->sink;
	bool is_first = s->is_started && !s->is_corrected;

	if (!s->to || s->failed || h->from.state == HOSTSTREAM_IS_TEXT)
		return;
	if (!bytequeue_add(&s->out, bytes, len)) {
		report(h, "no memory");
		return;
	}
	if (is_first)
		correct_clock(r, h);
	s->is_corrected |= is_first;
}

bool hostsink_waits(const struct host *h)
{
	return h->sink.is_started && h->sink.pipe.fd >= 0 && bytequeue_len(&h->sink.out);
}

static void close_pipe(struct hostsink *s)
{
	if (s->is_started && s->pipe.fd >= 0)
		close(s->pipe.fd);
	s->pipe.fd = -1;
	bytequeue_free(&s->out);
}

bool hostsink_write(struct host *h)
{
	struct hostsink *s = &h->sink;
	ssize_t n = write(s->pipe.fd, bytequeue_at(&s->out), bytequeue_len(&s->out));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n < 0) {
		close_pipe(s);
		s->failed = true;
		return false;
	}
	bytequeue_take(&s->out, (size_t)n);
	if (!bytequeue_len(&s->out) && s->is_ended)
		close_pipe(s);
	return true;
}

void hostsink_end(struct host *h)
{
	h->sink.is_ended = true;
	if (!hostsink_waits(h))
		close_pipe(&h->sink);
}

void hostsink_hurry(struct host *h)
{
	close_pipe(&h->sink);
}

/* Waits for the process of a machine. False: not everything was stored. */
static bool finish(struct host *h)
{
	struct hostsink *s = &h->sink;
	uint32_t n = h->from.tables.probes.count + 1;
	uint64_t *each = calloc(n, sizeof(*each)), stored;
	char text[160];
	bool ok;

	close_pipe(s);
	ok = sinkpipe_finish(&s->pipe);
	stored = each ? sinkpipe_stored(&s->pipe, each, n) : 0;
	free(each);
	close(s->pipe.book);
	if (!sinkpipe_explain(&s->pipe, h->from.records, stored, text, sizeof(text)))
		return ok;
	report(h, text);
	return false;
}

bool hostsink_finish(struct remote *r)
{
	bool ok = true;

	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		if (h->sink.is_started)
			ok &= finish(h);
		ok &= !h->sink.failed;
	}
	return ok;
}
