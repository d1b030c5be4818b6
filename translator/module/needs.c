/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts stap_needs of a program of --runtime=bpf, by its points: uapi/needs.def. */
#include <string.h>

#include "base/session.h"
#include "module/module.h"
#include "probe/probe.h"

enum need {
#define NEED(id, word, symbols, remedy) NEED_##id,
#include "uapi/needs.def"
};

static const char *const need_words[] = {
#define NEED(id, word, symbols, remedy) [NEED_##id] = word,
#include "uapi/needs.def"
};

struct needs {
	struct session *s;
	struct strbuf *to;
	struct hashmap written;
};

/* Writes a need once. name: NULL for a thing of which there is one. */
static void need_write(struct needs *n, enum need need, const char *name)
{
	const char *text = arena_printf(n->s->arena, "stap_needs=%s%s%s", need_words[need],
					name ? " " : "", name ? name : "");

	if (hashmap_get(&n->written, text))
		return;
	hashmap_put(&n->written, text, n);
	strbuf_add(n->to, text, strlen(text) + 1);
}

/* Returns the first text in quotes of a point, or NULL. */
static const char *quoted_in(struct session *s, const char *point)
{
	const char *from = strchr(point, '"'), *to = from ? strchr(from + 1, '"') : NULL;

	return to ? arena_strndup(s->arena, from + 1, (size_t)(to - from - 1)) : NULL;
}

/* Returns "sched_switch" of kernel.trace("sched:sched_switch"). */
static const char *tracepoint_of(struct session *s, const struct derived *d)
{
	const char *name = quoted_in(s, d->pp), *system = name ? strchr(name, ':') : NULL;

	return system ? system + 1 : name;
}

static void function_write(struct needs *n, const struct derived *d)
{
	bool of_module = d->in_module && d->pmodule;

	if (!d->pfunc)
		return;
	need_write(n, NEED_FUNCTIONS, NULL);
	need_write(n, NEED_FUNCTION,
		   of_module ? arena_printf(n->s->arena, "%s [%s]", d->pfunc, d->pmodule)
			     : d->pfunc);
}

static bool begins(const struct derived *d, const char *words)
{
	return !strncmp(d->pp, words, strlen(words));
}

static void program_write(struct needs *n, const char *path)
{
	need_write(n, NEED_BREAKPOINTS, NULL);
	need_write(n, NEED_PROGRAM, path);
}

static void event_write(struct needs *n, const struct derived *d)
{
	const char *name = quoted_in(n->s, d->pp);

	if (begins(d, "kernel.trace("))
		need_write(n, NEED_TRACEPOINT, tracepoint_of(n->s, d));
	else if (begins(d, "kernel.") || begins(d, "module("))
		function_write(n, d);
	else if (begins(d, "process(") && name)
		program_write(n, name);
}

static void point_write(struct needs *n, const struct derived *d)
{
	switch (d->family->hits) {
	case PROBE_HITS_SCRIPT:
	case PROBE_HITS_TIMER:
		return;
	case PROBE_HITS_SYSCALL:
		need_write(n, NEED_CALLS, NULL);
		break;
	case PROBE_HITS_PROCESS:
		need_write(n, NEED_PROCESSES, NULL);
		break;
	case PROBE_HITS_EVENT:
		event_write(n, d);
		break;
	}
	need_write(n, NEED_TYPES, NULL);
}

void needs_write(struct session *s, struct strbuf *ret)
{
	struct needs n = { .s = s, .to = ret };

	hashmap_init(&n.written, s->arena);
	need_write(&n, NEED_ARENA, NULL);
	vec_each(&s->program->probes, i)
		point_write(&n, s->program->probes.data[i]);
}
