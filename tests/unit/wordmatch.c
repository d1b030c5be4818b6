/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap/doc/wordmatch.c: questions find what has their words. */
#include "unit.h"

#include "stap/doc/wordmatch.c"

static void words(void)
{
	CHECK_LONG(wordmatch_asked("who writes to a file?"), 2);
	CHECK_LONG(wordmatch_asked("Why?"), 0);
	CHECK_LONG(wordmatch_asked(""), 0);
	CHECK_LONG(wordmatch_count("who writes to a file?", "files most read written hot"), 2);
	CHECK_LONG(wordmatch_count("lock", "block clock"), 0);
	CHECK_LONG(wordmatch_count("LOCK", "kernel-locks"), 1);
	CHECK_LONG(wordmatch_count("locks", "who holds the lock"), 1);
	CHECK_LONG(wordmatch_count("killed by OOM", "oom kill"), 2);
	CHECK_LONG(wordmatch_count("descriptor", "desc"), 0);
	CHECK_LONG(wordmatch_asked("the file's lock"), 2);
	CHECK_LONG(wordmatch_asked("who writes to /var/log/app.log"), 1);
	CHECK_LONG(wordmatch_asked("client/server"), 2);
}

int main(void)
{
	RUN(words);
	return unit_end();
}
