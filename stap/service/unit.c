/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See unit.h. */
#include "stap/service/unit.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/subprocess.h"
#include "lib/vec.h"

/*
 * The unit's own After= stays in effect: the units that it needs come before
 * sysinit.target. No unit waits for it longer than TimeoutStartSec=.
 */
static const char early_text[] =
	"# Made by `stap service enable --early`, removed by `stap service disable`.\n"
	"[Unit]\n"
	"DefaultDependencies=no\n"
	"Conflicts=shutdown.target\n"
	"Before=sysinit.target shutdown.target\n"
	"[Install]\n"
	"WantedBy=\n"
	"WantedBy=sysinit.target\n";

const char *unit_of(struct session *s, const char *name)
{
	return arena_printf(s->arena, "stap@%s.service", name);
}

static const char *early_dir(struct session *s, const char *root, const char *name)
{
	return arena_printf(s->arena, "%s/etc/systemd/system/%s.d", root, unit_of(s, name));
}

static struct error *systemctl(struct session *s, const char *root, const char *const *words,
			       bool capture, struct process_result *ret)
{
	VEC(const char *) argv = { 0 };

	if (!subprocess_find(s->arena, "systemctl"))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "systemctl is missing: services need systemd");
	vec_push(s->arena, &argv, "systemctl");
	if (*root)
		vec_push(s->arena, &argv, arena_printf(s->arena, "--root=%s", root));
	for (; *words; words++)
		vec_push(s->arena, &argv, *words);
	vec_push(s->arena, &argv, NULL);
	return subprocess_run(s->arena, NULL, (char **)(uintptr_t)argv.data, capture, ret);
}

static struct error *make_early(struct session *s, const char *root, const char *name)
{
	const char *dir = early_dir(s, root, name);
	struct error *err = path_make_dirs(s->arena, dir, 0755);

	return err ? err
		   : path_write(s->arena, arena_printf(s->arena, "%s/early.conf", dir), early_text,
				strlen(early_text));
}

static struct error *remove_early(struct session *s, const char *root, const char *name)
{
	const char *dir = early_dir(s, root, name);
	const char *file = arena_printf(s->arena, "%s/early.conf", dir);

	if (unlink(file) && errno != ENOENT)
		return error_errno(s->arena, "%s", file);
	rmdir(dir); /* drop-in files of the administrator remain */
	return NULL;
}

/*
 * Enables it. First removes the link of an earlier call, because only one target should
 * want the unit.
 */
struct error *unit_enable(struct session *s, const char *root, const char *name, bool early,
			  bool now, int *status)
{
	const char *unit = unit_of(s, name);
	const char *unlink[] = { "--quiet", "disable", unit, NULL };
	const char *link[] = { "enable", unit, NULL };
	const char *start[] = { "start", unit, NULL };
	struct process_result result = { 0 };
	struct error *err = early ? make_early(s, root, name) : remove_early(s, root, name);

	if (!err)
		err = systemctl(s, root, unlink, false, &result);
	if (!err && !result.status)
		err = systemctl(s, root, link, false, &result);
	if (!err && !result.status && now)
		err = systemctl(s, root, start, false, &result);
	*status = result.status;
	return err;
}

struct error *unit_disable(struct session *s, const char *root, const char *name, bool now,
			   int *status)
{
	const char *unit = unit_of(s, name);
	const char *words[] = { "disable", unit, now ? "--now" : NULL, NULL };
	struct process_result result = { 0 };
	struct error *err = systemctl(s, root, words, false, &result);

	*status = result.status;
	return err ? err : remove_early(s, root, name);
}

/* Returns the value of a line NAME=VALUE from systemctl, or "". */
static const char *value_of(struct arena *a, const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (!strncmp(at, name, len) && at[len] == '=')
			return arena_strndup(a, at + len + 1, strcspn(at + len + 1, "\n"));
	return "";
}

struct error *unit_show(struct session *s, const char *name, struct unit_state *ret)
{
	const char *words[] = { "show", unit_of(s, name), NULL };
	struct process_result result = { 0 };
	struct error *err = systemctl(s, "", words, true, &result);
	struct arena *a = s->arena;

	if (!err && result.status)
		err = error_create(a, ERROR_ENVIRONMENT, "systemctl: %.*s",
				   (int)strcspn(result.output, "\n"), result.output);
	if (err)
		return err;
	*ret = (struct unit_state){
		.active = value_of(a, result.output, "ActiveState"),
		.sub = value_of(a, result.output, "SubState"),
		.result = value_of(a, result.output, "Result"),
		.exit_status = value_of(a, result.output, "ExecMainStatus"),
		.since = value_of(a, result.output, "StateChangeTimestamp"),
		.enabled = value_of(a, result.output, "UnitFileState"),
		.text = value_of(a, result.output, "StatusText"),
		.restarts = value_of(a, result.output, "NRestarts"),
	};
	return NULL;
}

bool unit_is_up(const struct unit_state *u)
{
	return !strcmp(u->active, "active") || !strcmp(u->active, "activating") ||
	       !strcmp(u->active, "reloading");
}
