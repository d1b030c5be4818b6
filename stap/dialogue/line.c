/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See line.h. */
#include "stap/dialogue/line.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "lib/arena.h"

#ifdef HAVE_LIBEDIT
#include <histedit.h>
#endif

#define HISTORY_MOST 1000
#define SHOWN_MOST   200 /* of the proposed words */
#define WIDTH	     80

/* ---- signals while a line is read ---- */

/* Set by handlers. */
static volatile sig_atomic_t was_interrupted, was_resized, was_continued, ended_by;

static void on_line_signal(int sig)
{
	switch (sig) {
	case SIGINT:
		was_interrupted = 1;
		break;
	case SIGWINCH:
		was_resized = 1;
		break;
	case SIGCONT:
		was_continued = 1;
		break;
	default:
		ended_by = sig;
		break;
	}
}

static const int line_signals[] = { SIGINT, SIGWINCH, SIGCONT, SIGQUIT, SIGTERM, SIGHUP };
enum { SIGNALS = sizeof(line_signals) / sizeof(line_signals[0]) };

/* Installs the handlers, except for ignored signals. A signal interrupts read(). */
static void take_signals(struct sigaction before[SIGNALS])
{
	for (int i = 0; i < SIGNALS; i++) {
		struct sigaction act = { .sa_handler = on_line_signal };

		sigaction(line_signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(line_signals[i], &act, NULL);
	}
}

static void give_signals_back(const struct sigaction before[SIGNALS])
{
	for (int i = 0; i < SIGNALS; i++)
		sigaction(line_signals[i], &before[i], NULL);
}

/* ---- libedit ---- */

#ifdef HAVE_LIBEDIT

static char *prompt_of(EditLine *e)
{
	struct line_reader *r;

	el_get(e, EL_CLIENTDATA, &r);
	return (char *)(uintptr_t)r->prompt;
}

/*
 * Waits for a byte; false: a signal has ended the line, or the terminal is gone. read()
 * would wait, too, if ^C had discarded the byte that poll() saw: hence noflsh below.
 */
static bool read_byte(EditLine *e, char *ret)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	sigset_t set, before, open;

	sigemptyset(&set);
	for (int i = 0; i < SIGNALS; i++)
		sigaddset(&set, line_signals[i]);
	while (!was_interrupted && !ended_by) {
		int n;

		if (was_resized)
			el_resize(e);
		if (was_continued) {
			el_set(e, EL_PREP_TERM, 1);
			el_set(e, EL_REFRESH);
		}
		was_resized = was_continued = 0;
		/* A signal that comes between the test and the wait ends the wait. */
		sigprocmask(SIG_BLOCK, &set, &before);
		open = before;
		n = was_interrupted || ended_by ? -1 : ppoll(&fd, 1, NULL, &open);
		sigprocmask(SIG_SETMASK, &before, NULL);
		if (n > 0)
			return read(STDIN_FILENO, ret, 1) == 1;
	}
	return false;
}

/* Reads a character for libedit; in UTF-8 it may have several bytes. */
static int read_character(EditLine *e, wchar_t *ret)
{
	mbstate_t state = { 0 };
	char byte;

	while (read_byte(e, &byte)) {
		size_t n = mbrtowc(ret, &byte, 1, &state);

		if (n == 0 || n == 1)
			return 1;
		if (n == (size_t)-1)
			state = (mbstate_t){ 0 };
	}
	return -1;
}

static size_t common_length(const line_words *words)
{
	size_t len = strlen(words->data[0]);

	vec_each(words, i) {
		size_t n = 0;

		while (n < len && words->data[i][n] == words->data[0][n])
			n++;
		len = n;
	}
	return len;
}

/* Prints the words in columns below the line. */
static void show_words(const line_words *words)
{
	size_t width = 0, columns;

	vec_each(words, i)
		width = strlen(words->data[i]) > width ? strlen(words->data[i]) : width;
	columns = width + 2 < WIDTH ? WIDTH / (width + 2) : 1;
	putchar('\n');
	for (size_t i = 0; i < words->count && i < SHOWN_MOST; i++)
		printf("%-*s%s", (int)width + 2, words->data[i], (i + 1) % columns ? "" : "\n");
	if (words->count > SHOWN_MOST)
		printf("... %zu more", words->count - SHOWN_MOST);
	putchar('\n');
	fflush(stdout);
}

