/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun/quotafile.c: which text is a file of limits, and which limits it gives. */
#include "unit.h"

#include <stdarg.h>

#include "staprun/image.c"
#include "staprun/quotafile.c"
#include "lib/trust.c"

#define GB (1ull << 30)
#define MB (1ull << 20)

/* Files and messages are not part of this test. */
void report_error(const char *fmt, ...)
{
}

int privileges_open(const char *path, int flags)
{
	return -1;
}

static struct quota_limits limits;

/* Reads the text on a machine of 100 GB. */
static unsigned wrong_line(const char *text)
{
	return parse(text, strlen(text), 100 * GB, &limits);
}

static void defaults(void)
{
	CHECK_LONG(wrong_line(""), 0);
	CHECK_LONG(limits.runs, 32);
	CHECK_LONG(limits.bytes, 25 * GB);
	CHECK_LONG(wrong_line("\n  \n# RUNS=5\n; MEMORY=1\n\t\r\n"), 0);
	CHECK_LONG(limits.runs, 32);
	CHECK_LONG(limits.bytes, 25 * GB);
	/* A small machine: one run, with arrays. */
	CHECK_LONG(parse("", 0, 200 * MB, &limits), 0);
	CHECK_LONG(limits.bytes, 128 * MB);
}

static void values(void)
{
	CHECK_LONG(wrong_line("RUNS=5\nMEMORY=512"), 0);
	CHECK_LONG(limits.runs, 5);
	CHECK_LONG(limits.bytes, 512 * MB);
	CHECK_LONG(wrong_line("  RUNS = 0 \r\n\tMEMORY\t=\t7%\n"), 0);
	CHECK_LONG(limits.runs, 0);
	CHECK_LONG(limits.bytes, 7 * GB);
	CHECK_LONG(wrong_line("MEMORY=0\n"), 0);
	CHECK_LONG(limits.bytes, 0);
	CHECK_LONG(wrong_line("MEMORY=100%\nRUNS=4294967295"), 0);
	CHECK_LONG(limits.bytes, 100 * GB);
	CHECK_LONG(limits.runs, 4294967295);
	CHECK_LONG(wrong_line("RUNS=unlimited\nMEMORY=unlimited\n"), 0);
	CHECK(limits.runs == QUOTA_UNLIMITED && limits.bytes == QUOTA_UNLIMITED);
	/* The last one counts. */
	CHECK_LONG(wrong_line("RUNS=5\nRUNS=6\n"), 0);
	CHECK_LONG(limits.runs, 6);
}

static void refusals(void)
{
	static const char *const lines[] = {
		"RUNS",
		"RUNS=",
		"RUNS=-1",
		"RUNS=+1",
		"RUNS=5 # five",
		"RUNS=4294967296",
		"RUNS=5%",
		"RUNS=0x5",
		"RUNS=99999999999999999999999",
		"runs=5",
		"RUN=5",
		"RUNSS=5",
		"=5",
		"=",
		"MEMORY=",
		"MEMORY=%",
		"MEMORY=101%",
		"MEMORY=-1",
		"MEMORY=5 %",
		"MEMORY=5M",
		"MEMORY=99999999999999999999",
		"MEMORY=1073741825",
		"MEMORY=\"5\"",
		"MEMORY=Unlimited",
		"MEMORY=unlimited%",
		"OTHER=5",
		"RUNS=5\xa0",
		"nonsense",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char text[128];

		CHECK_LONG(wrong_line(lines[i]), 1);
		snprintf(text, sizeof(text), "RUNS=1\n\n%s\nMEMORY=1\n", lines[i]);
		CHECK_LONG(wrong_line(text), 3);
	}
	CHECK_LONG(parse("RUNS=5\0\n", 8, GB, &limits), 1);
	CHECK_LONG(parse("\0", 1, GB, &limits), 1);
	/* Nothing behind the text's end is read. */
	CHECK_LONG(parse("RUNS=567", 6, GB, &limits), 0);
	CHECK_LONG(limits.runs, 5);
}

int main(void)
{
	RUN(defaults);
	RUN(values);
	RUN(refusals);
	return unit_end();
}
