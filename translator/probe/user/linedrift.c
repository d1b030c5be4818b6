/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/user/linedrift.h"

#include "base/diag.h"
#include "lib/error.h"
#include "lib/glob.h"

struct error *linedrift_find(struct session *s, struct loc loc, struct dwarf_file *f,
			     const struct dwarf_pattern *p, unsigned copies, dwarf_places *ret)
{
	struct dwarf_pattern whole = *p;
	struct error *err = dwarf_find_functions(s, f, p, copies, ret);

	if (!err || err->kind != ERROR_ABSENT || !p->lines.count || glob_is(p->function))
		return err;
	whole.lines.count = 0;
	if (dwarf_find_functions(s, f, &whole, copies, ret))
		return err;
	diag_taken(s, loc, "'%s': the function has no code at that line; it is probed all the same",
		   p->text);
	return NULL;
}
