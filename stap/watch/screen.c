/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See screen.h. Without ncurses, screen_is_there() returns false and the other functions
 * do nothing.
 */
#include "stap/watch/screen.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/session.h"
#include "lib/printable.h"
#include "lib/strbuf.h"
#include "stap/watch/runs.h"
#include "stap/watch/tail.h"

#ifdef HAVE_NCURSES
#include <curses.h>
#include <term.h>
#undef lines /* a macro of term.h */

#define LEAST_ROWS  8
#define HEAD_ROWS   3  /* of the state: two lines about the run, and the columns */
#define INDEX_WIDTH 11 /* width of a probe's index and its switch */
#define POINT_LEAST 20
#define MOST_WIDTH  1024

static SCREEN *terminal;
static bool takes_utf8;

bool screen_is_there(void)
{
	return true;
}

bool screen_is_known(void)
{
	int error;

	return setupterm(NULL, STDOUT_FILENO, &error) == OK;
}

bool screen_open(void)
{
	setlocale(LC_CTYPE, "");
	takes_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return false;
	set_term(terminal);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	return true;
}

void screen_close(void)
{
	endwin();
	delscreen(terminal);
}

int screen_key(void)
{
	static const struct {
		int key, is;
	} keys[] = {
		{ KEY_UP, SCREEN_UP },		{ KEY_DOWN, SCREEN_DOWN },
		{ KEY_PPAGE, SCREEN_PAGE_UP },	{ KEY_NPAGE, SCREEN_PAGE_DOWN },
		{ KEY_HOME, SCREEN_HOME },	{ KEY_END, SCREEN_END },
		{ KEY_RESIZE, SCREEN_RESIZED },
	};
	int key = getch();

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].key == key)
			return keys[i].is;
	return key >= 0 && key < 256 ? key : SCREEN_NONE;
}

/* Writes as much of a line as fits, without anything that controls the terminal. */
static void put_line(int row, const char *text, attr_t how)
{
	char line[MOST_WIDTH * 4];
	size_t len = strnlen(text, sizeof(line) - 1);

	memcpy(line, text, len);
	printable_make(line, len);
	line[len] = 0;
	for (size_t i = 0; i < len; i++)
		if (line[i] == '\t' || line[i] == '\n' || (line[i] & 0x80 && !takes_utf8))
			line[i] = line[i] == '\t' ? ' ' : '?';
	move(row, 0);
	clrtoeol();
	attrset(how);
	addnstr(line, (int)len);
	attrset(A_NORMAL);
	clrtoeol();
}

/* ---- state of the run ---- */

