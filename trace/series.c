/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See series.h. */
#include "trace/series.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/endsignals.h"
#include "trace/compress.h"
#include "trace/messages.h"
#include "trace/output.h"

#define COUNT_MAX   100000
#define SECONDS_MAX (366u * 86400u)
#define BYTES_LEAST 4096u

/* ---- -S ---- */

static const struct unit {
	char letter;
	uint64_t bytes, seconds;
} units[] = {
	{ 'K', 1u << 10, 0 }, { 'M', 1u << 20, 0 }, { 'G', 1u << 30, 0 }, { 's', 0, 1 },
	{ 'm', 0, 60 },	      { 'h', 0, 3600 },	    { 'd', 0, 86400 },
};

/*
 * A number without a unit means megabytes if it comes first, and the count if it comes
 * later.
 */
static const char *parse_item(const char *s, size_t len, bool first, struct rotation *ret)
{
	char *end;
	uint64_t n = strtoull(s, &end, 10);
	char letter = end == s + len ? (first ? 'M' : 0) : *end;

	if (!isdigit((unsigned char)*s) || end + (end != s + len) != s + len || !n ||
	    n > UINT32_MAX)
		return "-S takes SIZE[,COUNT] or TIME[,COUNT]: 100M,10 or 1h,24";
	if (!letter) {
		ret->count = (unsigned)n;
		return n <= COUNT_MAX ? NULL : "-S keeps at most 100000 files";
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].letter != letter)
			continue;
		if (units[i].bytes)
			ret->bytes = n * units[i].bytes;
		else
			ret->seconds = n * units[i].seconds;
		return ret->seconds <= SECONDS_MAX ? NULL : "-S: a file covers at most a year";
	}
	return "-S knows the units K, M and G for sizes, s, m, h and d for times";
}

const char *series_parse_rotation(const char *text, struct rotation *ret)
{
	const char *wrong = NULL;

	for (const char *s = text; s && !wrong; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL)
		wrong = parse_item(s, strcspn(s, ","), s == text, ret);
	if (!wrong && ret->bytes && ret->bytes < BYTES_LEAST)
		return "-S: a file is 4K at least";
	return wrong;
}

/* ---- directories ---- */

static struct directory *directory_new(int fd)
{
	struct directory *d = malloc(sizeof(*d));

	if (d)
		*d = (struct directory){ fd, 1 };
	else
		close(fd);
	return d;
}

static struct directory *directory_ref(struct directory *d)
{
	d->users++;
	return d;
}

static void directory_unref(struct directory *d)
{
	if (!d || --d->users)
		return;
	close(d->fd);
	free(d);
}

/* ---- names ---- */

/* Returns 7 for "BASE.7" and "BASE.7.zst", and 0 for any other name. */
static uint64_t number_of(const char *name, const char *base)
{
	size_t len = strlen(base);
	char *end;
	uint64_t n;

	if (strncmp(name, base, len) || name[len] != '.' || !isdigit((unsigned char)name[len + 1]))
		return 0;
	n = strtoull(name + len + 1, &end, 10);
	return (!*end || !strcmp(end, COMPRESS_SUFFIX)) && n < UINT32_MAX ? n : 0;
}

/*
 * Returns the highest N of a FILE.N, or FILE.N.zst, that exists: files of earlier runs
 * are not touched.
 */
static uint64_t highest_number(const struct directory *dir, const char *base)
{
	int fd = openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	uint64_t highest = 0;
	struct dirent *e;

	while (d && (e = readdir(d))) {
		uint64_t n = number_of(e->d_name, base);

		highest = n > highest ? n : highest;
	}
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	return highest;
}

/* Opens a file. Signals are blocked, so they are polled while a FIFO has no reader. */
static int file_open(struct series *s, struct outfile *f, const char *name)
{
	int rc = outfile_open_waiting(f, name, 0666, endsignals_pending);

	if (rc != -EINTR)
		snprintf(s->why, sizeof(s->why), "%s", rc ? outfile_error(f, rc) : "");
	return rc;
}

static bool finished_name(struct series *s, char ret[PATH_MAX])
{
	int n = snprintf(ret, PATH_MAX, "%s.%" PRIu64, s->base, s->number + 1);

	return n > 0 && n <= NAME_MAX;
}

