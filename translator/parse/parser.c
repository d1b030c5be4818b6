/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints messages of the parser. */
#include "parse/parser.h"

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"

void parser_error(struct parser *p, struct loc loc, const char *message)
{
	if (!p->failed_here)
		diag_error(p->s, loc, "%s", message);
}

void parser_meaning_error(struct parser *p, struct loc loc, const char *message)
{
	if (!p->s->options || p->s->options->last_pass > 1)
		diag_error(p->s, loc, "%s", message);
}

void parser_need_guru(struct parser *p, struct loc loc, const char *why)
{
	if (p->s->options && !p->s->options->guru && !loc.source->is_tapset)
		diag_error(p->s, loc, "%s; it needs stap -g", why);
}
