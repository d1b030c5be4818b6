/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a run for its live page, as JSON. A reader gives the number of the last
 * look that it has seen, and gets the changes since then: rows of arrays, not whole
 * arrays. Not thread-safe.
 *
 *   {"look":N, "time":MS, "globals":[GLOBAL...], "state":WORD, "probes":[PROBE...],
 *    "reasons":{NAME:N...}, "contended":{NAME:N...}}
 *   GLOBAL  {"name":S, "type":"long"|"string"|"stats", "keys":[S...] of an array,
 *           "help":S, "counter":true, "entries":N, "busy":true, "whole":true,
 *           "rows":[[[KEY...], VALUE]...]}; whole: rows that are not named have gone
 *   VALUE   a number as text, a string; of an aggregate {"count":N, "sum":S, "min":S,
 *           "max":S, "q":[S|null...], "hists":[{"log":true, "b":[[FROM, TO, N]...]}...]}
 *           FROM and TO are null where there is no bound
 *   PROBE   [POINT, HITS, DELIVERED, DROPPED, SKIPPED, NANOSECONDS, IS_OFF]
 *
 * Integers that JavaScript might round are texts.
 */
#ifndef EXPORTER_LIVESTATE_H
#define EXPORTER_LIVESTATE_H

#include <stddef.h>
#include <stdint.h>

struct livestate;
struct text;
struct values;

struct livestate *livestate_create(void);
/*
 * Takes the result of a look; `ms` is CLOCK_REALTIME. `look`: its number, larger than
 * that of the one before.
 */
void livestate_look(struct livestate *l, const struct values *v, int64_t ms, uint64_t look);
/* Returns the number of the last look; 0: there was none. */
uint64_t livestate_last(const struct livestate *l);
/* Adds the changes since the look `seen`: the object's members, without braces. */
void livestate_write(const struct livestate *l, uint64_t seen, struct text *t);
void livestate_free(struct livestate *l);

#endif