static unsigned char complete(EditLine *e, int c)
{
	struct line_reader *r;
	const LineInfo *info = el_line(e);
	const char *line;
	line_words words = { 0 };
	size_t begin = 0, len, common;

	el_get(e, EL_CLIENTDATA, &r);
	line = arena_strndup(r->arena, info->buffer, (size_t)(info->cursor - info->buffer));
	r->complete(r->context, line, &begin, &words);
	if (!words.count)
		return CC_REFRESH_BEEP;
	len = strlen(line) - begin;
	common = common_length(&words);
	if (common > len || words.count == 1) {
		bool is_all =
			words.count == 1 && common && !strchr("(\"/.", words.data[0][common - 1]);

		el_insertstr(e, arena_printf(r->arena, "%.*s%s", (int)(common - len),
					     words.data[0] + len, is_all ? " " : ""));
		return CC_REFRESH;
	}
	show_words(&words);
	return CC_REDISPLAY;
}

static void open_editor(struct line_reader *r)
{
	EditLine *e = el_init("stap", stdin, stdout, stderr);
	History *past = history_init();
	HistEvent event;

	setlocale(LC_CTYPE, "");
	r->editor = e;
	r->past = past;
	history(past, &event, H_SETSIZE, HISTORY_MOST);
	history(past, &event, H_SETUNIQUE, 1);
	if (r->history)
		history(past, &event, H_LOAD, r->history);
	el_set(e, EL_CLIENTDATA, r);
	el_set(e, EL_PROMPT, prompt_of);
	el_set(e, EL_EDITOR, "emacs");
	el_set(e, EL_HIST, history, past);
	el_set(e, EL_GETCFN, read_character);
	el_set(e, EL_ADDFN, "stap-complete", "complete a name", complete);
	el_set(e, EL_BIND, "^I", "stap-complete", NULL);
	el_set(e, EL_BIND, "^R", "em-inc-search-prev", NULL);
	el_set(e, EL_SETTY, "-d", "+noflsh", NULL);
	el_source(e, NULL);
}

static bool edit_line(struct line_reader *r, const char **ret)
{
	HistEvent event;
	int count;

	/*
	 * Otherwise the prompt comes first, and the terminal echoes a key that answers
	 * it.
	 */
	el_set(r->editor, EL_PREP_TERM, 1);
	*ret = el_gets(r->editor, &count);
	if (!*ret || count <= 0) {
		/* Typed before ^C: part of the dropped line. */
		if (was_interrupted)
			tcflush(STDIN_FILENO, TCIFLUSH);
		return false;
	}
	if (strspn(*ret, " \t\n") < strlen(*ret))
		history(r->past, &event, H_ENTER, *ret);
	return true;
}

static void close_editor(struct line_reader *r)
{
	HistEvent event;

	if (r->history)
		history(r->past, &event, H_SAVE, r->history);
	history_end(r->past);
	el_end(r->editor);
}

#else

static void open_editor(struct line_reader *r)
{
}

static bool edit_line(struct line_reader *r, const char **ret)
{
	return false;
}

static void close_editor(struct line_reader *r)
{
}

#endif

/* ---- lines ---- */

void line_open(struct line_reader *r)
{
	r->is_terminal = isatty(STDIN_FILENO);
	if (r->is_terminal && isatty(STDOUT_FILENO))
		open_editor(r);
}

static bool plain_line(struct line_reader *r, const char **ret)
{
	if (r->is_terminal) {
		fputs(r->prompt, stdout);
		fflush(stdout);
	}
	clearerr(stdin);
	if (getline(&r->text, &r->room, stdin) < 0)
		return false;
	*ret = r->text;
	return true;
}

enum line_kind line_read(struct line_reader *r, const char *prompt, const char **ret)
{
	struct sigaction before[SIGNALS];
	const char *line = NULL;
	bool there;

	r->prompt = prompt;
	was_interrupted = ended_by = 0;
	if (r->is_terminal)
		take_signals(before);
	there = r->editor ? edit_line(r, &line) : plain_line(r, &line);
	if (r->is_terminal)
		give_signals_back(before);
	r->ended_by = ended_by;
	if (there) {
		*ret = arena_strndup(r->arena, line, strcspn(line, "\r\n"));
		return LINE_TEXT;
	}
	if (r->is_terminal)
		putchar('\n');
	return was_interrupted && !ended_by ? LINE_CANCELLED : LINE_OVER;
}

void line_close(struct line_reader *r)
{
	if (r->editor)
		close_editor(r);
	free(r->text);
}
