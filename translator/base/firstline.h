/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options in a script's first line. */
#ifndef STAP_FIRSTLINE_H
#define STAP_FIRSTLINE_H

struct session;

/*
 * Splits the options of a script's first line: `#!/usr/bin/stap -g -v` arrives as one
 * word, "-g -v", with the script's name behind it. Returns argv with a word for each, and
 * its length in *argc.
 */
char **firstline_split(struct session *s, int *argc, char **argv);

#endif
