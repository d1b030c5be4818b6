/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Colours the rows of heat maps on a terminal. stapio does this for modules; a program of
 * --runtime=user does it itself.
 */
#ifndef LIB_HEATCOLOR_H
#define LIB_HEATCOLOR_H

#include <stdbool.h>
#include <stddef.h>

/* True: the file is a terminal that shows colours, and the user has not disabled them. */
bool heatcolor_is_shown(int fd);
/* True: the field with this name is a row of a heat map. */
bool heatcolor_is_field(const char *name, size_t len);
/* Passes a row to `put`, each run of one level in its colour. */
void heatcolor_write(const char *s, size_t len, void (*put)(void *ctx, const char *s, size_t len),
		     void *ctx);

#endif
