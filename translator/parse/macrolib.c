/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The macros of .stpm files. */
#include "base/session.h"
#include "lib/arena.h"
#include "parse/macro.h"

struct macros *macrolib_get(struct session *s)
{
	if (!s->macros)
		s->macros = arena_new(s->arena, struct macros);
	return s->macros;
}
