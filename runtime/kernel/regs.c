/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads arguments and return values by the calling convention. */
#include <linux/ptrace.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>

#include "api.h"
#include "arch_call.h"
#include "arch_unwind.h"
#include "arch_vector.h"
#include "compat/uprobe.h"
#include "kernel/callregs.h"
#include "kernel/gate.h"

static const uint16_t dwarf_regs[] = {
#define REGISTER(number, name, member, when) [number] = MEMBER(member)
#define HALF(number, name, member, when)
#define OTHER(name, member)
#include "arch_registers.def"
#undef OTHER
#undef HALF
#undef REGISTER
};

static const uint16_t go_args[] = { ARCH_GO_ARGS(MEMBER) };
static const uint16_t fixed[] = { ARCH_FIXED_REGISTERS(MEMBER) };
static const uint16_t told[] = { ARCH_TOLD_REGISTERS(MEMBER) };

static __always_inline bool register_is_one_of(uint16_t offset, const uint16_t *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i] == offset)
			return true;
	return false;
}

/* Finds the arguments that are not in registers, and those of 32-bit programs. */
static noinline int64_t arg_elsewhere(struct stp_ctx *c, unsigned n)
{
	unsigned long value;

	if (!regs_present(c))
		return 0;
	if (arch_is_32(c->regs))
		return arch_arg_32(c->regs, n, &value) ? stp_load(c, STP_USER, value, 4) : value;
	if (n < ARRAY_SIZE(function_args))
		return reg_read(c->regs, function_args[n]);
	return stp_load(c, user_mode(c->regs) ? STP_USER : STP_KERNEL,
			arch_stack_arg(c->regs, n - ARRAY_SIZE(function_args)), sizeof(long));
}

/* Arguments of kernel functions are mostly in registers. */
int64_t stp_arg(struct stp_ctx *c, unsigned n)
{
	if (likely(c->regs && !user_mode(c->regs) && n < ARRAY_SIZE(function_args)))
		return reg_read(c->regs, function_args[n]);
	return arg_elsewhere(c, n);
}

int64_t stp_go_arg(struct stp_ctx *c, unsigned n)
{
	if (!regs_present(c))
		return 0;
	if (n < ARRAY_SIZE(go_args) && !arch_is_32(c->regs))
		return reg_read(c->regs, go_args[n]);
	stp_error(c, "argument %u of a function of Go is not in a register", n + 1);
	return 0;
}

int64_t stp_retval(struct stp_ctx *c)
{
	if (!regs_present(c))
		return 0;
	return arch_is_32(c->regs) ? (int32_t)regs_return_value(c->regs)
				   : regs_return_value(c->regs);
}

/* Hits in programs happen in the task itself, with interrupts off. */
static noinline int64_t register_elsewhere(struct stp_ctx *c, unsigned n)
{
#ifdef ARCH_VECTORS
	if (n >= ARCH_VECTORS && n < ARCH_VECTORS + ARCH_VECTOR_COUNT && regs_present(c) &&
	    user_mode(c->regs) && irqs_disabled())
		return arch_vector(n - ARCH_VECTORS);
#endif
	stp_error(c, "there is no register %u", n);
	return 0;
}

int64_t stp_register(struct stp_ctx *c, unsigned n)
{
	if (n >= ARRAY_SIZE(dwarf_regs))
		return register_elsewhere(c, n);
	return regs_present(c) ? reg_read(c->regs, dwarf_regs[n]) : 0;
}

static bool is_told(struct stp_ctx *c, unsigned n)
{
	const struct stp_family *family = c->probe->family;

	if (!family->lacks_registers || !family->lacks_registers(c->probe) ||
	    n >= ARRAY_SIZE(dwarf_regs))
		return true;
	return register_is_one_of(dwarf_regs[n], told, ARRAY_SIZE(told));
}

int64_t stp_kregister(struct stp_ctx *c, unsigned n)
{
	if (is_told(c, n))
		return stp_register(c, n);
	stp_error(c, "the kernel does not provide register %u at this event", n);
	return 0;
}

/* ---- writes: the probed code continues with the new values ---- */

void stp_set_retval(struct stp_ctx *c, int64_t value)
{
	if (regs_present(c))
		regs_set_return_value(c->regs, value);
}

/*
 * The stack pointer and the program counter cannot be written: no variable is stored
 * there.
 */
void stp_set_register(struct stp_ctx *c, unsigned n, int64_t value)
{
	if (n >= ARRAY_SIZE(dwarf_regs) ||
	    register_is_one_of(dwarf_regs[n], fixed, ARRAY_SIZE(fixed)))
		stp_error(c, "register %u cannot be written", n);
	else if (regs_present(c))
		reg_write(c->regs, dwarf_regs[n], value);
}

int64_t stp_user_register(struct stp_ctx *c, unsigned n)
{
	if (n >= ARRAY_SIZE(dwarf_regs))
		stp_error(c, "there is no register %u", n);
	else if (current->flags & PF_KTHREAD)
		stp_error(c, "a thread of the kernel has no registers of a process");
	else if (!stp_gate_process())
		stp_error(c, STP_GATE_OTHERS);
	else
		return reg_read(task_pt_regs(current), dwarf_regs[n]);
	return 0;
}

int64_t stp_kernel_anchor(void)
{
	return stp_gate_kernel() ? (int64_t)(unsigned long)&init_task : 0;
}

int64_t stp_syscall_arg(struct stp_ctx *c, unsigned n)
{
	const struct stp_point_function *point = c->probe->point;
	const uint16_t *args = arch_call_is_32(point->is_compat) ? compat_args : syscall_args;
	uint64_t value;

	if (n >= ARRAY_SIZE(syscall_args)) {
		stp_error(c, "a system call has no argument %u", n + 1);
		return 0;
	}
	if (!regs_present(c))
		return 0;
	if (!point->is_syscall)
		return stp_arg(c, n);
	if (likely(entry_regs(c) == (unsigned long)task_pt_regs(current)))
		value = reg_read(task_pt_regs(current), args[n]);
	else
		value = stp_load(c, STP_KERNEL, entry_regs(c) + args[n], sizeof(long));
	return arch_call_is_32(point->is_compat) ? (uint32_t)value : value;
}

int64_t stp_return_address(int64_t address, int64_t stack)
{
	uint64_t ret = ARCH_UNWIND_PLAIN(address);

	compat_uprobe_return_address(stack, &ret);
	return ret;
}

int64_t stp_thread_pointer(struct stp_ctx *c)
{
	if (!current->mm || current->flags & PF_KTHREAD || arch_is_32(task_pt_regs(current))) {
		stp_error(c, "read fault [man error::fault]: the current task is not a thread "
			     "of a 64-bit process");
		return 0;
	}
	if (!stp_gate_process()) {
		stp_error(c, STP_GATE_OTHERS);
		return 0;
	}
	return (int64_t)arch_thread_pointer();
}
