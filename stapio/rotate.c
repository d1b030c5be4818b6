/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See rotate.h. */
#include "stapio/rotate.h"

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

#include "stapio/compress.h"
#include "stapio/messages.h"
#include "stapio/signals.h"

#define COUNT_MAX   100000
#define SECONDS_MAX (366u * 86400u)
#define BYTES_LEAST 4096u

#define FIFO_PAUSE_US 10000

/* ---- -S ---- */

static const struct unit {
	char letter;
	uint64_t bytes, seconds;
} units[] = {
	{ 'K', 1u << 10, 0 }, { 'M', 1u << 20, 0 }, { 'G', 1u << 30, 0 }, { 's', 0, 1 },
	{ 'm', 0, 60 },	      { 'h', 0, 3600 },	    { 'd', 0, 86400 },
};

/* `first`: a number without a unit is megabytes; any later one is the count. */
static const char *parse_item(const char *s, size_t len, bool first, struct rotation *ret)
{
	char *end;
	uint64_t n = strtoull(s, &end, 10);
	char letter = end == s + len ? (first ? 'M' : 0) : *end;

	if (!isdigit((unsigned char)*s) || end + (end != s + len) != s + len || !n || n > UINT32_MAX)
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

const char *rotation_parse(const char *text, struct rotation *ret)
{
	const char *wrong = NULL;

	for (const char *s = text; s && !wrong; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL)
		wrong = parse_item(s, strcspn(s, ","), s == text, ret);
	if (!wrong && ret->bytes && ret->bytes < BYTES_LEAST)
		return "-S: a file is 4K at least";
	return wrong;
}

/* ---- names ---- */

/* The highest N of a FILE.N, or FILE.N.zst, that is there: files of earlier runs are left alone. */
static uint64_t highest_number(const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	size_t len = strlen(base);
	uint64_t highest = 0;
	char *dir = slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
	DIR *d = dir ? opendir(dir) : NULL;
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *end;
		uint64_t n;

		if (strncmp(e->d_name, base, len) || e->d_name[len] != '.' ||
		    !isdigit((unsigned char)e->d_name[len + 1]))
			continue;
		n = strtoull(e->d_name + len + 1, &end, 10);
		if ((!*end || !strcmp(end, COMPRESS_SUFFIX)) && n > highest && n < UINT32_MAX)
			highest = n;
	}
	if (d)
		closedir(d);
	free(dir);
	return highest;
}

static bool is_fifo(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISFIFO(st.st_mode);
}

/* A FIFO waits for its reader. Signals are blocked, so open() would not come back for them. */
static int file_open(const char *name)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	int fd;

	while ((fd = open(name, flags, 0666)) < 0 && errno == ENXIO && is_fifo(name)) {
		if (signals_want_end()) {
			errno = EINTR;
			return -1;
		}
		usleep(FIFO_PAUSE_US);
	}
	if (fd >= 0)
		fcntl(fd, F_SETFL, 0);
	return fd;
}

static bool finished_name(struct series *s, char ret[PATH_MAX])
{
	int n = snprintf(ret, PATH_MAX, "%s.%" PRIu64, s->name, s->number + 1);

	return n > 0 && n < PATH_MAX;
}

/* ---- times: at full hours, and the like, of the local time ---- */

static time_t next_due(const struct rotation *r, time_t now)
{
	struct tm tm;
	int64_t local, seconds = (int64_t)r->seconds;

	if (!seconds || !localtime_r(&now, &tm))
		return 0;
	local = now + tm.tm_gmtoff;
	return (time_t)(local - local % seconds + seconds - tm.tm_gmtoff);
}

bool series_is_due(struct series *s)
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

static void remove_file(struct series *s, const char *name)
{
	char packed[PATH_MAX + sizeof(COMPRESS_SUFFIX)];

	snprintf(packed, sizeof(packed), "%s%s", name, COMPRESS_SUFFIX);
	if ((!unlink(name) || errno == ENOENT) && (!unlink(packed) || errno == ENOENT))
		return;
	if (!s->reported)
		message_warning("removing %s: %s", name, strerror(errno));
	s->reported = true;
}

