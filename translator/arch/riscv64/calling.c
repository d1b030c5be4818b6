/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The RISC-V calling convention (ELF psABI, "Integer Calling Convention"): a0 … a7, then
 * the stack in 8-byte slots. An argument of two words may have one in a7 and one on the
 * stack. An aggregate of more than 16 bytes is copied, and its address is passed; the
 * address of a large result comes before the first argument. Floating-point numbers
 * travel in registers that probes cannot read.
 */
#include "arch/arch.h"
#include "base/session.h"
#include "formats/btf.h"
#include "lib/error.h"
#include "types/calling.h"
#include "types/types.h"

#define REGISTERS 8
#define A0	  10 /* in DWARF */

/*
 * Aggregates of only floats are treated like others here: their members count as numbers.
 */
static bool holds_floats(const struct btf *b, uint32_t id, uint64_t size)
{
	return false;
}

/* Takes the next words; some of them may be in registers. */
static void take(struct argument *arg, unsigned words, struct calling_state *at)
{
	unsigned left = REGISTERS - at->reg;

	arg->registers = words;
	if (words > left && left)
		arg->problem = "half of it is in a register and half on the stack";
	arg->number = left ? at->reg : REGISTERS + at->slot;
	at->reg += words < left ? words : left;
	at->slot += words > left ? words - left : 0;
}

static void place(struct session *s, struct btf *b, struct argument *arg, struct calling_state *at)
{
	struct type_info info;
	struct error *err = types_info(s, b, arg->type_id, &info);

	if (err || info.kind == KTYPE_VOID || !info.size) {
		arg->problem = "its type is not known";
		take(arg, 1, at);
	} else if (info.kind == KTYPE_OTHER && info.size <= 8) {
		arg->problem = "floating-point parameters are not supported";
	} else if (info.size > 16) {
		take(arg, 1, at);
		arg->problem = "it is passed by its address: pointer_arg() has that";
	} else {
		take(arg, (unsigned)(info.size + 7) / 8, at);
		arg->place = info.kind == KTYPE_AGGREGATE || info.kind == KTYPE_OTHER
				     ? PATH_REGISTERS
				     : PATH_VALUE;
	}
}

static void place_result(const struct type_info *info, struct calling_state *at)
{
	if (info->kind == KTYPE_AGGREGATE && info->size > 16)
		at->reg = 1;
}

static const uint8_t argument_registers[] = { 10, 11, 12, 13, 14, 15, 16, 17 }; /* a0 to a7 */

const struct arch_calling riscv64_calling = {
	.arguments = argument_registers,
	.argument_count = sizeof(argument_registers),
	.place = place,
	.place_result = place_result,
	.holds_floats = holds_floats,
	.results = { A0, A0 + 1 },
	.place_of_result = A0,
	.return_address = 0,
};
