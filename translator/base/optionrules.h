/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which options of a run exclude or need each other: rules.def, whose head says more. */
#ifndef STAP_OPTIONRULES_H
#define STAP_OPTIONRULES_H

struct error;
struct options;
struct session;

/* Returns what the first rule that the options break has to say, or NULL. */
struct error *optionrules_check(struct session *s, const struct options *o);

#endif
