/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <string.h>

#include "base/session.h"
#include "bpf/imagelink.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/vec.h"
#include "runtime/bpf/arena.h"
#include "runtime/uapi/bpfimage.h"

/* Newer than the headers of some distributions. */
#define RELOC_DATA     2  /* R_BPF_64_ABS64 */
#define RELOC_ADDRESS  1  /* R_BPF_64_64 */
#define RELOC_CALL     10 /* R_BPF_64_32 */
#define OP_MAY_GOTO    0xe5
#define OP_GOTO_LONG   (BPF_JMP32 | BPF_JA)
#define CAST	       1 /* `off` of a move that is a cast */
#define CAST_TO_NUMBER (1 << 16)
#define ENTRY	       "stp_bpf_run"
#define SHORT	       100 /* instructions of a function that is inlined in a chain */
#define SHORTENED_FROM 2   /* depth of the chain that it begins */
#define ENTRY_LENGTH   5   /* instructions of add_entry() */
#define DEPTH_MOST     8   /* frames that the kernel has for calls */

struct object {
	const char *name;
	const char *bytes;
	const Elf64_Ehdr *head;
	const Elf64_Shdr *sections;
	const Elf64_Sym *symbols;
	size_t nsymbols;
	const char *names;
	uint64_t *places; /* of each section's data in the arena */
};

struct symbol {
	struct object *o;
	const Elf64_Sym *sym;
};

struct instruction {
	struct bpf_insn i;
	long target; /* of a jump, an index of the function's code; -1: none */
	struct function *callee;
};
typedef VEC(struct instruction) instructions;

struct function {
	const char *name;
	struct object *o;
	unsigned section;
	unsigned nargs;
	bool linking, linked; /* its callees are being linked; all is */
	unsigned depth;	      /* frames of the deepest chain of calls that it begins */
	bool called;	      /* it is in the image */
	bool is_entry;
	instructions code;
	uint32_t at; /* of its first instruction in the image */
	uint32_t type;
};

struct linking {
	struct session *s;
	struct object *objects;
	size_t nobjects;
	struct object program;
	struct hashmap symbols;	  /* global ones: name to struct symbol */
	struct hashmap process;	  /* the process's data: name to Elf64_Sym */
	struct hashmap functions; /* name to struct function */
	VEC(struct function *) order;
	struct strbuf data;
	struct error *error;
};

static const char *symbol_name(const struct object *o, const Elf64_Sym *sym)
{
	return o->names + sym->st_name;
}

static const char *section_name(const struct object *o, unsigned n)
{
	return o->bytes + o->sections[o->head->e_shstrndx].sh_offset + o->sections[n].sh_name;
}

static struct error *object_read(struct session *s, const char *path, struct object *ret)
{
	char *bytes;
	size_t len;
	struct error *err = path_read(s->arena, path, &bytes, &len);

	if (err)
		return err;
	*ret = (struct object){ .name = path, .bytes = bytes, .head = (const void *)bytes };
	ret->sections = (const void *)(bytes + ret->head->e_shoff);
	ret->places = arena_alloc(s->arena, ret->head->e_shnum * sizeof(*ret->places));
	for (unsigned i = 0; i < ret->head->e_shnum; i++) {
		if (ret->sections[i].sh_type != SHT_SYMTAB)
			continue;
		ret->symbols = (const void *)(bytes + ret->sections[i].sh_offset);
		ret->nsymbols = ret->sections[i].sh_size / sizeof(Elf64_Sym);
		ret->names = bytes + ret->sections[ret->sections[i].sh_link].sh_offset;
	}
	return NULL;
}

static bool is_data(const Elf64_Sym *sym)
{
	return ELF64_ST_TYPE(sym->st_info) == STT_OBJECT && sym->st_shndx != SHN_UNDEF;
}

/* A name that several static variables of the process have stands for none. */
static void note_process(struct linking *l)
{
	static const Elf64_Sym several;

	for (size_t i = 0; i < l->program.nsymbols; i++) {
		const Elf64_Sym *sym = &l->program.symbols[i];
		const char *name = symbol_name(&l->program, sym);

		if (is_data(sym))
			hashmap_put(&l->process, name,
				    (void *)(hashmap_get(&l->process, name) ? &several : sym));
	}
}

