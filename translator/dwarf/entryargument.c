/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters whose only location is a fixed place in the function's own frame, as in
 * optimised code that takes their address. At the function's first instruction nothing is
 * stored there yet: the calling convention says where the value is, if the function
 * certainly follows it.
 */
#include <dwarf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "dwarf/classpassing.h"
#include "dwarf/debugfile.h"
#include "dwarf/find.h"
#include "dwarf/kernelinfo.h"
#include "dwarf/languages.h"
#include "dwarf/machine.h"
#include "dwarf/units.h"
#include "dwarf/unittypes.h"
#include "formats/btf.h"
#include "types/calling.h"
#include "types/types.h"

#define MOST_FLOATS 8 /* numbers in vector registers; later ones are on the stack */

/* ---- is the place one of the function's frame? ---- */

static bool is_fixed(Dwarf_Attribute *attr)
{
	return dwarf_whatform(attr) == DW_FORM_exprloc || dwarf_whatform(attr) == DW_FORM_block1;
}

bool entryargument_is_unstored(const struct machine *m, Dwarf_Die *variable, Dwarf_Attribute *attr)
{
	Dwarf_Attribute base;
	Dwarf_Op *ops;
	size_t n;
	/* The return address, if it is on the stack, ends the function's own frame. */
	int64_t offset, end = arch_of(m->s)->calling->return_address;

	if (!m->f->is_entry || dwarf_tag(variable) != DW_TAG_formal_parameter || !is_fixed(attr) ||
	    dwarf_getlocation(attr, &ops, &n) || !n || ops->atom != DW_OP_fbreg)
		return false;
	offset = (int64_t)ops->number;
	if (m->f->file->address_size == 4)
		end /= 2;
	if (!m->f->function || !dwarf_attr_integrate(m->f->function, DW_AT_frame_base, &base))
		return false;
	if (!is_fixed(&base)) /* gcc's DWARF 2 lists where the CFA is */
		return offset < end;
	if (dwarf_getlocation(&base, &ops, &n) || n != 1)
		return false;
	/* A register that is the base gets its value in the first instructions. */
	return ops->atom == DW_OP_call_frame_cfa
		       ? offset < end
		       : ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31;
}

/* ---- does the function follow the convention? ---- */

static bool speaks_c(Dwarf_Die *unit)
{
	return languages_is_c(unit) || languages_is_plus_plus(unit);
}

bool dwarf_passes_as_c(const struct dwarf_place *p)
{
	Dwarf_Die function, unit;

	return p->file->address_size == 8 && units_die(p->file, p->instance, &function) &&
	       dwarf_diecu(&function, &unit, NULL, NULL) && speaks_c(&unit);
}

static Dwarf_Word constant_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;

	return dwarf_formudata(dwarf_attr_integrate(die, name, &attr), &value) ? 0 : value;
}

/*
 * Compilers give copies of a function other parameters: gcc's have a suffix in their
 * names; clang changes functions of one file as they are.
 */
static bool is_as_written(struct machine *m, Dwarf_Die *unit)
{
	struct dwarf_place p = { .file = m->f->file,
				 .address = m->f->pc,
				 .function = dwarf_diename(m->f->function) };
	Dwarf_Attribute attr;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));

	if (!p.function || !producer ||
	    constant_of(m->f->function, DW_AT_calling_convention) > DW_CC_normal ||
	    strchr(dwarf_place_symbol(m->s, &p), '.'))
		return false;
	return !strncmp(producer, "GNU ", 4) || !dwarf_may_be_optimised(m->f->function) ||
	       dwarf_has_hidden_pointers(m->f->function) ||
	       dwarf_hasattr_integrate(m->f->function, DW_AT_external);
}

static bool is_pointed_to(const Dwarf_Op *ops, size_t n)
{
	return n && ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31 &&
	       ((n == 1 && !ops[0].number) || (n == 2 && ops[1].atom == DW_OP_deref));
}

/* True: the parameter's first place is memory at an address that a register has. */
static bool is_hidden(Dwarf_Die *function, Dwarf_Die *parameter)
{
	Dwarf_Addr base, begin, end;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_has_hidden_pointers(function) ||
	    !dwarf_attr_integrate(parameter, DW_AT_location, &attr) || is_fixed(&attr))
		return false;
	return dwarf_getlocations(&attr, 0, &base, &begin, &end, &ops, &n) > 0 &&
	       is_pointed_to(ops, n);
}

bool entryargument_is_hidden(const struct machine *m, Dwarf_Die *variable)
{
	return m->f->is_entry && m->f->function && dwarf_tag(variable) == DW_TAG_formal_parameter &&
	       is_hidden(m->f->function, variable);
}

