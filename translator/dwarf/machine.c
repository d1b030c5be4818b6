/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs DWARF expressions on a stack of operation numbers: operators that only rearrange
 * the stack are executed here, those that compute become operations. Expressions come
 * from files that may be damaged: every depth and every number is bounded.
 */
#include "dwarf/location.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/find.h"
#include "dwarf/gopieces.h"
#include "dwarf/kernelinfo.h"
#include "dwarf/machine.h"
#include "dwarf/scopes.h"
#include "dwarf/slotstores.h"
#include "dwarf/thread.h"
#include "dwarf/threadsymbols.h"
#include "lib/error.h"

bool machine_fail(struct machine *m, const char *why)
{
	if (!m->problem)
		m->problem = why;
	return false;
}

/* ---- operations ---- */

uint32_t machine_add(struct machine *m, struct access_operation op)
{
	struct access_expression *x = m->ret->expression;

	if (x->operations.count >= MAX_OPERATIONS) {
		machine_fail(m, "its location is too long to be worked out");
		return 0;
	}
	vec_push(m->s->arena, &x->operations, op);
	return (uint32_t)x->operations.count - 1;
}

bool machine_push(struct machine *m, uint32_t op)
{
	if (m->depth == MAX_STACK)
		return machine_fail(m, "its location needs too deep a stack");
	m->stack[m->depth++] = op;
	return true;
}

static bool push_new(struct machine *m, struct access_operation op)
{
	return machine_push(m, machine_add(m, op));
}

static bool push_constant(struct machine *m, int64_t number)
{
	return push_new(m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = number });
}

/* Makes sure that the stack has n values. */
static bool need(struct machine *m, unsigned n)
{
	return m->depth >= n || machine_fail(m, "its location is malformed: the stack is empty");
}

/* Returns whether the operation is a constant, and its value. */
static bool constant_of(const struct machine *m, uint32_t op, int64_t *ret)
{
	const struct access_operation *o = &m->ret->expression->operations.data[op];

	*ret = o->number;
	return o->kind == ACCESS_CONSTANT;
}

uint32_t machine_plus(struct machine *m, uint32_t a, int64_t offset)
{
	int64_t n;

	if (!offset)
		return a;
	if (constant_of(m, a, &n))
		return machine_add(m,
				   (struct access_operation){
					   .kind = ACCESS_CONSTANT,
					   .number = (int64_t)((uint64_t)n + (uint64_t)offset) });

	uint32_t b = machine_add(
		m, (struct access_operation){ .kind = ACCESS_CONSTANT, .number = offset });

	return machine_add(m, (struct access_operation){
				      .kind = ACCESS_BINARY, .op = OP_ADD, .a = a, .b = b });
}

const struct arch_registers *machine_registers(const struct machine *m)
{
	return arch_of(m->s)->registers;
}

/* True: the register has a floating-point number of a program, which probes can read. */
static bool is_vector(const struct machine *m, uint64_t reg)
{
	const struct arch_registers *arch = machine_registers(m);

	return !m->f->file->is_kernel && m->f->file->address_size == 8 && reg >= arch->vectors &&
	       reg - arch->vectors < arch->vector_count;
}

bool machine_push_own_register(struct machine *m, uint64_t reg, int64_t offset)
{
	bool is_readable = reg <= machine_registers(m)->ip || is_vector(m, reg);

	m->ret->is_unreadable |= !is_readable;
	if (!is_readable)
		return machine_fail(
			m,
			"it is in a register that probes cannot read (floating point or vector)");
	return machine_push(
		m, machine_plus(m,
				machine_add(m, (struct access_operation){ .kind = ACCESS_REGISTER,
									  .number = (int64_t)reg }),
				offset));
}

static bool is_32(const struct machine *m)
{
	return m->f->file->address_size == 4;
}

static bool push_register(struct machine *m, uint64_t reg, int64_t offset)
{
	const struct arch_registers *arch = machine_registers(m);

	if (m->in_caller)
		return entryvalue_push_callers(m, reg, offset);
	if (is_32(m))
		reg = reg < arch->of_32_count ? arch->of_32[reg] : arch->ip + 1;
	return machine_push_own_register(m, reg, offset);
}

