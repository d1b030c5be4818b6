/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostpage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/bytequeue.h"
#include "lib/error.h"
#include "lib/printable.h"
#include "stap/remote/remote.h"
#include "stap/remote/talk.h"

/* If so much waits for the page, looks are left out: later ones take their place. */
#define WAITING_MOST  (8u << 20)
#define REQUEST_BYTES 64
#define CLOSE_MS      2000 /* the page gets so long for the rest */

/* The machine's state as the page knows it. */
struct told {
	enum host_state state;
	const char *why;
	bool is_known;
};

struct hostpage {
	int fd;
	struct bytequeue out;
	struct told *told; /* of each machine */
	char request[REQUEST_BYTES];
	size_t asked; /* bytes of that */
};

/* ---- what is written ---- */

static void drop(struct hostpage *p)
{
	host_close_fd(&p->fd);
	bytequeue_free(&p->out);
}

/* Without memory the page stays as it is. */
static void put(struct hostpage *p, const char *bytes, size_t len)
{
	if (p->fd >= 0 && !bytequeue_add(&p->out, bytes, len))
		drop(p);
}

static void put_line(struct remote *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put_line(struct remote *r, const char *fmt, ...)
{
	struct strbuf line;
	va_list ap;

	strbuf_init(&line, r->s->arena);
	va_start(ap, fmt);
	strbuf_vaddf(&line, fmt, ap);
	va_end(ap);
	strbuf_addc(&line, '\n');
	put(r->page, line.s, line.len);
	strbuf_release(&line);
}

/* Returns the text in one line. */
static const char *in_a_line(struct remote *r, const char *text)
{
	return printable_line(arena_strdup(r->s->arena, text));
}

struct error *hostpage_init(struct remote *r)
{
	int fd = r->s->options->page_hosts_fd;
	struct stat st;

	if (!fd)
		return NULL;
	if (fstat(fd, &st) || !S_ISSOCK(st.st_mode))
		return error_create(
			r->s->arena, ERROR_USAGE,
			"--page-hosts: descriptor %d is not a socket; this option is for "
			"stap-exporter: use --web",
			fd);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	r->page = arena_new(r->s->arena, struct hostpage);
	r->page->fd = fd;
	r->page->told = arena_array(r->s->arena, struct told, r->count);
	for (size_t i = 0; i < r->count; i++)
		put_line(r, "host\t%zu\t%s", i, in_a_line(r, r->hosts[i].label));
	return NULL;
}

void hostpage_look(struct remote *r, struct host *h)
{
	const struct hoststream *s = &h->from;

	if (!r->page || (s->is_look && bytequeue_len(&r->page->out) > WAITING_MOST))
		return;
	put_line(r, "look\t%zu\t%zu", (size_t)(h - r->hosts), s->values.len + s->books.len);
	put(r->page, s->values.s, s->values.len);
	put(r->page, s->books.s, s->books.len);
}

static const char *kind_of(const struct host *h)
{
	return h->state < HOST_RUNS				    ? "waits"
	       : h->state == HOST_RUNS				    ? "running"
	       : h->state == HOST_OUT || h->status || h->is_damaged ? "failed"
								    : "ended";
}

static const char *text_of(struct remote *r, const struct host *h)
{
	static const char *const texts[] = {
		[HOST_WAITS] = "waits to be connected",
		[HOST_ASKED] = "is being connected",
		[HOST_TIMED] = "is being connected",
		[HOST_READY] = "waits for its module",
		[HOST_RUNS] = "running",
		[HOST_ENDED] = "ended",
		[HOST_OUT] = "left out",
	};
	const char *text = texts[h->state];

	if (h->is_damaged)
		text = "its output is damaged; the rest of it is lost";
	else if (h->state == HOST_ENDED && h->status && h->status != REMOTE_LEFT_OUT)
		text = arena_printf(r->s->arena, "ended with status %d", h->status);
	return h->why ? arena_printf(r->s->arena, "%s: %s", text, h->why) : text;
}

void hostpage_tell(struct remote *r)
{
	for (size_t i = 0; r->page && i < r->count; i++) {
		const struct host *h = &r->hosts[i];
		struct told *t = &r->page->told[i];

		if (t->is_known && t->state == h->state && t->why == h->why)
			continue;
		*t = (struct told){ h->state, h->why, true };
		put_line(r, "state\t%zu\t%s\t%s", i, kind_of(h), in_a_line(r, text_of(r, h)));
	}
}

/* ---- probes are switched ---- */

static bool has_probe(const struct host *h, size_t index)
{
	return index < h->from.tables.probes.count;
}

/* True: the two probes have one point. */
static bool is_same(const struct host *a, size_t i, const struct host *b, size_t k)
{
	const struct stp_format_text *one = &a->from.tables.probes.rows[i],
				     *other = &b->from.tables.probes.rows[k];

	return one->len == other->len && !memcmp(one->text, other->text, one->len);
}

/* Returns how many probes before that one have its point. */
static size_t place_of(const struct host *h, size_t index)
{
	size_t ret = 0;

	for (size_t i = 0; i < index; i++)
		ret += is_same(h, i, h, index);
	return ret;
}

/* Finds the probe there that is `index` at machine `of`. False: there is none. */
static bool find_probe(const struct host *h, const struct host *of, size_t index, size_t *ret)
{
	size_t left = place_of(of, index);

	for (size_t i = 0; has_probe(h, i); i++) {
		if (!is_same(h, i, of, index) || left--)
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/* Returns NULL, or why it was not switched everywhere. */
static const char *switch_all(struct remote *r, const struct host *of, const char *which, bool on)
{
	const char *ret = "no machine runs that has this probe";
	size_t index = strtoul(which, NULL, 10), there;
	bool all = !strcmp(which, "all");
	struct strbuf silent;

	strbuf_init(&silent, r->s->arena);
	if (!all && !has_probe(of, index))
		return "there is no such probe";
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		if (h->state != HOST_RUNS || (!all && !find_probe(h, of, index, &there)))
			continue;
		if (talk_switch(h, all ? -1 : (int)there, on))
			ret = NULL;
		else
			strbuf_addf(&silent, "%s%s", silent.len ? ", " : "", h->label);
	}
	return !silent.len ? ret
			   : arena_printf(r->s->arena, "%s cannot be reached; try again", silent.s);
}

/* Returns "ok", or the reason why not. */
static const char *take_switch(struct remote *r, char *fields)
{
	char *which, *colon;
	size_t host = strtoul(fields, &which, 10);
	const char *wrong = "not understood";

	colon = *which == '\t' ? strchr(++which, ':') : NULL;
	if (colon && host < r->count) {
		*colon = 0;
		wrong = switch_all(r, &r->hosts[host], which, !strcmp(colon + 1, "on"));
	}
	return wrong ? wrong : "ok";
}

static void take_request(struct remote *r, char *line)
{
	static const char word[] = "switch\t";

	put_line(r, "switched\t%s",
		 strncmp(line, word, strlen(word))
			 ? "not understood"
			 : in_a_line(r, take_switch(r, line + strlen(word))));
}

static void take_requests(struct remote *r)
{
	struct hostpage *p = r->page;
	char bytes[REQUEST_BYTES];
	ssize_t n = read(p->fd, bytes, sizeof(bytes));

	for (ssize_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			if (p->asked < sizeof(p->request) - 1)
				p->request[p->asked++] = bytes[i];
			continue;
		}
		p->request[p->asked] = 0;
		p->asked = 0;
		take_request(r, p->request);
	}
	if (!n)
		drop(p);
}

/* ---- the socket ---- */

int hostpage_waits(const struct remote *r, short *events)
{
	*events = POLLIN;
	if (!r->page)
		return -1;
	*events |= bytequeue_len(&r->page->out) ? POLLOUT : 0;
	return r->page->fd;
}

static void write_some(struct hostpage *p)
{
	size_t len = bytequeue_len(&p->out);
	ssize_t n = len && p->fd >= 0 ? send(p->fd, bytequeue_at(&p->out), len, MSG_NOSIGNAL) : 0;

	if (n > 0)
		bytequeue_take(&p->out, (size_t)n);
	else if (n < 0 && errno != EINTR && errno != EAGAIN)
		drop(p);
}

void hostpage_serve(struct remote *r)
{
	if (r->page->fd >= 0)
		take_requests(r);
	write_some(r->page);
}

void hostpage_close(struct remote *r)
{
	struct hostpage *p = r->page;

	if (!p)
		return;
	hostpage_tell(r);
	while (p->fd >= 0 && bytequeue_len(&p->out)) {
		struct pollfd wait = { .fd = p->fd, .events = POLLOUT };

		if (poll(&wait, 1, CLOSE_MS) <= 0)
			break;
		write_some(p);
	}
	drop(p);
	r->page = NULL;
}