static void note_symbols(struct linking *l, struct object *o)
{
	for (size_t i = 0; i < o->nsymbols; i++) {
		const Elf64_Sym *sym = &o->symbols[i];
		struct symbol *symbol;

		if (ELF64_ST_BIND(sym->st_info) == STB_LOCAL || sym->st_shndx == SHN_UNDEF)
			continue;
		symbol = arena_alloc(l->s->arena, sizeof(*symbol));
		*symbol = (struct symbol){ o, sym };
		hashmap_put(&l->symbols, symbol_name(o, sym), symbol);
	}
}

/* ---- data ---- */

static bool section_is_data(const struct object *o, unsigned n)
{
	const Elf64_Shdr *s = &o->sections[n];

	return (s->sh_flags & SHF_ALLOC) && !(s->sh_flags & SHF_EXECINSTR) &&
	       (s->sh_type == SHT_PROGBITS || s->sh_type == SHT_NOBITS) &&
	       strcmp(section_name(o, n), ".args");
}

static void place_section(struct linking *l, struct object *o, unsigned n)
{
	const Elf64_Shdr *s = &o->sections[n];

	while (l->data.len % 64)
		strbuf_addc(&l->data, 0);
	o->places[n] = BPF_ARENA_AT + l->data.len;
	if (s->sh_type != SHT_NOBITS)
		strbuf_add(&l->data, o->bytes + s->sh_offset, s->sh_size);
	else
		for (uint64_t i = 0; i < s->sh_size; i++)
			strbuf_addc(&l->data, 0);
}

/* The first page stays without data: address 0 is none, and a mistake would find it. */
static void place_data(struct linking *l)
{
	for (unsigned i = 0; i < 4096; i++)
		strbuf_addc(&l->data, 0);
	for (size_t k = 0; k < l->nobjects; k++)
		for (unsigned n = 0; n < l->objects[k].head->e_shnum; n++)
			if (section_is_data(&l->objects[k], n))
				place_section(l, &l->objects[k], n);
}

/* Returns the address of data; 0 for a function, or for what is nowhere. */
static uint64_t address_of(struct linking *l, struct object *o, const Elf64_Sym *sym)
{
	const char *name = symbol_name(o, sym);
	const Elf64_Sym *process = *name ? hashmap_get(&l->process, name) : NULL;
	const struct symbol *symbol;

	if (process && process->st_value &&
	    (sym->st_shndx == SHN_UNDEF || process->st_size == sym->st_size) &&
	    ELF64_ST_TYPE(sym->st_info) != STT_FUNC)
		return process->st_value;
	if (sym->st_shndx == SHN_UNDEF) {
		symbol = hashmap_get(&l->symbols, name);
		if (!symbol)
			return 0;
		o = symbol->o;
		sym = symbol->sym;
	}
	return o->places[sym->st_shndx] ? o->places[sym->st_shndx] + sym->st_value : 0;
}

static void relocate_data(struct linking *l, struct object *o, unsigned n)
{
	const Elf64_Rel *rel = (const void *)(o->bytes + o->sections[n].sh_offset);
	size_t count = o->sections[n].sh_size / sizeof(*rel);
	uint64_t place = o->places[o->sections[n].sh_info];

	for (size_t i = 0; place && i < count; i++) {
		char *at = l->data.s + (place - BPF_ARENA_AT) + rel[i].r_offset;
		uint64_t value = address_of(l, o, &o->symbols[ELF64_R_SYM(rel[i].r_info)]), addend;

		if (ELF64_R_TYPE(rel[i].r_info) != RELOC_DATA)
			continue;
		memcpy(&addend, at, sizeof(addend));
		value = value ? value + addend : 0;
		memcpy(at, &value, sizeof(value));
	}
}

static void relocate_all(struct linking *l)
{
	for (size_t k = 0; k < l->nobjects; k++)
		for (unsigned n = 0; n < l->objects[k].head->e_shnum; n++)
			if (l->objects[k].sections[n].sh_type == SHT_REL)
				relocate_data(l, &l->objects[k], n);
}

/* ---- code ---- */

static void add(struct linking *l, instructions *code, struct bpf_insn i)
{
	struct instruction in = { .i = i, .target = -1 };

	vec_push(l->s->arena, code, in);
}

#define INSN(code_, dst, src, off_, imm_)                                                          \
	((struct bpf_insn){ .code = (code_),                                                       \
			    .dst_reg = (dst),                                                      \
			    .src_reg = (src),                                                      \
			    .off = (__s16)(off_),                                                  \
			    .imm = (__s32)(imm_) })