static bool binary(struct machine *m, enum op op)
{
	if (!need(m, 2))
		return false;
	m->depth--;
	m->stack[m->depth - 1] =
		machine_add(m, (struct access_operation){ .kind = ACCESS_BINARY,
							  .op = op,
							  .a = m->stack[m->depth - 1],
							  .b = m->stack[m->depth] });
	return true;
}

/* Negation is 0 - a, the complement is -1 - a. */
static bool subtract_from(struct machine *m, int64_t number)
{
	uint32_t a;

	if (!need(m, 1))
		return false;
	a = m->stack[--m->depth];
	return push_constant(m, number) && machine_push(m, a) && binary(m, OP_SUB);
}

bool machine_load(struct machine *m, uint64_t size)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return machine_fail(m, "its location is malformed: a load of an odd size");
	if (m->in_caller)
		return machine_fail(m, "the caller's memory has changed since");
	if (!need(m, 1))
		return false;
	m->stack[m->depth - 1] =
		machine_add(m, (struct access_operation){ .kind = ACCESS_MEMORY,
							  .a = m->stack[m->depth - 1],
							  .size = (unsigned)size });
	return true;
}

static bool pick(struct machine *m, uint64_t n)
{
	if (n >= m->depth)
		return machine_fail(m, "its location is malformed: the stack is empty");
	return machine_push(m, m->stack[m->depth - 1 - n]);
}

/* Rotates the n topmost entries: the top goes below the others. */
static bool rotate(struct machine *m, unsigned n)
{
	if (!need(m, n))
		return false;

	uint32_t top = m->stack[m->depth - 1], *base = &m->stack[m->depth - n];

	memmove(base + 1, base, (n - 1) * sizeof(*base));
	base[0] = top;
	return true;
}

/* ---- expressions inside expressions ---- */

bool machine_enter(struct machine *m)
{
	return ++m->calls <= MAX_CALLS || machine_fail(m, "its location refers to itself");
}

/* Pushes a value of the frame. False: it is not in these tables. */
typedef bool push_of_frame(struct machine *m, Dwarf_Frame *frame);

static bool push_from_tables(struct machine *m, push_of_frame *push)
{
	bool ok = false;

	for (int i = 0; i < 2 && !ok; i++) {
		Dwarf_Frame *frame;

		if (!m->f->file->cfi[i] ||
		    dwarf_cfi_addrframe(m->f->file->cfi[i], m->f->pc, &frame))
			continue;
		ok = push(m, frame);
		free(frame);
	}
	return ok || machine_fail(m, "the frame is not known here: there is no unwind "
				     "information for this address");
}

static bool run_inside(struct machine *m, const Dwarf_Op *ops, size_t n)
{
	bool ok = machine_enter(m) && machine_run(m, ops, n, NULL);

	m->calls--;
	return ok;
}

static bool push_cfa(struct machine *m, Dwarf_Frame *frame)
{
	Dwarf_Op *ops;
	size_t n;

	return !dwarf_frame_cfa(frame, &ops, &n) && n && run_inside(m, ops, n);
}

bool machine_push_cfa(struct machine *m)
{
	return push_from_tables(m, push_cfa);
}

static bool push_return_address(struct machine *m, Dwarf_Frame *frame)
{
	unsigned column = arch_of(m->s)->unwind->return_column;
	Dwarf_Op memory[3], *ops;
	size_t n;

	/*
	 * An address in a register may be that of a return probe, which cannot be
	 * recognised.
	 */
	if (dwarf_frame_register(frame, column, memory, &ops, &n) || !n ||
	    ops->atom == DW_OP_regx || (ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31))
		return false;
	return run_inside(m, ops, n) && machine_load(m, sizeof(uint64_t));
}

bool machine_push_return_address(struct machine *m)
{
	return push_from_tables(m, push_return_address);
}

/*
 * Finds the operations that apply at the address. Go puts short ones in blocks, which
 * libdw accepts only in DWARF 3; the bytes are those of the present form.
 */
static bool find_operations(const struct machine *m, Dwarf_Attribute *attr, Dwarf_Op **ops,
			    size_t *n)
{
	Dwarf_Block block;

	if (dwarf_whatform(attr) == DW_FORM_block1 && !dwarf_formblock(attr, &block) &&
	    block.length < 0x80)
		attr->form = DW_FORM_exprloc;
	return dwarf_getlocation_addr(attr, m->f->pc, ops, n, 1) == 1;
}

