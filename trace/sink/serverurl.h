/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * URLs of databases, "//[USER@]HOST[:PORT]/DATABASE[?NAME=VALUE&…]". These parameters are
 * ours, the others the library's: schema=NAME, spool=SIZE,
 * wait=SECONDS, keep=DAYS.
 */
#ifndef TRACE_SINK_SERVERURL_H
#define TRACE_SINK_SERVERURL_H

#include <stdbool.h>

struct dbserver;

/*
 * Fills in what the URL says; the password comes out of the environment
 * (user/dburl.h). False: it is wrong, which has been reported.
 */
bool serverurl_parse(struct dbserver *s, const char *where);

#endif
