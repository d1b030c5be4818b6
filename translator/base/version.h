/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The version of stap. The number changes with each release, together with NEWS,
 * debian/changelog and packaging/stap.spec (tests/cli/release.sh compares them).
 */
#ifndef STAP_VERSION_H
#define STAP_VERSION_H

#include <stdbool.h>

#define STAP_VERSION "0.1"

/* The commit that was built, as tools/commit prints it; empty: not known. */
extern const char version_commit[];
/* True: it was built with ncurses, for --monitor. */
extern const bool version_has_screen;
/* True: it was built with libedit, for -i. */
extern const bool version_has_editor;

#endif
