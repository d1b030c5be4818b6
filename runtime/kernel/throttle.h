/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --on-full=throttle: see throttle.c. */
#ifndef STP_THROTTLE_H
#define STP_THROTTLE_H

/* Lets all held tasks go, after the probes are removed. */
void stp_throttle_end(void);

#endif
