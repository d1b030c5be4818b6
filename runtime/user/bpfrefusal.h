/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains why the kernel refused to load handlers. */
#ifndef STP_USER_BPFREFUSAL_H
#define STP_USER_BPFREFUSAL_H

#include <stddef.h>

struct bpfparts;

/* Writes the place in the script, if it is known, and the reason. */
void bpfrefusal_explain(char *to, size_t size, const struct bpfparts *parts, const char *log,
			int error);

#endif
