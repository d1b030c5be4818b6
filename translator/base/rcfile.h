/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that a user always wants: $SYSTEMTAP_DIR/rc, or ~/.systemtap/rc. Its words, as
 * a shell reads them, stand before those of the command line; '#' begins a comment.
 */
#ifndef STAP_RCFILE_H
#define STAP_RCFILE_H

struct error;
struct session;

/* Puts the file's options before argv's; without a file argv stays as it is. */
struct error *rcfile_prepend(struct session *s, int *argc, char ***argv);

#endif
