/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of scripts hold any bytes; formats that sinks write want UTF-8. */
#ifndef STAPIO_SINK_UTF8_H
#define STAPIO_SINK_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Returns the bytes of the character at s, of which `left` are there; 0: it is none. */
size_t utf8_length(const char *s, size_t left);

#endif
