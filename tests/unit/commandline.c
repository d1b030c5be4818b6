/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the text of -c is read: what is executed directly, what takes the shell's place,
 * and what is left to the shell.
 */
#include "unit.h"

#include "lib/commandline.c"

/* Writes "PATH: ASSIGNED | WORDS", or "sh: TEXT" for the shell. */
static const char *shown(const char *text)
{
	static char buf[4096];
	struct commandline c;
	int n;

	if (commandline_init(&c, text))
		return "no memory";
	if (c.is_shells) {
		snprintf(buf, sizeof(buf), "sh: %s", c.words[2]);
		CHECK(!strcmp(c.words[0], "sh") && !strcmp(c.words[1], "-c") && !c.words[3]);
	} else {
		n = snprintf(buf, sizeof(buf), "%s:", c.path);
		for (char **w = c.assigned; w && *w; w++)
			n += snprintf(buf + n, sizeof(buf) - (size_t)n, " {%s}", *w);
		for (char **w = c.words; *w; w++)
			n += snprintf(buf + n, sizeof(buf) - (size_t)n, " [%s]", *w);
	}
	commandline_deinit(&c);
	return buf;
}

static void direct(void)
{
	CHECK_TEXT(shown("true"), "/bin/true: [true]");
	CHECK_TEXT(shown(" ls\t-l  x "), "/bin/ls: [ls] [-l] [x]");
	CHECK_TEXT(shown("/no/where x=y"), "/no/where: [/no/where] [x=y]");
	CHECK_TEXT(shown("dd if=/dev/zero 'a b' \"c  d\" e\\ f"),
		   "/bin/dd: [dd] [if=/dev/zero] [a b] [c  d] [e f]");
	CHECK_TEXT(shown("ls a#b # !x % ^ [z] ??z ''"),
		   "/bin/ls: [ls] [a#b] [#] [!x] [%] [^] [[z]] [??z] []");
	CHECK_TEXT(shown("ls $TWO ${TWO}c \"$TWO\" '$TWO' \\$TWO $NO \"$NO\""),
		   "/bin/ls: [ls] [a] [b] [a] [bc] [a b] [$TWO] [$TWO] []");
	CHECK_TEXT(shown("ls ~ ~/x a~ '~'"), "/bin/ls: [ls] [/home/of] [/home/of/x] [a~] [~]");
	CHECK_TEXT(shown("ls \"a;b\" 'c|d' \\& '('"), "/bin/ls: [ls] [a;b] [c|d] [&] [(]");
	CHECK_TEXT(shown("$PROGRAM x"), "/bin/true: [true] [x]");
	CHECK_TEXT(shown("ls \\\n x"), "/bin/ls: [ls] [x]");
	CHECK_TEXT(shown("A=1 B='2 3' ls C=4"), "/bin/ls: {A=1} {B=2 3} [ls] [C=4]");
	CHECK_TEXT(shown("A= ls"), "/bin/ls: {A=} [ls]");
	CHECK_TEXT(shown("./a=b"), "./a=b: [./a=b]");
}

static void in_the_shells_place(void)
{
	CHECK_TEXT(shown("ls > x 2>&1"), "sh: exec ls > x 2>&1");
	CHECK_TEXT(shown("ls >| x 1<>y <&3 >>z"), "sh: exec ls >| x 1<>y <&3 >>z");
	CHECK_TEXT(shown(">x ls y"), "sh: >x exec ls y");
	CHECK_TEXT(shown("2>x A=1 ls y"), "sh: 2>x A=1 exec ls y");
	CHECK_TEXT(shown("A=$TWO ls"), "sh: A=$TWO exec ls");
	CHECK_TEXT(shown("A=~ ls"), "sh: A=~ exec ls");
	CHECK_TEXT(shown("PATH=/bin ls"), "sh: PATH=/bin exec ls");
	CHECK_TEXT(shown("find . -exec {} +"), "sh: exec find . -exec {} +");
	CHECK_TEXT(shown("kill -9 $$"), "sh: exec kill -9 $$");
	CHECK_TEXT(shown("ls $1 $? ${#TWO} $((1+(2))) $(id; id) `id; id`"),
		   "sh: exec ls $1 $? ${#TWO} $((1+(2))) $(id; id) `id; id`");
	CHECK_TEXT(shown("ls \"$(echo \")\" ')')\" ~root"),
		   "sh: exec ls \"$(echo \")\" ')')\" ~root");
	CHECK_TEXT(shown("$PROGRAM > x"), "sh: exec $PROGRAM > x");
	CHECK_TEXT(shown("ls 'x' > 'a;b'"), "sh: exec ls 'x' > 'a;b'");
}

static void left_to_the_shell(void)
{
	static const char *const all[] = {
		"",
		"  ",
		"''",
		"A=1",
		"> x",
		"ls; ls",
		"ls;",
		"ls &",
		"ls && ls",
		"ls | ls",
		"(ls)",
		"{ ls; }",
		"ls\nls",
		"ls &> x",
		"ls >",
		"ls > > x",
		"ls << EOF\nx\nEOF",
		"ls <(ls)",
		"f() { ls; }; f",
		"ls 'x",
		"ls \"x",
		"ls `x",
		"ls $(x",
		"ls ${x",
		"ls $(case x in x) ls;; esac); ls",
		"ls $(ls # )\n); ls",
		"exit 3",
		"exec ls",
		"no_such_program_at_all x",
		"no_such_program_at_all > x",
		"$(echo ls) x",
		"$NO",
		"! ls",
		"/no/where $(((((((((((((((((((1)))))))))))))))))))",
	};
	char expected[256];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(expected, sizeof(expected), "sh: %s", all[i]);
		CHECK_TEXT(shown(all[i]), expected);
	}
}

static void nested(void)
{
	enum { MANY = 100000 };
	static char text[2 * MANY + 16];
	static const char *const parts[] = { "$(", "${x-", "\"${x-" };

	for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
		size_t n = strlen(parts[p]);
		struct commandline c;

		strcpy(text, "ls ");
		for (size_t i = 3; i + n < MANY; i += n)
			strcpy(text + i, parts[p]);
		CHECK(!commandline_init(&c, text) && c.is_shells && !strcmp(c.words[2], text));
		commandline_deinit(&c);
	}
}

static void programs(void)
{
	static const struct {
		const char *text, *program;
	} all[] = {
		{ "ls -l", "ls" },	    { "'./a b' x", "./a b" }, { "A=1 ls > x", "ls" },
		{ "> x $PROGRAM", "true" }, { "exit 3", "exit" },     { "ls; ls", NULL },
		{ "$(echo ls)", NULL },	    { "ls $(id)", "ls" },     { "", NULL },
		{ "~/x", "/home/of/x" },    { "A=1", NULL },	      { "{ ls; }", NULL },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char *got = commandline_program(all[i].text);

		CHECK_TEXT(got ? got : "(none)", all[i].program ? all[i].program : "(none)");
		free(got);
	}
}

int main(void)
{
	setenv("PATH", "/nothing:/bin:/usr/bin", 1);
	setenv("HOME", "/home/of", 1);
	setenv("TWO", "a b", 1);
	setenv("PROGRAM", "true", 1);
	unsetenv("IFS");
	unsetenv("NO");
	if (chdir("/proc/self/fdinfo"))
		return 1;
	RUN(direct);
	RUN(in_the_shells_place);
	RUN(left_to_the_shell);
	RUN(nested);
	RUN(programs);
	return unit_end();
}
