/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to postgresql://USER:PASSWORD@HOST/DB: the password is passed on in the environment,
 * which other users cannot read, and never in arguments, which they can.
 */
#ifndef LIB_DBURL_H
#define LIB_DBURL_H

#include <stdbool.h>

#define DBURL_PASSWORD "STAP_DATABASE_PASSWORD"

/* True: the text is the URL of a database, not the name of a file. */
bool dburl_is(const char *to);
/*
 * Removes the password from a URL, an argument of this process, in place. Returns the
 * password, which the caller frees, or NULL if there is none.
 */
char *dburl_cut_password(char *to);
/* Moves the password into the environment of this process. True: there was one. */
bool dburl_hide_password(char *to);

#endif
