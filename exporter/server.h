/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The HTTP server: who may ask. What is at which path is a site's. */
#ifndef EXPORTER_SERVER_H
#define EXPORTER_SERVER_H

#include <stdbool.h>

#include <microhttpd.h>

struct text;
struct webconfig;

/* Pages of a server. Both functions are called by a thread of the connection's. */
struct server_site {
	const char *path;    /* of its first page, behind the address, as it is printed */
	const char *allowed; /* the methods that it answers */
	const char *policy;  /* what a browser may load (Content-Security-Policy), or NULL */
	enum MHD_Result (*get)(struct MHD_Connection *c, const char *url);
	enum MHD_Result (*post)(struct MHD_Connection *c, const char *url); /* or NULL */
};

/* The metrics (metricsite.c), and the live page of a run (livesite.c). */
extern const struct server_site metricsite, livesite;

/*
 * Listens at ADDRESS:PORT, [ADDRESS]:PORT, :PORT or PORT; port 0 takes a free one. Prints
 * where it does. NULL with a message.
 */
struct MHD_Daemon *server_begin(const char *where, const struct webconfig *config,
				const struct server_site *pages);
/*
 * Serves by another configuration from now on, at the same place; who is being answered
 * gets the rest of it. NULL with a message: nothing has changed.
 */
struct MHD_Daemon *server_renew(struct MHD_Daemon *d, const struct webconfig *config);
void server_end(struct MHD_Daemon *d);
/* Answers with the text, which is freed. */
enum MHD_Result server_answer(struct MHD_Connection *c, unsigned status, const char *type,
			      struct text *t);
enum MHD_Result server_answer_words(struct MHD_Connection *c, unsigned status, const char *words);
/* Adds the headers that every answer of the site has. */
void server_add_headers(struct MHD_Response *r);
/* Lets the caller read for as long as it likes: the answer has no end of its own. */
void server_goes_on(struct MHD_Connection *c);
/* True: the text is a place to listen at. */
bool server_can_parse(const char *where);

#endif
