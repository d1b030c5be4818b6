/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See top.h. */
#include "trace/form/top.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/terminal.h"
#include "trace/form/topsort.h"
#include "trace/output.h"
#include "trace/records.h"

#define HOME	   "\033[H"
#define CLEAR	   "\033[2J"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"
#define NO_COLOR   "\033[m"

void top_init(struct top *t, struct output *o)
{
	*t = (struct top){ .output = !o->has_files && terminal_draws(o->fd) ? o : NULL };
}

void top_deinit(struct top *t)
{
	free(t->text);
	*t = (struct top){ .output = NULL };
}

/* Returns the length of a colour code such as "\033[31;1m" at the beginning of s. */
static size_t color_length(const char *s, size_t len)
{
	size_t i = 2;

	if (len < 3 || s[0] != '\033' || s[1] != '[')
		return 0;
	while (i < len && (isdigit((unsigned char)s[i]) || s[i] == ';'))
		i++;
	return i < len && s[i] == 'm' ? i + 1 : 0;
}

/*
 * Returns how many bytes of a line fit the width. Colour codes, and the later bytes of a
 * character, take no width.
 */
static size_t fitting(const char *s, size_t len, unsigned width)
{
	size_t i = 0, color;

	for (unsigned used = 0; i < len; i += color ? color : 1) {
		color = color_length(s + i, len - i);
		used += !color && ((unsigned char)s[i] & 0xc0) != 0x80;
		if (used > width)
			break;
	}
	return i;
}

static void put_line(struct top *t, const char *s, size_t len, unsigned width)
{
	size_t fit = fitting(s, len, width);

	output_put(t->output, s, fit);
	if (fit < len && memchr(s, '\033', fit))
		output_put(t->output, NO_COLOR, strlen(NO_COLOR));
	output_put(t->output, CLEAR_LINE, strlen(CLEAR_LINE));
}

/* The last line shows the effect of the keys. */
static void put_state(struct top *t, unsigned width)
{
	char text[120];
	int len = snprintf(text, sizeof(text),
			   "-- keys: 1-9 sort by column%s%.0u, 0 as printed, "
			   "r rates%s, q end",
			   t->column ? ", now " : "", t->column, t->rates ? ": a second" : "");

	output_put(t->output, "\n", 1);
	put_line(t, text, (size_t)len, width);
}

static void put_lines(struct top *t, const char *s, size_t len, const struct winsize *size)
{
	const char *end = s + len;
	/* The last line of the screen shows the state. */
	for (unsigned row = 0; s < end && row + 1 < size->ws_row; row++) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((newline ? newline : end) - s);

		if (row)
			output_put(t->output, "\n", 1);
		put_line(t, s, n, size->ws_col);
		s += n + 1;
	}
}

static void draw(struct top *t)
{
	struct topsort how = { t->column, t->ascending, t->rates ? t->span : 0 };
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	size_t len;
	char *text = topsort_text(&how, t->text, t->len, &len);

	if (!text)
		return;
	ioctl(t->output->fd, TIOCGWINSZ, &size);
	if (size.ws_row < 2 || size.ws_col < 2)
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	output_put(t->output, t->drawn ? HOME : HOME CLEAR, strlen(t->drawn ? HOME : HOME CLEAR));
	t->drawn = true;
	while (len && text[len - 1] == '\n')
		len--;
	put_lines(t, text, len, &size);
	put_state(t, size.ws_col);
	output_put(t->output, CLEAR_REST "\r", strlen(CLEAR_REST "\r"));
	free(text);
}

void top_record(struct top *t, uint64_t time)
{
	struct output *o = t->output;
	size_t len = o->used - o->begun;
	char *text;

	/* The beginning of a record larger than the buffer has been drawn already. */
	if (o->begun_earlier || !len || o->error)
		return;
	text = malloc(len);
	if (!text)
		return;
	free(t->text);
	t->text = memcpy(text, o->buf + o->begun, len);
	t->len = len;
	t->span = t->time && time > t->time ? time - t->time : 0;
	t->time = time;
	o->used = o->begun;
	draw(t);
}

static const char *take_output(struct form *f, unsigned ring, const struct stp_record *head,
			       const uint8_t *body)
{
	struct top *t = (struct top *)f;
	const char *wrong = textform_write(t->writer, head, body);

	if (!wrong && !(head->flags & RECORD_MORE)) {
		top_record(t, head->time);
		output_record_end(t->output);
	}
	return wrong;
}

static void take_text(struct form *f, unsigned ring, const struct stp_record *head,
		      const uint8_t *body)
{
	struct form *text = &((struct top *)f)->writer->form;

	text->ops->text(text, ring, head, body);
}

FORM_OPS(table, take_output, take_text, form_no_run, form_no_resume, form_no_books);

void top_start(struct top *t, struct records *r)
{
	t->form.ops = &form_table;
	t->writer = &r->text;
	r->form = &t->form;
}

bool top_key(struct top *t, char key)
{
	struct output *o = t->output;

	if (key == 'q')
		return false;
	if (key >= '0' && key <= '9') {
		t->ascending = key != '0' && t->column == (unsigned)(key - '0') && !t->ascending;
		t->column = (unsigned)(key - '0');
	} else if (key == 'r') {
		t->rates = !t->rates;
	}
	/*
	 * While only the beginning of a record is in the buffer, drawing waits for its
	 * end.
	 */
	if (!t->text || o->begun < o->used || o->begun_earlier)
		return true;
	draw(t);
	output_flush_all(o);
	o->begun_earlier = false; /* the drawn text is not a record */
	return true;
}