static bool is_jump(const struct bpf_insn *i)
{
	unsigned class = BPF_CLASS(i->code), op = BPF_OP(i->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
}

static bool is_exit(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_EXIT);
}

static bool is_goto(const struct bpf_insn *i)
{
	return i->code == (BPF_JMP | BPF_JA) || i->code == OP_GOTO_LONG;
}

/* Writes a constant that the verifier does not know. */
static void add_hidden(struct linking *l, instructions *code, const struct bpf_insn *i)
{
	bool is_negative = i->code == (BPF_ALU64 | BPF_MOV | BPF_K) && i->imm < 0;

	add(l, code,
	    INSN(BPF_ALU | BPF_MOV | BPF_K, i->dst_reg, 0, 0,
		 is_negative ? 0u - (uint32_t)i->imm : (uint32_t)i->imm));
	add(l, code,
	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, i->dst_reg, i->dst_reg, CAST, CAST_TO_NUMBER));
	if (is_negative)
		add(l, code, INSN(BPF_ALU64 | BPF_NEG, i->dst_reg, 0, 0, 0));
}

static const Elf64_Rel *relocation_at(const struct object *o, unsigned section, size_t offset)
{
	for (unsigned n = 0; n < o->head->e_shnum; n++) {
		const Elf64_Rel *rel = (const void *)(o->bytes + o->sections[n].sh_offset);

		if (o->sections[n].sh_type != SHT_REL || o->sections[n].sh_info != section)
			continue;
		for (size_t i = 0; i < o->sections[n].sh_size / sizeof(*rel); i++)
			if (rel[i].r_offset == offset)
				return &rel[i];
	}
	return NULL;
}

static void refuse(struct linking *l, const struct function *f, const char *what, const char *name)
{
	if (!l->error)
		l->error = error_create(l->s->arena, ERROR_SCRIPT,
					"--runtime=bpf cannot do %s yet: %s (in %s)", what, name,
					f->name);
}

static const Elf64_Sym *function_in(const struct object *o, unsigned section)
{
	for (size_t i = 0; i < o->nsymbols; i++)
		if (ELF64_ST_TYPE(o->symbols[i].st_info) == STT_FUNC &&
		    o->symbols[i].st_shndx == section)
			return &o->symbols[i];
	return NULL;
}

static unsigned arguments_of(struct linking *l, const char *name)
{
	const struct symbol *symbol =
		hashmap_get(&l->symbols, arena_printf(l->s->arena, "args.%s", name));

	return symbol ? (unsigned)symbol->sym->st_size - 1 : 0;
}

static struct function *function_named(struct linking *l, const char *name)
{
	const struct symbol *symbol = hashmap_get(&l->symbols, name);
	struct function *f = hashmap_get(&l->functions, name);

	if (f || !symbol)
		return f;
	f = arena_alloc(l->s->arena, sizeof(*f));
	*f = (struct function){ .name = name,
				.o = symbol->o,
				.section = symbol->sym->st_shndx,
				.nargs = arguments_of(l, name) };
	hashmap_put(&l->functions, name, f);
	return f;
}

/* Returns the function that an instruction calls. */
static struct function *callee_of(struct linking *l, struct function *f, const Elf64_Rel *rel)
{
	const Elf64_Sym *sym = rel ? &f->o->symbols[ELF64_R_SYM(rel->r_info)] : NULL;
	struct function *callee;

	if (!rel)
		return f;
	if (ELF64_ST_TYPE(sym->st_info) == STT_SECTION)
		sym = function_in(f->o, sym->st_shndx);
	callee = sym ? function_named(l, symbol_name(f->o, sym)) : NULL;
	if (!callee)
		refuse(l, f, "this", sym ? symbol_name(f->o, sym) : "a call");
	return callee;
}

/* Resolves an address, the two instructions at `in`. */
static void add_address(struct linking *l, struct function *f, const struct bpf_insn *in,
			const Elf64_Rel *rel)
{
	uint64_t value = (uint32_t)in[0].imm | (uint64_t)(uint32_t)in[1].imm << 32;
	struct bpf_insn low = in[0], high = in[1];

	if (rel) {
		const Elf64_Sym *sym = &f->o->symbols[ELF64_R_SYM(rel->r_info)];
		uint64_t address = address_of(l, f->o, sym);

		if (!address && ELF64_ST_TYPE(sym->st_info) != STT_FUNC)
			refuse(l, f, "this", symbol_name(f->o, sym));
		value += address;
	}
	low.src_reg = 0;
	low.imm = (__s32)value;
	high.imm = (__s32)(value >> 32);
	add(l, &f->code, low);
	add(l, &f->code, high);
}