/* ---- times, on the hour for example, in local time ---- */

static time_t next_due(const struct rotation *r, time_t now)
{
	struct tm tm;
	int64_t local, seconds = (int64_t)r->seconds;

	if (!seconds || !localtime_r(&now, &tm))
		return 0;
	local = now + tm.tm_gmtoff;
	return (time_t)(local - local % seconds + seconds - tm.tm_gmtoff);
}

static bool is_due(struct series *s)
{
	time_t now;

	if (!s->due)
		return false;
	now = time(NULL);
	if (now < s->due)
		return false;
	s->due = next_due(&s->rotation, now);
	return true;
}

/* ---- the files ---- */

static bool remove_name(const struct directory *dir, const char *name)
{
	return !unlinkat(dir->fd, name, 0) || errno == ENOENT;
}

static void remove_file(struct series *s, const struct finished *f)
{
	char packed[PATH_MAX];

	snprintf(packed, sizeof(packed), "%s%s", f->base, COMPRESS_SUFFIX);
	if (remove_name(f->dir, f->base) && remove_name(f->dir, packed))
		return;
	if (!s->reported)
		message_warning("removing %s: %s", f->base, strerror(errno));
	s->reported = true;
}

static bool finished_init(struct finished *f, struct directory *dir, const char *base)
{
	f->base = strdup(base);
	f->dir = f->base ? directory_ref(dir) : NULL;
	return f->base;
}

static void finished_deinit(struct finished *f)
{
	directory_unref(f->dir);
	free(f->base);
	*f = (struct finished){ NULL, NULL };
}

static void wait_packer(struct series *s)
{
	void *wrong;

	if (!s->packing.base)
		return;
	pthread_join(s->packer, &wrong);
	if (wrong)
		message_warning("compressing %s: %s", s->packing.base, (const char *)wrong);
	finished_deinit(&s->packing);
}

static void *pack(void *file)
{
	const struct finished *f = file;

	return (void *)compress_file(f->dir->fd, f->base);
}

/*
 * Compresses one file at a time: a script that writes faster than zstd compresses has to
 * wait, but only when a file is full.
 */
static void start_packer(struct series *s, struct directory *dir, const char *base)
{
	wait_packer(s);
	if (finished_init(&s->packing, dir, base) &&
	    !pthread_create(&s->packer, NULL, pack, &s->packing))
		return;
	message_warning("%s stays as it is: no memory to compress it", base);
	finished_deinit(&s->packing);
}

static void keep(struct series *s, struct directory *dir, const char *base)
{
	struct finished *larger = realloc(s->kept, (s->nkept + 1) * sizeof(*s->kept));

	if (larger)
		s->kept = larger;
	if (larger && finished_init(&s->kept[s->nkept], dir, base))
		s->nkept++;
	else
		message_warning("%s will not be removed: no memory to remember it", base);
}

static void finish_file(struct series *s, struct directory *dir, const char *base)
{
	if (s->rotation.compress)
		start_packer(s, dir, base);
	if (!s->rotation.count)
		return;
	keep(s, dir, base);
	while (s->nkept && s->nkept >= s->rotation.count) {
		if (s->nkept == 1)
			wait_packer(s);
		remove_file(s, &s->kept[0]);
		finished_deinit(&s->kept[0]);
		memmove(s->kept, s->kept + 1, --s->nkept * sizeof(*s->kept));
	}
}

/*
 * Makes the open file the current one. Returns its descriptor, or -ENOMEM.
 */
static int take_file(struct series *s, const struct outfile *f)
{
	struct directory *dir = directory_new(f->dir);

	if (!dir) {
		close(f->fd);
		return -ENOMEM;
	}
	directory_unref(s->dir);
	s->dir = dir;
	memcpy(s->base, f->base, sizeof(s->base));
	s->number = highest_number(dir, s->base);
	return f->fd;
}

static int open_first(struct series *s, const struct filename *pattern,
		      const struct rotation *rotation)
{
	time_t now = time(NULL);
	struct outfile f;
	int rc;

	*s = (struct series){ .pattern = *pattern, .rotation = *rotation };
	rc = filename_expand(&s->pattern, now, s->name);
	if (rc) {
		snprintf(s->name, sizeof(s->name), "%s", pattern->pattern);
		snprintf(s->why, sizeof(s->why), "%s", strerror(-rc));
		return rc;
	}
	s->due = next_due(rotation, now);
	rc = file_open(s, &f, s->name);
	return rc ? rc : take_file(s, &f);
}

