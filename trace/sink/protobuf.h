/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes messages of Protocol Buffers by the numbers of their fields. A message inside
 * another has a begin and an end call. Its length takes four bytes, however short it is,
 * which readers accept. A field that does not fit is left out as a whole, and `full` is
 * set.
 */
#ifndef TRACE_SINK_PROTOBUF_H
#define TRACE_SINK_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct protobuf {
	uint8_t *bytes;
	size_t len, room;
	bool full;
};

void protobuf_number(struct protobuf *p, unsigned field, uint64_t number);
/* Writes a text. Readers require UTF-8, so other bytes become '?'. */
void protobuf_text(struct protobuf *p, unsigned field, const char *s, size_t len);
void protobuf_string(struct protobuf *p, unsigned field, const char *s);
/* Returns the position of the message, for protobuf_end(). */
size_t protobuf_begin(struct protobuf *p, unsigned field);
void protobuf_end(struct protobuf *p, size_t place);

#endif