/* Reads the function's instructions; `map` gets the new place of each. */
static void translate(struct linking *l, struct function *f, const struct bpf_insn *in, size_t n,
		      long *map)
{
	for (size_t i = 0; i < n && !l->error; i++) {
		const Elf64_Rel *rel = NULL;
		bool is_call = in[i].code == (BPF_JMP | BPF_CALL);

		map[i] = (long)f->code.count;
		if (in[i].code == (BPF_LD | BPF_IMM | BPF_DW) || (is_call && in[i].src_reg == 1))
			rel = relocation_at(f->o, f->section, i * sizeof(*in));
		if (in[i].code == (BPF_LD | BPF_IMM | BPF_DW)) {
			add_address(l, f, &in[i], rel);
			i++;
			continue;
		}
		if (in[i].code == (BPF_JMP | BPF_CALL | BPF_X))
			refuse(l, f, "this",
			       arena_printf(l->s->arena, "a call through a pointer, at %zu", i));
		if (in[i].code == (BPF_ALU64 | BPF_MOV | BPF_K) ||
		    in[i].code == (BPF_ALU | BPF_MOV | BPF_K)) {
			add_hidden(l, &f->code, &in[i]);
			continue;
		}
		if (is_jump(&in[i])) {
			long to =
				(long)i + 1 + (in[i].code == OP_GOTO_LONG ? in[i].imm : in[i].off);

			if (to <= (long)i) { /* a loop: its end is behind the code */
				add(l, &f->code, INSN(OP_MAY_GOTO, 0, 0, 0, 0));
				f->code.data[f->code.count - 1].target = (long)n;
			}
			add(l, &f->code, in[i]);
			f->code.data[f->code.count - 1].target = to;
			continue;
		}
		add(l, &f->code, in[i]);
		if (is_call && in[i].src_reg == 1)
			f->code.data[f->code.count - 1].callee = callee_of(l, f, rel);
	}
}

/* Writes what ends a function in a loop, or one that runs out of its code. */
static void add_end(struct linking *l, struct function *f)
{
	const Elf64_Sym *shared = hashmap_get(&l->process, "bpf_shared");
	const struct bpf_insn *last = &f->code.data[f->code.count - 1].i;
	bool needed = !is_exit(last) && !is_goto(last);

	for (size_t i = 0; i < f->code.count; i++)
		needed |= f->code.data[i].i.code == OP_MAY_GOTO;
	if (!needed || !shared)
		return;
	add(l, &f->code, INSN(BPF_LD | BPF_IMM | BPF_DW, 1, 0, 0, shared->st_value));
	add(l, &f->code, INSN(0, 0, 0, 0, 0));
	add(l, &f->code, INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 1, CAST, 1));
	add(l, &f->code, INSN(BPF_ST | BPF_MEM | BPF_W, 1, 0, 0, 1));
	add(l, &f->code, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0));
	add(l, &f->code, INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0));
}

/* Makes targets indexes of the code, from those of the object's instructions. */
static void place_targets(struct function *f, const long *map, size_t n)
{
	for (size_t i = 0; i < f->code.count; i++) {
		long target = f->code.data[i].target;

		if (target >= 0)
			f->code.data[i].target = map[(size_t)target < n ? target : (long)n];
	}
}

/*
 * Begins the first function: gives it the two words of its context. It names the arena,
 * to which all addresses then belong.
 */
static void add_entry(struct linking *l, struct function *f)
{
	add(l, &f->code, INSN(BPF_ALU64 | BPF_MOV | BPF_X, 3, 1, 0, 0));
	add(l, &f->code, INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, 0));
	add(l, &f->code, INSN(0, 0, 0, 0, 0));
	add(l, &f->code, INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 3, 0, 0));
	add(l, &f->code, INSN(BPF_LDX | BPF_MEM | BPF_DW, 2, 3, 8, 0));
}

/* ---- calls that are too deep: the callee's code takes the place of the call ---- */

