/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of the parameters that are passed to the kernel with a module: NAME="VALUE"
 * NAME="VALUE" …
 *
 * The kernel ends a value at a blank, and not only a space is a blank: 0xA0, the second
 * byte of "à", is one in its table. Inside quotes only a quote ends a value, and it
 * cannot be escaped. So all values are quoted, and none may contain a quote.
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
 * Checks a user's NAME=VALUE. Returns NULL or an error text. Names that the runtime or
 * the kernel reserve are refused.
 */
const char *params_check(const char *param);
/*
 * Adds NAME=VALUE after all others; of two with the same name the kernel takes the last.
 * Returns NULL or an error text.
 */
const char *params_add(struct params *p, const char *param);

#endif
