/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_PLACETEXT_H
#define BPF_PLACETEXT_H

struct session;

/* Returns what of the script a function of its C is: a probe, a function. */
const char *placetext(struct session *s, const char *name);

#endif