static bool push_frame_base(struct machine *m, int64_t offset)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!m->f->function || !dwarf_attr_integrate(m->f->function, DW_AT_frame_base, &attr) ||
	    !find_operations(m, &attr, &ops, &n))
		return machine_fail(m, "the function has no frame base");
	if (!machine_enter(m) || !machine_run(m, ops, n, &attr))
		return false;
	m->calls--;
	m->is_value = false; /* DW_OP_reg as a frame base means the register's value */
	if (!need(m, 1))
		return false;
	m->stack[m->depth - 1] = machine_plus(m, m->stack[m->depth - 1], offset);
	return true;
}

static bool implicit_value(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	Dwarf_Block block;
	uint64_t value = 0;

	if (!attr || dwarf_getlocation_implicit_value(attr, op, &block))
		return machine_fail(m, "its location is malformed: an implicit value without one");
	if (block.length > sizeof(value))
		return machine_fail(m, "it is a constant of more than 8 bytes");
	memcpy(&value, block.data, block.length);
	m->is_value = true;
	return push_constant(m, (int64_t)value);
}

static bool implicit_pointer(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *op)
{
	if (!attr || dwarf_getlocation_die(attr, op, &m->ret->target))
		return machine_fail(m, "its location is malformed: a pointer to nothing");
	m->ret->kind = LOCATION_POINTER;
	m->ret->offset = (int64_t)op->number2;
	m->is_value = true;
	return push_constant(m, 0);
}

/* ---- one operation ---- */

static const struct {
	uint8_t atom;
	enum op op;
} arithmetic[] = {
	{ DW_OP_plus, OP_ADD }, { DW_OP_minus, OP_SUB }, { DW_OP_mul, OP_MUL },
	{ DW_OP_div, OP_DIV },	{ DW_OP_mod, OP_MOD },	 { DW_OP_and, OP_AND },
	{ DW_OP_or, OP_OR },	{ DW_OP_xor, OP_XOR },	 { DW_OP_shl, OP_SHL },
	{ DW_OP_shr, OP_USHR }, { DW_OP_shra, OP_SHR },	 { DW_OP_eq, OP_EQ },
	{ DW_OP_ne, OP_NE },	{ DW_OP_lt, OP_LT },	 { DW_OP_le, OP_LE },
	{ DW_OP_gt, OP_GT },	{ DW_OP_ge, OP_GE },
};

/*
 * The sections of a kernel module are loaded apart from each other, so the address needs
 * a symbol.
 */
static bool push_symbol(struct machine *m, uint64_t address)
{
	struct access_operation symbol = { .kind = ACCESS_SYMBOL,
					   .module = m->f->file->module_name };
	int64_t distance;
	struct error *err =
		dwarf_module_symbol(m->s, m->f->file, address, &symbol.symbol, &distance);

	return err ? machine_fail(m, err->text)
		   : machine_push(m, machine_plus(m, machine_add(m, symbol), distance));
}

/*
 * An address in the file is as far from the probed instruction as in the loaded program.
 */
static bool push_address(struct machine *m, uint64_t address)
{
	if (m->f->file->module_name)
		return push_symbol(m, address);
	return machine_push_own_register(m, machine_registers(m)->ip,
					 (int64_t)(address - m->f->pc));
}

/* Pushes the entry at an index of the unit's address table. */
static bool push_indexed(struct machine *m, const Dwarf_Op *op, Dwarf_Attribute *attr)
{
	bool is_address = op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index;
	Dwarf_Addr value;

	if (!attr || !scopes_constant(attr, op, &value))
		return machine_fail(m, "its location is malformed: there is no such address");
	return is_address ? push_address(m, value) : push_constant(m, (int64_t)value);
}

/* Turns the offset in the thread's block into the address. */
static bool push_thread_local(struct machine *m)
{
	int64_t offset;
	struct error *err;
	uint32_t address;

	if (!need(m, 1))
		return false;
	if (m->f->file->is_kernel || m->in_caller ||
	    !constant_of(m, m->stack[m->depth - 1], &offset))
		return machine_fail(m, "it is thread-local");
	m->depth--;
	if (!machine_push_own_register(m, machine_registers(m)->ip, -(int64_t)m->f->pc))
		return false;
	err = thread_variable(m->s, m->f->file->path, m->ret->expression, m->stack[--m->depth],
			      offset, &address);
	return err ? machine_fail(m, err->text) : machine_push(m, address);
}

