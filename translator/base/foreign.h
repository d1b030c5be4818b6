/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of SystemTap that are missing here: foreign.def. */
#ifndef STAP_FOREIGN_H
#define STAP_FOREIGN_H

#include <stdbool.h>

struct foreign {
	const char *option;
	bool is_accepted;   /* false: refused */
	const char *text;   /* why, or what to do instead */
	const char *values; /* words, one of which stands behind '='; NULL: any text */
};

/* Returns NULL when SystemTap has no such option either. */
const struct foreign *foreign_find(const char *option);

#endif