/* Returns the register that is the base of an access to memory; -1: it is none. */
static int base_of(const struct bpf_insn *i)
{
	switch (BPF_CLASS(i->code)) {
	case BPF_LDX:
		return i->src_reg;
	case BPF_ST:
	case BPF_STX:
		return i->dst_reg;
	default:
		return -1;
	}
}

/* Returns the bytes of the function's frame. */
static int frame_of(const struct function *f)
{
	int ret = 0;

	for (size_t i = 0; i < f->code.count; i++)
		if (base_of(&f->code.data[i].i) == 10 && -f->code.data[i].i.off > ret)
			ret = -f->code.data[i].i.off;
	return (ret + 7) / 8 * 8;
}

/* Writes what saves the registers 6 to 9 in a frame, or what brings them back. */
static void add_saves(struct linking *l, instructions *out, int frame, bool back)
{
	for (int n = 6; n <= 9; n++)
		if (back)
			add(l, out,
			    INSN(BPF_LDX | BPF_MEM | BPF_DW, n, 10, -(frame + 8 * (n - 5)), 0));
		else
			add(l, out,
			    INSN(BPF_STX | BPF_MEM | BPF_DW, 10, n, -(frame + 8 * (n - 5)), 0));
}

static void add_inlined(struct linking *l, instructions *out, const struct function *f, int frame)
{
	int shift = frame + 4 * 8;
	long begin, end;

	add_saves(l, out, frame, false);
	begin = (long)out->count;
	end = begin + (long)f->code.count;
	for (size_t i = 0; i < f->code.count; i++) {
		struct instruction in = f->code.data[i];

		if (in.target >= 0)
			in.target += begin;
		if (base_of(&in.i) == 10)
			in.i.off = (__s16)(in.i.off - shift);
		if (is_exit(&in.i)) {
			in.i = INSN(BPF_JMP | BPF_JA, 0, 0, 0, 0);
			in.target = end;
		}
		vec_push(l->s->arena, out, in);
	}
	add_saves(l, out, frame, true);
}

/*
 * True: the callee's code takes the place of its calls. A short one between others makes
 * chains shorter for little.
 */
static bool is_inlined(const struct function *callee)
{
	return callee && (callee->depth >= DEPTH_MOST ||
			  (callee->depth >= SHORTENED_FROM && callee->code.count <= SHORT));
}

static bool has_deep_call(const struct function *f)
{
	for (size_t i = 0; i < f->code.count; i++)
		if (is_inlined(f->code.data[i].callee))
			return true;
	return false;
}

static void inline_deep_calls(struct linking *l, struct function *f)
{
	instructions old = f->code, out = { 0 };
	int frame = frame_of(f);
	long *map = arena_alloc(l->s->arena, old.count * sizeof(*map));
	size_t at = 0;

	if (!has_deep_call(f))
		return;
	/* The entry of the image begins with its own instructions. */
	for (; f->is_entry && at < ENTRY_LENGTH; at++) {
		map[at] = (long)out.count;
		vec_push(l->s->arena, &out, old.data[at]);
	}
	for (unsigned n = 6; n <= 9; n++) /* what is saved must have a value */
		add(l, &out, INSN(BPF_ALU64 | BPF_MOV | BPF_K, n, 0, 0, 0));
	for (size_t i = at; i < old.count; i++) {
		const struct function *callee = old.data[i].callee;

		map[i] = (long)out.count;
		if (is_inlined(callee))
			add_inlined(l, &out, callee, frame);
		else
			vec_push(l->s->arena, &out, old.data[i]);
	}
	for (size_t i = 0; i < old.count; i++)
		if (old.data[i].target >= 0)
			out.data[map[i]].target = map[old.data[i].target];
	f->code = out;
}

static void link_function(struct linking *l, struct function *f);

static void link_callees(struct linking *l, struct function *f)
{
	for (size_t i = 0; i < f->code.count && !l->error; i++) {
		struct function *callee = f->code.data[i].callee;

		if (callee && callee->linking && !callee->linked)
			refuse(l, f, "recursion", callee->name);
		else if (callee && !callee->linked)
			link_function(l, callee);
	}
	inline_deep_calls(l, f);
	f->depth = 1;
	for (size_t i = 0; i < f->code.count; i++)
		if (f->code.data[i].callee && f->code.data[i].callee->depth >= f->depth)
			f->depth = f->code.data[i].callee->depth + 1;
}