/* Runs operators that move, load or change entries of the stack. */
static bool step_on_stack(struct machine *m, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_neg:
		return subtract_from(m, 0);
	case DW_OP_not:
		return subtract_from(m, -1);
	case DW_OP_plus_uconst:
		if (!need(m, 1))
			return false;
		m->stack[m->depth - 1] =
			machine_plus(m, m->stack[m->depth - 1], (int64_t)op->number);
		return true;
	case DW_OP_deref:
		return machine_load(m, is_32(m) ? 4 : 8);
	case DW_OP_deref_size:
		return machine_load(m, op->number);
	case DW_OP_dup:
		return pick(m, 0);
	case DW_OP_over:
		return pick(m, 1);
	case DW_OP_pick:
		return pick(m, op->number);
	case DW_OP_drop:
		if (!need(m, 1))
			return false;
		m->depth--;
		return true;
	case DW_OP_swap:
		return rotate(m, 2);
	case DW_OP_rot:
		return rotate(m, 3);
	/* Types of gcc's typed stack: integers are 64 bits wide here. */
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		return need(m, 1);
	case DW_OP_nop:
	case DW_OP_GNU_uninit:
		return true;
	default:
		return machine_fail(
			m, "its location uses a DWARF operation that is not supported here");
	}
}

/* Runs operators about the result: it is the value itself, or a part of it. */
static bool step_to_result(struct machine *m, const Dwarf_Op *op, Dwarf_Attribute *attr)
{
	switch (op->atom) {
	case DW_OP_stack_value:
		m->is_value = true;
		return need(m, 1);
	case DW_OP_implicit_value:
		return implicit_value(m, attr, op);
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return implicit_pointer(m, attr, op);
	case DW_OP_piece:
		return op->number <= MAX_WORDS * 8 ? pieces_push(m, op->number * 8, 0)
						   : pieces_push(m, 0, 0);
	case DW_OP_bit_piece:
		return pieces_push(m, op->number, op->number2);
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return push_thread_local(m);
	case DW_OP_GNU_parameter_ref:
		return machine_fail(m, "it is an argument that only the caller knows");
	default:
		return step_on_stack(m, op);
	}
}

static bool step(struct machine *m, const Dwarf_Op *op, Dwarf_Attribute *attr)
{
	for (size_t i = 0; i < sizeof(arithmetic) / sizeof(arithmetic[0]); i++)
		if (arithmetic[i].atom == op->atom)
			return binary(m, arithmetic[i].op);
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push_constant(m, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(m, op->atom - DW_OP_breg0, (int64_t)op->number);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		m->is_value = true;
		return push_register(m, op->atom - DW_OP_reg0, 0);
	}
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push_constant(m, (int64_t)op->number);
	case DW_OP_addr:
		return push_address(m, op->number);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return push_indexed(m, op, attr);
	case DW_OP_regx:
		m->is_value = true;
		return push_register(m, op->number, 0);
	case DW_OP_bregx:
		return push_register(m, op->number, (int64_t)op->number2);
	case DW_OP_fbreg:
		return push_frame_base(m, (int64_t)op->number);
	case DW_OP_call_frame_cfa:
		return machine_push_cfa(m);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return entryvalue_push(m, op, attr);
	default:
		return step_to_result(m, op, attr);
	}
}

bool machine_run(struct machine *m, const Dwarf_Op *ops, size_t n, Dwarf_Attribute *attr)
{
	for (size_t i = 0; i < n; i++)
		if (!step(m, &ops[i], attr) || m->problem)
			return false;
	return true;
}

/* ---- whole expressions ---- */

static bool conclude(struct machine *m)
{
	struct access_expression *x = m->ret->expression;

	if (m->pieces) {
		m->ret->kind = LOCATION_VALUE;
		return true;
	}
	if (!need(m, 1))
		return false;
	vec_push(m->s->arena, &x->words, m->stack[m->depth - 1]);
	if (m->ret->kind != LOCATION_POINTER)
		m->ret->kind = m->is_value ? LOCATION_VALUE : LOCATION_ADDRESS;
	return true;
}

