/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Punycode (RFC 3492), in the form for symbols: "_" separates the ASCII letters from the
 * rest, because "-" is not allowed in a symbol.
 */
#ifndef STAP_PUNYCODE_H
#define STAP_PUNYCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes to characters of Unicode, at most `room`. False: it is damaged, or too long. */
bool punycode_decode(const char *s, size_t len, uint32_t *ret, size_t room, size_t *count);

#endif