/* How C++ passes a parameter: its place also tells whether it has the value. */
static unsigned parameter_convention(Dwarf_Die *function, Dwarf_Die *parameter)
{
	unsigned convention = classpassing_of(parameter);
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!convention && is_hidden(function, parameter))
		return DW_CC_pass_by_reference;
	if (convention || !dwarf_attr_integrate(parameter, DW_AT_location, &attr) ||
	    !is_fixed(&attr) || dwarf_getlocation(&attr, &ops, &n) || !n ||
	    ops->atom != DW_OP_fbreg)
		return convention;
	return n == 1				      ? DW_CC_pass_by_value
	       : n == 2 && ops[1].atom == DW_OP_deref ? DW_CC_pass_by_reference
						      : 0;
}

struct prototype {
	struct kernel_function f;
	VEC(unsigned) conventions; /* of its parameters */
};

/* Reads the prototype. False: copies of parameters are missing, or in another order. */
static bool read_prototype(struct machine *m, struct unit_types *types, Dwarf_Die *parameter,
			   struct prototype *ret, size_t *index)
{
	struct kernel_function *f = &ret->f;
	Dwarf_Attribute attr;
	Dwarf_Die child, origin, written;
	bool is_copy = dwarf_attr(m->f->function, DW_AT_abstract_origin, &attr) &&
		       dwarf_formref_die(&attr, &origin);
	bool more = is_copy && !dwarf_child(&origin, &written), found = false;

	if (dwarf_child(m->f->function, &child))
		return false;
	do {
		struct kernel_param p = { .name = "" };
		unsigned convention = parameter_convention(m->f->function, &child);

		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		while (more && dwarf_tag(&written) != DW_TAG_formal_parameter)
			more = !dwarf_siblingof(&written, &written);
		if (is_copy && (!more || !dwarf_attr(&child, DW_AT_abstract_origin, &attr) ||
				!dwarf_formref_die(&attr, &origin) ||
				dwarf_dieoffset(&origin) != dwarf_dieoffset(&written)))
			return false;
		more = more && !dwarf_siblingof(&written, &written);
		if (dwarf_dieoffset(&child) == dwarf_dieoffset(parameter)) {
			found = true;
			*index = f->params.count;
		}
		/* An address takes one register, as a value of an unknown type does. */
		if (convention != DW_CC_pass_by_reference)
			p.type_id = unittypes_of(types, &child);
		vec_push(m->s->arena, &f->params, p);
		vec_push(m->s->arena, &ret->conventions, convention);
	} while (!found && !dwarf_siblingof(&child, &child));
	f->btf = unittypes_btf(types);
	f->return_type = unittypes_of(types, m->f->function);
	return found;
}

/* ---- types ---- */

/* True: it consists of numbers and pointers, each at a multiple of its size. */
static bool is_plain(const struct machine *m, const struct btf *b, uint32_t id, uint64_t bit,
		     unsigned depth)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));
	const struct btf_member *members = t ? btf_tail(t) : NULL;
	const struct btf_array *array = (const void *)members;
	uint32_t kind = t ? btf_kind_of(t) : BTF_KIND_UNKN;

	if (depth > BTF_MAX_DEPTH)
		return false;
	if (kind == BTF_KIND_PTR)
		return bit % 64 == 0;
	if (kind == BTF_KIND_INT || kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
		return t->size && t->size <= 8 && bit % (t->size * 8) == 0;
	if (kind == BTF_KIND_FLOAT)
		return arch_of(m->s)->calling->counts_vectors && t->size <= 8 &&
		       bit % (t->size * 8) == 0;
	if (kind == BTF_KIND_ARRAY) /* further elements are as aligned as the first two */
		return !array->nelems ||
		       (is_plain(m, b, array->type, bit, depth + 1) &&
			is_plain(m, b, array->type, bit + btf_size(b, array->type) * 8, depth + 1));
	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION)
		return false;
	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		uint32_t at = members[i].offset;

		if (BTF_INFO_KFLAG(t->info)) {
			if (BTF_MEMBER_BITFIELD_SIZE(at))
				continue;
			at = BTF_MEMBER_BIT_OFFSET(at);
		}
		if (!is_plain(m, b, members[i].type, bit + at, depth + 1))
			return false;
	}
	return true;
}

static bool is_float(const struct btf *b, uint32_t id)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));

	return t && btf_kind_of(t) == BTF_KIND_FLOAT && (t->size == 4 || t->size == 8);
}

/* True: it is a number of 16 bytes. */
static bool is_long(const struct btf *b, uint32_t id)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));

	return t && t->size == 16 &&
	       (btf_kind_of(t) == BTF_KIND_INT || btf_kind_of(t) == BTF_KIND_FLOAT);
}

/*
 * True: the value is passed in as many registers as C would use, or its address is. C++
 * passes some classes by their addresses, which take one register as well.
 */
