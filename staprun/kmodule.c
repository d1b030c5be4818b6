/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See kmodule.h. */
#include "staprun/kmodule.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "uapi/msg.h"

#define PAUSE_NS 50000000

bool kmodule_may_pass(int error)
{
	return error == ENOMEM || error == EINTR || error == ENFILE || error == ENODEV;
}

void kmodule_pause(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
}

/*
 * Opens for reading. Retries when memory is short: treating the module as removed in that
 * case would leave it loaded.
 */
static int open_patiently(int dir, const char *path, int flags)
{
	for (int i = 0;; i++) {
		int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | flags);

		if (fd >= 0 || i == KMODULE_TRIES || !kmodule_may_pass(errno))
			return fd;
		kmodule_pause();
	}
}

int kmodule_open_dir(const char *name)
{
	char path[128];
	int n = snprintf(path, sizeof(path), KMODULE_PREFIX "%s", name);

	if (n < 0 || (size_t)n >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open_patiently(AT_FDCWD, path, O_DIRECTORY);
}

/* Reads the file's text. False: see errno. */
static bool read_text(int dir, const char *file, char *ret, size_t size)
{
	int fd = open_patiently(dir, file, 0), error;
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, ret, size - 1);
	error = n < 0 ? errno : ENODATA;
	close(fd);
	errno = error;
	ret[n > 0 ? n : 0] = 0;
	return n > 0;
}

static bool read_owner(int dir, uid_t *ret, uint64_t *bytes)
{
	char text[48];
	unsigned uid;

	*bytes = 0; /* modules of older versions do not report it */
	if (!read_text(dir, "owner", text, sizeof(text)) ||
	    sscanf(text, "%u %" SCNu64, &uid, bytes) < 1)
		return false;
	*ret = uid;
	return true;
}

bool kmodule_is_gone(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EIO || error == ENODATA ||
	       error == ENODEV;
}

bool kmodule_find(struct kmodule *m, const char *name)
{
	int error;

	*m = (struct kmodule){ .name = name, .dir = kmodule_open_dir(name) };
	if (m->dir >= 0 && read_owner(m->dir, &m->owner, &m->bytes))
		return true;
	error = errno;
	kmodule_close(m);
	errno = error;
	return false;
}

void kmodule_close(struct kmodule *m)
{
	if (m->dir >= 0)
		close(m->dir);
	m->dir = -1;
}

bool kmodule_memory(const struct kmodule *m, uint64_t *ret)
{
	char path[128], text[32] = "";
	uint64_t code = 0;

	snprintf(path, sizeof(path), "/sys/module/%s/coresize", m->name);
	if (!read_text(AT_FDCWD, path, text, sizeof(text)) && !kmodule_is_gone(errno))
		return false;
	sscanf(text, "%" SCNu64, &code);
	*ret = m->bytes + code;
	return true;
}

bool kmodule_is_passing(const char *name)
{
	char path[128], text[16];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);
	return read_text(AT_FDCWD, path, text, sizeof(text)) &&
	       (!strcmp(text, "coming\n") || !strcmp(text, "going\n"));
}

int kmodule_error(const struct kmodule *m)
{
	uint64_t bytes;
	uid_t owner;

	if (read_owner(m->dir, &owner, &bytes))
		return owner == m->owner ? 0 : ENOENT;
	return kmodule_is_gone(errno) ? ENOENT : errno;
}

bool kmodule_look(const struct kmodule *m, struct kmodule_state *ret)
{
	char text[64];

	return read_text(m->dir, "state", text, sizeof(text)) &&
	       sscanf(text, "%u %u %u %u", &ret->state, &ret->is_kept, &ret->is_read,
		      &ret->is_left) == 4;
}

bool kmodule_is_kept(const struct kmodule *m)
{
	struct kmodule_state s;

	return kmodule_look(m, &s) && s.is_kept && s.state != STP_STOPPED;
}