static void link_function(struct linking *l, struct function *f)
{
	const Elf64_Shdr *section = &f->o->sections[f->section];
	const struct bpf_insn *in = (const void *)(f->o->bytes + section->sh_offset);
	size_t n = section->sh_size / sizeof(*in);
	long *map = arena_alloc(l->s->arena, (n + 1) * sizeof(*map));

	f->linking = true;
	if (f->is_entry)
		add_entry(l, f);
	translate(l, f, in, n, map);
	if (l->error)
		return;
	map[n] = (long)f->code.count;
	add_end(l, f);
	place_targets(f, map, n);
	link_callees(l, f);
	f->linked = true;
}

/* ---- memory ---- */

/*
 * The kernel has 512 bytes of stack for all frames together. So what a function keeps is
 * in a frame in the arena, of its own, as no function calls itself.
 */
#define SMALL_FRAME 16

static bool is_cast_of(const struct instruction *in, int reg)
{
	return in->i.code == (BPF_ALU64 | BPF_MOV | BPF_X) && in->i.off == CAST && in->i.imm == 1 &&
	       in->i.dst_reg == reg;
}

static void add_frame_address(struct linking *l, instructions *out, int reg, uint64_t address)
{
	add(l, out, INSN(BPF_LD | BPF_IMM | BPF_DW, reg, 0, 0, address));
	add(l, out, INSN(0, 0, 0, 0, 0));
	add(l, out, INSN(BPF_ALU64 | BPF_MOV | BPF_X, reg, reg, CAST, 1));
}

/* Writes an access to the stack as one to the frame that ends at the address. */
static void add_in_frame(struct linking *l, instructions *out, struct bpf_insn i, uint64_t end)
{
	uint64_t address = end + (uint64_t)(int64_t)i.off;
	unsigned scratch = BPF_CLASS(i.code) == BPF_STX && i.src_reg == 9 ? 8 : 9;

	i.off = 0;
	if (BPF_CLASS(i.code) == BPF_LDX) {
		add_frame_address(l, out, i.dst_reg, address);
		i.src_reg = i.dst_reg;
		add(l, out, i);
		return;
	}
	add(l, out, INSN(BPF_STX | BPF_MEM | BPF_DW, 10, scratch, -8, 0));
	add_frame_address(l, out, (int)scratch, address);
	i.dst_reg = scratch & 15;
	add(l, out, i);
	add(l, out, INSN(BPF_LDX | BPF_MEM | BPF_DW, scratch, 10, -8, 0));
}

static bool *targets_of(struct linking *l, const struct function *f)
{
	bool *ret = arena_alloc(l->s->arena, f->code.count + 1);

	memset(ret, 0, f->code.count + 1);
	for (size_t i = 0; i < f->code.count; i++)
		if (f->code.data[i].target >= 0)
			ret[f->code.data[i].target] = true;
	return ret;
}

/* Returns the end of the function's frame in the arena; 0: it stays on the stack. */
static uint64_t place_frame(struct linking *l, const struct function *f)
{
	int bytes = frame_of(f);

	if (bytes <= SMALL_FRAME)
		return 0;
	while (l->data.len % 8)
		strbuf_addc(&l->data, 0);
	for (int i = 0; i < bytes; i++)
		strbuf_addc(&l->data, 0);
	return BPF_ARENA_AT + l->data.len;
}

/* Puts the frame into the arena, and has each access use an address that was cast. */
static void settle_memory(struct linking *l, struct function *f)
{
	instructions old = f->code, out = { 0 };
	long *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));
	bool *is_target = targets_of(l, f);
	uint64_t frame = place_frame(l, f);

	for (size_t i = 0; i < old.count; i++) {
		int base = base_of(&old.data[i].i);

		if (frame && i == (f->is_entry ? ENTRY_LENGTH : 0))
			for (unsigned n = 8; n <= 9; n++) /* what is saved must have a value */
				add_hidden(l, &out, &INSN(BPF_ALU64 | BPF_MOV | BPF_K, n, 0, 0, 0));
		map[i] = (long)out.count;
		if (base == 10 && frame) {
			add_in_frame(l, &out, old.data[i].i, frame);
			continue;
		}
		if (base >= 0 && base != 10 && (!f->is_entry || i >= ENTRY_LENGTH) &&
		    (!i || is_target[i] || !is_cast_of(&old.data[i - 1], base)))
			add(l, &out, INSN(BPF_ALU64 | BPF_MOV | BPF_X, base, base, CAST, 1));
		vec_push(l->s->arena, &out, old.data[i]);
		if (old.data[i].target >= 0)
			out.data[out.count - 1].target = -2 - old.data[i].target;
	}
	map[old.count] = (long)out.count;
	for (size_t i = 0; i < out.count; i++)
		if (out.data[i].target <= -2)
			out.data[i].target = map[-2 - out.data[i].target];
	f->code = out;
}

