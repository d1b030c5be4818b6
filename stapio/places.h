/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settles the directories of a run's files. By the time the script runs, stapio has no
 * capabilities, and can make and rename files nowhere else. When the directory is
 * another user's (sudo, in one's own directory), the one capability that writing there
 * takes is kept.
 */
#ifndef STAPIO_PLACES_H
#define STAPIO_PLACES_H

struct options;
struct run;

/*
 * Allows the directories of the open output, and drops capabilities. Returns 0, or -1:
 * -S or -b cannot be done there, which has been reported.
 */
int places_settle(struct run *r, const struct options *o);
/* Confines the process: from here on files are made nowhere else. */
void places_confine(struct run *r);
/* Forbids the calling thread to make any files. Other threads are not affected. */
void places_confine_thread(struct run *r);

#endif
