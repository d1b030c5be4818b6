/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to postgresql://USER:PASSWORD@HOST/DB: the password goes on in the environment, which
 * other users cannot read, and never in arguments, which all can.
 */
#ifndef LIB_DBURL_H
#define LIB_DBURL_H

#include <stdbool.h>

#define DBURL_PASSWORD "STAP_DATABASE_PASSWORD"

/* True: the text is the URL of a database, and no file's name. */
bool dburl_is(const char *to);
/*
 * Takes the password out of a URL, an argument of this process, in place. NULL: there is
 * none; else the caller's to free.
 */
char *dburl_cut_password(char *to);
/* Takes it out, into the environment of this process. True: there was one. */
bool dburl_hide_password(char *to);

#endif