/* Lists the functions that are called, callers first. */
static void collect(struct linking *l, struct function *f)
{
	f->called = true;
	vec_push(l->s->arena, &l->order, f);
	for (size_t i = 0; i < f->code.count; i++)
		if (f->code.data[i].callee && !f->code.data[i].callee->called)
			collect(l, f->code.data[i].callee);
}

#define FAR 10000 /* a jump's distance that may become too long for 16 bits */

/* Replaces conditional jumps that may lead too far by short ones over a long jump. */
static void lengthen_jumps(struct linking *l, struct function *f)
{
	instructions old = f->code, out = { 0 };
	long *map = arena_alloc(l->s->arena, (old.count + 1) * sizeof(*map));

	if (old.count < FAR)
		return;
	for (size_t i = 0; i < old.count; i++) {
		struct instruction in = old.data[i];
		long away = in.target - (long)i;

		map[i] = (long)out.count;
		if (in.target >= 0 && !is_goto(&in.i) && (away > FAR || away < -FAR)) {
			struct bpf_insn jump = in.i;

			jump.off = 1;
			add(l, &out, jump);
			add(l, &out, INSN(BPF_JMP | BPF_JA, 0, 0, 1, 0));
			in.i = INSN(OP_GOTO_LONG, 0, 0, 0, 0);
		}
		if (in.target >= 0)
			in.target = -2 - in.target;
		vec_push(l->s->arena, &out, in);
	}
	map[old.count] = (long)out.count;
	for (size_t i = 0; i < out.count; i++)
		if (out.data[i].target <= -2)
			out.data[i].target = map[-2 - out.data[i].target];
	f->code = out;
}

/*
 * The kernel changes code while it loads a program, and jumps must still fit. What is
 * longer has become so by inlining: the script asks for chains of calls that are too
 * deep.
 */
#define LONGEST 12000

/* Writes the distances of jumps. */
static void resolve_jumps(struct linking *l, struct function *f)
{
	for (size_t i = 0; i < f->code.count; i++) {
		struct instruction *in = &f->code.data[i];
		long off = in->target - (long)i - 1;

		if (in->target < 0)
			continue;
		if (in->i.code == (BPF_JMP | BPF_JA) && off != (__s16)off)
			in->i.code = OP_GOTO_LONG;
		if (in->i.code == OP_GOTO_LONG) {
			in->i.off = 0;
			in->i.imm = (__s32)off;
		} else if (off == (__s16)off) {
			in->i.off = (__s16)off;
		} else {
			refuse(l, f, "this", "a function of that length");
		}
	}
}

/* ---- the image ---- */

/* ---- types: one number for all values ---- */

struct types {
	struct strbuf bytes, names;
	uint32_t count;
};

static uint32_t type_name(struct types *t, const char *name)
{
	uint32_t at = (uint32_t)t->names.len;

	strbuf_add(&t->names, name, strlen(name) + 1);
	return at;
}

static uint32_t type_add(struct types *t, uint32_t name, uint32_t kind, uint32_t vlen,
			 uint32_t size)
{
	struct btf_type type = { .name_off = name, .info = kind << 24 | vlen, .size = size };

	strbuf_add(&t->bytes, (const char *)&type, sizeof(type));
	return ++t->count;
}

/* Adds the number, and a prototype of each number of arguments: types 2 to 7. */
static void types_begin(struct types *t, struct arena *a)
{
	uint32_t bits = 1u << 24 | 64; /* signed */

	strbuf_init(&t->bytes, a);
	strbuf_init(&t->names, a);
	strbuf_addc(&t->names, 0);
	type_add(t, type_name(t, "long"), BTF_KIND_INT, 0, 8);
	strbuf_add(&t->bytes, (const char *)&bits, sizeof(bits));
	for (uint32_t n = 0; n <= 5; n++) {
		struct btf_param p = { type_name(t, "a"), 1 };

		type_add(t, 0, BTF_KIND_FUNC_PROTO, n, 1);
		for (uint32_t i = 0; i < n; i++)
			strbuf_add(&t->bytes, (const char *)&p, sizeof(p));
	}
}

