/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that root or a trusted key vouches for a module that a user with few privileges
 * wants to load, and for which level.
 */
#ifndef STAPRUN_VOUCH_H
#define STAPRUN_VOUCH_H

#include <stdbool.h>

struct caller;
struct load;

#define VOUCH_KEYS "/etc/stap/trusted" /* NAME.pem: public keys (Ed25519) */

/* True: the caller may load it. False: the reason was printed. */
bool vouch_check(const struct load *l, const struct caller *c);

#endif
