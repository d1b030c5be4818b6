/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of a run in Prometheus' text format, version 0.0.4. Names and labels are valid
 * and every series is unique, whatever names, keys and strings the script has.
 */
#ifndef EXPORTER_METRICS_H
#define EXPORTER_METRICS_H

struct text;
struct values;

#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* Adds the metrics of a run; `script` becomes a label of each. */
void metrics_write(struct text *t, const struct values *v, const char *script);
/*
 * Adds a label's value in quotes. Bytes that are not UTF-8 are shown as U+FFFD and
 * their two digits, and so are those of U+FFFD itself: different strings stay
 * different.
 */
void metrics_quote(struct text *t, const char *s, unsigned long len);

#endif
