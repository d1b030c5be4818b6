/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_PLACETEXT_H
#define BPF_PLACETEXT_H

struct session;

/*
 * Returns the place of the probe or function of the script that a C function belongs to;
 * of one of the runtime, `used_at`, where it is used, or NULL.
 */
const char *placetext(struct session *s, const char *name, const char *used_at);

#endif
