/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/watch/monitorkeys.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* which: an index, or "all" */
static void switch_probes(struct monitorkeys *k, const char *which, bool on)
{
	k->screen.note =
		k->switch_probes(k->ctx, which, on) ? NULL : "the run has not taken that; any key";
}

static void toggle(struct monitorkeys *k)
{
	bool is_off;

	k->screen.note = NULL;
	if (!*k->number)
		return;
	if (k->find(k->ctx, strtoul(k->number, NULL, 10), &is_off))
		switch_probes(k, k->number, is_off);
	else
		k->screen.note = "there is no probe of that index; any key";
}

static void prompt(struct monitorkeys *k)
{
	snprintf(k->prompt, sizeof(k->prompt), "index of the probe to switch on or off: %s_",
		 k->number);
	k->screen.note = k->prompt;
}

static void key_of_number(struct monitorkeys *k, int key)
{
	size_t len = strlen(k->number);

	if (key >= '0' && key <= '9' && len < MONITORKEYS_DIGITS) {
		k->number[len] = (char)key;
		k->number[len + 1] = 0;
	} else if ((key == '\b' || key == 127) && len) {
		k->number[len - 1] = 0;
	} else if (key == '\r' || key == '\n' || key == 27 || key == 'q') {
		k->is_asking = false;
		k->screen.note = NULL;
		if (key == '\r' || key == '\n')
			toggle(k);
		return;
	}
	prompt(k);
}

/* Scrolls the output or the probes; `up` is towards older output or lower indices. */
static void move_by(struct screen *c, size_t rows, bool up)
{
	size_t *at = c->is_below ? &c->back : &c->top;

	if (c->is_below == up)
		*at += rows;
	else
		*at -= *at < rows ? *at : rows;
}

static void change(struct monitorkeys *k)
{
	if (!k->change) {
		k->screen.note = "the values of globals are not known here; any key";
		return;
	}
	k->screen.has_globals = !k->screen.has_globals;
	k->screen.top = 0;
	k->change(k->ctx);
}

void monitorkeys_take(struct monitorkeys *k, int key)
{
	if (k->is_asking) {
		key_of_number(k, key);
		return;
	}
	k->screen.note = NULL;
	switch (key) {
	case 'q':
		k->end(k->ctx);
		k->screen.note = "the run is ending; q once more does not wait for it";
		break;
	case 's':
		k->screen.sort = (k->screen.sort + 1) % SORT_COUNT;
		break;
	case 'x':
		k->screen.is_hidden = !k->screen.is_hidden;
		break;
	case 'g':
		change(k);
		break;
	case 't':
		k->is_asking = true;
		k->number[0] = 0;
		prompt(k);
		break;
	case 'p':
	case 'r':
		switch_probes(k, "all", key == 'r');
		break;
	case '\t':
		k->screen.is_below = !k->screen.is_below;
		break;
	case SCREEN_UP:
	case SCREEN_DOWN:
		move_by(&k->screen, 1, key == SCREEN_UP);
		break;
	case SCREEN_PAGE_UP:
	case SCREEN_PAGE_DOWN:
		move_by(&k->screen, screen_page(), key == SCREEN_PAGE_UP);
		break;
	case SCREEN_HOME:
	case SCREEN_END:
		move_by(&k->screen, SIZE_MAX / 2, key == SCREEN_HOME);
		break;
	default:
		break;
	}
}
