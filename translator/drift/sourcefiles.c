/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drift/sourcefiles.h"

#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "drift/drift.h"
#include "lib/arena.h"
#include "lib/glob.h"

#define ROW(file, names) { file, names },

static const struct source_file {
	const char *path;
	const char *functions; /* separated by spaces */
} files[] = {
#include "drift/data/sourcefiles.def"
};

static void add_names(struct session *s, const char *list, struct hashmap *ret)
{
	while (*list) {
		size_t len = strcspn(list, " ");

		hashmap_put(ret, arena_strndup(s->arena, list, len), (void *)list);
		list += len + (list[len] == ' ');
	}
}

static bool find(struct session *s, const char *pattern, struct hashmap *ret)
{
	bool found = false;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!glob_path_ends(pattern, files[i].path))
			continue;
		add_names(s, files[i].functions, ret);
		found = true;
	}
	return found;
}

bool sourcefiles_functions(struct session *s, const char *pattern, struct hashmap *ret)
{
	const struct drift *row = drift_file(s->arena, pattern);
	bool found;

	hashmap_init(ret, s->arena);
	found = find(s, pattern, ret);
	for (size_t i = 0; !found && row && i < row->now.count; i++)
		found = find(s, row->now.data[i].name, ret);
	return found;
}

/* Returns the part of an entry point's name that the source has; NULL: it is none. */
static const char *entry_name(struct session *s, const char *function)
{
	static const char sys[] = "sys_";
	const size_t n = sizeof(sys) - 1;

	for (const struct arch_entry *e = arch_of(s)->syscalls->entries; e->prefix; e++) {
		size_t len = strlen(e->prefix);

		if (!strncmp(function, e->prefix, len) && !strcmp(e->prefix + len - n, sys))
			return function + len - n;
	}
	return NULL;
}

/*
 * Returns the name in the source: "__do_sys_read" is "sys_read",
 * "finish_task_switch.isra.0" is "finish_task_switch".
 */
static const char *source_name(struct session *s, const char *function)
{
	static const char *const workers[] = { "__do_compat_", "__do_", "__se_compat_", "__se_" };
	const char *entry = entry_name(s, function);

	if (entry)
		return entry;

	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		size_t n = strlen(workers[i]);

		if (!strncmp(function, workers[i], n) && !strncmp(function + n, "sys_", 4))
			return function + n;
	}
	return arena_strndup(s->arena, function, strcspn(function, "."));
}

bool sourcefiles_has(struct session *s, const struct hashmap *names, const char *function)
{
	return hashmap_get(names, source_name(s, function)) != NULL;
}
