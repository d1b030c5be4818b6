/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings that were shown already: each text is shown once. */
#ifndef LIB_REPEATS_H
#define LIB_REPEATS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True: the text was shown before. REPEATS_MOST texts are remembered; further texts
 * always count as new.
 */
#define REPEATS_MOST 4096
bool repeats_seen(const char *text, size_t len);

#endif
