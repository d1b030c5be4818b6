/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of SystemTap's that are not here: foreign.def. */
#ifndef STAP_FOREIGN_H
#define STAP_FOREIGN_H

#include <stdbool.h>

struct foreign {
	const char *option;
	bool is_accepted; /* else refused */
	const char *text; /* why, or what to do instead */
	const char *values; /* the words that one of which stands behind '='; NULL: whatever */
};

/* NULL: nobody has that option. */
const struct foreign *foreign_find(const char *option);

#endif
