/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/doc/readyscripts.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/vec.h"
#include "stap/doc/wordmatch.h"

struct example {
	const char *path, *topic, *name, *what;
	const char *head; /* the comment's lines, without their stars */
	unsigned found;	  /* how many words of the question it has */
};
typedef VEC(struct example) example_vec;

/* Returns the text after "KEY: " at the beginning of a line of the head; "": none. */
static const char *value_of(struct session *s, const char *head, const char *key)
{
	const char *at = strstr(head, arena_printf(s->arena, "\n%s: ", key));

	if (!at)
		return "";
	at += strlen(key) + 3;
	return arena_strndup(s->arena, at, strcspn(at, "\n"));
}

static const char *head_of(struct session *s, const char *text)
{
	const char *at = strstr(text, "/*\n"), *end = at ? strstr(at, "\n */") : NULL;
	struct strbuf out;

	strbuf_init(&out, s->arena);
	for (at = at ? at + 3 : NULL; end && at <= end; at += *at == '\n') {
		size_t len = strcspn(at, "\n");

		if (len >= 2 && !strncmp(at, " *", 2))
			strbuf_addf(&out, "%.*s", (int)(len - 2 - (len > 2)), at + 2 + (len > 2));
		strbuf_addc(&out, '\n');
		at += len;
	}
	return out.s;
}

static void add_example(struct session *s, example_vec *ret, const char *path)
{
	struct example e = { .path = path };
	const char *slash = strrchr(path, '/'), *topic = slash, *dash;
	char *text;
	size_t len;

	while (topic[-1] != '/')
		topic--;
	e.topic = arena_strndup(s->arena, topic, (size_t)(slash - topic));
	e.name = arena_strndup(s->arena, slash + 1, strlen(slash + 1) - strlen(".stp"));
	if (path_read(s->arena, path, &text, &len))
		return;
	e.head = head_of(s, text);
	dash = strstr(e.head, " - ");
	e.what = dash ? arena_strndup(s->arena, dash + 3, strcspn(dash + 3, "\n")) : "";
	vec_push(s->arena, ret, e);
}

/* Finds the scripts, sorted by topic and then by name. */
static void find_examples(struct session *s, example_vec *ret)
{
	glob_t found;

	if (!glob(arena_printf(s->arena, "%s/examples/*/*.stp", s->data_dir), 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			add_example(s, ret, arena_strdup(s->arena, found.gl_pathv[i]));
	globfree(&found);
}

/* Returns how many words of the question occur in the name, topic, summary and words. */
static unsigned found_in(struct session *s, const struct example *e, const char *question)
{
	return wordmatch_count(question, arena_printf(s->arena, "%s %s %s %s", e->name, e->topic,
						      e->what, value_of(s, e->head, "Words")));
}

static void print_head(const struct example *e)
{
	size_t len;

	for (const char *at = e->head; *at; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		if (strncmp(at, "Test-", 5))
			printf("%.*s\n", (int)len, at);
	}
	printf("It is %s; stap --example %s runs it.\n", e->path, e->name);
}

/* SystemTap's published examples, and ours that answer the same questions. */
static const struct published {
	const char *name, *ours; /* ours: NULL: there is none */
	const char *advice;	 /* the alternative */
} published[] = {
#define ROW(name, ours)	     { name, ours, NULL },
#define ADVICE(name, advice) { name, NULL, advice },
#include "stap/doc/examplenames.def"
#undef ROW
#undef ADVICE
};

static const struct published *find_published(const char *name)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++)
		if (!strcmp(published[i].name, name))
			return &published[i];
	return NULL;
}

/* Returns "disktop" of "io/disktop.stp". */
static const char *bare_name(struct session *s, const char *name)
{
	const char *slash = strrchr(name, '/'), *from = slash ? slash + 1 : name;
	size_t len = strlen(from);

	if (len > strlen(".stp") && !strcmp(from + len - strlen(".stp"), ".stp"))
		len -= strlen(".stp");
	return arena_strndup(s->arena, from, len);
}

/* Prints a line for each script in which that many words of the question were found. */
static void print_lines(const example_vec *all, unsigned found)
{
	const char *topic = "";

	vec_each(all, i) {
		const struct example *e = &all->data[i];

		if (e->found != found)
			continue;
		if (strcmp(topic, e->topic))
			printf("%s%s\n", *topic ? "\n" : "", e->topic);
		printf("  %-20s %s\n", e->name, e->what);
		topic = e->topic;
	}
}

/*
 * Prints the scripts that match the most words of the question, if more than half.
 * False: there are none.
 */
static bool answer(struct session *s, example_vec *all, const char *question)
{
	unsigned asked = wordmatch_asked(question), most = 0;

	vec_each(all, i) {
		struct example *e = &all->data[i];

		e->found = found_in(s, e, question);
		most = e->found > most ? e->found : most;
	}
	if (!most || 2 * most <= asked) {
		fprintf(stderr, "stap: no ready script matches '%s'; stap --examples lists all\n",
			question);
		return false;
	}
	if (most < asked)
		fprintf(stderr, "stap: no ready script matches all of '%s'; %u of %u words:\n",
			question, most, asked);
	print_lines(all, most);
	return true;
}

/*
 * Prints a line for each script or, with a question, for each script that answers it. For
 * a script's name, prints its whole head comment. False: there is none.
 */
static bool list(struct session *s, const char *question)
{
	const struct published *of = question ? find_published(bare_name(s, question)) : NULL;
	example_vec all = { 0 };

	question = of && of->ours ? of->ours : question;
	find_examples(s, &all);
	vec_each(&all, i)
		if (question && !strcmp(all.data[i].name, question)) {
			print_head(&all.data[i]);
			return true;
		}
	if (question)
		return answer(s, &all, question);
	print_lines(&all, 0);
	return all.count > 0;
}

struct error *readyscripts_list(struct session *s, int *status)
{
	*status = list(s, optioncommand_question(s)) ? 0 : 1;
	return NULL;
}

struct error *readyscripts_find(struct session *s, const char *name, const char **path)
{
	VEC(const char *) names = { 0 };
	const struct published *of;
	example_vec all = { 0 };
	const char *near;

	name = bare_name(s, name);
	of = find_published(name);
	if (of && !of->ours)
		return error_create(s->arena, ERROR_USAGE,
				    "no ready script takes the place of SystemTap's example '%s': "
				    "%s",
				    name, of->advice);
	if (of && strcmp(of->ours, name)) {
		fprintf(stderr, "stap: for SystemTap's example '%s' the ready script '%s' is run\n",
			name, of->ours);
		name = of->ours;
	}
	find_examples(s, &all);
	vec_each(&all, i) {
		if (!strcmp(all.data[i].name, name)) {
			*path = all.data[i].path;
			return NULL;
		}
		vec_push(s->arena, &names, all.data[i].name);
	}
	near = diag_near(s, name, names.data, names.count);
	return error_create(s->arena, ERROR_USAGE,
			    "no ready script is called '%s'%s%s; stap --examples lists all", name,
			    near ? "; did you mean " : "", near ? near : "");
}
