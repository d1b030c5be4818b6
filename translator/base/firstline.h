/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options in a script's first line. */
#ifndef STAP_FIRSTLINE_H
#define STAP_FIRSTLINE_H

struct session;

/*
 * Splits the options of a script's first line: `#!/usr/bin/stap -g -v` arrives as one
 * word, "-g -v", followed by the script's name. Returns argv with one word for each
 * option, and its length in *argc.
 */
char **firstline_split(struct session *s, int *argc, char **argv);

#endif
