/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system that each tracepoint belongs to: "sched" of sched:sched_switch. BTF does not
 * have it; the kernel's headers do, in include/trace/events:
 *
 *   #define TRACE_SYSTEM sched
 *   TRACE_EVENT(sched_switch, …)
 *   DEFINE_EVENT(sched_wakeup_template, sched_waking, …)
 *   #define DEFINE_NCB_EVENT(name) DEFINE_EVENT(template, name, …)     and then
 *   DEFINE_NCB_EVENT(other)
 *
 * Drivers and file systems that keep such headers next to their source are missing: the
 * systems of their tracepoints are unknown. For kernels without headers tracesystems.def
 * has the systems.
 */
#include <ctype.h>
#include <string.h>

#include "arch/arch.h"
#include "base/lexical.h"
#include "kernel/facts.h"
#include "kernel/functions.h"
#include "lib/cleanup.h"
#include "lib/path.h"
#include "lib/word.h"

#define ARGUMENTS_MOST 4

struct word {
	const char *at;
	size_t len;
};

struct header {
	struct session *s;
	const char *at;
	const char *system;
	/*
	 * Macros that name a tracepoint -> number of the argument with the name, plus
	 * one.
	 */
	struct hashmap macros;
	/* The macro of the last #define that takes parameters, */
	struct word defined;
	struct word parameters[ARGUMENTS_MOST]; /* and these */
	size_t nparameters;
};

static const struct {
	const char *name;
	unsigned argument;
} macros[] = {
	{ "TRACE_EVENT", 0 },	      { "TRACE_EVENT_CONDITION", 0 },
	{ "TRACE_EVENT_FN", 0 },      { "TRACE_EVENT_FN_COND", 0 },
	{ "TRACE_EVENT_SYSCALL", 0 }, { "DECLARE_TRACE", 0 },
	{ "DECLARE_TRACE_EVENT", 0 }, { "DECLARE_TRACE_CONDITION", 0 },
	{ "DEFINE_EVENT", 1 },	      { "DEFINE_EVENT_CONDITION", 1 },
	{ "DEFINE_EVENT_FN", 1 },     { "DEFINE_EVENT_PRINT", 1 },
};

static const char *word_text(struct header *h, struct word w)
{
	return arena_strndup(h->s->arena, w.at, w.len);
}

static bool words_equal(struct word a, struct word b)
{
	return a.len == b.len && !memcmp(a.at, b.at, a.len);
}

/*
 * Skips blanks, line ends after a backslash, and comments, which have the same two forms
 * in C and in scripts.
 */
static void skip_blanks(struct header *h)
{
	for (;;) {
		struct lexical piece;

		h->at += strspn(h->at, " \t\r\n\\");
		if (h->at[0] != '/' || (piece = lexical_next(h->at)).kind != LEXICAL_COMMENT)
			return;
		h->at += piece.len;
	}
}

static struct word take_word(struct header *h)
{
	struct word w = { h->at, 0 };

	while (word_char(h->at[w.len]))
		w.len++;
	h->at += w.len;
	return w;
}

/* Reads "(a, b, …": the words up to the first argument that is not a word. */
static size_t take_arguments(struct header *h, struct word *ret)
{
	size_t n = 0;

	if (*h->at != '(')
		return 0;
	do {
		h->at++;
		skip_blanks(h);
		ret[n] = take_word(h);
		skip_blanks(h);
	} while (ret[n].len && ++n < ARGUMENTS_MOST && *h->at == ',');
	return n;
}

static void read_directive(struct header *h)
{
	struct word name;

	h->at += strspn(h->at, " \t");
	if (strncmp(h->at, "define", 6) || !isspace((unsigned char)h->at[6])) {
		h->at += strcspn(h->at, "\n");
		return;
	}
	h->at += 6;
	h->at += strspn(h->at, " \t");
	name = take_word(h);
	h->nparameters = take_arguments(h, h->parameters);
	h->defined = name;
	if (!strncmp(name.at, "TRACE_SYSTEM", name.len) && name.len == strlen("TRACE_SYSTEM")) {
		h->at += strspn(h->at, " \t");
		h->system = word_text(h, take_word(h));
	}
}

