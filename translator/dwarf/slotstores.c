/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the function's code from its entry, on all paths, up to the instructions that
 * store the variable: the addresses that are reached have no value in the slot. Where
 * paths meet, the worse state counts.
 *
 * A variable is stored when all bytes of its value are; an array or union, other than a
 * parameter, with its first byte: programs fill it bit by bit. If the slot's address was
 * taken, a call after that may store the rest, and needs it to be stored; unless the
 * function itself begins to store it later, as where the address is computed in advance.
 */
#include "dwarf/slotstores.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/languages.h"
#include "dwarf/scopes.h"
#include "formats/btf.h"
#include "formats/file.h"
#include "program/executable.h"

#define MOST_CODE   (1 << 20) /* bytes of a function */
#define MOST_PARTS  16
#define MOST_BYTES  64 /* of a value, whose stores are noted one by one */
#define MOST_BLOCKS 64 /* in each other */
#define LOST	    INT64_MIN

/* Facts at an address before its instruction runs. */
struct state {
	int64_t stack, frame; /* the pointers, from the CFA on; LOST: unknown */
	uint64_t stored;      /* bytes that all paths have stored, */
	uint64_t written;     /* registers that one of them may have written */
	bool is_begun;	      /* one of them has stored some of the variable */
	bool is_known;	      /* all of them have taken its address */
};

struct address_state {
	uint64_t address, written;
	bool is_stored;
};

struct code_part {
	uint64_t begin, end;
	const uint8_t *code;
	size_t first; /* number of its first byte among those of all parts */
};

struct function_code {
	struct code_part parts[MOST_PARTS];
	unsigned count;
	size_t bytes;
};

/* The result for a slot. */
struct slot_paths {
	Dwarf_Off function, variable;
	int atom; /* of the frame base */
	int64_t offset;
	unsigned size;
	uint64_t needed; /* bytes that must be stored; 0: any */
	bool is_parameter;
	/* Other code may be reached before the variable is stored. */
	bool is_lost;
	VEC(struct address_state) reached; /* by address */
};

typedef VEC(Dwarf_Die) dies;

struct walk {
	struct session *s;
	Dwarf_Die own; /* the block, or the copy of a function, with the variable */
	dies others;   /* blocks of variables for which the slot is used again */
	bool catches;  /* calls may go on in unknown code of the function */
	bool stores;   /* the function's own code stores some of the variable */
	const struct arch_programs *arch;
	const struct function_code *code;
	unsigned sp;
	struct slot_paths *slot;
	struct state *states; /* by number of the byte, NULL before */
	bool *seen;
	uint64_t *todo;
	bool *waits;
	size_t ntodo;
};

/* ---- code ---- */

static const struct code_part *part_of(const struct function_code *c, uint64_t address)
{
	for (unsigned i = 0; i < c->count; i++)
		if (address >= c->parts[i].begin && address < c->parts[i].end)
			return &c->parts[i];
	return NULL;
}

static bool read_code(struct session *s, struct dwarf_file *f, Dwarf_Die *function,
		      struct function_code *ret)
{
	struct executable *p;
	Dwarf_Addr base, begin, end;
	uint64_t offset;

	memset(ret, 0, sizeof(*ret));
	if (f->is_kernel || f->address_size != 8 || !arch_of(s)->programs->step ||
	    executable_read(s, f->path, &p) ||
	    (!f->code.data && file_map(s->arena, p->path, &f->code)))
		return false;
	for (ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &begin, &end)) > 0;) {
		if (ret->count == MOST_PARTS || end <= begin || end - begin > MOST_CODE ||
		    !executable_code_offset(p, begin, &offset) || offset > f->code.len ||
		    end - begin > f->code.len - offset)
			return false;
		ret->parts[ret->count++] =
			(struct code_part){ begin, end, f->code.data + offset, ret->bytes };
		ret->bytes += end - begin;
	}
	return ret->bytes && ret->bytes <= MOST_CODE;
}

static bool read_step(const struct walk *w, uint64_t address, struct arch_step *ret)
{
	const struct code_part *part = part_of(w->code, address);

	return w->arch->step(part->code + (address - part->begin), part->end - address, address,
			     ret);
}

/* ---- states ---- */

static int64_t pointer_of(const struct walk *w, const struct state *x, int reg)
{
	return reg == (int)w->sp ? x->stack : reg == w->arch->frame_pointer ? x->frame : LOST;
}

