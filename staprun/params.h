/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of parameters that the kernel gets with a module: NAME="VALUE" NAME="VALUE" …
 *
 * The kernel ends a value at a blank, and takes more for one than a space: 0xA0, the
 * second byte of "à", is one in its table. Between quotes nothing ends a value but a
 * quote, for which there is no escape. So all values are quoted, and none may hold a
 * quote.
 */
#ifndef STAPRUN_PARAMS_H
#define STAPRUN_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#define PARAMS_SIZE 16384

struct params {
	char text[PARAMS_SIZE];
	size_t used;
};

/*
 * Checks a user's NAME=VALUE. Returns NULL, or what is wrong with it: names that the
 * runtime or the kernel keep for themselves are refused.
 */
const char *params_check(const char *param);
/*
 * Adds NAME=VALUE after all others; of two with the same name the kernel takes the
 * last. Returns NULL, or what is wrong with it.
 */
const char *params_add(struct params *p, const char *param);

#endif
