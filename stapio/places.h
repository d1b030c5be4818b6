/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directories that a run's files are in. By the time the script runs, stapio has no
 * capabilities, and files can be made and renamed nowhere else; where the directory is
 * another user's (sudo, in one's own directory), the one capability that this takes is
 * kept.
 */
#ifndef STAPIO_PLACES_H
#define STAPIO_PLACES_H

struct options;
struct run;

/*
 * When the output is open; lays capabilities down. 0, or -1: it has been reported; what
 * -S or -b asks for cannot be done there.
 */
int places_settle(struct run *r, const struct options *o);
/* From here on files are made nowhere else. */
void places_confine(struct run *r);
/* From here on the calling thread makes no files at all. Others are not affected. */
void places_confine_thread(struct run *r);

#endif
