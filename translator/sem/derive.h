/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Derives concrete points from the probes of the script: aliases, wildcards, optional and
 * sufficient points, bodies.
 */
#ifndef STAP_DERIVE_H
#define STAP_DERIVE_H

struct session;
struct probe;

/*
 * Appends all concrete points of the probe to s->program; reports points that do not
 * resolve.
 */
void derive_probe(struct session *s, const struct probe *probe);

#endif
