/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live page of a run. Whoever has its address may read it and switch probes: the
 * address has a token, which every request repeats.
 *
 *   GET  /?t=TOKEN           the page
 *   GET  /NAME?t=TOKEN       its parts
 *   GET  /events?t=TOKEN     Server-Sent Events, an object of live.h each
 *   POST /switch?t=TOKEN&probe=INDEX:on[&host=N]
 */
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "exporter/live.h"
#include "exporter/livesite.h"
#include "exporter/server.h"
#include "exporter/text.h"

#define TOKEN_BYTES 16
#define EVENT_ROOM  (64u << 10)

static const char page_html[] =
#include "exporter/page/page.html.inc"
	;
static const char page_css[] =
#include "exporter/page/page.css.inc"
	;
static const char page_js[] =
#include "exporter/page/page.js.inc"
	;
static const char panels_js[] =
#include "exporter/page/panels.js.inc"
	;
static const char timeline_js[] =
#include "exporter/page/timeline.js.inc"
	;
static const char uplot_js[] =
#include "exporter/page/uPlot.js.inc"
	;
static const char uplot_css[] =
#include "exporter/page/uPlot.css.inc"
	;

static const struct part {
	const char *path, *type, *text;
} parts[] = {
	{ "/", "text/html; charset=utf-8", page_html },
	{ "/page.css", "text/css; charset=utf-8", page_css },
	{ "/page.js", "text/javascript; charset=utf-8", page_js },
	{ "/panels.js", "text/javascript; charset=utf-8", panels_js },
	{ "/timeline.js", "text/javascript; charset=utf-8", timeline_js },
	{ "/uPlot.js", "text/javascript; charset=utf-8", uplot_js },
	{ "/uPlot.css", "text/css; charset=utf-8", uplot_css },
};

static char first_path[sizeof("?t=") + 2 * TOKEN_BYTES];
static const char *const token = first_path + 3;

bool livesite_begin(void)
{
	unsigned char bytes[TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes)) {
		perror("stap-exporter: getrandom");
		return false;
	}
	strcpy(first_path, "?t=");
	for (unsigned i = 0; i < TOKEN_BYTES; i++)
		snprintf(first_path + 3 + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

/* Compares in constant time, so that the time reveals nothing about the token. */
static bool knows_token(struct MHD_Connection *c)
{
	const char *said = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "t");
	unsigned char differs = 0;

	if (!said || strlen(said) != 2 * TOKEN_BYTES)
		return false;
	for (unsigned i = 0; i < 2 * TOKEN_BYTES; i++)
		differs |= (unsigned char)(said[i] ^ token[i]);
	return !differs;
}

/* ---- events ---- */

struct events {
	struct live_seen seen;
	struct text text; /* the event that is being sent */
	size_t given;
};

static ssize_t read_events(void *ctx, uint64_t at, char *ret, size_t room)
{
	struct events *e = ctx;
	size_t n;

	if (e->given == e->text.len) {
		struct text object = { 0 };

		text_free(&e->text);
		e->given = 0;
		if (!live_wait(&e->seen, &object))
			return MHD_CONTENT_READER_END_OF_STREAM;
		// A comment shows that the connection is alive.
		text_adds(&e->text, object.len ? "data: " : ":");
		text_add(&e->text, object.len ? object.s : "", object.len);
		text_adds(&e->text, "\n\n");
		text_free(&object);
	}
	n = e->text.len - e->given < room ? e->text.len - e->given : room;
	memcpy(ret, e->text.s + e->given, n);
	e->given += n;
	return (ssize_t)n;
}

static void end_events(void *ctx)
{
	struct events *e = ctx;

	live_leave();
	text_free(&e->text);
	free(e);
}

static enum MHD_Result answer_events(struct MHD_Connection *c)
{
	struct events *e = text_memory(sizeof(*e));
	struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EVENT_ROOM,
								   read_events, e, end_events);
	enum MHD_Result ret;

	if (!r) {
		free(e);
		return MHD_NO;
	}
	live_enter();
	server_add_headers(r);
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
	server_goes_on(c);
	ret = MHD_queue_response(c, MHD_HTTP_OK, r);
	MHD_destroy_response(r);
	return ret;
}

/* ---- requests ---- */

static enum MHD_Result refuse(struct MHD_Connection *c)
{
	return server_answer_words(c, MHD_HTTP_FORBIDDEN,
				   "the address that stap printed has a token: ?t=...\n");
}

/* Adds the text, with the token in place of each "t=TOKEN" in the page's links. */
static void add_part(struct text *t, const char *text)
{
	const char *at;

	while ((at = strstr(text, "t=TOKEN")) != NULL) {
		text_add(t, text, (size_t)(at - text) + 2);
		text_adds(t, token);
		text = at + strlen("t=TOKEN");
	}
	text_adds(t, text);
}

static enum MHD_Result get(struct MHD_Connection *c, const char *url)
{
	struct text t = { 0 };

	if (!knows_token(c))
		return refuse(c);
	if (!strcmp(url, "/events"))
		return answer_events(c);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(url, parts[i].path) != 0)
			continue;
		add_part(&t, parts[i].text);
		return server_answer(c, MHD_HTTP_OK, parts[i].type, &t);
	}
	return server_answer_words(c, MHD_HTTP_NOT_FOUND, "no such page\n");
}

/* True: INDEX:on, INDEX:off, all:on or all:off. */
static bool is_switch(const char *what)
{
	size_t digits = strspn(what, "0123456789");
	size_t n = digits ? digits : strncmp(what, "all", 3) ? 0 : 3;

	return n && n < 10 && (!strcmp(what + n, ":on") || !strcmp(what + n, ":off"));
}

/* True: a number, or none. */
static bool is_host(const char *host)
{
	return !host || (*host && strlen(host) < 6 && strspn(host, "0123456789") == strlen(host));
}

static enum MHD_Result post(struct MHD_Connection *c, const char *url)
{
	const char *what = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "probe");
	const char *host = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "host");
	struct text why = { 0 };
	enum MHD_Result ret;

	if (!knows_token(c))
		return refuse(c);
	if (strcmp(url, "/switch") != 0)
		return server_answer_words(c, MHD_HTTP_NOT_FOUND, "no such page\n");
	if (!what || !is_switch(what) || !is_host(host))
		return server_answer_words(c, MHD_HTTP_BAD_REQUEST, "probe=INDEX:on&host=N\n");
	if (live_switch(host ? (unsigned)strtoul(host, NULL, 10) : 0, what, &why))
		return server_answer_words(c, MHD_HTTP_OK, "ok\n");
	text_adds(&why, "\n");
	ret = server_answer_words(c, MHD_HTTP_CONFLICT, why.s);
	text_free(&why);
	return ret;
}

const struct server_site livesite = {
	.path = first_path,
	.allowed = "GET, HEAD, POST",
	.policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
		  "img-src 'self' data:; base-uri 'none'; form-action 'none'; "
		  "frame-ancestors 'none'",
	.get = get,
	.post = post,
};