static bool is_certain(struct machine *m, const struct prototype *p, size_t i, bool plus_plus,
		       bool own)
{
	uint32_t id = p->f.params.data[i].type_id;
	struct type_info info;

	if (p->conventions.data[i] == DW_CC_pass_by_reference)
		return true;
	if (!own && arch_of(m->s)->calling->counts_vectors && is_long(p->f.btf, id))
		return true;
	if (types_info(m->s, p->f.btf, id, &info) || !info.size || !is_plain(m, p->f.btf, id, 0, 0))
		return false;
	return info.kind != KTYPE_AGGREGATE || !plus_plus || (!own && info.size <= 8) ||
	       p->conventions.data[i] == DW_CC_pass_by_value;
}

/* True: it is certain whether an argument tells the function where to put its result. */
static bool has_certain_result(struct machine *m, struct kernel_function *f, bool plus_plus)
{
	struct type_info info;
	unsigned convention;

	if (!f->return_type)
		return true;
	if (types_info(m->s, f->btf, f->return_type, &info))
		return false;
	convention = plus_plus ? classpassing_of(m->f->function) : DW_CC_pass_by_value;
	f->returns_by_address = convention == DW_CC_pass_by_reference;
	return info.kind != KTYPE_AGGREGATE || info.size > 16 || convention;
}

bool dwarf_returns_by_address(const struct dwarf_place *p)
{
	Dwarf_Die function;

	return p->file->address_size == 8 && units_die(p->file, p->instance, &function) &&
	       classpassing_of(&function) == DW_CC_pass_by_reference;
}

/* ---- values ---- */

static bool push_register(struct machine *m, unsigned reg)
{
	uint32_t value;

	if (!machine_push_own_register(m, reg, 0))
		return false;
	value = m->stack[--m->depth];
	vec_push(m->s->arena, &m->ret->expression->words, value);
	m->ret->kind = LOCATION_VALUE;
	return true;
}

static bool push_argument(struct machine *m, const struct argument *arg)
{
	const struct arch_calling *calling = arch_of(m->s)->calling;

	if (arg->problem || !arg->registers ||
	    (arg->place != PATH_VALUE && arg->place != PATH_REGISTERS))
		return false;
	if (arg->number >= calling->argument_count) { /* on the stack */
		if (!machine_push_cfa(m))
			return false;
		m->depth--;
		vec_push(m->s->arena, &m->ret->expression->words,
			 machine_plus(m, m->stack[m->depth],
				      8 * (int64_t)(arg->number - calling->argument_count)));
		m->ret->kind = LOCATION_ADDRESS;
		return true;
	}
	for (unsigned i = 0; i < arg->registers; i++)
		if (!push_register(m, calling->arguments[arg->number + i]))
			return false;
	return true;
}

/* Finds a value by the address that is passed. */
static bool push_referred(struct machine *m, const struct argument *arg)
{
	const struct arch_calling *calling = arch_of(m->s)->calling;

	if (arg->number >= calling->argument_count ||
	    !push_register(m, calling->arguments[arg->number]))
		return false;
	m->ret->kind = LOCATION_ADDRESS;
	return true;
}

/* True: the registers and slots that the parameters up to this one take are certain. */
static bool are_certain(struct machine *m, const struct prototype *p, size_t index, bool plus_plus,
			unsigned *floats)
{
	for (size_t i = 0; i <= index; i++) {
		if (is_float(p->f.btf, p->f.params.data[i].type_id))
			++*floats;
		else if (!is_certain(m, p, i, plus_plus, i == index))
			return false;
	}
	return *floats <= MOST_FLOATS || arch_of(m->s)->calling->counts_vectors;
}

bool entryargument_find(struct machine *m, Dwarf_Die *parameter)
{
	struct prototype p = { 0 };
	struct kernel_function *f = &p.f;
	const struct arch *arch = arch_of(m->s);
	struct unit_types *types;
	unsigned floats = 0;
	arguments args = { 0 };
	Dwarf_Die unit;
	size_t index = 0;
	bool plus_plus;

	if (m->f->file->address_size != 8 || !dwarf_diecu(m->f->function, &unit, NULL, NULL) ||
	    !speaks_c(&unit) || !is_as_written(m, &unit) ||
	    dwarf_unit_types(m->s, m->f->file, m->f->function, &types) ||
	    !read_prototype(m, types, parameter, &p, &index))
		return false;
	plus_plus = !languages_is_c(&unit);
	if (!has_certain_result(m, f, plus_plus) || !are_certain(m, &p, index, plus_plus, &floats))
		return false;
	calling_place(m->s, f, &args);
	if (is_float(f->btf, f->params.data[index].type_id)) {
		unsigned number =
			arch->calling->counts_vectors ? args.data[index].number : floats - 1;

		return number < MOST_FLOATS && push_register(m, arch->registers->vectors + number);
	}
	if (!f->params.data[index].type_id)
		return push_referred(m, &args.data[index]);
	return push_argument(m, &args.data[index]);
}
