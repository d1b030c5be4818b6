/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of a program on a terminal: as stp_record_format(), with rows of heat maps in
 * colours.
 */
#ifndef STP_USER_COLORED_H
#define STP_USER_COLORED_H

#include "core/env.h"

/* False when the body is damaged: the text before the damage was passed on. */
bool colored_format(const void *body, size_t len,
		    void (*put)(void *ctx, const char *s, size_t len));

#endif
