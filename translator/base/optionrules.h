/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks which options of a run exclude or need each other: see the head of rules.def. */
#ifndef STAP_OPTIONRULES_H
#define STAP_OPTIONRULES_H

struct error;
struct options;
struct session;

/* Returns the error of the first rule that the options break, or NULL. */
struct error *optionrules_check(struct session *s, const struct options *o);

#endif
