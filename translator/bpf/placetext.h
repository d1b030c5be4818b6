/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_PLACETEXT_H
#define BPF_PLACETEXT_H

struct session;

/* Describes the probe or function of the script that a C function belongs to. */
const char *placetext(struct session *s, const char *name);

#endif
