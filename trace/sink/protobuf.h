/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of Protocol Buffers, written by the numbers of their fields. A message inside
 * another is begun and ended; its length takes four bytes, however short it is, which
 * readers accept. What finds no room is left out whole: `full` says so.
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
/* Puts a text: bytes that are no UTF-8 become '?', which readers ask for. */
void protobuf_text(struct protobuf *p, unsigned field, const char *s, size_t len);
void protobuf_string(struct protobuf *p, unsigned field, const char *s);
/* Returns the place of the message, for protobuf_end(). */
size_t protobuf_begin(struct protobuf *p, unsigned field);
void protobuf_end(struct protobuf *p, size_t place);

#endif