static void add(struct header *h, struct word tracepoint)
{
	struct facts *f = session_facts(h->s);

	if (!h->system)
		return;
	hashmap_put(&f->trace_system_names, h->system, (void *)h->system);
	hashmap_put(&f->trace_systems, word_text(h, tracepoint), (void *)h->system);
	/* DECLARE_TRACE(NAME) is tracepoint NAME_tp since 6.16. */
	hashmap_put(&f->trace_systems,
		    arena_printf(h->s->arena, "%.*s_tp", (int)tracepoint.len, tracepoint.at),
		    (void *)h->system);
}

static void read_word(struct header *h)
{
	struct word name = take_word(h), arguments[ARGUMENTS_MOST];
	size_t which = (size_t)hashmap_get(&h->macros, word_text(h, name));

	if (!which)
		return;
	skip_blanks(h);
	if (take_arguments(h, arguments) < which)
		return;
	for (size_t i = 0; i < h->nparameters; i++)
		if (words_equal(h->parameters[i], arguments[which - 1])) {
			hashmap_put(&h->macros, word_text(h, h->defined), (void *)(i + 1));
			return;
		}
	add(h, arguments[which - 1]);
}

static void read_header(struct session *s, char *text)
{
	struct header h = { .s = s, .at = text };

	hashmap_init(&h.macros, s->arena);
	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++)
		hashmap_put(&h.macros, macros[i].name, (void *)(size_t)(macros[i].argument + 1));
	for (skip_blanks(&h); *h.at; skip_blanks(&h)) {
		if (*h.at == '#') {
			h.at++;
			read_directive(&h);
		} else if (word_char(*h.at)) {
			read_word(&h);
		} else {
			h.at++;
		}
	}
}

static void read_headers(struct session *s, const char *place)
{
	const char *dir = kernel_header(s, place);
	_cleanup_closedir_ DIR *d = dir ? opendir(dir) : NULL;
	struct dirent *e;

	while (d && (e = readdir(d))) {
		const char *dot = strrchr(e->d_name, '.');
		size_t len;
		char *text;

		if (dot && !strcmp(dot, ".h") &&
		    !path_read(s->arena, arena_printf(s->arena, "%s/%s", dir, e->d_name), &text,
			       &len))
			read_header(s, text);
	}
}

/* Adds the tracepoints of a list "NAME NAME …". */
static void add_listed(struct session *s, const char *system, const char *list)
{
	struct header h = { .s = s, .system = system, .at = list };

	for (; *h.at; h.at += strspn(h.at, " "))
		add(&h, take_word(&h));
}

static void read_table(struct session *s)
{
#define SYSTEM(system, list) add_listed(s, system, list);
#include "kernel/tracesystems.def"
#undef SYSTEM
}

static struct facts *systems_read(struct session *s)
{
	struct facts *f = session_facts(s);

	if (f->trace_systems_read)
		return f;
	f->trace_systems_read = true;
	hashmap_init(&f->trace_systems, s->arena);
	hashmap_init(&f->trace_system_names, s->arena);
	if (!kernel_header(s, "include/trace/events"))
		read_table(s);
	read_headers(s, "include/trace/events");
	read_headers(s, arena_printf(s->arena, "arch/%s/include/asm/trace",
				     arch_of(s)->machine->kernel_dir));
	return f;
}

const char *kernel_tracepoint_system(struct session *s, const char *name)
{
	return hashmap_get(&systems_read(s)->trace_systems, name);
}

bool kernel_has_trace_system(struct session *s, const char *system)
{
	return hashmap_get(&systems_read(s)->trace_system_names, system);
}