static int64_t moved(const struct walk *w, const struct state *x, const struct step_pointer *p,
		     int64_t now)
{
	int64_t from = p->is_set ? pointer_of(w, x, p->from) : now;

	return p->is_set && from != LOST ? from + p->distance : from;
}

/*
 * Returns the distance of memory near a register from the slot; LOST: that is not known.
 */
static int64_t from_slot(const struct walk *w, const struct state *x, const struct arch_step *step)
{
	int64_t at = pointer_of(w, x, step->base), base;
	int reg = w->slot->atom == DW_OP_call_frame_cfa ? -1 : w->slot->atom - DW_OP_reg0;

	if (step->base < 0)
		return LOST;
	if (reg == step->base) /* even if it is not known where that is */
		return step->distance - w->slot->offset;
	base = reg < 0 ? 0 : pointer_of(w, x, reg);
	return at == LOST || base == LOST ? LOST : at + step->distance - (base + w->slot->offset);
}

static uint64_t bits(int64_t begin, int64_t end)
{
	uint64_t below = end >= MOST_BYTES ? ~UINT64_C(0) : (UINT64_C(1) << end) - 1;

	return begin >= MOST_BYTES ? 0 : below & ~((UINT64_C(1) << begin) - 1);
}

/* True: code that has the variable's address stores it. */
static bool is_stored_by_others(const struct walk *w, const struct state *x)
{
	return x->is_known && (!w->stores || x->is_begun);
}

static void note_memory(struct walk *w, const struct arch_step *step, struct state *x)
{
	int64_t begin = from_slot(w, x, step), end;

	if (step->memory == STEP_STORES && begin == LOST && !w->slot->is_parameter &&
	    is_stored_by_others(w, x) && step->base != (int)w->sp) {
		x->stored = ~UINT64_C(0); /* perhaps, through its address */
		x->is_begun = true;
	}
	if (begin == LOST || step->memory == STEP_NO_MEMORY || begin >= (int64_t)w->slot->size)
		return;
	end = begin + (step->memory == STEP_TAKES_ADDRESS ? 1 : (int64_t)step->size);
	if (end <= 0)
		return;
	begin = begin < 0 ? 0 : begin;
	if (step->memory == STEP_TAKES_ADDRESS) {
		x->is_known = true;
		return;
	}
	w->stores = true;
	x->stored |= step->is_indexed ? ~UINT64_C(0) : bits(begin, end);
	x->is_begun = true;
}

/* True: the slot is above the function's own frame, where the caller has stored it. */
static bool is_of_caller(const struct walk *w, const struct state *x)
{
	int64_t base = w->slot->atom == DW_OP_call_frame_cfa
			       ? 0
			       : pointer_of(w, x, w->slot->atom - DW_OP_reg0);

	return w->slot->is_parameter && base != LOST && base + w->slot->offset >= 0;
}

static bool is_stored(const struct walk *w, const struct state *x)
{
	return is_of_caller(w, x) ||
	       (w->slot->needed ? !(w->slot->needed & ~x->stored) : x->stored);
}

/* Runs an instruction; what it stores counts if the slot is the variable's then. */
static void run(struct walk *w, const struct arch_step *step, bool is_own, struct state *x)
{
	struct state before = *x;

	if (is_own)
		note_memory(w, step, x);
	if (step->flow == STEP_CALLS && is_stored_by_others(w, &before)) {
		x->stored = ~UINT64_C(0);
		x->is_begun = true;
	}
	x->written |= step->written;
	x->stack = moved(w, &before, &step->stack, before.stack);
	x->frame = moved(w, &before, &step->frame, before.frame);
}

/*
 * True: what is in the slot there is the variable's. Compilers use a slot for several
 * variables of different blocks.
 */
static bool is_its_own(const struct walk *w, uint64_t address)
{
	Dwarf_Die own = w->own;

	if (w->others.count && dwarf_haspc(&own, address) != 1)
		return false;
	vec_each(&w->others, i) {
		Dwarf_Die other = w->others.data[i];

		if (dwarf_haspc(&other, address) == 1)
			return false;
	}
	return true;
}

