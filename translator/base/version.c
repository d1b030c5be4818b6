/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only file that is compiled again for a new commit. */
#include "base/version.h"

#ifndef STAP_COMMIT
#define STAP_COMMIT ""
#endif

const char version_commit[] = STAP_COMMIT;

#ifdef HAVE_NCURSES
const bool version_has_screen = true;
#else
const bool version_has_screen = false;
#endif

#ifdef HAVE_LIBEDIT
const bool version_has_editor = true;
#else
const bool version_has_editor = false;
#endif
