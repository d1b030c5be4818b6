/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a module that a user of little privilege
 * wants to load is vouched for, and for whom.
 */
#ifndef STAPRUN_VOUCH_H
#define STAPRUN_VOUCH_H

#include <stdbool.h>

struct caller;
struct load;

#define VOUCH_KEYS "/etc/stap/trusted" /* NAME.pem: public keys (Ed25519) */

/* The caller may load it; otherwise it has been said why not. */
bool vouch_check(const struct load *l, const struct caller *c);

#endif
