/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warns of points that are never hit in a guest without a disk or a network. */
#ifndef STAP_RUN_GUESTNEEDS_H
#define STAP_RUN_GUESTNEEDS_H

struct session;

/* Prints one note at most, for --vm without --disk or --network. */
void guestneeds_note(const struct session *s);

#endif
