/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Effects: which expressions and functions do something beside giving a value. */
#ifndef STAP_LANG_EFFECTS_H
#define STAP_LANG_EFFECTS_H

#include <stdbool.h>

struct session;
struct node;

/* Sets has_effects of the program's functions: effects_in() looks through calls by it. */
void effects_mark(struct session *s);
bool effects_in(const struct node *n);

#endif