static void types_write(const struct types *t, struct strbuf *ret)
{
	struct btf_header head = { .magic = BTF_MAGIC,
				   .version = BTF_VERSION,
				   .hdr_len = sizeof(head),
				   .type_len = (uint32_t)t->bytes.len,
				   .str_off = (uint32_t)t->bytes.len,
				   .str_len = (uint32_t)t->names.len };

	strbuf_add(ret, (const char *)&head, sizeof(head));
	strbuf_add(ret, t->bytes.s, t->bytes.len);
	strbuf_add(ret, t->names.s, t->names.len);
}

static void align(struct strbuf *b)
{
	while (b->len % 8)
		strbuf_addc(b, 0);
}

static uint32_t place_functions(struct linking *l, struct types *t)
{
	uint32_t at = 0;

	for (size_t i = 0; i < l->order.count; i++) {
		struct function *f = l->order.data[i];

		f->at = at;
		f->type = type_add(t, type_name(t, f->name), BTF_KIND_FUNC, BTF_FUNC_GLOBAL,
				   2 + f->nargs);
		at += (uint32_t)f->code.count;
	}
	return at;
}

static void write_code(struct linking *l, struct strbuf *ret)
{
	for (size_t k = 0; k < l->order.count; k++) {
		struct function *f = l->order.data[k];

		for (size_t i = 0; i < f->code.count; i++) {
			struct bpf_insn in = f->code.data[i].i;

			if (f->code.data[i].callee)
				in.imm = (__s32)f->code.data[i].callee->at - (__s32)(f->at + i + 1);
			strbuf_add(ret, (const char *)&in, sizeof(in));
		}
	}
}

static void write_image(struct linking *l, struct strbuf *ret)
{
	struct types t = { .count = 0 };
	struct bpfimage head = { .magic = BPFIMAGE_MAGIC };
	struct strbuf types;

	types_begin(&t, l->s->arena);
	strbuf_init(&types, l->s->arena);
	head.instructions = place_functions(l, &t);
	types_write(&t, &types);
	head.functions = (uint32_t)l->order.count;
	head.types = (uint32_t)types.len;
	head.data = (uint32_t)l->data.len;
	strbuf_add(ret, (const char *)&head, sizeof(head));
	write_code(l, ret);
	for (size_t i = 0; i < l->order.count; i++) {
		struct bpfimage_function f = { l->order.data[i]->at, l->order.data[i]->type };

		strbuf_add(ret, (const char *)&f, sizeof(f));
	}
	strbuf_add(ret, types.s, types.len);
	align(ret);
	strbuf_add(ret, l->data.s, l->data.len);
}

struct error *imagelink_link(struct session *s, const char *const *objects, size_t n,
			     const char *program, struct strbuf *ret)
{
	struct linking l = { .s = s, .nobjects = n };
	struct error *err = object_read(s, program, &l.program);
	struct function *run;

	hashmap_init(&l.symbols, s->arena);
	hashmap_init(&l.process, s->arena);
	hashmap_init(&l.functions, s->arena);
	strbuf_init(&l.data, s->arena);
	l.objects = arena_alloc(s->arena, n * sizeof(*l.objects));
	for (size_t i = 0; i < n && !err; i++) {
		err = object_read(s, objects[i], &l.objects[i]);
		if (!err)
			note_symbols(&l, &l.objects[i]);
	}
	if (err)
		return err;
	note_process(&l);
	place_data(&l);
	relocate_all(&l);
	run = function_named(&l, ENTRY);
	if (!run)
		return error_create(s->arena, ERROR_ENVIRONMENT, "no %s in the runtime", ENTRY);
	run->is_entry = true;
	link_function(&l, run);
	if (!l.error)
		collect(&l, run);
	vec_each(&l.order, i) {
		settle_memory(&l, l.order.data[i]);
		lengthen_jumps(&l, l.order.data[i]);
		if (l.order.data[i]->code.count > LONGEST)
			refuse(&l, l.order.data[i], "a script of this size",
			       "too many calls in calls");
		resolve_jumps(&l, l.order.data[i]);
	}
	if (!l.error)
		write_image(&l, ret);
	return l.error;
}