static void wait_packer(struct series *s)
{
	void *wrong;

	if (!s->packing)
		return;
	pthread_join(s->packer, &wrong);
	if (wrong)
		message_warning("compressing %s: %s", s->packing, (const char *)wrong);
	free(s->packing);
	s->packing = NULL;
}

static void *pack(void *name)
{
	return (void *)compress_file(name);
}

/* One at a time: whoever writes faster than zstd packs is held up, and that only when a file is full. */
static void start_packer(struct series *s, const char *name)
{
	wait_packer(s);
	s->packing = strdup(name);
	if (s->packing && !pthread_create(&s->packer, NULL, pack, s->packing))
		return;
	message_warning("%s stays as it is: no memory to compress it", name);
	free(s->packing);
	s->packing = NULL;
}

static void keep(struct series *s, const char *name)
{
	char **larger = realloc(s->kept, (s->nkept + 1) * sizeof(*s->kept));
	char *copy = larger ? strdup(name) : NULL;

	if (larger)
		s->kept = larger;
	if (!copy) {
		message_warning("%s will not be removed: no memory to remember it", name);
		return;
	}
	s->kept[s->nkept++] = copy;
}

static void finish_file(struct series *s, const char *name)
{
	if (s->rotation.compress)
		start_packer(s, name);
	if (!s->rotation.count)
		return;
	keep(s, name);
	while (s->nkept && s->nkept >= s->rotation.count) {
		if (s->nkept == 1)
			wait_packer(s);
		remove_file(s, s->kept[0]);
		free(s->kept[0]);
		memmove(s->kept, s->kept + 1, --s->nkept * sizeof(*s->kept));
	}
}

int series_open(struct series *s, const struct filename *pattern, const struct rotation *rotation)
{
	time_t now = time(NULL);
	int rc, fd;

	*s = (struct series){ .pattern = *pattern, .rotation = *rotation };
	rc = filename_expand(&s->pattern, now, s->name);
	if (rc) {
		snprintf(s->name, sizeof(s->name), "%s", pattern->pattern);
		return rc;
	}
	s->number = highest_number(s->name);
	s->due = next_due(rotation, now);
	fd = file_open(s->name);
	return fd < 0 ? -errno : fd;
}

/* FILE is there already, under a name of its own or because it was made in the meantime: it becomes FILE.N. */
static int next_same_name(struct series *s)
{
	char finished[PATH_MAX];
	bool gone;
	int fd;

	if (!finished_name(s, finished)) {
		message_warning("%s: the name is too long to be numbered; output goes on in it", s->name);
		return -1;
	}
	// Somebody else has moved it away: that is his file now.
	gone = access(s->name, F_OK) && errno == ENOENT;
	if (!gone && rename(s->name, finished)) {
		message_warning("renaming %s to %s: %s; output goes on in %s", s->name, finished,
				strerror(errno), s->name);
		return -1;
	}
	fd = file_open(s->name);
	if (fd < 0) {
		message_warning("making %s anew: %s; output goes on in %s", s->name, strerror(errno),
				gone || rename(finished, s->name) ? "the old one" : s->name);
		return -1;
	}
	if (gone)
		return fd;
	s->number++;
	finish_file(s, finished);
	return fd;
}

static int next_other_name(struct series *s, const char *name, bool empty)
{
	char old[PATH_MAX];
	int fd = file_open(name);

	if (fd < 0) {
		message_warning("making %s: %s; output goes on in %s", name, strerror(errno), s->name);
		return -1;
	}
	memcpy(old, s->name, sizeof(old));
	memcpy(s->name, name, sizeof(s->name));
	s->number = highest_number(name);
	if (empty)
		remove_file(s, old);
	else
		finish_file(s, old);
	return fd;
}

int series_next(struct series *s, bool empty)
{
	char name[PATH_MAX];
	int next;

	if (filename_expand(&s->pattern, time(NULL), name)) {
		message_warning("%s: the name would be too long; output goes on in %s", s->pattern.pattern,
				s->name);
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

void series_close(struct series *s)
{
	wait_packer(s);
	for (unsigned i = 0; i < s->nkept; i++)
		free(s->kept[i]);
	free(s->kept);
	s->kept = NULL;
	s->nkept = 0;
}
