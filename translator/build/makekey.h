/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap --make-key */
#ifndef STAP_BUILD_MAKEKEY_H
#define STAP_BUILD_MAKEKEY_H

struct error;
struct session;

/*
 * Makes key.pem and cert.der in the directory (NULL: SIGN_DIR), which must not hold a
 * key, and prints how the machine comes to trust them.
 */
struct error *makekey_run(struct session *s, const char *dir);

#endif
