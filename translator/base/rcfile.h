/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user's default options: $SYSTEMTAP_DIR/rc, or ~/.systemtap/rc. Its words are split as
 * by a shell and precede those of the command line. '#' begins a comment.
 */
#ifndef STAP_RCFILE_H
#define STAP_RCFILE_H

struct error;
struct session;

/* Puts the file's options before argv's. Without a file, argv stays as it is. */
struct error *rcfile_prepend(struct session *s, int *argc, char ***argv);

#endif
