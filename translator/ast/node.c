/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ast/node.h"

#include <string.h>

#include "ast/access.h"
#include "lib/arena.h"

const char *const op_texts[OP_COUNT] = {
#define OP(kind, text) [OP_##kind] = text,
	OPERATORS(OP)
#undef OP
};

const char *const stat_op_names[STAT_OP_COUNT] = {
	[STAT_COUNT_OP] = "count", [STAT_SUM] = "sum", [STAT_MIN] = "min",
	[STAT_MAX] = "max",	   [STAT_AVG] = "avg", [STAT_VARIANCE] = "variance",
};

const char *node_type_name(enum type t)
{
	static const char *const names[TYPE_COUNT] = {
		[TYPE_UNKNOWN] = "unknown", [TYPE_LONG] = "long", [TYPE_STRING] = "string",
		[TYPE_STATS] = "stats",	    [TYPE_VOID] = "void", [TYPE_ERROR] = "error",
	};

	return names[t];
}

const char *node_kind_name(enum node_kind kind)
{
	static const char *const names[NODE_KIND_COUNT] = {
#define NODE(k, name, times) [NODE_##k] = name,
#include "ast/kinds.def"
#undef NODE
	};

	return names[kind];
}

bool node_is_loop(const struct node *n)
{
	enum { ONCE, LOOP };
	static const bool are_loops[NODE_KIND_COUNT] = {
#define NODE(k, name, times) [NODE_##k] = (times) == LOOP,
#include "ast/kinds.def"
#undef NODE
	};

	return are_loops[n->kind];
}

struct node *node_new(struct arena *a, enum node_kind kind, struct loc loc)
{
	struct node *n = arena_new(a, struct node);

	n->kind = kind;
	n->loc = n->op_loc = loc;
	return n;
}

struct node *node_append(struct node *head, struct node *item)
{
	struct node *last = head;

	if (!head)
		return item;
	while (last->next)
		last = last->next;
	last->next = item;
	return head;
}

unsigned node_count(const struct node *list)
{
	unsigned n = 0;

	for (; list; list = list->next)
		n++;
	return n;
}

#define HIST_LOG_BUCKETS  128
#define HIST_FINE_BUCKETS 7424

int64_t node_hist_buckets(const struct node *hist)
{
	if (hist->hist_kind == HIST_LOG)
		return HIST_LOG_BUCKETS;
	if (hist->hist_kind == HIST_FINE)
		return HIST_FINE_BUCKETS;
	return (hist->hist_high - hist->hist_low) / hist->hist_width + 3;
}

const char *node_percentage(struct arena *a, int64_t millionths)
{
	char *text = arena_printf(a, "%lld.%06lld", (long long)(millionths / 1000000),
				  (long long)(millionths % 1000000));
	size_t len = strlen(text);

	while (text[len - 1] == '0')
		len--;
	text[text[len - 1] == '.' ? len - 1 : len] = 0;
	return text;
}

const char *node_unresolved(const struct node *n)
{
	if (n->kind == NODE_TARGET)
		return n->unresolved;
	return n->kind == NODE_ATOP ? n->missing : NULL;
}

bool node_is_open(const struct node *n)
{
	if (n->kind == NODE_TARGET)
		return !n->access;
	return n->kind == NODE_ATOP && !strcmp(n->atop, "enumname") && !n->enumeration &&
	       !n->missing;
}

bool node_has_drifted(const struct node *n)
{
	return n->kind == NODE_TARGET && n->access && n->access->drift;
}
