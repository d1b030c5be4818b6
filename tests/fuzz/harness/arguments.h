/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An input as a command line. */
#ifndef FUZZ_ARGUMENTS_H
#define FUZZ_ARGUMENTS_H

#include <stdint.h>
#include <string.h>

#define ARGUMENTS_MOST 600 /* more than staprun has room for */

/*
 * Calls back with the input's arguments, each of which NUL ends, behind the program's
 * name; a longer input than a command line is dropped.
 */
static inline void arguments_give(const uint8_t *data, size_t size, char *program,
				  void (*callback)(int argc, char **argv))
{
	char text[8192], *argv[ARGUMENTS_MOST + 2] = { program };
	int argc = 1;

	if (size >= sizeof(text))
		return;
	memcpy(text, data, size);
	text[size] = 0;
	for (size_t at = 0; at < size && argc <= ARGUMENTS_MOST; at += strlen(text + at) + 1)
		argv[argc++] = text + at;
	callback(argc, argv);
}

#endif
