/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the runtime that is compiled with each script. */
#ifndef BPF_IRINLINED_H
#define BPF_IRINLINED_H

struct session;
struct strbuf;

/*
 * Appends the text of the runtime's intermediate code with the functions of inlined.def;
 * all others are only declared.
 */
void irinlined_take(struct session *s, const char *module, struct strbuf *ret);

#endif
