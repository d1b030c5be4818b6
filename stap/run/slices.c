/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/run/slices.h"

#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"

static int find_slice(struct node *n, void *ctx)
{
	static const char name[] = "slice\t";
	const char *at = n->kind == NODE_PRINT ? n->fields : NULL;

	while (at && *at) {
		if (!strncmp(at, name, sizeof(name) - 1))
			*(bool *)ctx = true;
		at += strcspn(at, "\t");
		at += *at == '\t';
	}
	return 0;
}

bool slices_are_printed(const struct program *p)
{
	bool ret = false;

	ast_walk_bodies(p, find_slice, NULL, &ret);
	return ret;
}
