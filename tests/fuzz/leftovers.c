/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into staprun: the records that it counts in a module's rings when
 * stapio was killed, and the messages that it looks for in the kernel's log. The first
 * byte is the number of rings, which share the rest.
 */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "staprun/files.h"
#include "staprun/kmsg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct files files;
	size_t each;

	if (!size)
		return 0;
	files = (struct files){ .nrings = 1u + data[0] % 4 };
	each = (size - 1) / files.nrings;
	for (unsigned i = 0; i < files.nrings; i++) {
		files.rings[i] = memfd_create("ring", MFD_CLOEXEC);
		if (write(files.rings[i], data + 1 + i * each, each) != (ssize_t)each ||
		    lseek(files.rings[i], 0, SEEK_SET))
			return 0;
	}
	files_count_left(&files);
	lseek(files.rings[0], 0, SEEK_SET);
	kmsg_show(files.rings[0], "m", data[0] & 4 ? "unknown parameter" : NULL);
	files_close_rings(&files);
	return 0;
}
