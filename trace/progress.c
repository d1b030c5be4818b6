/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See progress.h. */
#include "trace/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/terminal.h"
#include "trace/messages.h"

#define EVERY_NS 200000000ull
#define WIDTH	 80

static struct {
	bool on, drawn;
	uint64_t total, done, last, begin;
} bar;

static void put(const char *text, size_t len)
{
	if (write(STDERR_FILENO, text, len) < 0)
		bar.on = false;
}

/* Erases the bar before a message. It is drawn again at the next step. */
static void hide(void)
{
	if (bar.on && bar.drawn)
		put("\r\033[K", 4);
	bar.drawn = false;
}

void progress_begin(uint64_t total)
{
	memset(&bar, 0, sizeof(bar));
	bar.on = terminal_draws(STDERR_FILENO);
	bar.total = total ? total : 1;
	bar.begin = bar.last = clock_now();
	message_before(hide);
}

/* "[#####     ]  48 %  512 of 1067 MB  120 MB/s" */
static void draw(uint64_t now)
{
	uint64_t done = bar.done < bar.total ? bar.done : bar.total, mb = 1u << 20;
	uint64_t ms = (now - bar.begin) / 1000000;
	struct winsize w = { 0 };
	int columns = !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : WIDTH;
	char line[256], text[96], marks[64];
	int width = columns - 48, n;

	width = width < 0 ? 0 : width > 50 ? 50 : width;
	n = (int)((double)done / (double)bar.total * width);
	memset(marks, '#', sizeof(marks));
	snprintf(text, sizeof(text), "%3.0f %%  %" PRIu64 " of %" PRIu64 " MB  %" PRIu64 " MB/s",
		 (double)done / (double)bar.total * 100, done / mb, bar.total / mb,
		 ms ? done * 1000 / mb / ms : 0);
	n = snprintf(line, sizeof(line), "\r[%.*s%*s] %.*s\033[K", n, marks, width - n, "",
		     columns > width + 4 ? columns - width - 4 : 0, text);
	put(line, (size_t)n);
	bar.drawn = true;
}

void progress_add(uint64_t done)
{
	uint64_t now;

	bar.done += done;
	if (!bar.on)
		return;
	now = clock_now();
	if (now - bar.last < EVERY_NS)
		return;
	bar.last = now;
	draw(now);
}

void progress_end(void)
{
	hide();
	bar.on = false;
}
