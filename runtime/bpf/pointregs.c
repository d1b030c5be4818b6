/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments, values and registers of the probed code, in BPF programs. */
#include "arch_arguments.h"
#include "arch_bpf.h"
#include "bpf/arena.h"
#include "core/port.h"

#define MEMBER(member)			     offsetof(struct pt_regs, member),
#define REGISTER(number, name, member, when) [number] = offsetof(struct pt_regs, member),
#define HALF(number, name, member, when)
#define OTHER(name, member)
static const uint16_t dwarf_places[] = {
#include "arch_registers.def"
};
#undef REGISTER
#undef HALF
#undef OTHER
#define OTHER(name, member)		     { name, offsetof(struct pt_regs, member), 64 },
#define HALF(number, name, member, when)     { name, offsetof(struct pt_regs, member), 32 },
#define REGISTER(number, name, member, when) OTHER(name, member)
static const struct {
	const char *name;
	uint16_t place, bits;
} named_places[] = {
#include "arch_registers.def"
};
static const uint16_t arg_places[] = { ARCH_FUNCTION_ARGS(MEMBER) };
static const uint16_t go_places[] = { ARCH_GO_ARGS(MEMBER) };
static const uint16_t call_places[] = { ARCH_SYSCALL_ARGS(MEMBER) };
static const uint16_t call_places_32[] = { ARCH_COMPAT_ARGS(MEMBER) };

#define COUNT(places) (sizeof(places) / sizeof((places)[0]))

static int64_t value_at(const struct stp_ctx *c, uint16_t place)
{
	return *(const int64_t *)((const char *)c->regs + place);
}

/* True: a program with registers that are not known here. */
static inline STP_BPF_INLINE bool is_foreign(const struct stp_ctx *c)
{
	return bpf_shared.regs != BPF_REGS_VALUES && bpf_shared.part < BPF_PART_CALL_BEGINS &&
	       arch_bpf_is_32(c->regs);
}

/* Reports why there are none, unless the hit has failed already. */
static STP_BPF_APART bool lacks_registers(struct stp_ctx *c)
{
	if (!c->regs)
		stp_error(c, bpf_shared.hit == BPF_HIT_EVENT
				     ? "the probe point has no registers"
				     : "arguments of a function: not in a script that runs in user "
				       "space");
	else if (is_foreign(c))
		stp_error(c, "--runtime=bpf does not know the registers of 32-bit programs");
	return true;
}

/* A hit that has failed does nothing with what it gets. */
static inline STP_BPF_INLINE bool has_registers(struct stp_ctx *c)
{
	return likely(c->regs && !is_foreign(c)) || !lacks_registers(c);
}

int64_t stp_arg(struct stp_ctx *c, unsigned n)
{
	if (!has_registers(c))
		return 0;
	if (n < COUNT(arg_places))
		return value_at(c, arg_places[n]);
	return (int64_t)stp_load(c, STP_USER, arch_bpf_stack_arg(c->regs, n - COUNT(arg_places)),
				 sizeof(int64_t));
}

int64_t stp_go_arg(struct stp_ctx *c, unsigned n)
{
	if (!has_registers(c))
		return 0;
	if (n < COUNT(go_places))
		return value_at(c, go_places[n]);
	stp_error(c, "argument %u of a function of Go is not in a register", n + 1);
	return 0;
}

/* The registers are those with which the task entered the kernel. */
int64_t stp_syscall_arg(struct stp_ctx *c, unsigned n)
{
	const struct stp_point_function *point = c->probe->point;

	if (n >= COUNT(call_places)) {
		stp_error(c, "a system call has no argument %u", n + 1);
		return 0;
	}
	if (!has_registers(c))
		return 0;
	return point->is_compat ? (uint32_t)value_at(c, call_places_32[n])
				: value_at(c, call_places[n]);
}

int64_t stp_retval(struct stp_ctx *c)
{
	return has_registers(c) ? (int64_t)c->regs->ARCH_BPF_RESULT : 0;
}

int64_t stp_register(struct stp_ctx *c, unsigned n)
{
	if (!has_registers(c))
		return 0;
	if (n < COUNT(dwarf_places))
		return value_at(c, dwarf_places[n]);
	stp_error(c, "there is no register %u", n);
	return 0;
}

int64_t stp_kregister(struct stp_ctx *c, unsigned n)
{
	return stp_register(c, n);
}

/* True: the kernel provides the register at the point. */
static bool is_provided(uint16_t place)
{
#define IS(member) || place == offsetof(struct pt_regs, member)
	return bpf_shared.regs == BPF_REGS_ALL ||
	       (bpf_shared.regs == BPF_REGS_TOLD && (false ARCH_TOLD_REGISTERS(IS)));
#undef IS
}

uint64_t stp_bpf_register(struct stp_ctx *c, const char *name, unsigned *bits)
{
	if (!c->regs) {
		stp_error(c, "no registers here");
		return 0;
	}
	for (unsigned i = 0; i < COUNT(named_places); i++) {
		if (strcmp(named_places[i].name, name))
			continue;
		*bits = named_places[i].bits;
		if (is_provided(named_places[i].place))
			return *bits == 32 ? (uint32_t)value_at(c, named_places[i].place)
					   : (uint64_t)value_at(c, named_places[i].place);
		stp_error(c, "the kernel does not provide register '%s' at this event", name);
		return 0;
	}
	stp_error(c, "there is no register '%s'", name);
	return 0;
}

bool stp_bpf_is_program(const struct stp_ctx *c)
{
	return c->regs && arch_bpf_is_program(c->regs);
}

bool stp_bpf_is_32_here(const struct stp_ctx *c)
{
	return c->regs && arch_bpf_is_32(c->regs);
}

int64_t stp_bpf_address(const struct stp_ctx *c)
{
	return c->regs ? (int64_t)arch_bpf_address(c->regs) : 0;
}

/* After a return, the address is one of the caller. */
int64_t stp_bpf_program_base(const struct stp_ctx *c, int64_t linked, const char *path)
{
	const struct stp_point_uprobe *point = c->probe->point;

	if (!c->regs || point->is_return || point->at_site || strcmp(point->path, path))
		return 0;
	return (int64_t)(arch_bpf_address(c->regs) - point->offset) - linked;
}
