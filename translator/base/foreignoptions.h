/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of SystemTap that are missing here: foreignoptions.def. */
#ifndef STAP_FOREIGNOPTIONS_H
#define STAP_FOREIGNOPTIONS_H

#include <stdbool.h>

struct foreignoption {
	const char *option;
	bool is_accepted;   /* false: refused */
	const char *text;   /* why, or what to do instead */
	const char *values; /* the words allowed after '='; NULL: any text */
};

/* Returns NULL if SystemTap does not have such an option either. */
const struct foreignoption *foreignoptions_find(const char *option);

#endif
