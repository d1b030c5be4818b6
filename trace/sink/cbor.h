/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a message that sinks have as JSON to CBOR (RFC 8949): it has the same members,
 * as maps and arrays of indefinite length. Bytes that are not UTF-8 become byte strings,
 * where JSON uses base64.
 */
#ifndef TRACE_SINK_CBOR_H
#define TRACE_SINK_CBOR_H

#include <stddef.h>

/*
 * Returns a message as CBOR, which the caller frees, and its length. `line` is the object
 * from json.c, without spaces between its parts. NULL: no memory.
 */
char *cbor_of_json(const char *line, size_t len, size_t *ret);

#endif
