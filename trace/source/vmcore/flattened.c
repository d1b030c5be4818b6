/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See flattened.h. */
#include "trace/source/vmcore/flattened.h"

#include <endian.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/source/join_file.h"
#include "trace/source/vmcore/physical.h"

#define FLATTENED_HEAD	4096
#define FLATTENED_MOST	(1ull << 46)
#define FLATTENED_PIECE (256u << 10)

static bool copy_piece(int from, uint64_t at, int to, uint64_t offset, uint64_t left, char *buf)
{
	while (left) {
		size_t n = left < FLATTENED_PIECE ? left : FLATTENED_PIECE;
		ssize_t got = pread(from, buf, n, (off_t)at);

		if (got <= 0 || pwrite(to, buf, (size_t)got, (off_t)offset) != got)
			return false;
		at += (uint64_t)got;
		offset += (uint64_t)got;
		left -= (uint64_t)got;
	}
	return true;
}

/*
 * Writes the dump in its ordinary form. Returns 0 at the end, or the offset of an error.
 */
static uint64_t unflatten(int from, int to, char *buf)
{
	uint64_t at = FLATTENED_HEAD, piece[2];

	for (;;) {
		if (pread(from, piece, sizeof(piece), (off_t)at) != sizeof(piece))
			return at;
		piece[0] = be64toh(piece[0]);
		piece[1] = be64toh(piece[1]);
		if (piece[0] == UINT64_MAX)
			return 0;
		if (piece[0] > FLATTENED_MOST || piece[1] > FLATTENED_MOST ||
		    !copy_piece(from, at + sizeof(piece), to, piece[0], piece[1], buf))
			return at;
		at += sizeof(piece) + piece[1];
	}
}

bool flattened_replace(struct physical *p)
{
	const char *dir = getenv("TMPDIR");
	char begin[sizeof(FLATTENED) - 1], *buf;
	uint64_t wrong;
	int fd;

	if (pread(p->fd, begin, sizeof(begin), 0) != sizeof(begin) ||
	    memcmp(begin, FLATTENED, sizeof(begin)) != 0)
		return true;
	fd = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	buf = malloc(FLATTENED_PIECE);
	if (fd < 0 || !buf) {
		message_error("%s: no temporary file for it", p->name);
		return false;
	}
	wrong = unflatten(p->fd, fd, buf);
	free(buf);
	close(p->fd);
	p->fd = fd;
	if (wrong)
		join_file_damaged(p->name, wrong,
				  "the flattened dump is damaged, or there is no "
				  "room for a temporary file of its size");
	return !wrong;
}
