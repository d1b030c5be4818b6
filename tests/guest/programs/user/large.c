/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions whose results have no room in registers: plain, called by itself, and one that loses their place. */
// cflags: -g -O1
#include <string.h>

struct large {
	long number;
	char text[12];
	int parts[5];
};

static volatile long sink;

__attribute__((noinline)) struct large make(long n, const char *text)
{
	struct large l = { .number = n, .parts = { n, n + 1, n + 2, n + 3, -n } };

	strncpy(l.text, text, sizeof(l.text) - 1);
	return l;
}

/* Each call has a result of its own. */
__attribute__((noinline)) struct large add(long n)
{
	struct large l = { .number = n }, of_others;

	if (n > 0) {
		of_others = add(n - 1);
		l.number += of_others.number;
	}
	sink = l.number;
	return l;
}

int main(void)
{
	struct large made = make(7, "seven"), sum = add(3);

	return made.number != 7 || sum.number != 6;
}
