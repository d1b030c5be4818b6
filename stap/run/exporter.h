/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --exporter: stap-exporter takes over, and starts stap for the scripts. */
#ifndef STAP_RUN_EXPORTER_H
#define STAP_RUN_EXPORTER_H

struct error;
struct session;

/* Becomes stap-exporter, with the other arguments for stap. Returns errors alone. */
struct error *exporter_become(struct session *s, int argc, char **argv);

#endif
