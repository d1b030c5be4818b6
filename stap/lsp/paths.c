/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs, libraries and modules in the strings of probe points. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/session.h"
#include "kernel/kernel.h"
#include "kernel/modules.h"
#include "lib/arena.h"
#include "stap/lsp/candidates.h"
#include "stap/lsp/lsp.h"
#include "stap/lsp/spot.h"

/* ---- files ---- */

/* True: "libc.so" and "libc.so.6" are shared libraries. */
static bool is_library(const char *name)
{
	const char *at = strstr(name, ".so");

	return at && (!at[3] || at[3] == '.');
}

/* Returns the kind of an entry of the directory; 0: it cannot be probed. */
static enum candidate_kind kind_of(int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, 0))
		return 0;
	if (S_ISDIR(st.st_mode))
		return CANDIDATE_FOLDER;
	return S_ISREG(st.st_mode) && ((st.st_mode & 0111) || is_library(name)) ? CANDIDATE_FILE
										: 0;
}

static int without_dots(const struct dirent *e)
{
	return strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
}

/* Adds the entries of a directory; hidden ones only if the prefix begins with a dot. */
static void add_entries(struct candidates *c, const char *path, bool with_folders)
{
	struct dirent **names = NULL;
	int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int n = dir < 0 ? -1 : scandir(path, &names, without_dots, alphasort);

	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;
		enum candidate_kind kind = 0;

		if (!strncmp(name, c->prefix, strlen(c->prefix)) &&
		    (name[0] != '.' || c->prefix[0] == '.') && !strpbrk(name, "\"\\\n"))
			kind = kind_of(dir, name);
		if (kind == CANDIDATE_FOLDER && with_folders)
			name = arena_printf(c->l->s->arena, "%s/", name);
		if (kind == CANDIDATE_FILE || (kind && with_folders))
			candidates_add(c, &(struct candidate){ name, kind, path, NULL });
		free(names[i]);
	}
	free(names);
	if (dir >= 0)
		close(dir);
}

/* Adds the programs of PATH, as process("ls") finds them. */
static void add_of_path(struct candidates *c)
{
	const char *dirs = getenv("PATH");

	while (dirs && *dirs) {
		size_t len = strcspn(dirs, ":");

		if (len)
			add_entries(c, arena_strndup(c->l->s->arena, dirs, len), false);
		dirs += len + (dirs[len] == ':');
	}
}

static void add_files(struct candidates *c, const struct spot *at)
{
	const char *path = arena_strndup(c->l->s->arena, at->source->text + at->place.string,
					 at->offset - at->place.string);
	const char *name = strrchr(path, '/');

	if (!name) {
		add_of_path(c);
		return;
	}
	/* Editors compare the item with the text that it replaces: the last name. */
	candidates_replace(c, at->source, (uint32_t)(at->place.string + (size_t)(name + 1 - path)),
			   at->offset);
	add_entries(c, arena_strndup(c->l->s->arena, path, (size_t)(name + 1 - path)), true);
}

/* ---- modules ---- */

static void add_modules(struct candidates *c)
{
	struct session *s = c->l->s;
	const char *const *names;
	size_t count;

	if (kernel_need(s) || kernel_modules_matching(s, "*", &names, &count))
		return;
	for (size_t i = 0; i < count; i++)
		candidates_add(c, &(struct candidate){ names[i], CANDIDATE_MODULE,
						       arena_printf(s->arena, "module of %s",
								    s->kernel->release),
						       NULL });
}

bool paths_add(struct candidates *c, const struct spot *at)
{
	if (cursor_is_argument(at->source->text, &at->place, "module"))
		add_modules(c);
	else if (cursor_is_file(at->source->text, &at->place))
		add_files(c, at);
	else
		return false;
	return true;
}
