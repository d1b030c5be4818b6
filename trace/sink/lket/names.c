/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/sink/lket/names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static struct name *find(const struct names *n, int32_t tid)
{
	struct name key = { .tid = tid };
	struct name **node = tfind(&key, &n->tree, compare);

	return node ? *node : NULL;
}

/* Returns the thread's entry, and creates it if there is none. NULL: no memory. */
static struct name *enter(struct names *n, int32_t tid)
{
	struct name *name = find(n, tid);

	if (name)
		return name;
	name = malloc(sizeof(*name));
	if (!name)
		return NULL;
	*name = (struct name){ .tid = tid, .pid = -1, .ppid = -1 };
	if (tsearch(name, &n->tree, compare))
		return name;
	free(name);
	return NULL;
}

static bool set_text(struct name *name, const char *text, size_t len)
{
	char *copy = strndup(text, len);

	if (!copy)
		return false;
	free(name->text);
	name->text = copy;
	return true;
}

static bool learn_process(struct names *n, const struct event *e, const struct name *parent)
{
	struct name *name = enter(n, (int32_t)e->fields[0].number);

	if (!name)
		return false;
	name->pid = (int32_t)e->fields[1].number;
	name->ppid = (int32_t)e->fields[2].number;
	if (e->nown > 3)
		return set_text(name, e->fields[3].text, e->fields[3].len);
	/* A new thread inherits the name of its parent; its number may be reused. */
	return !parent || !parent->text || name == parent ||
	       set_text(name, parent->text, strlen(parent->text));
}

bool names_learn(struct names *n, enum registry_role role, const struct event *e)
{
	static const unsigned fields[] = {
		[ROLE_NONE] = 0, [ROLE_SNAPSHOT] = 4, [ROLE_FORK] = 3, [ROLE_EXEC] = 2
	};
	struct name *name;

	if (role == ROLE_NONE || e->nown < fields[role])
		return true;
	if (role != ROLE_EXEC)
		return learn_process(n, e, role == ROLE_FORK ? find(n, e->tid) : NULL);
	name = enter(n, (int32_t)e->fields[0].number);
	if (name)
		name->pid = name->tid;
	return name && set_text(name, e->fields[1].text, e->fields[1].len);
}

void names_fill(const struct names *n, struct event *e)
{
	const struct name *name = find(n, e->tid);

	if (e->pid < 0)
		e->pid = name && name->pid >= 0 ? name->pid : e->tid;
	name = find(n, e->pid);
	if (e->ppid < 0 && name)
		e->ppid = name->ppid;
	else if (e->ppid < 0 && !e->pid)
		e->ppid = 0; /* the idle task: in no snapshot, its own parent */
}

const char *names_of(const struct names *n, const struct event *e)
{
	const struct name *name = find(n, e->pid);

	if (!name || !name->text)
		name = find(n, e->tid);
	return name && name->text ? name->text : "?";
}

struct each {
	void (*fn)(void *ctx, int32_t pid, const char *text);
	void *ctx;
};

static void visit(const void *node, VISIT which, void *closure)
{
	const struct name *name = *(struct name *const *)node;
	const struct each *each = closure;

	if ((which == postorder || which == leaf) && name->text)
		each->fn(each->ctx, name->tid, name->text);
}

void names_each(const struct names *n, void (*fn)(void *ctx, int32_t pid, const char *text),
		void *ctx)
{
	struct each each = { fn, ctx };

	twalk_r(n->tree, visit, &each);
}

static void drop(void *node)
{
	struct name *name = node;

	free(name->text);
	free(name);
}

void names_deinit(struct names *n)
{
	tdestroy(n->tree, drop);
}
