/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into staprun: how it reads a module before the kernel does. The
 * first byte chooses what is done with it, the second is the length of a parameter, the
 * module is what follows.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "staprun/caller.h"
#include "staprun/kmsg.h"
#include "staprun/load.h"
#include "staprun/refusal.h"
#include "staprun/rename.h"
#include "staprun/vouch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RENAMES = 1, JUDGED = 2, EXPLAINED = 4 };

static void use_module(uint8_t how, const char *param, int log)
{
	static const int errors[] = { ENOEXEC, EEXIST, ENOENT, EPERM, EKEYREJECTED, EINVAL, EIO };
	struct caller caller = { .level = how >> 6, .is_root = false };
	static struct load load;
	char path[32];

	load = (struct load){ 0 };
	snprintf(path, sizeof(path), "/proc/self/fd/%d", log);
	if (load_open(&load, path)) {
		if (how & JUDGED && caller.level <= PRIVILEGE_STAPSYS)
			vouch_check(&load, &caller);
		load_add_param(&load, param);
		load_add_own_param(&load, "_stp_owner=1");
		if (how & RENAMES)
			rename_module(&load);
		if (how & EXPLAINED)
			refusal_explain(&load, errors[(how >> 3) % 7], log);
	}
	image_free(&load.image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char param[256];
	int fd;

	if (size < 2 || size - 2 < data[1])
		return 0;
	memcpy(param, data + 2, data[1]);
	param[data[1]] = 0;
	fd = memfd_create("module", MFD_CLOEXEC);
	if (write(fd, data + 2 + data[1], size - 2 - data[1]) >= 0 && !lseek(fd, 0, SEEK_SET))
		use_module(data[0], param, fd);
	close(fd);
	return 0;
}
