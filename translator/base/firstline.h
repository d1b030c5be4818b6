/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options in a script's first line. */
#ifndef STAP_FIRSTLINE_H
#define STAP_FIRSTLINE_H

struct session;

/*
 * `#!/usr/bin/stap -g -v` arrives as one word, "-g -v", with the script's
 * name behind it: returns argv with a word for each, and its length.
 */
char **firstline_split(struct session *s, int *argc, char **argv);

#endif
