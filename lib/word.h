/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words are names in scripts, in C, and of kernel symbols. */
#ifndef LIB_WORD_H
#define LIB_WORD_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

/* True: a letter, a digit or '_'. */
static inline bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns how many such characters the text begins with. */
static inline size_t word_length(const char *text)
{
	size_t n = 0;

	while (word_char(text[n]))
		n++;
	return n;
}

#endif
