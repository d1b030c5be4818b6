/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that registers held when the function was entered and that its code has not
 * saved. Call sites give the values that callers pass, in terms of the caller's own
 * registers; unwind information tells where the function saves some of these.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "base/session.h"
#include "dwarf/callsites.h"
#include "dwarf/debugfile.h"
#include "dwarf/machine.h"

#define MAX_SITES   24
#define MOST_BEFORE 16 /* bytes of code before a function's own */

/* Pushes a register from the place where the frame keeps it, or the register itself. */
static bool push_kept_register(struct machine *m, Dwarf_Frame *frame, int reg)
{
	Dwarf_Op *ops, room[3];
	bool ok;
	size_t n;

	if (dwarf_frame_register(frame, reg, room, &ops, &n) || (!n && ops))
		return machine_fail(m, "the caller's register is not kept");
	if (!n)
		return machine_push_own_register(m, (uint64_t)reg, 0);
	m->is_value = false;
	ok = machine_enter(m) && machine_run(m, ops, n, NULL) &&
	     (m->is_value || machine_load(m, 8));
	m->calls--;
	m->is_value = false;
	return ok;
}

bool entryvalue_push_callers(struct machine *m, uint64_t reg, int64_t offset)
{
	bool ok = false;

	m->in_caller = false;
	if (reg == machine_registers(m)->sp) { /* its value after the return */
		ok = machine_push_cfa(m);
	} else if (reg < machine_registers(m)->ip) {
		for (int i = 0; i < 2 && !ok; i++) {
			Dwarf_Frame *frame;

			if (!m->f->file->cfi[i] ||
			    dwarf_cfi_addrframe(m->f->file->cfi[i], m->f->pc, &frame))
				continue;
			ok = push_kept_register(m, frame, (int)reg);
			free(frame);
		}
	}
	m->in_caller = true;
	if (!ok)
		return machine_fail(m, "the caller's register is not known here");
	m->stack[m->depth - 1] = machine_plus(m, m->stack[m->depth - 1], offset);
	return true;
}

/*
 * Computes the value that the call site passes. False: the site describes it in an
 * unknown way; the machine is unchanged.
 */
static bool value_at_site(struct machine *m, const struct call_site *site, unsigned reg,
			  uint32_t *ret)
{
	unsigned depth = m->depth;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	bool ok;
	size_t n;

	if (!callsites_value(m->f->file, site, reg, &attr, &ops, &n))
		return false;
	m->in_caller = true;
	ok = machine_enter(m) && machine_run(m, ops, n, &attr) && m->depth == depth + 1;
	m->in_caller = m->is_value = false;
	m->calls--;
	*ret = ok ? m->stack[m->depth - 1] : 0;
	m->depth = depth;
	m->problem = NULL;
	return ok;
}

static uint32_t binary_of(struct machine *m, enum op op, uint32_t a, uint32_t b)
{
	return machine_add(
		m, (struct access_operation){ .kind = ACCESS_BINARY, .op = op, .a = a, .b = b });
}

/*
 * Call sites describe the values that they pass, and the return address identifies the
 * caller. The value is the sum over all call sites of the value passed, times 1 for the
 * caller and 0 for the others. So memory that only one caller refers to is never read.
 */
static bool push_from_callers(struct machine *m, unsigned reg)
{
	struct access_operation back = { .kind = ACCESS_RETURN_ADDRESS },
				given = { .kind = ACCESS_GIVEN,
					  .symbol = "the caller's debuginfo does not describe "
						    "the argument" };
	call_sites sites = { 0 };
	uint32_t any = 0, sum = 0, value;
	bool found = false;

	if (m->f->file->address_size != 8 || m->f->file->is_kernel || !m->f->function)
		return false;
	callsites_of(m->s, m->f->file, m->f->function, &sites);
	if (!sites.count || sites.count > MAX_SITES || !machine_push_return_address(m) ||
	    !machine_push_cfa(m))
		return false;
	back.b = machine_plus(m, m->stack[--m->depth], arch_of(m->s)->calling->return_address);
	back.a = m->stack[--m->depth];
	back.a = machine_add(m, back);
	vec_each(&sites, i) {
		uint32_t is_it;

		if (!value_at_site(m, &sites.data[i], reg, &value) ||
		    !machine_push_own_register(m, machine_registers(m)->ip,
					       (int64_t)(sites.data[i].returns_to - m->f->pc)))
			continue;
		is_it = binary_of(m, OP_EQ, back.a, m->stack[--m->depth]);
		value = binary_of(m, OP_MUL, is_it, value);
		any = found ? binary_of(m, OP_OR, any, is_it) : is_it;
		sum = found ? binary_of(m, OP_ADD, sum, value) : value;
		found = true;
	}
	given.a = any;
	given.b = sum;
	return found && machine_push(m, machine_add(m, given));
}

static bool push_entry_register(struct machine *m, const Dwarf_Op *ops, size_t n)
{
	const char *function = m->f->function ? dwarf_diename(m->f->function) : NULL;
	unsigned depth = m->depth,
		 reg = n == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31
			       ? ops->atom - DW_OP_reg0
			       : 32;

	if (reg < machine_registers(m)->ip && !m->in_caller && push_from_callers(m, reg))
		return true;
	m->depth = depth;
	m->problem = NULL;
	return machine_fail(m, arena_printf(m->s->arena,
					    "only its value at the entry of '%s' is known here, "
					    "which is lost; save it there, by thread, as in: probe "
					    "….function(\"%s\").call { kept[tid()] = $… }",
					    function ? function : "?", function ? function : "…"));
}

/* Returns the register that has an integer parameter at the entry, or -1. */
static int argument_register(const struct machine *m, Dwarf_Die *parameter)
{
	const struct arch_calling *calling = arch_of(m->s)->calling;
	unsigned before = 0;
	Dwarf_Die child;

	if (!m->f->function || dwarf_child(m->f->function, &child))
		return -1;
	while (dwarf_dieoffset(&child) != dwarf_dieoffset(parameter)) {
		before += dwarf_tag(&child) == DW_TAG_formal_parameter;
		if (dwarf_siblingof(&child, &child))
			return -1;
	}
	return before < calling->argument_count ? calling->arguments[before] : -1;
}

bool entryvalue_find_argument(struct machine *m, Dwarf_Die *parameter, Dwarf_Attribute *attr,
			      Dwarf_Op **ops, size_t *n)
{
	Dwarf_Addr base, begin, end;

	if (!m->f->is_entry || dwarf_tag(parameter) != DW_TAG_formal_parameter ||
	    dwarf_getlocations(attr, 0, &base, &begin, &end, ops, n) <= 0)
		return false;
	return begin > m->f->pc && begin - m->f->pc <= MOST_BEFORE && *n == 1 &&
	       (*ops)->atom >= DW_OP_reg0 && (*ops)->atom <= DW_OP_reg31 &&
	       (*ops)->atom - DW_OP_reg0 == argument_register(m, parameter);
}

bool entryvalue_push(struct machine *m, const Dwarf_Op *op, Dwarf_Attribute *attr)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t n;

	if (!attr || dwarf_getlocation_attr(attr, op, &inner) ||
	    dwarf_getlocation(&inner, &ops, &n))
		return machine_fail(
			m, "its location is malformed: an entry value without an expression");
	if (!m->f->is_entry)
		return push_entry_register(m, ops, n);
	if (!machine_enter(m) || !machine_run(m, ops, n, &inner))
		return false;
	m->calls--;
	m->is_value = false;
	return true;
}
