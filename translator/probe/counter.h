/* SPDX-License-Identifier: GPL-2.0-or-later */
/* @perf("NAME") in the handlers of breakpoints. */
#ifndef STAP_PROBE_COUNTER_H
#define STAP_PROBE_COUNTER_H

struct derived;
struct node;
struct session;
struct strbuf;
struct writer;

/*
 * Binds @perf in d's handler (d is NULL in functions). Sets n->missing if the counter
 * cannot be read there.
 */
void counter_bind(struct session *s, struct derived *d, struct node *n);
/*
 * Counts the @perf among the reads of the point that it is bound to, once all points are
 * known; *ret becomes its number there. Returns NULL or an error text.
 */
const char *counter_use(struct session *s, struct node *n, unsigned *ret);
/*
 * Emits the table of the counters that d reads, and the fields of its point that name it.
 */
void counter_emit(const struct derived *d, struct strbuf *point, struct session *s,
		  struct writer *w);

#endif
