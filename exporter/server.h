/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The HTTP server: checks who may read. A site decides about the paths. */
#ifndef EXPORTER_SERVER_H
#define EXPORTER_SERVER_H

#include <stdbool.h>

#include <microhttpd.h>

struct text;
struct webconfig;

/* The pages of a server. The connection's thread calls both functions. */
struct server_site {
	const char *path;    /* of its first page, printed after the address */
	const char *allowed; /* the methods that it answers */
	const char *policy;  /* what a browser may load (Content-Security-Policy), or NULL */
	enum MHD_Result (*get)(struct MHD_Connection *c, const char *url);
	enum MHD_Result (*post)(struct MHD_Connection *c, const char *url); /* or NULL */
};

/* The metrics (metricsite.c), and the live page of a run (livesite.c). */
extern const struct server_site metricsite, livesite;

/*
 * Listens at ADDRESS:PORT, [ADDRESS]:PORT, :PORT or PORT; port 0 takes a free one. Prints
 * the address. NULL with a message.
 */
struct MHD_Daemon *server_begin(const char *where, const struct webconfig *config,
				const struct server_site *pages);
/*
 * From now on serves with another configuration, at the same address. Answers that are
 * being sent are completed. NULL with a message: nothing was changed.
 */
struct MHD_Daemon *server_renew(struct MHD_Daemon *d, const struct webconfig *config);
void server_end(struct MHD_Daemon *d);
/* Answers with the text, and frees it. */
enum MHD_Result server_answer(struct MHD_Connection *c, unsigned status, const char *type,
			      struct text *t);
enum MHD_Result server_answer_words(struct MHD_Connection *c, unsigned status, const char *words);
/* Adds the headers of every answer of the site. */
void server_add_headers(struct MHD_Response *r);
/* Sets no time limit for the caller's reading, because the answer has no end. */
void server_goes_on(struct MHD_Connection *c);
/* True: the text is a place to listen at. */
bool server_can_parse(const char *where);

#endif
