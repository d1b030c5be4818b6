/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The low halves of xmm0 to xmm15 of the current task, as it left user mode. They are in
 * the processor, or in memory since the task was switched out or the kernel itself used
 * these registers: TIF_NEED_FPU_LOAD shows which. The caller keeps interrupts off, so
 * that this does not change meanwhile.
 */
#ifndef STP_ARCH_VECTOR_H
#define STP_ARCH_VECTOR_H

#include <linux/sched.h>
#include <asm/cpufeature.h>
#include <asm/fpu/types.h>
#include <asm/processor.h>

#define ARCH_VECTORS	  17 /* DWARF's number of the first */
#define ARCH_VECTOR_COUNT 16

static inline uint64_t vector_live(unsigned n)
{
	uint64_t ret = 0;

#define LIVE(n)                                                                                    \
	case n:                                                                                    \
		__asm__ volatile("movq %%xmm" #n ", %0" : "=r"(ret));                              \
		break;
	/* clang-format off */
	switch (n) {
		LIVE(0) LIVE(1) LIVE(2) LIVE(3) LIVE(4) LIVE(5) LIVE(6) LIVE(7)
		LIVE(8) LIVE(9) LIVE(10) LIVE(11) LIVE(12) LIVE(13) LIVE(14) LIVE(15)
	}
	/* clang-format on */
#undef LIVE
	return ret;
}

#ifdef TIF_NEED_FPU_LOAD
static inline uint64_t vector_kept(unsigned n)
{
#ifdef STP_HAVE_THREAD_FPU
	struct fpu *fpu = &current->thread.fpu;
#else
	struct fpu *fpu = (struct fpu *)(current + 1);
#endif
#ifdef STP_HAVE_FPU_FPSTATE
	union fpregs_state *regs = &fpu->fpstate->regs;
#else
	union fpregs_state *regs = &fpu->state;
#endif
	uint64_t ret;

	/* A part of the state in its initial form is not saved. */
	if (boot_cpu_has(X86_FEATURE_XSAVE) && !(regs->xsave.header.xfeatures & XFEATURE_MASK_SSE))
		return 0;
	memcpy(&ret, &regs->fxsave.xmm_space[n * 4], sizeof(ret));
	return ret;
}
#endif

static inline uint64_t arch_vector(unsigned n)
{
#ifdef TIF_NEED_FPU_LOAD
	if (test_thread_flag(TIF_NEED_FPU_LOAD))
		return vector_kept(n);
#endif
	return vector_live(n);
}

#endif
