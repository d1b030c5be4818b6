/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/filestamp.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/cleanup.h"

#define SAMPLE_BYTES 16384
#define SAMPLES	     64

static void add(uint64_t *stamp, const void *data, size_t len)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < len; i++)
		*stamp = (*stamp ^ bytes[i]) * 0x100000001b3ull;
}

static void add_sample(uint64_t *stamp, int fd, off_t at)
{
	uint8_t bytes[SAMPLE_BYTES];
	ssize_t n = pread(fd, bytes, sizeof(bytes), at);

	if (n > 0)
		add(stamp, bytes, (size_t)n);
}

uint64_t filestamp(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint64_t stamp = 0xcbf29ce484222325ull;
	off_t rest, step;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	add(&stamp, &st.st_size, sizeof(st.st_size));
	add(&stamp, &st.st_mtim.tv_sec, sizeof(st.st_mtim.tv_sec));
	add(&stamp, &st.st_mtim.tv_nsec, sizeof(st.st_mtim.tv_nsec));
	rest = st.st_size > SAMPLE_BYTES ? st.st_size - SAMPLE_BYTES : 0;
	step = rest / SAMPLES > SAMPLE_BYTES ? rest / SAMPLES : SAMPLE_BYTES;
	for (off_t at = 0; at < rest; at += step)
		add_sample(&stamp, fd, at);
	add_sample(&stamp, fd, rest); /* the end, where ELF files have their section headers */
	return stamp ? stamp : 1;
}
