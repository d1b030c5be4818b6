/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of calls by number, from the kernel's own tables. */
#include "syscall/syscall.h"

#include "arch_syscall.h"
#include "arch_syscall_names.h"

/* More than any of the tables has. */
#define MOST_CALLS 1024

/* Functions whose name is not their call's. */
static const struct {
	const char *function, *call;
} renamed[] = {
	{ "newstat", "stat" },	   { "newlstat", "lstat" },	 { "newfstat", "fstat" },
	{ "newuname", "uname" },   { "sendfile64", "sendfile" }, { "umount", "umount2" },
	{ "oldumount", "umount" },
};

/* Returns the name of a call, "" when there is none. */
static const char *call_of(uint64_t number, bool is_32)
{
	const char *name = arch_syscall_function(number, is_32);

	if (!strncmp(name, "sys_", 4))
		name += 4;
	for (unsigned i = 0; i < ARRAY_SIZE(renamed); i++)
		if (!strcmp(name, renamed[i].function))
			return renamed[i].call;
	return name;
}

size_t stp_shown_numbered(struct stp_ctx *c, int64_t number, char *dst)
{
	const char *name = call_of(arch_syscall_plain(number), arch_in_compat_syscall());
	struct stp_text t = { { dst, 0 }, false };

	if (*name)
		stp_text_put(&t, name, strlen(name));
	else
		stp_text_signed(&t, number);
	return stp_text_end(c, &t).len;
}

int64_t stp_shown_number_of(const char *name)
{
	const bool is_32 = arch_in_compat_syscall();

	for (unsigned i = 0; i < MOST_CALLS && *name; i++)
		if (!strcmp(call_of(i, is_32), name))
			return i;
	return -1;
}
