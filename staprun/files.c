/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See files.h. */
#include "staprun/files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "staprun/obstacles.h"
#include "staprun/kmodule.h"
#include "staprun/report.h"
#include "uapi/globals.h"
#include "uapi/msg.h"
#include "uapi/record.h"

bool files_proc_ready(void)
{
	struct statfs s;

	if (statfs("/proc", &s) || s.f_type != PROC_SUPER_MAGIC) {
		report_error("/proc is not mounted");
		report_hint("mount -t proc proc /proc");
		return false;
	}
	if (!access("/proc/version", F_OK))
		return true;
	report_error("/proc shows processes only, and no files of modules");
	report_hint("it is mounted with subset=pid: mount -t proc proc /proc");
	return false;
}

static int open_file(int dir, const char *file, int flags, const char *name)
{
	int fd = openat(dir, file, flags | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0 && errno != ENOENT)
		report_error(KMODULE_PREFIX "%s/%s: %s", name, file, strerror(errno));
	return fd;
}

/* Opens ring.0, ring.1 and so on until there is no more. */
static bool open_rings(struct files *f, int dir, const char *name)
{
	for (f->nrings = 0; f->nrings < FILES_MAX_RINGS; f->nrings++) {
		char file[24];

		snprintf(file, sizeof(file), "ring.%u", f->nrings);
		f->rings[f->nrings] = open_file(dir, file, O_RDONLY | O_NONBLOCK, name);
		if (f->rings[f->nrings] < 0)
			return errno == ENOENT && f->nrings;
	}
	return true;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void files_close_control(struct files *f)
{
	close_one(&f->ctl);
	close_one(&f->formats);
	close_one(&f->probes);
	close_one(&f->books);
	close_one(&f->globals);
	close_one(&f->about);
}

void files_close_rings(struct files *f)
{
	for (unsigned i = 0; i < f->nrings; i++)
		close_one(&f->rings[i]);
	f->nrings = 0;
}

bool files_open(struct files *f, const struct kmodule *m)
{
	*f = (struct files){
		.ctl = -1, .formats = -1, .probes = -1, .books = -1, .globals = -1, .about = -1
	};
	f->ctl = open_file(m->dir, "ctl", O_RDWR, m->name);
	f->formats = open_file(m->dir, "formats", O_RDONLY, m->name);
	f->probes = open_file(m->dir, "probes", O_RDONLY, m->name);
	f->books = open_file(m->dir, "books", O_RDONLY, m->name);
	f->globals = open_file(m->dir, STP_GLOBALS_FILE, O_RDONLY, m->name);
	if (f->globals >= 0)
		f->about = open_file(m->dir, "about", O_RDONLY, m->name);
	// An open ctl holds the module, so that it cannot be replaced by another one.
	if (f->ctl >= 0 && f->formats >= 0 && f->probes >= 0 && f->books >= 0 &&
	    open_rings(f, m->dir, m->name) && !kmodule_error(m))
		return true;
	report_error("%s: its files could not be opened", m->name);
	obstacles_file();
	files_close_control(f);
	files_close_rings(f);
	return false;
}

/*
 * Counts the ends of hits in complete records. Lengths come from the module and are
 * checked.
 */
static uint64_t count_records(const char *buf, size_t size)
{
	uint64_t n = 0;

	for (size_t at = 0; size - at >= sizeof(struct stp_record);) {
		struct stp_record head;

		memcpy(&head, buf + at, sizeof(head));
		n += !(head.flags & RECORD_MORE);
		at += sizeof(head);
		if (head.len > STP_RECORD_MAX || size - at < STP_RECORD_ALIGN(head.len))
			break;
		at += STP_RECORD_ALIGN(head.len);
	}
	return n;
}

uint64_t files_count_left(struct files *f)
{
	static char buf[4 * STP_RECORD_MAX];
	uint64_t n = 0;

	for (unsigned i = 0; i < f->nrings; i++) {
		ssize_t size;

		while ((size = read(f->rings[i], buf, sizeof(buf))) > 0)
			n += count_records(buf, (size_t)size);
	}
	return n;
}

bool files_format(const struct files *f, char *buf, size_t size)
{
	int n = snprintf(buf, size, "--fds=%d,%d,%d,%d", f->ctl, f->formats, f->probes, f->books);
	size_t used = n > 0 ? (size_t)n : size;

	for (unsigned i = 0; i < f->nrings && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, ",%d", f->rings[i]);
	return used < size;
}

bool files_format_looks(const struct files *f, char *buf, size_t size)
{
	int n = f->globals >= 0 && f->about >= 0
			? snprintf(buf, size, "--looks=%d,%d", f->globals, f->about)
			: -1;

	return n > 0 && (size_t)n < size;
}

bool files_keep(const struct files *f)
{
	bool ok = !fcntl(f->ctl, F_SETFD, 0) && !fcntl(f->formats, F_SETFD, 0) &&
		  !fcntl(f->probes, F_SETFD, 0) && !fcntl(f->books, F_SETFD, 0);

	if (f->globals >= 0)
		ok = ok && !fcntl(f->globals, F_SETFD, 0);
	if (f->about >= 0)
		ok = ok && !fcntl(f->about, F_SETFD, 0);
	for (unsigned i = 0; i < f->nrings; i++)
		ok = ok && !fcntl(f->rings[i], F_SETFD, 0);
	return ok;
}
