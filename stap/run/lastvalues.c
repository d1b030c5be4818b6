/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See lastvalues.h. */
#include "stap/run/lastvalues.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"
#include "lib/userdir.h"

#define BYTES_MOST   (256u << 10) /* bytes of a script's values */
#define SCRIPTS_MOST 64

/* ---- paths ---- */

static const char *directory(struct session *s)
{
	const char *dir = userdir_find(s->arena);

	return dir ? arena_printf(s->arena, "%s/values", dir) : NULL;
}

/* Returns the file for the script of that path; NULL: the user has no home. */
static const char *place(struct session *s, const char *path)
{
	const char *dir = directory(s);

	return dir ? arena_printf(s->arena, "%s/%016" PRIx64, dir, hashmap_hash(path)) : NULL;
}

/* Returns the path of the running script; NULL: its text is not from a file. */
static const char *script_path(struct session *s)
{
	const char *path = s->options->script_file;
	const char *ret = path && strcmp(path, "-") ? path_canonical(s->arena, path) : NULL;

	return ret && !ret[strcspn(ret, "\t\n")] ? ret : NULL;
}

/* ---- storing ---- */

int lastvalues_open(struct session *s)
{
	const struct options *o = s->options;

	if (o->globals_readable && !o->vm && (o->page_fd || o->values_fd))
		return o->page_fd ? o->page_fd : o->values_fd;
	if (!o->globals_readable || o->vm || !s->program->units.count || !script_path(s))
		return -1;
	return memfd_create("values", MFD_CLOEXEC);
}

char *lastvalues_read(struct arena *a, int fd, size_t most)
{
	char *text = arena_alloc(a, most + 1), *end;
	size_t len = 0;
	ssize_t n;

	while (len < most && (n = pread(fd, text + len, most - len, (off_t)len)) > 0)
		len += (size_t)n;
	text[len] = 0;
	end = strrchr(text, '\n');
	if (!end)
		return NULL;
	end[1] = 0;
	return text;
}

struct kept {
	char *path;
	time_t changed;
};

static int compare_ages(const void *a, const void *b)
{
	const struct kept *one = a, *other = b;

	return (one->changed < other->changed) - (one->changed > other->changed);
}

/* Removes the oldest files to make room for a new one. */
static void make_room(struct session *s, const char *dir)
{
	DIR *d = opendir(dir);
	VEC(struct kept) files = { 0 };
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d)) != NULL) {
		char *path = arena_printf(s->arena, "%s/%s", dir, e->d_name);

		if (!lstat(path, &st) && S_ISREG(st.st_mode))
			vec_push(s->arena, &files, ((struct kept){ path, st.st_mtime }));
	}
	if (d)
		closedir(d);
	if (files.count >= SCRIPTS_MOST)
		qsort(files.data, files.count, sizeof(files.data[0]), compare_ages);
	for (size_t i = SCRIPTS_MOST - 1; i < files.count; i++)
		unlink(files.data[i].path);
}

static struct error *write_values(struct session *s, const char *values)
{
	const char *path = script_path(s), *dir = directory(s);
	const struct unit *u = s->program->units.data[0];
	struct strbuf out;
	struct error *err;

	if (!path || !dir)
		return NULL;
	strbuf_init(&out, s->arena);
	strbuf_addf(&out, "script\t%s\ntext\t%016" PRIx64 "\nended\t%lld\n", path,
		    hashmap_hash(u->source->text), (long long)time(NULL));
	strbuf_adds(&out, values);
	err = path_make_dirs(s->arena, dir, 0700);
	if (err)
		return err;
	make_room(s, dir);
	return path_write_private(s->arena, place(s, path), out.s, out.len);
}

/* Becomes the user who called sudo. False: that user is not known. */
static bool become_caller(void)
{
	const char *number = getenv("SUDO_UID");
	struct passwd *user = number ? getpwuid((uid_t)strtoul(number, NULL, 10)) : NULL;

	return user && !initgroups(user->pw_name, user->pw_gid) && !setgid(user->pw_gid) &&
	       !setuid(user->pw_uid);
}

static void say(struct session *s, const struct error *err)
{
	if (err && s->options->verbose)
		fprintf(stderr, "stap: the last values are not kept: %s\n", err->text);
}

/* Writes them in a child with that user's rights, because the directory is the user's. */
static void write_for_caller(struct session *s, const char *values)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (become_caller())
			say(s, write_values(s, values));
		_exit(0);
	}
	if (pid > 0)
		subprocess_end(pid);
}

void lastvalues_keep(struct session *s, int fd)
{
	const char *number = getenv("SUDO_UID");
	char *values;

	if (fd < 0 || fd == s->options->values_fd || fd == s->options->page_fd)
		return;
	values = lastvalues_read(s->arena, fd, BYTES_MOST);
	close(fd);
	if (values && !geteuid() && number && strcmp(number, "0"))
		write_for_caller(s, values);
	else if (values)
		say(s, write_values(s, values));
}

/* ---- finding ---- */

/* Returns the rest of a line after this beginning; NULL: it begins differently. */
static char *line_after(char **text, const char *beginning)
{
	size_t len = strlen(beginning);
	char *line = *text, *end = strchr(line, '\n');

	if (strncmp(line, beginning, len) || !end)
		return NULL;
	*end = 0;
	*text = end + 1;
	return line + len;
}

bool lastvalues_find(struct session *s, const char *path, const char *text, struct lastvalues *ret)
{
	const char *canonical = path_canonical(s->arena, path), *file, *script, *hash, *ended;
	char *kept;
	size_t len;

	file = canonical ? place(s, canonical) : NULL;
	if (!file || path_read(s->arena, file, &kept, &len))
		return false;
	if (!(script = line_after(&kept, "script\t")) || strcmp(script, canonical) ||
	    !(hash = line_after(&kept, "text\t")) || !(ended = line_after(&kept, "ended\t")))
		return false;
	*ret = (struct lastvalues){
		.text = kept,
		.len = strlen(kept),
		.ended = strtoll(ended, NULL, 10),
		.is_of_text = strtoull(hash, NULL, 16) == hashmap_hash(text),
	};
	return true;
}
