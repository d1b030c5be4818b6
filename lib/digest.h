/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fingerprints of texts: the keys of the cache, and the script's identity in a module. */
#ifndef LIB_DIGEST_H
#define LIB_DIGEST_H

#include <stddef.h>

struct arena;

/* Returns the SHA-256 in hexadecimal digits, as sha256sum(1) prints it. */
const char *digest_hex(struct arena *a, const char *text, size_t len);

#endif
