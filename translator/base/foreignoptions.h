/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of SystemTap that are missing here: foreignoptions.def. */
#ifndef STAP_FOREIGNOPTIONS_H
#define STAP_FOREIGNOPTIONS_H

#include <stdbool.h>

struct foreignoption {
	const char *option;
	bool is_accepted;   /* false: refused */
	const char *text;   /* why, or what to do instead */
	const char *values; /* words, one of which stands behind '='; NULL: any text */
};

/* Returns NULL when SystemTap has no such option either. */
const struct foreignoption *foreignoptions_find(const char *option);

#endif
