/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compressed dumps, of makedumpfile and of QEMU, flattened or not. libkdumpfile reads
 * them; without it they can be made ELF first.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include <stdlib.h>
#include <string.h>

#include "stapio/messages.h"
#include "stapio/vmcore/physical.h"

static bool kdump_is(const uint8_t *begin)
{
	return !memcmp(begin, "KDUMP   ", 8) || !memcmp(begin, "makedumpfile", 12);
}

#ifdef HAVE_KDUMPFILE
#include <endian.h>
#include <fcntl.h>
#include <libkdumpfile/kdumpfile.h>
#include <unistd.h>

#include "stapio/join_file.h"

/*
 * A flattened dump is one that could be written without seeking: pieces, each with its
 * offset and size, big-endian, behind a page of header. Not every libkdumpfile knows it.
 */
#define FLATTENED	"makedumpfile"
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

/* Writes the dump as it would be. Returns 0 when it has come to the end, or where not. */
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

/* Puts a file that has no name in the place of a flattened one. */
static bool replace_flattened(struct physical *p)
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
		join_file_damaged(p->name, wrong, "the flattened dump is damaged, or there is no "
						  "room for a temporary file of its size");
	return !wrong;
}

struct kdump {
	kdump_ctx_t *ctx;
	kdump_attr_t map; /* of the pages that are in the file */
};

static bool kdump_open(struct physical *p)
{
	struct kdump *k = p->own = calloc(1, sizeof(*k));

	p->bytes = 1ull << 52;
	if (k)
		k->ctx = kdump_new();
	if (!k || !k->ctx) {
		message_error("%s: no memory", p->name);
		return false;
	}
	if (!replace_flattened(p))
		return false;
	if (kdump_open_fd(k->ctx, p->fd) == KDUMP_OK &&
	    kdump_get_attr(k->ctx, KDUMP_ATTR_FILE_PAGEMAP, &k->map) == KDUMP_OK &&
	    k->map.type == KDUMP_BITMAP)
		return true;
	message_error("%s: %s", p->name, kdump_get_err(k->ctx));
	k->ctx = NULL; /* libkdumpfile 0.5.1 crashes when it frees what it could not open */
	return false;
}

static bool kdump_read_at(struct physical *p, uint64_t address, void *buf, size_t size)
{
	struct kdump *k = p->own;
	size_t n = size;

	return kdump_read(k->ctx, KDUMP_MACHPHYSADDR, address, buf, &n) == KDUMP_OK && n == size;
}

static size_t kdump_next(struct physical *p, uint64_t *address, uint8_t *buf)
{
	struct kdump *k = p->own;
	kdump_addr_t frame = (*address + PHYSICAL_PAGE - 1) / PHYSICAL_PAGE;

	for (; kdump_bmp_find_set(k->map.val.bitmap, &frame) == KDUMP_OK; frame++) {
		*address = frame * PHYSICAL_PAGE;
		if (kdump_read_at(p, *address, buf, PHYSICAL_PAGE))
			return PHYSICAL_PAGE;
	}
	return 0;
}

static void kdump_close(struct physical *p)
{
	struct kdump *k = p->own;

	if (k && k->ctx)
		kdump_free(k->ctx);
	free(k);
}

const struct physical_ops kdump_ops = {
	.is = kdump_is,
	.open = kdump_open,
	.read = kdump_read_at,
	.next = kdump_next,
	.close = kdump_close,
};
#else
static bool kdump_open(struct physical *p)
{
	message_error("%s: compressed dumps take a stap-merge that is built with libkdumpfile "
		      "(makedumpfile -E %s FILE makes it ELF)",
		      p->name, p->name);
	return false;
}

static void kdump_close(struct physical *p)
{
}

const struct physical_ops kdump_ops = { .is = kdump_is, .open = kdump_open, .close = kdump_close };
#endif
