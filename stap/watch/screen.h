/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen of --monitor, by ncurses: the state of the run above, its output below. */
#ifndef STAP_WATCH_SCREEN_H
#define STAP_WATCH_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct run;
struct session;
struct tail;

enum screen_sort {
	SORT_INDEX,
	SORT_HITS,
	SORT_RATE,
	SORT_DROPPED,
	SORT_SKIPPED,
	SORT_TIME, /* between the two looks */
	SORT_POINT,
	SORT_COUNT
};

struct screen {
	enum screen_sort sort;
	bool is_hidden;	  /* the state of the run: x */
	bool is_below;	  /* keys move the output: Tab */
	bool has_globals; /* shown instead of the probes: g */
	size_t top;	  /* first row of the probes, or globals, that is shown */
	size_t back;	  /* lines between the end of the output and the last one shown */
	const char *note; /* shown at the bottom, or NULL */
};

/* A key, as the screen knows it: a character, or one of these. */
enum {
	SCREEN_NONE = -1,
	SCREEN_UP = 256,
	SCREEN_DOWN,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_RESIZED
};

/* True: this stap has a library for it. */
bool screen_is_there(void);
/* True: there is a description of the terminal. */
bool screen_is_known(void);
bool screen_open(void);
void screen_close(void);
int screen_key(void); /* without waiting */
/*
 * Draws everything: the run, or one for each machine, which have a `host`; count 0:
 * nothing is known yet.
 */
void screen_draw(const struct session *s, struct screen *c, const struct run *const *runs,
		 size_t count, const struct tail *t);
/* Returns how many rows of probes, or of output, the keys for pages move. */
size_t screen_page(void);

#endif