/* Returns false if nothing new is known of the address. */
static bool meet(struct state *at, const struct state *x)
{
	struct state old = *at;

	at->stack = at->stack == x->stack ? at->stack : LOST;
	at->frame = at->frame == x->frame ? at->frame : LOST;
	at->stored &= x->stored;
	at->written |= x->written;
	at->is_begun |= x->is_begun;
	at->is_known &= x->is_known;
	return at->stack != old.stack || at->frame != old.frame || at->stored != old.stored ||
	       at->written != old.written || at->is_begun != old.is_begun ||
	       at->is_known != old.is_known;
}

/* ---- paths ---- */

static void reach(struct walk *w, uint64_t address, const struct state *x)
{
	const struct code_part *part = part_of(w->code, address);
	size_t n = part ? part->first + (address - part->begin) : 0;
	struct state at = *x;

	if (!part) /* the function is left */
		return;
	if (!is_its_own(w, address)) {
		at.stored = 0;
		at.is_known = false;
	}
	if (!w->seen[n])
		w->states[n] = at;
	else if (!meet(&w->states[n], &at))
		return;
	w->seen[n] = true;
	if (w->waits[n])
		return;
	w->waits[n] = true;
	w->todo[w->ntodo++] = address;
}

static void follow(struct walk *w, uint64_t address)
{
	const struct code_part *part = part_of(w->code, address);
	size_t n = part->first + (address - part->begin);
	struct state x = w->states[n];
	struct arch_step step;
	bool is_unstored = !is_stored(w, &x), is_read = read_step(w, address, &step);

	w->waits[n] = false;
	w->slot->is_lost |= is_unstored && (!is_read || step.flow == STEP_IS_LOST ||
					    (step.flow == STEP_CALLS && w->catches));
	if (!is_read || step.flow == STEP_IS_LOST)
		return;
	run(w, &step, is_its_own(w, address), &x);
	if (step.flow == STEP_JUMPS || step.flow == STEP_BRANCHES)
		reach(w, step.target, &x);
	if (step.flow != STEP_JUMPS && step.flow != STEP_ENDS)
		reach(w, step.next, &x);
}

static int by_address(const void *a, const void *b)
{
	const struct address_state *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void keep(struct walk *w)
{
	for (unsigned i = 0; i < w->code->count; i++) {
		const struct code_part *part = &w->code->parts[i];

		for (size_t n = 0; n < part->end - part->begin; n++) {
			const struct state *x = &w->states[part->first + n];
			struct address_state one = { part->begin + n,
						     x->is_begun ? ~UINT64_C(0) : x->written,
						     is_stored(w, x) };

			if (w->seen[part->first + n])
				vec_push_long(w->s->arena, &w->slot->reached, one);
		}
	}
	if (w->slot->reached.count)
		vec_sort(&w->slot->reached, by_address);
}

static void walk_once(struct walk *w, uint64_t entry)
{
	struct state first = { .stack = arch_of(w->s)->calling->return_address, .frame = LOST };

	memset(w->seen, 0, w->code->bytes * sizeof(*w->seen));
	w->slot->is_lost = false;
	reach(w, entry, &first);
	while (w->ntodo)
		follow(w, w->todo[--w->ntodo]);
}

/* The first walk finds whether the code stores the variable itself. */
static void walk_all(struct walk *w, uint64_t entry)
{
	size_t n = w->code->bytes;

	w->states = calloc(n, sizeof(*w->states));
	w->seen = calloc(n, sizeof(*w->seen));
	w->waits = calloc(n, sizeof(*w->waits));
	w->todo = calloc(n, sizeof(*w->todo));
	if (w->states && w->seen && w->waits && w->todo) {
		walk_once(w, entry);
		if (w->stores)
			walk_once(w, entry);
		keep(w);
	}
	free(w->states);
	free(w->seen);
	free(w->waits);
	free(w->todo);
}

/* ---- values ---- */

/*
 * Marks the bytes of a type's values, without padding. Arrays and unions count for
 * parameters alone: only parts of other ones may ever be stored. False: the type is too
 * large for that, or unknown.
 */
static bool mark_bytes(const struct btf *b, uint32_t id, uint64_t at, bool is_parameter,
		       unsigned depth, uint64_t *ret)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));
	const struct btf_member *m = t ? btf_tail(t) : NULL;
	uint32_t kind = t ? btf_kind_of(t) : BTF_KIND_UNKN;
	uint64_t size = btf_size(b, id);

	if (depth > BTF_MAX_DEPTH || !size || at + size > MOST_BYTES)
		return false;
	if (kind != BTF_KIND_STRUCT) {
		if (is_parameter || (kind != BTF_KIND_UNION && kind != BTF_KIND_ARRAY))
			*ret |= bits((int64_t)at, (int64_t)(at + size));
		return true;
	}
	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		uint32_t offset = m[i].offset;

		if (BTF_INFO_KFLAG(t->info)) {
			if (BTF_MEMBER_BITFIELD_SIZE(offset))
				return false;
			offset = BTF_MEMBER_BIT_OFFSET(offset);
		}
		if (!mark_bytes(b, m[i].type, at + offset / 8, is_parameter, depth + 1, ret))
			return false;
	}
	return true;
}

