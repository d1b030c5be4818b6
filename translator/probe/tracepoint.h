/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What $$name and $$system of a tracepoint probe hold. */
#ifndef STAP_PROBE_TRACEPOINT_H
#define STAP_PROBE_TRACEPOINT_H

struct derived;

/* NULL for probes of other families. */
const char *tracepoint_name(const struct derived *d);
/* As the script named it; NULL when it did not. */
const char *tracepoint_system(const struct derived *d);

#endif
