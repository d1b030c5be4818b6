/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See symbolname.h. */
#include "program/symbolname.h"

#include "base/options.h"
#include "base/session.h"
#include "lib/demangle.h"

bool symbolname_is_mangled(const char *symbol)
{
	return demangle_is_mangled(symbol);
}

bool symbolname_can_demangle(const struct session *s)
{
	return !s->demangler.is_asked || s->demangler.cplus;
}

const char *symbolname_demangle(struct session *s, const char *symbol)
{
	return demangle_symbol(&s->demangler, s->arena, symbol);
}

const char *symbolname_shown(struct session *s, const char *symbol)
{
	return s->options->no_demangle ? symbol : demangle_shown(&s->demangler, s->arena, symbol);
}
