/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Colours of messages: SGR parameters for each
 * part of one, as SYSTEMTAP_COLORS can set them.
 */
#ifndef STAP_COLOR_H
#define STAP_COLOR_H

#include <stdbool.h>

struct arena;
struct options;

enum color_part {
	COLOR_ERROR,
	COLOR_WARNING,
	COLOR_NOTE,
	COLOR_SOURCE,
	COLOR_CARET,
	COLOR_TOKEN,
	COLOR_PART_COUNT
};

/*
 * True: output to this descriptor has colours. --color decides; otherwise it has colours
 * on a terminal unless NO_COLOR is set.
 */
bool colors_wanted(const struct options *o, int fd);

struct colors {
	const char *sgr[COLOR_PART_COUNT]; /* "01;31" */
};

/*
 * Parses a list like "error=01;31:warning=00;33:source=00;34:caret=01:token=01"; parts
 * that it does not name keep their defaults. text NULL: only the defaults. Returns NULL
 * (no colours) if text is empty or invalid.
 */
const struct colors *colors_parse(struct arena *a, const char *text);

#endif
