/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostset.h"

#include <ctype.h>
#include <string.h>

#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/subprocess.h"

/* More are taken for a mistake: node[1-1000000]. */
enum { HOSTS_MOST = 10000 };

typedef VEC(const char *) names;

/* A set and the text around it: "ssh://USER@", "node[1-9]", ":PORT". */
struct parts {
	const char *before, *set, *behind;
};

/*
 * Returns the parts. set NULL: the name is that of one machine. A group's '@' comes
 * first, or after the '@' of a user: me@@web.
 */
static struct parts split(struct session *s, const char *name)
{
	const char *host = strncmp(name, "ssh://", 6) ? name : name + 6;
	const char *at = strchr(host, '@'), *end = name + strlen(name), *bracket, *colon;

	if (at && at > host && !memchr(host, '[', (size_t)(at - host)) &&
	    !memchr(host, ',', (size_t)(at - host)))
		host = at + 1;
	if (!strpbrk(host, "[,&!^*") && *host != '@')
		return (struct parts){ .set = NULL };
	bracket = strrchr(host, ']');
	colon = strncmp(name, "ssh://", 6) ? NULL : strchr(bracket ? bracket : host, ':');
	if (colon)
		end = colon;
	return (struct parts){ arena_strndup(s->arena, name, (size_t)(host - name)),
			       arena_strndup(s->arena, host, (size_t)(end - host)), end };
}

static struct error *refused(struct session *s, const char *name, const char *why)
{
	return error_create(s->arena, ERROR_USAGE, "--remote %s: %s", host_shown(s, name), why);
}

/* Runs ClusterShell's program, under its old name or its new one. */
static struct error *run_nodeset(struct session *s, const char *set, struct process_result *ret)
{
	static const char *const programs[] = { "nodeset", "cluset" };
	struct arena *a = s->arena;

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		char *argv[] = { arena_strdup(a, programs[i]),
				 arena_strdup(a, "-e"),
				 arena_strdup(a, "-S"),
				 arena_strdup(a, "\n"),
				 arena_strdup(a, "--"),
				 arena_strdup(a, set),
				 NULL };

		if (subprocess_find(a, programs[i]))
			return subprocess_run(a, NULL, argv, true, ret);
	}
	return error_create(a, ERROR_ENVIRONMENT,
			    "--remote %s is a set of machines, which needs ClusterShell, "
			    "and its program nodeset is missing; %s",
			    host_shown(s, set), remedy_command(a, REMEDY_CLUSTERSHELL, NULL));
}

/* Returns the first line, for a message. */
static const char *first_line(struct session *s, const char *text)
{
	return arena_strndup(s->arena, text, strcspn(text, "\n"));
}

static struct error *expand(struct session *s, const char *name, const struct parts *p, names *ret)
{
	struct process_result result = { .output = "" };
	struct error *err = run_nodeset(s, p->set, &result);
	char *text = arena_strdup(s->arena, result.output), *rest = NULL;

	if (err)
		return err;
	if (result.status)
		return refused(s, name, first_line(s, result.output));
	if (!text[strspn(text, "\n")])
		return refused(s, name, "there is no machine in it");
	for (char *node = strtok_r(text, "\n", &rest); node; node = strtok_r(NULL, "\n", &rest)) {
		if (ret->count >= HOSTS_MOST)
			return refused(s, name, "more than 10000 machines");
		vec_push(s->arena, ret,
			 arena_printf(s->arena, "%s%s%s", p->before, node, p->behind));
	}
	return NULL;
}

static struct error *add_name(struct session *s, const char *name, names *ret)
{
	struct parts p = split(s, name);

	if (p.set)
		return expand(s, name, &p, ret);
	if (ret->count >= HOSTS_MOST)
		return refused(s, name, "more than 10000 machines");
	vec_push(s->arena, ret, name);
	return NULL;
}

/* Adds each line of a file; '#' begins a comment. */
static struct error *add_file(struct session *s, const char *path, names *ret)
{
	size_t len, before = ret->count;
	char *text, *rest = NULL;
	struct error *err = path_read(s->arena, path, &text, &len);

	if (err)
		return error_create(s->arena, ERROR_USAGE, "--remote-file %s", err->text);
	if (memchr(text, 0, len))
		return error_create(s->arena, ERROR_USAGE, "--remote-file %s is not a text file",
				    path);
	for (char *line = strtok_r(text, "\n", &rest); !err && line;
	     line = strtok_r(NULL, "\n", &rest)) {
		size_t end = strcspn(line, "#");

		while (end && isspace((unsigned char)line[end - 1]))
			end--;
		line[end] = 0;
		line += strspn(line, " \t");
		if (*line)
			err = add_name(s, line, ret);
	}
	if (!err && ret->count == before)
		err = error_create(s->arena, ERROR_USAGE, "--remote-file %s names no machine",
				   path);
	return err;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(struct host *const *)a)->name, (*(struct host *const *)b)->name);
}

/* Sets the labels: each machine has another one, unless its URI was given twice. */
static void label(struct session *s, host_list *hosts)
{
	struct host **sorted = arena_array(s->arena, struct host *, hosts->count);

	vec_each(hosts, i)
		sorted[i] = &hosts->data[i];
	qsort(sorted, hosts->count, sizeof(*sorted), compare_names);
	vec_each(hosts, i) {
		bool shared = (i && !compare_names(&sorted[i - 1], &sorted[i])) ||
			      (i + 1 < hosts->count && !compare_names(&sorted[i], &sorted[i + 1]));

		sorted[i]->label = shared ? sorted[i]->uri : sorted[i]->name;
	}
}

struct error *hostset_read(struct session *s, host_list *ret)
{
	const struct options *o = s->options;
	struct host_ssh ssh = { .timeout = o->remote_timeout };
	struct error *err = NULL;
	names all = { 0 };

	for (size_t i = 0; !err && i < o->remotes.count; i++)
		err = o->remotes.data[i].is_file ? add_file(s, o->remotes.data[i].text, &all)
						 : add_name(s, o->remotes.data[i].text, &all);
	ssh.batch = all.count > HOSTSET_FEW || o->page_hosts_fd;
	for (size_t i = 0; !err && i < all.count; i++) {
		struct host h;

		err = host_parse(s, all.data[i], &ssh, &h);
		if (!err)
			vec_push(s->arena, ret, h);
	}
	if (!err)
		label(s, ret);
	return err;
}