static struct error *absent(struct session *s, const char *why)
{
	return error_create(s->arena, ERROR_ABSENT, "%s", why);
}

static struct error *constant_value(struct machine *m, Dwarf_Attribute *attr)
{
	Dwarf_Block block;
	Dwarf_Sword number;
	uint64_t value = 0;

	if (!dwarf_formblock(attr, &block)) {
		if (block.length > sizeof(value))
			return absent(m->s, "it is a constant of more than 8 bytes");
		memcpy(&value, block.data, block.length);
		number = (int64_t)value;
	} else if (dwarf_formsdata(attr, &number)) {
		return absent(m->s, "its constant value cannot be read");
	}
	push_constant(m, number);
	m->is_value = true;
	conclude(m);
	return NULL;
}

static struct error *without_location(struct machine *m, Dwarf_Die *variable)
{
	Dwarf_Attribute attr;
	Dwarf_Addr offset;

	if (dwarf_attr_integrate(variable, DW_AT_const_value, &attr))
		return constant_value(m, &attr);
	if (!threadsymbols_offset(m->s, m->f->file, variable, &offset))
		return absent(m->s, "the compiler optimised it out of the whole function");
	push_constant(m, (int64_t)offset);
	return push_thread_local(m) && conclude(m) ? NULL : absent(m->s, m->problem);
}

/* ---- slots that are not stored yet ---- */

/* True: the registers of arguments that it reads are as they were at the entry. */
static bool reads_kept(const struct machine *m, uint64_t written)
{
	const struct arch_calling *calling = arch_of(m->s)->calling;
	uint64_t arguments = 0;

	for (unsigned i = 0; i < calling->argument_count; i++)
		arguments |= UINT64_C(1) << calling->arguments[i];
	vec_each(&m->ret->expression->operations, i) {
		const struct access_operation *op = &m->ret->expression->operations.data[i];
		uint64_t bit = is_vector(m, (uint64_t)op->number)
				       ? STEP_VECTORS
				       : arguments & UINT64_C(1) << (op->number & 63);

		if (op->kind == ACCESS_REGISTER && written & bit)
			return false;
	}
	return true;
}

/*
 * Finds a parameter where the caller has put it. False: it is not one, or not there any
 * more.
 */
static bool find_as_passed(struct machine *m, Dwarf_Die *variable, uint64_t written)
{
	return dwarf_tag(variable) == DW_TAG_formal_parameter && written != ~UINT64_C(0) &&
	       entryargument_find(m, variable) && reads_kept(m, written);
}

/* True: the variable's place is a slot of the frame, which does not have it yet. */
static bool is_unstored(struct machine *m, Dwarf_Die *variable, Dwarf_Attribute *attr,
			uint64_t *written)
{
	*written = 0;
	return entryargument_is_unstored(m, variable, attr) ||
	       (m->f->function && dwarf_may_be_optimised(m->f->function) &&
		slotstores_is_missing(m, variable, written));
}

static const char unstored[] = "the function has not stored it on the stack yet, where debuginfo "
			       "expects it; probe a statement after its first instructions, "
			       "which can keep it by thread for a probe of the return";

struct error *machine_location(struct session *s, const struct location_frame *f,
			       Dwarf_Die *variable, struct location *ret)
{
	struct machine m = { .s = s, .f = f, .ret = ret };
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	uint64_t written;
	size_t n;

	*ret = (struct location){ .expression = arena_new(s->arena, struct access_expression) };
	if (!dwarf_attr_integrate(variable, DW_AT_location, &attr))
		return without_location(&m, variable);
	if (is_unstored(&m, variable, &attr, &written))
		return find_as_passed(&m, variable, written) ? NULL : absent(s, unstored);
	if ((!find_operations(&m, &attr, &ops, &n) || !n) &&
	    !entryvalue_find_argument(&m, variable, &attr, &ops, &n))
		return entryargument_is_hidden(&m, variable) && find_as_passed(&m, variable, 0)
			       ? NULL
			       : absent(s, "it is optimised out at this address");
	if (!gopieces_put_right(s, variable, &ops, &n))
		return absent(s, "its pieces in Go's debuginfo do not fit its type");
	if (!machine_run(&m, ops, n, &attr) || !conclude(&m) || m.problem)
		return absent(s, m.problem);
	return NULL;
}
