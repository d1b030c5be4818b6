/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * URLs of databases, "//[USER@]HOST[:PORT]/DATABASE[?NAME=VALUE&…]". The parameters
 * schema=NAME, spool=SIZE, wait=SECONDS and keep=DAYS are handled here, all others by the
 * database's library.
 */
#ifndef TRACE_SINK_SERVERURL_H
#define TRACE_SINK_SERVERURL_H

#include <stdbool.h>

struct dbserver;

/*
 * Sets the members that the URL gives. The password comes from the environment
 * (lib/dburl.h). False: the URL is wrong, which was reported.
 */
bool serverurl_parse(struct dbserver *s, const char *where);

#endif
