/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer and AFL++ into lket-b2a: the input is one file, or two of equal
 * length (first byte odd), of LKET or raw, which become text, and bytes below /tmp.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lket/convert.h"
#include "stapio/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns a directory of this process, for the bytes. */
static const char *own_dir(void)
{
	static char dir[] = "/tmp/fuzz-lket.XXXXXX";
	static bool made;

	if (!made && !mkdtemp(dir))
		abort();
	made = true;
	return dir;
}

static void convert(char *const *names, unsigned n, bool full)
{
	static struct convert c;
	struct convert_options options = { .full = full, .names = true, .processes = true,
					   .ids = true, .text_name = "/dev/null",
					   .bytes_dir = own_dir() };

	options.wanted[CONVERT_TEXT] = options.wanted[CONVERT_BYTES] = true;
	if (!convert_init(&c, &options))
		return;
	(rawtrace_is(names[0]) ? rawtrace_read : bytetrace_read)(&c, names, n);
	convert_deinit(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char names[2][32], *list[2] = { names[0], names[1] };
	unsigned n = size && data[0] & 1 ? 2 : 1;
	size_t each = size ? (size - 1) / n : 0;
	int fds[2];

	if (!size)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		fds[i] = memfd_create("lket", 0);
		snprintf(names[i], sizeof(names[i]), "/proc/self/fd/%d", fds[i]);
		if (write(fds[i], data + 1 + i * each, each) != (ssize_t)each)
			return 0;
	}
	message_setup(0, true);
	convert(list, n, data[0] & 2);
	for (unsigned i = 0; i < n; i++)
		close(fds[i]);
	return 0;
}
