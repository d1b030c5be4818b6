/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CBOR (RFC 8949) of a message that sinks have as JSON: the same members, as maps and
 * arrays of indefinite length. Bytes that are no UTF-8 are byte strings, where JSON has
 * base64.
 */
#ifndef TRACE_SINK_CBOR_H
#define TRACE_SINK_CBOR_H

#include <stddef.h>

/*
 * Returns a message's CBOR, which the caller frees, and its length. `line` is the object
 * that json.c has made, with no space between its parts. NULL: no memory.
 */
char *cbor_of_json(const char *line, size_t len, size_t *ret);

#endif