static int by_number(uint64_t a, uint64_t b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

/* The runs to draw, and the widths of the columns for machines (0: none) and probes. */
struct shown {
	const struct run *const *runs;
	size_t count;
	int host, point;
};

struct row {
	const struct run *run;
	const struct run_probe *probe;
};

static int host_width(const struct run *const *runs, size_t count)
{
	size_t width = strlen("HOST");

	if (!count || !runs[0]->host)
		return 0;
	for (size_t i = 0; i < count; i++)
		if (strlen(runs[i]->host) > width)
			width = strlen(runs[i]->host);
	return width < 24 ? (int)width : 24;
}

static int compare(const void *a, const void *b, void *how)
{
	const struct row *one = a, *other = b;
	const struct run_probe *x = one->probe, *y = other->probe;
	int ret = 0;

	switch (*(enum screen_sort *)how) {
	case SORT_HITS:
		ret = by_number(x->sums.hits, y->sums.hits);
		break;
	case SORT_RATE:
		ret = by_number(x->sums.hits - x->before.hits, y->sums.hits - y->before.hits);
		break;
	case SORT_DROPPED:
		ret = by_number(x->sums.dropped, y->sums.dropped);
		break;
	case SORT_SKIPPED:
		ret = by_number(x->sums.skipped, y->sums.skipped);
		break;
	case SORT_TIME:
		ret = by_number(x->sums.ns - x->before.ns, y->sums.ns - y->before.ns);
		break;
	case SORT_POINT:
		ret = strcmp(x->point, y->point);
		break;
	default:
		break;
	}
	if (!ret && one->run != other->run)
		ret = strcmp(one->run->host, other->run->host);
	return ret ? ret : x < y ? -1 : 1;
}

/* Draws the first two lines, for one run or for all machines. */
struct sums {
	struct run_sums sums;
	double hits, ns; /* a second */
	size_t running;
	int64_t started;
};

static struct sums sum_up(const struct shown *all)
{
	struct sums ret = { .running = 0 };

	for (size_t i = 0; i < all->count; i++) {
		const struct run *r = all->runs[i];

		ret.sums.hits += r->sums.hits;
		ret.sums.delivered += r->sums.delivered;
		ret.sums.dropped += r->sums.dropped;
		ret.sums.skipped += r->sums.skipped;
		ret.hits += runs_rate(r, r->sums.hits, r->before.hits);
		ret.ns += runs_rate(r, r->sums.ns, r->before.ns);
		ret.running += r->state == STP_RUNNING;
		if (r->started && (!ret.started || r->started < ret.started))
			ret.started = r->started;
	}
	return ret;
}

/*
 * Columns after the probe, the most important first: those that do not fit are left out.
 */
enum column { RATE, HITS, TIME, DROPPED, SKIPPED, DELIVERED, COLUMNS };
static const struct {
	const char *title;
	int width;
} cells[COLUMNS] = {
	[RATE] = { "HITS/S", 8 },     [HITS] = { "HITS", 11 },
	[TIME] = { "NS/HIT", 8 },     [DROPPED] = { "DROPPED", 8 },
	[SKIPPED] = { "SKIPPED", 8 }, [DELIVERED] = { "DELIVERED", 11 },
};

/* Returns the width of the probes' column: two columns of numbers fit next to it. */
static int point_width(const struct shown *all)
{
	int room = COLS - (all->host ? all->host + 1 : 0) - INDEX_WIDTH;
	int most = room - cells[RATE].width - cells[HITS].width - 2;
	size_t longest = strlen("PROBE");

	for (size_t i = 0; i < all->count; i++)
		vec_each(&all->runs[i]->probes, k) {
			size_t len = strlen(all->runs[i]->probes.data[k].point);

			longest = len > longest ? len : longest;
		}
	if (most < POINT_LEAST)
		most = POINT_LEAST;
	return longest < (size_t)most ? (int)longest : most;
}

/* Adds a number or a title to the line, if it fits. */
static void add_column(struct strbuf *line, enum column c, const char *text)
{
	if (line->len + 1 + (size_t)cells[c].width <= (size_t)COLS)
		strbuf_addf(line, " %*s", cells[c].width, text);
}

static void draw_columns(struct session *s, const struct screen *c, const struct shown *all)
{
	struct strbuf line;

	strbuf_init(&line, s->arena);
	if (all->host)
		strbuf_addf(&line, "%-*s ", all->host, "HOST");
	strbuf_addf(&line, "%5s %3s  %-*s", "INDEX", "", all->point, "PROBE");
	for (enum column i = 0; i < COLUMNS; i++)
		add_column(&line, i, cells[i].title);
	put_line(2, c->has_globals ? "GLOBAL" : line.s, A_REVERSE);
}

static void draw_head(struct session *s, const struct screen *c, const struct shown *all)
{
	static const char *const sorts[SORT_COUNT] = { "index",	  "hits", "rate", "dropped",
						       "skipped", "time", "probe" };
	const struct run *r = all->runs[0];
	struct sums n = sum_up(all);
	int64_t up = n.started ? (int64_t)time(NULL) - n.started : 0;
	const char *state = all->host ? arena_printf(s->arena, "running on %zu of %zu machines",
						     n.running, all->count)
				      : runs_state(r);

	put_line(0,
		 arena_printf(s->arena, "%s  %s  %s  %02d:%02d:%02d", r->shown, r->script, state,
			      (int)(up / 3600), (int)(up / 60 % 60), (int)(up % 60)),
		 A_BOLD);
	put_line(1,
		 arena_printf(s->arena,
			      "hits %" PRIu64 " (%.0f/s)  delivered %" PRIu64 "  dropped %" PRIu64
			      "  skipped %" PRIu64 "  in handlers %.2f%%  sorted by %s",
			      n.sums.hits, n.hits, n.sums.delivered, n.sums.dropped, n.sums.skipped,
			      n.ns / 1e7, sorts[c->sort]),
		 A_NORMAL);
	draw_columns(s, c, all);
}

static void draw_probe(struct session *s, int at, const struct row *row, const struct shown *all)
{
	const struct run *r = row->run;
	const struct run_probe *p = row->probe;
	const uint64_t numbers[COLUMNS] = { [HITS] = p->sums.hits,
					    [TIME] = runs_time(&p->sums, &p->before),
					    [DROPPED] = p->sums.dropped,
					    [SKIPPED] = p->sums.skipped,
					    [DELIVERED] = p->sums.delivered };
	struct strbuf line;

	strbuf_init(&line, s->arena);
	if (all->host)
		strbuf_addf(&line, "%-*.*s ", all->host, all->host, r->host);
	strbuf_addf(&line, "%5zu %3s  %-*.*s", (size_t)(p - r->probes.data),
		    p->is_off ? "off" : "on", all->point, all->point, p->point);
	add_column(&line, RATE,
		   arena_printf(s->arena, "%.0f", runs_rate(r, p->sums.hits, p->before.hits)));
	for (enum column i = RATE + 1; i < COLUMNS; i++)
		add_column(&line, i, arena_printf(s->arena, "%" PRIu64, numbers[i]));
	put_line(at, line.s, p->is_off ? A_DIM : A_NORMAL);
}

/* Returns how many rows there are from HEAD_ROWS to `end`, and keeps them filled. */
static size_t fit(struct screen *c, size_t count, int end)
{
	size_t room = end > HEAD_ROWS ? (size_t)(end - HEAD_ROWS) : 0;

	if (c->top + room > count)
		c->top = count > room ? count - room : 0;
	return room;
}

static void draw_globals(struct screen *c, const struct run *r, int end)
{
	size_t room = fit(c, r->values.count, end);

	for (size_t i = 0; i < room; i++)
		put_line(HEAD_ROWS + (int)i,
			 c->top + i < r->values.count ? r->values.data[c->top + i] : "", A_NORMAL);
}

static size_t count_probes(const struct shown *all)
{
	size_t ret = 0;

	for (size_t i = 0; i < all->count; i++)
		ret += all->runs[i]->probes.count;
	return ret;
}

/* Draws the probes from row HEAD_ROWS to the row `end`. */
static void draw_probes(struct session *s, struct screen *c, const struct shown *all, int end)
{
	size_t count = count_probes(all), room = fit(c, count, end), n = 0;
	struct row *rows = arena_array(s->arena, struct row, count + 1);

	for (size_t i = 0; i < all->count; i++)
		vec_each(&all->runs[i]->probes, k)
			rows[n++] = (struct row){ all->runs[i], &all->runs[i]->probes.data[k] };
	if (count > 1)
		qsort_r(rows, count, sizeof(rows[0]), compare, &c->sort);
	for (size_t i = 0; i < room; i++) {
		if (c->top + i < count)
			draw_probe(s, HEAD_ROWS + (int)i, &rows[c->top + i], all);
		else
			put_line(HEAD_ROWS + (int)i, "", A_NORMAL);
	}
}

/* Returns the rows of the state: half of the screen at most. */
static int state_rows(const struct screen *c, const struct shown *all)
{
	size_t rows = c->has_globals && all->count ? all->runs[0]->values.count : count_probes(all);
	int wanted = HEAD_ROWS + (rows < (size_t)LINES ? (int)rows : LINES);

	if (c->is_hidden)
		return 0;
	return wanted < LINES / 2 ? wanted : LINES / 2;
}

static void draw_output(struct screen *c, const struct tail *t, int from, int end)
{
	size_t rows = end > from ? (size_t)(end - from) : 0, first;

	if (c->back + rows > t->count)
		c->back = t->count > rows ? t->count - rows : 0;
	first = t->count - c->back > rows ? t->count - c->back - rows : 0;
	for (size_t i = 0; i < rows; i++)
		put_line(from + (int)i, first + i < t->count ? tail_line(t, first + i) : "",
			 A_NORMAL);
}

static void draw(struct session *s, struct screen *c, const struct shown *all, const struct tail *t)
{
	static const char keys[] = "q end  s sort  t probe on/off  p pause  r resume  g globals  "
				   "x hide  Tab which part moves";
	int rows = state_rows(c, all);

	if (LINES < LEAST_ROWS)
		rows = 0;
	if (rows && all->count) {
		draw_head(s, c, all);
		if (c->has_globals)
			draw_globals(c, all->runs[0], rows);
		else
			draw_probes(s, c, all, rows);
	} else if (rows) {
		put_line(0, "the script is being started", A_BOLD);
	}
	if (rows)
		put_line(rows, c->is_below ? "output:" : "output", A_UNDERLINE);
	draw_output(c, t, rows ? rows + 1 : 0, LINES - 1);
	put_line(LINES - 1, c->note ? c->note : keys, A_REVERSE);
	refresh();
}

void screen_draw(const struct session *s, struct screen *c, const struct run *const *runs,
		 size_t count, const struct tail *t)
{
	struct session drawing = *s;
	struct shown all = { runs, count, host_width(runs, count), 0 };

	all.point = point_width(&all);

	drawing.arena = arena_create();
	draw(&drawing, c, &all, t);
	arena_destroy(drawing.arena);
}

size_t screen_page(void)
{
	return (size_t)(LINES > LEAST_ROWS ? LINES / 2 - HEAD_ROWS : 1);
}

#else

bool screen_is_there(void)
{
	return false;
}

bool screen_is_known(void)
{
	return false;
}

bool screen_open(void)
{
	return false;
}

void screen_close(void)
{
}

int screen_key(void)
{
	return SCREEN_NONE;
}

void screen_draw(const struct session *s, struct screen *c, const struct run *const *runs,
		 size_t count, const struct tail *t)
{
}

size_t screen_page(void)
{
	return 1;
}

#endif
