/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See compress.h. The output is written as FILE.zst.part and renamed at the end: a file
 * whose name ends in .zst is complete.
 */
#include "trace/compress.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define LEVEL 3
#define CHUNK (128u << 10)

struct packing {
	FILE *from, *to;
	ZSTD_CCtx *context;
	char *in, *out;
};

/* Compresses a chunk. Returns NULL, or the reason for the failure. */
static const char *pack_chunk(struct packing *p, size_t len, bool last)
{
	ZSTD_inBuffer in = { p->in, len, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { p->out, CHUNK, 0 };

		left = ZSTD_compressStream2(p->context, &out, &in,
					    last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return ZSTD_getErrorName(left);
		if (fwrite(p->out, 1, out.pos, p->to) != out.pos)
			return strerror(errno);
	} while (last ? left : in.pos < in.size);
	return NULL;
}

static const char *pack_all(struct packing *p)
{
	const char *wrong = NULL;
	bool last = false;

	if (!p->context || !p->in || !p->out)
		return strerror(ENOMEM);
	ZSTD_CCtx_setParameter(p->context, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(p->context, ZSTD_c_checksumFlag, 1);
	while (!wrong && !last) {
		size_t n = fread(p->in, 1, CHUNK, p->from);

		if (ferror(p->from))
			return strerror(errno);
		last = n < CHUNK;
		wrong = pack_chunk(p, n, last);
	}
	return wrong;
}

static FILE *open_in(int dir, const char *name, int flags, const char *mode)
{
	int fd = openat(dir, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0666);
	FILE *f = fd >= 0 ? fdopen(fd, mode) : NULL;

	if (!f && fd >= 0)
		close(fd);
	return f;
}

/* Compresses a file. A FILE.zst.part left over from an earlier run is overwritten. */
static const char *pack_file(int dir, const char *name, const char *part)
{
	struct packing p = { .from = open_in(dir, name, O_RDONLY | O_NONBLOCK, "r") };
	const char *wrong = NULL;

	if (p.from && unlinkat(dir, part, 0) && errno != ENOENT)
		wrong = strerror(errno);
	p.to = p.from && !wrong ? open_in(dir, part, O_WRONLY | O_CREAT | O_EXCL, "w") : NULL;
	if (!p.to && !wrong)
		wrong = strerror(errno);

	if (!wrong) {
		p.context = ZSTD_createCCtx();
		p.in = malloc(CHUNK);
		p.out = malloc(CHUNK);
		wrong = pack_all(&p);
	}
	ZSTD_freeCCtx(p.context);
	free(p.in);
	free(p.out);
	if (p.from)
		fclose(p.from);
	if (p.to && fclose(p.to) && !wrong)
		wrong = strerror(errno);
	return wrong;
}

const char *compress_file(int dir, const char *name)
{
	char part[PATH_MAX + 32], packed[PATH_MAX + 16];
	const char *wrong;

	snprintf(packed, sizeof(packed), "%s%s", name, COMPRESS_SUFFIX);
	snprintf(part, sizeof(part), "%s.part", packed);
	wrong = pack_file(dir, name, part);
	if (!wrong && renameat(dir, part, dir, packed))
		wrong = strerror(errno);
	if (!wrong && unlinkat(dir, name, 0))
		wrong = strerror(errno);
	if (wrong)
		unlinkat(dir, part, 0);
	return wrong;
}
