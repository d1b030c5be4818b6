/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Determines the directories of a run's files. While the script runs, stapio has no
 * capabilities, and can create and rename files only there. If the directory is another
 * user's (sudo, in one's own directory), the one capability needed to write there is
 * kept.
 */
#ifndef STAPIO_PLACES_H
#define STAPIO_PLACES_H

struct options;
struct run;

/*
 * Allows the directories of the open output, and drops capabilities. Returns 0, or -1: -S
 * or -b is not possible there, which was reported.
 */
int places_settle(struct run *r, const struct options *o);
/* Confines the process: from here on it can create files nowhere else. */
void places_confine(struct run *r);
/* Forbids the calling thread to create files. Other threads are not affected. */
void places_confine_thread(struct run *r);

#endif
