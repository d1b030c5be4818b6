/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See places.h. */
#include "stapio/places.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stapio/capabilities.h"
#include "stapio/loop.h"
#include "stapio/options.h"
#include "trace/messages.h"

#define PLACES_MOST 3

struct places {
	int dirs[PLACES_MOST];
	unsigned count;
};

static void add(struct places *p, int dir)
{
	if (dir >= 0)
		p->dirs[p->count++] = dir;
}

/*
 * Opens the directory above all files of the pattern: the part before the first
 * conversion.
 */
static int directory_of(const char *pattern)
{
	char path[PATH_MAX];
	char *slash;

	snprintf(path, sizeof(path), "%.*s", (int)strcspn(pattern, "%"), pattern);
	slash = strrchr(path, '/');
	if (slash)
		slash[slash == path] = 0;
	return open(slash ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void find(struct places *p, const struct run *r, const struct options *o)
{
	const char *pattern = o->output ? o->output : "";

	if (r->output.has_files)
		add(p, fcntl(r->output.files.dir->fd, F_DUPFD_CLOEXEC, 0));
	// The name of the next file depends on the time, and may be in another directory.
	if (r->form->files || (r->output.has_files && strchr(pattern, '%')))
		add(p, directory_of(pattern));
}

static bool are_reached(const struct places *p)
{
	for (unsigned i = 0; i < p->count; i++)
		if (!capabilities_reach(p->dirs[i]))
			return false;
	return true;
}

static bool are_writable(const struct places *p)
{
	for (unsigned i = 0; i < p->count; i++)
		if (faccessat(p->dirs[i], ".", W_OK | X_OK, AT_EACCESS))
			return false;
	return true;
}

/* Returns the option that makes files while the script runs, or NULL. */
static const char *makes_files(const struct run *r, const struct options *o)
{
	if (r->form->files)
		return r->form->files;
	return r->output.has_files && (o->rotation.bytes || o->rotation.seconds) ? "-S" : NULL;
}

int places_settle(struct run *r, const struct options *o)
{
	struct places p = { .count = 0 };
	bool writable;
	int rc;

	find(&p, r, o);
	confine_init(&r->confine);
	confine_init(&r->nowhere);
	for (unsigned i = 0; i < p.count; i++)
		confine_allow(&r->confine, p.dirs[i]);
	rc = capabilities_drop(r->confine.ruleset >= 0 && !are_reached(&p));
	writable = are_writable(&p);
	for (unsigned i = 0; i < p.count; i++)
		close(p.dirs[i]);
	if (rc)
		message_error("dropping privileges: %s", strerror(-rc));
	else if (!writable && makes_files(r, o))
		message_error("%s: files cannot be created and renamed in the directory "
			      "of the output, which belongs to another user: name one of your own",
			      makes_files(r, o));
	else
		return 0;
	return -1;
}

void places_confine_thread(struct run *r)
{
	confine_enter(&r->nowhere);
	capabilities_drop(false);
}

void places_confine(struct run *r)
{
	int rc = confine_enter(&r->confine);

	if (!rc)
		return;
	message_verbose("files can be made everywhere: %s", strerror(-rc));
	// The capability was kept for one directory only.
	capabilities_drop(false);
}
