/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes memory of the probed code without ever faulting in pages. A separate object,
 * linked to scripts that write: the kernel's exception tables refer to this code, so the
 * linker would never leave it out.
 */
#include <linux/preempt.h>
#include <linux/uaccess.h>

#include "api.h"
#include "arch_code.h"
#include "core/port.h"
#include "kernel/access.h"
#include "kernel/gate.h"

/*
 * The kernel does not export copy_to_kernel_nofault(), but it exports its parts.
 */
#define KERNEL_STORE(type)                                                                         \
	static bool kernel_store_##type(uint64_t addr, uint64_t value)                             \
	{                                                                                          \
		type v = value;                                                                    \
                                                                                                   \
		pagefault_disable();                                                               \
		__put_kernel_nofault((void *)(unsigned long)addr, &v, type, bad);                  \
		pagefault_enable();                                                                \
		return true;                                                                       \
	bad:                                                                                       \
		pagefault_enable();                                                                \
		return false;                                                                      \
	}
KERNEL_STORE(u8)
KERNEL_STORE(u16)
KERNEL_STORE(u32)
KERNEL_STORE(u64)

static bool kernel_store(uint64_t addr, unsigned size, uint64_t value)
{
	if (!arch_kernel_address_valid(addr))
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

	if (!port_user_space_usable())
		return false;
	pagefault_disable();
	ok = !copy_to_user_nofault((void __user *)(unsigned long)addr, &value, size);
	pagefault_enable();
	return ok;
}

void stp_store(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size,
	       uint64_t value)
{
	bool ok = false;

	if (stp_gate_space(space))
		ok = space == STP_USER ? user_store(addr, size, value)
				       : kernel_store(addr, size, value);
	if (!ok)
		stp_error(c, "write fault [man error::fault] at 0x%llx", addr);
}
