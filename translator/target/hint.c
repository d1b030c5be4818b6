/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "target/hint.h"

#include "ast/access.h"
#include "base/session.h"
#include "dwarf/dwarf.h"
#include "dwarf/find.h"
#include "dwarf/kernelinfo.h"

static const char *name_of(const struct node *n)
{
	return n->target_name + (*n->target_name == '$');
}

static const char *hint_of_lines(struct session *s, const struct node *n)
{
	const char *lines = dwarf_readable(s, n->access->absent_at, name_of(n));

	return lines ? arena_printf(s->arena, "; it can be read at lines %s", lines) : "";
}

const char *target_hint(struct session *s, const struct node *n)
{
	const path_steps none = { 0 };
	struct access a = { 0 };
	const char *name;

	if (n->kind != NODE_TARGET || !n->access)
		return "";
	if (n->access->absent_at)
		return hint_of_lines(s, n);
	if (!n->access->is_sought)
		return "";
	name = name_of(n);
	if (dwarf_kernel_variable(s, NULL, name, &none, true, &a) || a.drift)
		return "";
	return arena_printf(s->arena,
			    "; the kernel has a variable of that name: @var(\"%s\", \"kernel\")",
			    name);
}
