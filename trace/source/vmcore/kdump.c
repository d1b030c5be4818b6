/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compressed dumps, of makedumpfile and of QEMU, flattened or not. libkdumpfile reads
 * them in a separate process: if it crashes on a damaged dump, only that process ends.
 * Without the library, dumps must be converted to ELF first.
 */
#include <string.h>

#include "lib/exchange.h"
#include "trace/messages.h"
#include "trace/source/vmcore/flattened.h"
#include "trace/source/vmcore/physical.h"

#define MAKES_ELF "makedumpfile -E makes it ELF"

static bool kdump_is(const uint8_t *begin)
{
	return !memcmp(begin, "KDUMP   ", 8) || !memcmp(begin, FLATTENED, strlen(FLATTENED));
}

#ifdef HAVE_KDUMPFILE
#include <errno.h>
#include <libkdumpfile/kdumpfile.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The requests to the process, and its answers; bytes follow. */
struct request {
	uint64_t address, size; /* size 0: the next pages */
};

struct answer {
	uint64_t address, size; /* size 0: there is nothing */
};

struct kdump {
	int fd;	   /* to the process */
	pid_t pid; /* 0: none */
	bool gone; /* it ended too early; this was reported */
};

/* ---- the process ---- */

static bool page_read(kdump_ctx_t *ctx, uint64_t address, void *buf, size_t size)
{
	size_t n = size;

	return kdump_read(ctx, KDUMP_MACHPHYSADDR, address, buf, &n) == KDUMP_OK && n == size;
}

/* Reads consecutive pages, starting with the first one that is in the dump. */
static uint64_t next_pages(kdump_ctx_t *ctx, kdump_bmp_t *map, uint64_t *address, uint8_t *buf)
{
	kdump_addr_t frame = (*address + PHYSICAL_PAGE - 1) / PHYSICAL_PAGE, next;
	uint64_t n = 0;

	for (; !n && kdump_bmp_find_set(map, &frame) == KDUMP_OK; frame++) {
		*address = frame * PHYSICAL_PAGE;
		n = page_read(ctx, *address, buf, PHYSICAL_PAGE) ? PHYSICAL_PAGE : 0;
	}
	for (; n && n < PHYSICAL_PIECE; n += PHYSICAL_PAGE, frame++) {
		next = frame;
		if (kdump_bmp_find_set(map, &next) != KDUMP_OK || next != frame ||
		    !page_read(ctx, *address + n, buf + n, PHYSICAL_PAGE))
			break;
	}
	return n;
}

/* Answers requests until there are no more. */
static void serve(int fd, kdump_ctx_t *ctx, kdump_bmp_t *map)
{
	uint8_t *buf = malloc(PHYSICAL_PIECE);
	struct request r;

	while (buf && exchange_receive(fd, &r, sizeof(r))) {
		struct answer a = { r.address, r.size };

		if (!r.size)
			a.size = next_pages(ctx, map, &a.address, buf);
		else if (r.size > PHYSICAL_PIECE || !page_read(ctx, r.address, buf, r.size))
			a.size = 0;
		if (!exchange_send(fd, &a, sizeof(a)) || !exchange_send(fd, buf, a.size))
			break;
	}
}

/* The first answer has size 0, or is an error message. */
static void process(int fd, int dump)
{
	const struct rlimit none = { 0, 0 };
	kdump_ctx_t *ctx = kdump_new();
	struct answer a = { 0, 0 };
	const char *wrong = NULL;
	kdump_attr_t map;

	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!ctx)
		wrong = "no memory";
	else if (kdump_open_fd(ctx, dump) != KDUMP_OK ||
		 kdump_get_attr(ctx, KDUMP_ATTR_FILE_PAGEMAP, &map) != KDUMP_OK)
		wrong = kdump_get_err(ctx);
	else if (map.type != KDUMP_BITMAP)
		wrong = "it does not say which pages are in it";
	if (wrong)
		a.size = strlen(wrong);
	if (exchange_send(fd, &a, sizeof(a)) && !wrong)
		serve(fd, ctx, map.val.bitmap);
	else if (wrong)
		exchange_send(fd, wrong, a.size);
	/* kdump_free() crashes after a dump that could not be opened (0.5.1). */
	_exit(0);
}

/* ---- asking it ---- */

static bool has_gone(struct physical *p)
{
	struct kdump *k = p->own;

	if (!k->gone)
		message_error("%s: libkdumpfile cannot read it (" MAKES_ELF ")", p->name);
	k->gone = true;
	return false;
}

/* Returns the number of bytes read to buf, which has room for them. */
static uint64_t ask(struct physical *p, struct request r, uint64_t *address, void *buf,
		    uint64_t room)
{
	struct kdump *k = p->own;
	struct answer a;

	if (k->gone)
		return 0;
	if (!exchange_send(k->fd, &r, sizeof(r)) || !exchange_receive(k->fd, &a, sizeof(a)) ||
	    a.size > room || !exchange_receive(k->fd, buf, a.size))
		return has_gone(p);
	*address = a.address;
	return a.size;
}

static bool process_begin(struct physical *p, struct kdump *k)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return false;
	k->fd = fds[0];
	k->pid = fork();
	if (!k->pid) {
		close(fds[0]);
		process(fds[1], p->fd);
	}
	close(fds[1]);
	return k->pid > 0;
}

static bool kdump_open(struct physical *p)
{
	struct kdump *k = p->own = calloc(1, sizeof(*k));
	char wrong[512];
	struct answer a;

	p->bytes = 1ull << 52;
	if (k)
		k->fd = -1;
	if (!flattened_replace(p))
		return false;
	if (!k || !process_begin(p, k)) {
		message_error("%s: %s", p->name, strerror(errno));
		return false;
	}
	if (!exchange_receive(k->fd, &a, sizeof(a)) || a.size >= sizeof(wrong) ||
	    !exchange_receive(k->fd, wrong, a.size))
		return has_gone(p);
	wrong[a.size] = 0;
	if (a.size)
		message_error("%s: %s", p->name, wrong);
	return !a.size;
}

static bool kdump_read_at(struct physical *p, uint64_t address, void *buf, size_t size)
{
	const struct request r = { address, size };
	uint64_t at;

	return !size || ask(p, r, &at, buf, size) == size;
}

static size_t kdump_next(struct physical *p, uint64_t *address, uint8_t *buf)
{
	const struct request r = { *address, 0 };

	return ask(p, r, address, buf, PHYSICAL_PIECE);
}

static void kdump_close(struct physical *p)
{
	struct kdump *k = p->own;

	if (k && k->fd >= 0)
		close(k->fd);
	if (k && k->pid > 0)
		waitpid(k->pid, NULL, 0);
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
	message_error("%s: compressed dumps need a stap-merge that is built with libkdumpfile "
		      "(" MAKES_ELF ")",
		      p->name);
	return false;
}

static void kdump_close(struct physical *p)
{
}

const struct physical_ops kdump_ops = { .is = kdump_is, .open = kdump_open, .close = kdump_close };
#endif
