/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unit tests: each file is a program of its own,
 *
 *   gcc -std=gnu11 -D_GNU_SOURCE -Iruntime -Iruntime/arch/$(uname -m) -I. -Itranslator \
 *       -o test tests/unit/NAME.c && ./test
 *
 * that prints the failures and, as its last line, "N passed, N failed". Also run under
 * -fsanitize=address,undefined and, those that start threads, under -fsanitize=thread. A
 * test is a function, called from main() through RUN().
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned unit_passed, unit_failed;
static unsigned unit_failures; /* of the test that runs */

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition) && unit_failures++ < 5)                                           \
			printf("%s:%d: %s: not %s\n", __FILE__, __LINE__, __func__, #condition);   \
	} while (0)

#define CHECK_LONG(got, wanted)                                                                    \
	do {                                                                                       \
		long long got_ = (got), wanted_ = (wanted);                                        \
		if (got_ != wanted_ && unit_failures++ < 5)                                        \
			printf("%s:%d: %s: %s is %lld, not %lld\n", __FILE__, __LINE__, __func__,  \
			       #got, got_, wanted_);                                               \
	} while (0)

#define CHECK_TEXT(got, wanted)                                                                    \
	do {                                                                                       \
		const char *got_ = (got), *wanted_ = (wanted);                                     \
		if (strcmp(got_, wanted_) && unit_failures++ < 5)                                  \
			printf("%s:%d: %s: \"%s\", not \"%s\"\n", __FILE__, __LINE__, __func__,    \
			       got_, wanted_);                                                     \
	} while (0)

#define RUN(test)                                                                                  \
	do {                                                                                       \
		unit_failures = 0;                                                                 \
		test();                                                                            \
		if (unit_failures)                                                                 \
			unit_failed++;                                                             \
		else                                                                               \
			unit_passed++;                                                             \
	} while (0)

/* Makes a directory of its template, and goes there. Provoked errors are not shown. */
static inline bool unit_enter(char *dir)
{
	return mkdtemp(dir) && !chdir(dir) && freopen("/dev/null", "w", stderr);
}

/* Removes the directory; that something is left in it is a failure. */
static inline void unit_leave(const char *dir)
{
	if (!chdir("/") && !rmdir(dir))
		return;
	printf("left behind in %s\n", dir);
	unit_failed++;
}

static inline int unit_end(void)
{
	printf("%u passed, %u failed\n", unit_passed, unit_failed);
	return unit_failed ? 1 : 0;
}

/* Returns the same numbers in every run. */
static inline unsigned long long unit_random(void)
{
	static unsigned long long x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

#endif
