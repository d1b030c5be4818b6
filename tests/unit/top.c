/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/form/topsort.c: tables sorted by a column and as rates. trace/form/top.c: what
 * comes to a terminal, which is a pseudo terminal here.
 */
#include "unit.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>

#include "trace/form/top.h"
#include "trace/form/topsort.h"
#include "trace/output.h"

static const char table[] = "    PID PROGRAM          ms\n"
			    "      5 a               1.5\n"
			    "     17 Web Content     2K\n"
			    "      9 b              30.0\n"
			    "\n"
			    "N\n3\n20\n\n";

static const char *sorted(unsigned column, bool ascending, uint64_t span, const char *text)
{
	static char ret[4096];
	struct topsort how = { column, ascending, span };
	size_t len = 0;
	char *s = topsort_text(&how, text, strlen(text), &len);

	snprintf(ret, sizeof(ret), "%.*s", (int)len, s ? s : "no memory");
	free(s);
	return ret;
}

static void as_printed(void)
{
	CHECK_TEXT(sorted(0, false, 0, table), table);
	CHECK_TEXT(sorted(0, false, 0, ""), "");
	CHECK_TEXT(sorted(3, false, 0, "\n\n"), "\n\n");
	CHECK_TEXT(sorted(3, false, 0, "only a head"), "only a head\n");
	CHECK_TEXT(sorted(9, false, 0, "a b\n1 2\n3 4\n"), "a b\n1 2\n3 4\n");
}

/* Each table by its own column; longer lines than the head count from the right. */
static void by_column(void)
{
	CHECK_TEXT(sorted(1, false, 0, table), "    PID PROGRAM          ms\n"
					       "     17 Web Content     2K\n"
					       "      9 b              30.0\n"
					       "      5 a               1.5\n"
					       "\nN\n20\n3\n\n");
	CHECK_TEXT(sorted(3, false, 0, table), "    PID PROGRAM          ms\n"
					       "     17 Web Content     2K\n"
					       "      9 b              30.0\n"
					       "      5 a               1.5\n"
					       "\nN\n3\n20\n\n");
	CHECK_TEXT(sorted(3, true, 0, "a b c\nx y 10\nx y 9\nx y -1\n"),
		   "a b c\nx y -1\nx y 9\nx y 10\n");
	CHECK_TEXT(sorted(1, false, 0, "name\nb\na\n7\naa"), "name\n7\na\naa\nb\n");
}

static void rates(void)
{
	CHECK_TEXT(sorted(2, false, 2000000000, "NAME  N\na   100\nb     7\nc   64K\n"),
		   "NAME  N\nc 32.0K\na  50.0\nb   3.5\n");
	CHECK_TEXT(sorted(1, false, 500000000, "N M\n1 x\n"), "N M\n2.0 x\n");
}

/* ---- a terminal ---- */

static int terminal;
static struct output output;
static struct top top;

static const char *shown(void)
{
	static char ret[8192];
	size_t len = 0;
	ssize_t n;

	output_flush(&output);
	while (len < sizeof(ret) - 1 && (n = read(terminal, ret + len, sizeof(ret) - 1 - len)) > 0)
		len += (size_t)n;
	ret[len] = 0;
	return ret;
}

static const char *hit(const char *text, uint64_t seconds)
{
	output_put(&output, text, strlen(text));
	top_record(&top, seconds * 1000000000);
	output_record_end(&output);
	return shown();
}

/* Characters of two bytes: more than fit, and as many as fit. */
#define LONG  "\303\251\303\251\303\251\303\251\303\251" SHORT
#define SHORT "\303\251\303\251\303\251\303\251\303\251\303\251\303\251"
#define L     "\033[K\r\n"
#define BLUE  "\033[34m"
#define RED   "\033[31;1m"
#define PLAIN "\033[m"

static void in_place(void)
{
	struct winsize size = { .ws_row = 4, .ws_col = 12 };
	int inside;

	if (openpty(&terminal, &inside, NULL, NULL, &size) || dup2(inside, STDOUT_FILENO) < 0 ||
	    series_output(&output, NULL, NULL)) {
		fprintf(stderr, "no pseudo terminal\n");
		exit(1);
	}
	fcntl(terminal, F_SETFL, O_NONBLOCK);
	top_init(&top, &output);
	CHECK(top.output);
	CHECK_TEXT(hit("N  NAME\n1  first and more\n2  b\n3  c\n\n", 1),
		   "\033[H\033[2JN  NAME" L "1  first and" L "2  b" L "-- keys: 1-9\033[K\033[J\r");
	CHECK(top_key(&top, '1'));
	CHECK_TEXT(shown(), "\033[HN  NAME" L "3  c" L "2  b" L "-- keys: 1-9\033[K\033[J\r");
	CHECK(top_key(&top, 'r'));
	shown();
	CHECK_TEXT(hit("N  NAME\n8  " LONG "\n\n", 5),
		   "\033[HN  NAME" L "2.0  " SHORT L "-- keys: 1-9\033[K\033[J\r");
	CHECK(top_key(&top, 'r') && top_key(&top, '0'));
	shown();
	CHECK_TEXT(hit("HEAT\n|" BLUE "........" PLAIN RED "@@" PLAIN "|\n|" BLUE
		       "..........." PLAIN "|\n",
		       6),
		   "\033[HHEAT" L "|" BLUE "........" PLAIN RED "@@" PLAIN "|" L "|" BLUE
		   "..........." PLAIN PLAIN L "-- keys: 1-9\033[K\033[J\r");
	CHECK_TEXT(hit("|" BLUE ".............." PLAIN "|\n", 7),
		   "\033[H|" BLUE "..........." PLAIN L "-- keys: 1-9\033[K\033[J\r");
	CHECK_TEXT(hit("", 8), "");
	CHECK(!top_key(&top, 'q'));
	CHECK_LONG((long long)output.written, 5);
	top_deinit(&top);
}

/* A pipe, and a file, get what was printed. */
static void elsewhere(void)
{
	int ends[2];
	struct output to_pipe = { .fd = pipe(ends) ? -1 : ends[1] };

	top_init(&top, &to_pipe);
	CHECK(!top.output);
}

int main(void)
{
	int out = dup(STDOUT_FILENO);

	setvbuf(stdout, NULL, _IOFBF, 1 << 16); /* failures are for the standard output proper */
	RUN(as_printed);
	RUN(by_column);
	RUN(rates);
	RUN(elsewhere);
	fflush(stdout);
	RUN(in_place);
	dup2(out, STDOUT_FILENO);
	return unit_end();
}