/* Finds the size of the slot, and the bytes that must be stored. */
static bool measure(struct machine *m, Dwarf_Die *variable, const Dwarf_Op *ops, size_t n,
		    struct slot_paths *slot)
{
	struct unit_types *types;
	uint64_t bytes = 0;
	uint32_t type;

	if (n == 2 && ops[1].atom == DW_OP_deref) { /* the slot has its address */
		slot->size = 8;
		slot->needed = bits(0, 8);
		return true;
	}
	if (n != 1 || dwarf_unit_types(m->s, m->f->file, variable, &types))
		return false;
	type = unittypes_of(types, variable);
	slot->size = (unsigned)btf_size(unittypes_btf(types), type);
	if (mark_bytes(unittypes_btf(types), type, 0, slot->is_parameter, 0, &bytes))
		slot->needed = bytes;
	else if (slot->is_parameter)
		slot->needed = bits(0, slot->size);
	return slot->size;
}

/* ---- slots ---- */

static bool is_fixed(Dwarf_Attribute *attr)
{
	return dwarf_whatform(attr) == DW_FORM_exprloc || dwarf_whatform(attr) == DW_FORM_block1;
}

/* Reads the operations of a variable whose one place is in its function's frame. */
static bool read_place(Dwarf_Die *variable, Dwarf_Op **ops, size_t *n)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(variable, DW_AT_location, &attr) && is_fixed(&attr) &&
	       !dwarf_getlocation(&attr, ops, n) && *n && (*ops)->atom == DW_OP_fbreg;
}

/* Finds a slot whose place is relative to the CFA or to a register of the frame. */
static bool find_slot(struct machine *m, Dwarf_Die *variable, struct slot_paths *slot)
{
	Dwarf_Attribute base;
	Dwarf_Op *ops, *base_ops;
	size_t n, nbase;
	bool is_list; /* gcc's DWARF 2 lists where the CFA is */

	if (!m->f->function || !read_place(variable, &ops, &n) ||
	    !dwarf_attr_integrate(m->f->function, DW_AT_frame_base, &base))
		return false;
	is_list = !is_fixed(&base);
	if (!is_list && (dwarf_getlocation(&base, &base_ops, &nbase) || nbase != 1))
		return false;
	slot->function = dwarf_dieoffset(m->f->function);
	slot->variable = dwarf_dieoffset(variable);
	slot->atom = is_list ? DW_OP_call_frame_cfa : base_ops->atom;
	slot->offset = (int64_t)ops->number;
	slot->is_parameter = dwarf_tag(variable) == DW_TAG_formal_parameter;
	if (slot->atom == DW_OP_call_frame_cfa
		    ? slot->offset >= 0
		    : slot->atom < DW_OP_reg0 || slot->atom > DW_OP_reg31)
		return false; /* the caller has stored it */
	return measure(m, variable, ops, n, slot);
}

static bool overlaps(struct machine *m, Dwarf_Die *variable, const struct slot_paths *slot)
{
	struct slot_paths its = { 0 };

	return find_slot(m, variable, &its) && its.offset < slot->offset + (int64_t)slot->size &&
	       slot->offset < its.offset + (int64_t)its.size;
}

/*
 * Finds the variable's block, and the blocks of others in the same slot. A block around
 * the variable's own is not one of them: the inner variable counts there. Returns whether
 * the variable is in the block.
 */
