/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's machine code. */
#ifndef STP_ARCH_CODE_H
#define STP_ARCH_CODE_H

#include <asm/cpufeature.h>

/*
 * The largest distance of ftrace's call from a function's address, after a landing pad.
 */
#ifdef CONFIG_X86_KERNEL_IBT
#define ARCH_LANDING_PAD 4
#else
#define ARCH_LANDING_PAD 0
#endif

/* A call or breakpoint put at a point is at most this long. */
#define ARCH_PATCH_BYTES 16

/* True: a function must not be called by address unless it begins with a landing pad. */
static inline bool arch_calls_need_landing_pads(void)
{
#ifdef CONFIG_X86_KERNEL_IBT
	return cpu_feature_enabled(X86_FEATURE_IBT);
#else
	return false;
#endif
}

/*
 * True: on some processors all functions of the kernel return through this code, or
 * tasks enter the kernel through it. A breakpoint there is hit by its own handler.
 */
static inline bool arch_is_return_code(const char *name)
{
	static const char *const ends[] = { "_return_thunk", "_untrain_ret", "_safe_ret" };
	size_t len = strlen(name);

	for (unsigned int i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t n = strlen(ends[i]);

		if (len >= n && !memcmp(name + len - n, ends[i], n))
			return true;
	}
	return false;
}

/*
 * False for an address that is not canonical: writing through it is a protection fault,
 * which the kernel reports as its own bug.
 */
static inline bool arch_kernel_address_valid(uint64_t addr)
{
	int64_t upper = (int64_t)addr >> (boot_cpu_data.x86_virt_bits - 1);

	return upper == -1;
}

#endif
