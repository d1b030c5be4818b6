/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of calls by number, from the kernel's own tables. */
#include "syscall/syscall.h"

#include <asm/syscall.h>

#undef __SYSCALL
#undef __SYSCALL_WITH_COMPAT
#undef __SYSCALL_NORETURN
#undef __SYSCALL_COMMON
#undef __SYSCALL_64
#undef __SYSCALL_X32
#undef __SYSCALL_I386
#define __SYSCALL(number, function) [number] = #function,
#define __SYSCALL_NORETURN(number, function) __SYSCALL(number, function)
#define __SYSCALL_WITH_COMPAT(number, function, compat) __SYSCALL(number, function)
/* Before 5.14 the tables say which ABI a call belongs to. */
#define __SYSCALL_COMMON(number, function) __SYSCALL(number, function)
#define __SYSCALL_64(number, function) __SYSCALL(number, function)
#define __SYSCALL_X32(number, function)
#define __SYSCALL_I386(number, function) __SYSCALL(number, function)
static const char names_64[][40] = {
#include <asm/syscalls_64.h>
};
#ifdef CONFIG_IA32_EMULATION
static const char names_32[][40] = {
#include <asm/syscalls_32.h>
};
#endif

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

static const char *function_of(uint64_t number, bool is_32)
{
#ifdef CONFIG_IA32_EMULATION
	if (is_32)
		return number < ARRAY_SIZE(names_32) ? names_32[number] : "";
#endif
	return number < ARRAY_SIZE(names_64) ? names_64[number] : "";
}

/* Returns the name of a call, "" when there is none. */
static const char *call_of(uint64_t number, bool is_32)
{
	const char *name = function_of(number, is_32);

	if (!strncmp(name, "sys_", 4))
		name += 4;
	for (unsigned i = 0; i < ARRAY_SIZE(renamed); i++)
		if (!strcmp(name, renamed[i].function))
			return renamed[i].call;
	return name;
}

#define X32_BIT 0x40000000

size_t stp_shown_numbered(struct stp_ctx *c, int64_t number, char *dst)
{
	const char *name = call_of((uint64_t)number & ~(uint64_t)X32_BIT, in_ia32_syscall());
	struct stp_text t = { { dst, 0 }, false };

	if (*name)
		stp_text_put(&t, name, strlen(name));
	else
		stp_text_signed(&t, number);
	return stp_text_end(c, &t).len;
}

int64_t stp_shown_number_of(const char *name)
{
	const bool is_32 = in_ia32_syscall();

	for (unsigned i = 0; i < MOST_CALLS && *name; i++)
		if (!strcmp(call_of(i, is_32), name))
			return i;
	return -1;
}
