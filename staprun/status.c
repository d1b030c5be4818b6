/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See status.h. */
#include "staprun/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "staprun/holder.h"
#include "staprun/kmodule.h"
#include "staprun/ownership.h"
#include "staprun/report.h"
#include "uapi/globals.h"

/* Writes a file of the module to f. If the module goes meanwhile, the output ends. */
static void copy_file(FILE *f, const struct kmodule *m, const char *name)
{
	int fd = openat(m->dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char buf[4096];
	ssize_t n;

	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, (size_t)n, f);
	if (fd >= 0)
		close(fd);
}

static void write_lines(FILE *f, const struct kmodule *m, const struct kmodule_state *s,
			bool globals)
{
	fprintf(f, "name\t%s\nowner\t%u\npid\t%d\nkept\t%u\n", m->name, (unsigned)m->owner,
		s->is_read ? (int)holder_find(m) : 0, s->is_kept);
	copy_file(f, m, "about");
	copy_file(f, m, "books");
	if (globals)
		copy_file(f, m, STP_GLOBALS_FILE);
}

static bool write_one(const struct kmodule *m, bool globals)
{
	struct kmodule_state s;
	char *text = NULL;
	size_t len = 0;
	FILE *f;

	if (!kmodule_look(m, &s))
		return true;
	f = open_memstream(&text, &len);
	if (f)
		write_lines(f, m, &s, globals);
	if (!f || fclose(f)) {
		report_error("%s: %s", m->name, strerror(errno));
		free(text);
		return false;
	}
	// The module may have gone in between, with its books.
	if (!kmodule_error(m)) {
		printf("run %zu\n", len);
		fwrite(text, 1, len, stdout);
	}
	free(text);
	return true;
}

static bool write_status(const struct kmodule *m, void *unused)
{
	return write_one(m, false);
}

static bool write_named(const char *name, const struct caller *c, bool globals)
{
	struct kmodule m;
	bool ok;

	if (!ownership_find(&m, name, c))
		return false;
	ok = write_one(&m, globals);
	kmodule_close(&m);
	return ok;
}

bool status_write(const char *name, const struct caller *c, bool globals)
{
	bool ok =
		name ? write_named(name, c, globals) : ownership_each(c, NULL, write_status, NULL);

	if (!fflush(stdout))
		return ok;
	report_error("writing to standard output: %s", strerror(errno));
	return false;
}

void status_write_values(const struct kmodule *m, int fd)
{
	FILE *f = fdopen(fd, "w");

	if (!f)
		return;
	copy_file(f, m, STP_GLOBALS_FILE);
	copy_file(f, m, "about");
	copy_file(f, m, "books");
	fclose(f);
}

bool status_switch(const char *name, const char *request, const struct caller *c)
{
	struct kmodule m;
	bool ok;
	int fd;

	if (!ownership_find(&m, name, c))
		return false;
	fd = openat(m.dir, "switch", O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	ok = fd >= 0 && write(fd, request, strlen(request)) == (ssize_t)strlen(request);
	if (!ok)
		report_error("--switch %s: %s", request,
			     fd >= 0 && errno == EINVAL
				     ? "the script does not run, or has no such probe; it is N:on, "
				       "N:off, all:on or all:off"
				     : strerror(errno));
	if (fd >= 0)
		close(fd);
	kmodule_close(&m);
	return ok;
}
