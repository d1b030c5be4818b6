/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks names and passwords of readers against bcrypt hashes. */
#ifndef EXPORTER_AUTH_H
#define EXPORTER_AUTH_H

#include <stdbool.h>

struct webconfig;

/*
 * True: that user has that password, and it was accepted before; either may be NULL. It
 * takes microseconds, because it computes no hash.
 */
bool auth_is_remembered(const struct webconfig *c, const char *name, const char *password);
/*
 * True: that user has that password; either may be NULL. It takes the time of the most
 * expensive user's hash, even if there is no such user, unless they were accepted before.
 */
bool auth_is_right(const struct webconfig *c, const char *name, const char *password);

#endif