/*
 * Renames FILE to FILE.N; another process may create a file of that name at the same
 * time. Returns 0 or -errno.
 */
static int rename_finished(struct series *s, char finished[PATH_MAX])
{
	for (;;) {
		if (!finished_name(s, finished))
			return -ENAMETOOLONG;
		if (!renameat2(s->dir->fd, s->base, s->dir->fd, finished, RENAME_NOREPLACE))
			return 0;
		if (errno != EEXIST)
			break;
		s->number++;
	}
	// The file system may not support the flag.
	if (errno == EINVAL && !renameat(s->dir->fd, s->base, s->dir->fd, finished))
		return 0;
	return -errno;
}

/*
 * Continues under the same name. The present FILE, which has its own name or was created
 * in the meantime, becomes FILE.N.
 */
static int next_same_name(struct series *s)
{
	char finished[PATH_MAX];
	struct outfile f;
	int rc = rename_finished(s, finished);
	bool gone = rc == -ENOENT; // somebody else has moved it

	if (rc && !gone) {
		message_warning("renaming %s to %s: %s; output goes on in %s", s->name, finished,
				strerror(-rc), s->name);
		return -1;
	}
	rc = outfile_open_at(&f, s->dir->fd, s->base, 0666);
	if (rc) {
		message_warning("making %s anew: %s; output goes on in %s", s->name,
				outfile_error(&f, rc),
				gone || renameat2(s->dir->fd, finished, s->dir->fd, s->base,
						  RENAME_NOREPLACE)
					? "the old one"
					: s->name);
		return -1;
	}
	close(f.dir);
	if (gone)
		return f.fd;
	s->number++;
	finish_file(s, s->dir, finished);
	return f.fd;
}

static int next_other_name(struct series *s, const char *name, bool empty)
{
	struct finished old;
	struct outfile f;
	int fd = file_open(s, &f, name);

	if (fd) {
		message_warning("making %s: %s; output goes on in %s", name, s->why, s->name);
		return -1;
	}
	if (!finished_init(&old, s->dir, s->base) || (fd = take_file(s, &f)) < 0) {
		message_warning("making %s: %s; output goes on in %s", name, strerror(ENOMEM),
				s->name);
		finished_deinit(&old);
		return -1;
	}
	memcpy(s->name, name, sizeof(s->name));
	if (empty)
		remove_file(s, &old);
	else
		finish_file(s, old.dir, old.base);
	finished_deinit(&old);
	return fd;
}

static int next_file(struct series *s, bool empty)
{
	char name[PATH_MAX];
	int next;

	if (filename_expand(&s->pattern, time(NULL), name)) {
		message_warning("%s: the name would be too long; output goes on in %s",
				s->pattern.pattern, s->name);
		return -1;
	}
	if (strcmp(name, s->name))
		next = next_other_name(s, name, empty);
	else
		next = empty ? -1 : next_same_name(s);
	if (next >= 0)
		message_verbose("output goes to %s", s->name);
	return next;
}

static void close_all(struct series *s)
{
	wait_packer(s);
	for (unsigned i = 0; i < s->nkept; i++)
		finished_deinit(&s->kept[i]);
	free(s->kept);
	s->kept = NULL;
	s->nkept = 0;
	directory_unref(s->dir);
	s->dir = NULL;
}

static const struct series_ops files_ops = { .next = next_file,
					     .is_due = is_due,
					     .close = close_all };

int series_output(struct output *o, const struct filename *pattern, const struct rotation *rotation)
{
	struct stat st;
	int fd, rc;

	*o = (struct output){ .ops = pattern ? &files_ops : NULL };
	if (!pattern)
		return output_on(o, STDOUT_FILENO, "stdout");
	fd = open_first(&o->files, pattern, rotation);
	rc = output_on(o, fd, o->files.name);
	if (fd < 0 || rc)
		return fd < 0 ? fd : rc;
	// A device or a FIFO is written directly.
	o->has_files = !fstat(fd, &st) && S_ISREG(st.st_mode);
	o->file_most = o->has_files ? rotation->bytes : 0;
	return 0;
}
