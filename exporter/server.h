/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The HTTP server: who may ask, and what is at which path. */
#ifndef EXPORTER_SERVER_H
#define EXPORTER_SERVER_H

#include <stdbool.h>

struct MHD_Daemon;
struct webconfig;

/*
 * Listens at ADDRESS:PORT, [ADDRESS]:PORT, :PORT or PORT; port 0 takes a free one. Prints
 * where it does. NULL with a message.
 */
struct MHD_Daemon *server_begin(const char *where, const struct webconfig *config);
/*
 * Serves by another configuration from now on, at the same place; who is being answered
 * gets the rest of it. NULL with a message: nothing has changed.
 */
struct MHD_Daemon *server_renew(struct MHD_Daemon *d, const struct webconfig *config);
void server_end(struct MHD_Daemon *d);
/* True: the text is a place to listen at. */
bool server_can_parse(const char *where);

#endif
