/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of the probed, read and written without ever faulting in pages, in any context. User space is only
 * looked at when there is one: a kernel thread runs on the page tables of whoever came before it, and an NMI
 * may have come in the middle of a switch.
 */
#include <linux/preempt.h>
#include <linux/uaccess.h>

#include "api.h"
#include "core/port.h"

#define STRING_CHUNK 64

static bool user_space_usable(void)
{
	return current->mm && !in_nmi();
}

static bool user_read(void *dst, uint64_t addr, size_t size)
{
	bool ok;

	if (!user_space_usable())
		return false;
	/* Some kernels' access_ok() complains in interrupts unless page faults are off already. */
	pagefault_disable();
	ok = !copy_from_user_nofault(dst, (const void __user *)(unsigned long)addr, size);
	pagefault_enable();
	return ok;
}

bool port_memory_read(enum stp_space space, void *dst, uint64_t addr, size_t size)
{
	if (space == STP_USER)
		return user_read(dst, addr, size);
	return !copy_from_kernel_nofault(dst, (const void *)(unsigned long)addr, size);
}

uint64_t stp_load(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size)
{
	uint64_t value = 0; /* little endian: a short read fills the low bytes */

	if (!port_memory_read(space, &value, addr, size)) {
		stp_error(c, "read fault [man error::fault] at 0x%llx", addr);
		return 0;
	}
	return value;
}

/* Chunks never cross a page: the string may end just before one that is not there. */
static bool string_read(enum stp_space space, uint64_t addr, uint32_t max, char *dst, uint32_t *len)
{
	uint32_t at = 0;
	bool ok = true;

	while (at < max) {
		uint32_t page_left = PAGE_SIZE - ((addr + at) & (PAGE_SIZE - 1));
		uint32_t chunk = min3(max - at, page_left, (uint32_t)STRING_CHUNK);
		uint32_t got;

		ok = port_memory_read(space, dst + at, addr + at, chunk);
		if (!ok)
			break;
		got = strnlen(dst + at, chunk);
		at += got;
		if (got < chunk)
			break;
	}
	dst[at] = 0;
	*len = at;
	return ok;
}

struct stp_str stp_load_string(struct stp_ctx *c, enum stp_space space, uint64_t addr, uint32_t max, char *dst,
			       bool *ok)
{
	uint32_t room = stp_script.limits.string - 1;
	struct stp_str ret = { .s = dst };
	bool good = string_read(space, addr, max ? min(max, room) : room, dst, &ret.len);

	if (ok)
		*ok = good;
	else if (!good)
		stp_error(c, "read fault [man error::fault] at 0x%llx", addr);
	return ret;
}

/* The kernel's copy_to_kernel_nofault() is not exported; what it is made of is. */
#define KERNEL_STORE(type)                                                       \
	static bool kernel_store_##type(uint64_t addr, uint64_t value)           \
	{                                                                        \
		type v = value;                                                  \
                                                                                 \
		pagefault_disable();                                             \
		__put_kernel_nofault((void *)(unsigned long)addr, &v, type, bad); \
		pagefault_enable();                                              \
		return true;                                                     \
	bad:                                                                     \
		pagefault_enable();                                              \
		return false;                                                    \
	}
KERNEL_STORE(u8)
KERNEL_STORE(u16)
KERNEL_STORE(u32)
KERNEL_STORE(u64)

/* A write through a non-canonical address is a protection fault, which the kernel reports as its own bug. */
static bool kernel_address_valid(uint64_t addr)
{
	int64_t upper = (int64_t)addr >> (boot_cpu_data.x86_virt_bits - 1);

	return upper == -1;
}

static bool kernel_store(uint64_t addr, unsigned size, uint64_t value)
{
	if (!kernel_address_valid(addr))
		return false;
	switch (size) {
	case 1:
		return kernel_store_u8(addr, value);
	case 2:
		return kernel_store_u16(addr, value);
	case 4:
		return kernel_store_u32(addr, value);
	default:
		return kernel_store_u64(addr, value);
	}
}

static bool user_store(uint64_t addr, unsigned size, uint64_t value)
{
	bool ok;

	if (!user_space_usable())
		return false;
	pagefault_disable();
	ok = !copy_to_user_nofault((void __user *)(unsigned long)addr, &value, size);
	pagefault_enable();
	return ok;
}

void stp_store(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size, uint64_t value)
{
	bool ok = space == STP_USER ? user_store(addr, size, value) : kernel_store(addr, size, value);

	if (!ok)
		stp_error(c, "write fault [man error::fault] at 0x%llx", addr);
}
