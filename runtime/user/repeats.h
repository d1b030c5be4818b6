/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings that were shown: each text is shown once. */
#ifndef STP_USER_REPEATS_H
#define STP_USER_REPEATS_H

#include <stdbool.h>
#include <stddef.h>

/* The text came before. So many are remembered; from then on new ones are always new. */
#define REPEATS_MOST 4096
bool repeats_seen(const char *text, size_t len);

#endif