static bool find_sharing(struct machine *m, struct walk *w, Dwarf_Die *block, unsigned depth)
{
	bool is_shared = false, is_own = false, is_around = false;
	Dwarf_Die child;

	if (depth > MOST_BLOCKS || dwarf_child(block, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (dwarf_dieoffset(&child) == w->slot->variable)
			is_own = true;
		else if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			is_shared |= overlaps(m, &child, w->slot);
		else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
			is_around |= find_sharing(m, w, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
	if (is_own)
		w->own = *block;
	if (is_shared && !is_around)
		vec_push(m->s->arena, &w->others, *block);
	return is_own || is_around;
}

static bool is_same(const struct slot_paths *a, const struct slot_paths *b)
{
	return a->function == b->function && a->variable == b->variable;
}

static void forget_slots(struct arena *a, struct dwarf_file *f)
{
	vec_each(&f->slots, i)
		vec_release(a, &f->slots.data[i]->reached);
	f->slots.count = 0;
}

/* True: the language has exceptions, so that a call may return to a handler. */
static bool catches(Dwarf_Die *function)
{
	Dwarf_Die unit;

	return !dwarf_diecu(function, &unit, NULL, NULL) || !languages_is_c(&unit);
}

/* Only results of the function at hand are kept. */
static const struct slot_paths *paths_of(struct machine *m, const struct slot_paths *slot)
{
	struct dwarf_file *f = m->f->file;
	struct function_code code;
	struct slot_paths *ret;
	struct walk w = { .s = m->s, .arch = arch_of(m->s)->programs, .code = &code };
	Dwarf_Addr entry;

	if (f->slots.count && f->slots.data[0]->function != slot->function)
		forget_slots(m->s->arena, f);
	vec_each(&f->slots, i)
		if (is_same(f->slots.data[i], slot))
			return f->slots.data[i];
	ret = arena_new(m->s->arena, struct slot_paths);
	*ret = *slot;
	vec_push(m->s->arena, &f->slots, ret);
	w.slot = ret;
	w.sp = arch_of(m->s)->registers->sp;
	if (!scopes_entry(m->f->function, &entry) || !read_code(m->s, f, m->f->function, &code))
		return ret;
	w.catches = catches(m->f->function);
	find_sharing(m, &w, m->f->function, 0);
	walk_all(&w, entry);
	return ret;
}

bool slotstores_is_missing(struct machine *m, Dwarf_Die *variable, uint64_t *written)
{
	struct slot_paths slot = { 0 };
	struct address_state key = { .address = m->f->pc };
	const struct slot_paths *paths;
	const struct address_state *found = NULL;

	*written = 0;
	if (m->f->file->is_kernel || m->f->file->address_size != 8 ||
	    !find_slot(m, variable, &slot))
		return false;
	paths = paths_of(m, &slot);
	if (paths->reached.count)
		found = bsearch(&key, paths->reached.data, paths->reached.count, sizeof(key),
				by_address);
	*written = found ? found->written : ~UINT64_C(0);
	return found ? !found->is_stored : paths->is_lost;
}

/*
 * True: the code from the entry to the address has no way out. Loops are fine: large
 * frames are touched page by page.
 */
static bool leads_to(struct session *s, const struct function_code *code, uint64_t entry,
		     uint64_t address)
{
	struct walk w = { .s = s, .arch = arch_of(s)->programs, .code = code };
	struct arch_step step;

	for (uint64_t at = entry; at != address; at = step.next) {
		if (!part_of(code, at) || at > address || !read_step(&w, at, &step) ||
		    (step.flow != STEP_GOES_ON && step.flow != STEP_CALLS &&
		     step.flow != STEP_BRANCHES) ||
		    (step.flow == STEP_BRANCHES && (step.target < entry || step.target > at)))
			return false;
	}
	return true;
}

bool slotstores_are_done(struct session *s, struct dwarf_file *f, Dwarf_Die *function,
			 uint64_t address)
{
	struct location_frame frame = { .pc = address, .function = function, .file = f };
	struct machine m = { .s = s, .f = &frame };
	struct function_code code;
	Dwarf_Die child;
	Dwarf_Addr entry;
	uint64_t written;

	if (!read_code(s, f, function, &code))
		return true;
	if (!scopes_entry(function, &entry) || !leads_to(s, &code, entry, address) ||
	    dwarf_child(function, &child))
		return false;
	do {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter &&
		    slotstores_is_missing(&m, &child, &written))
			return false;
	} while (!dwarf_siblingof(&child, &child));
	return true;
}
