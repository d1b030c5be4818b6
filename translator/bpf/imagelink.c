/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/session.h"
#include "bpf/btflines.h"
#include "bpf/clines.h"
#include "bpf/imagelink.h"
#include "bpf/link.h"
#include "bpf/placetext.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "runtime/bpf/arena.h"
#include "runtime/uapi/bpfimage.h"

#define RELOC_DATA 2 /* R_BPF_64_ABS64 */
#define ENTRY	   "stp_bpf_run"
#define WAIT	   "stp_bpf_wait"
#define STACK	   "stp_bpf_stack"
#define REGISTERS  5 /* for arguments */
/* Numbers of functions that do not exist in the process, and so have no address there. */
#define POINTERS_FROM 1
#define POINTER	      "stp_bpf_pointer." /* calls of functions whose signature has that number */

struct object {
	const char *bytes;
	const Elf64_Ehdr *head;
	const Elf64_Shdr *sections;
	size_t nsections;
	const char *section_names;
	const Elf64_Sym *symbols;
	size_t nsymbols;
	const uint32_t *extended; /* sections of symbols where 16 bits are too few, or NULL */
	const char *names;
	const char *types, *lines;	/* .BTF, .BTF.ext */
	uint64_t *places;		/* of each section's data in the arena; 0: not placed */
	const Elf64_Shdr **relocations; /* of each section; NULL: none */
	bool *noted;			/* the functions that each section points to are */
	struct hashmap defined;		/* symbols by name */
};

struct symbol {
	struct object *o;
	const Elf64_Sym *sym;
	struct function *function; /* made of it */
};

static const Elf64_Sym several; /* static variables of the process with the same name */

static void refuse(struct linking *l, const struct function *f, const char *what)
{
	const char *place = placetext(l->s, f->name, f->used_at);

	if (!l->error)
		l->error =
			error_create(l->s->arena, ERROR_SCRIPT,
				     "%s%s--runtime=bpf has no %s (in %s); --runtime=kernel does",
				     place ? place : "", place ? ": " : "", what, f->name);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static const char *symbol_name(const struct object *o, const Elf64_Sym *sym)
{
	return o->names + sym->st_name;
}

static const char *section_name(const struct object *o, unsigned n)
{
	return o->section_names + o->sections[n].sh_name;
}

#define NO_SECTION UINT32_MAX

/* Returns the number of the symbol's section; NO_SECTION: it has a value of its own. */
static unsigned section_of(const struct object *o, const Elf64_Sym *sym)
{
	if (sym->st_shndx == SHN_XINDEX && o->extended)
		return o->extended[sym - o->symbols];
	return sym->st_shndx < SHN_LORESERVE ? sym->st_shndx : NO_SECTION;
}

/*
 * Counts of sections that 16 bits are too few for are in the first section: scripts of
 * tens of thousands of probes have as many.
 */
static void sections_find(struct object *o)
{
	const Elf64_Ehdr *head = o->head;
	unsigned names;

	o->sections = (const void *)(o->bytes + head->e_shoff);
	o->nsections = head->e_shnum ? head->e_shnum : o->sections[0].sh_size;
	names = head->e_shstrndx == SHN_XINDEX ? o->sections[0].sh_link : head->e_shstrndx;
	o->section_names = o->bytes + o->sections[names].sh_offset;
}

static struct error *object_read(struct session *s, const char *path, struct object *ret)
{
	char *bytes;
	size_t len;
	struct error *err = path_read(s->arena, path, &bytes, &len);

	if (err)
		return err;
	*ret = (struct object){ .bytes = bytes, .head = (const void *)bytes };
	sections_find(ret);
	ret->places = arena_alloc(s->arena, ret->nsections * sizeof(*ret->places));
	ret->relocations = arena_alloc(s->arena, ret->nsections * sizeof(*ret->relocations));
	ret->noted = arena_alloc(s->arena, ret->nsections);
	memset(ret->noted, 0, ret->nsections);
	memset(ret->places, 0, ret->nsections * sizeof(*ret->places));
	memset(ret->relocations, 0, ret->nsections * sizeof(*ret->relocations));
	for (size_t i = 0; i < ret->nsections; i++) {
		if (ret->sections[i].sh_type == SHT_REL)
			ret->relocations[ret->sections[i].sh_info] = &ret->sections[i];
		if (!strcmp(section_name(ret, (unsigned)i), ".BTF"))
			ret->types = bytes + ret->sections[i].sh_offset;
		if (!strcmp(section_name(ret, (unsigned)i), ".BTF.ext"))
			ret->lines = bytes + ret->sections[i].sh_offset;
		if (ret->sections[i].sh_type == SHT_SYMTAB_SHNDX)
			ret->extended = (const void *)(bytes + ret->sections[i].sh_offset);
		if (ret->sections[i].sh_type != SHT_SYMTAB)
			continue;
		ret->symbols = (const void *)(bytes + ret->sections[i].sh_offset);
		ret->nsymbols = ret->sections[i].sh_size / sizeof(Elf64_Sym);
		ret->names = bytes + ret->sections[ret->sections[i].sh_link].sh_offset;
	}
	return NULL;
}

static unsigned kind_of(const Elf64_Sym *sym)
{
	return ELF64_ST_TYPE(sym->st_info);
}

/* A name shared by several static variables of the process refers to none of them. */
static void note_process(struct linking *l)
{
	for (size_t i = 0; i < l->program->nsymbols; i++) {
		const Elf64_Sym *sym = &l->program->symbols[i];
		const char *name = symbol_name(l->program, sym);

		if (sym->st_shndx != SHN_UNDEF &&
		    (kind_of(sym) == STT_OBJECT || kind_of(sym) == STT_FUNC))
			hashmap_put(&l->process, name,
				    (void *)(hashmap_get(&l->process, name) ? &several : sym));
	}
}

/* Notes what an object defines, and what the first object that has it does for others. */
static void note_symbols(struct linking *l, struct object *o)
{
	hashmap_init(&o->defined, l->s->arena);
	for (size_t i = 0; i < o->nsymbols; i++) {
		const Elf64_Sym *sym = &o->symbols[i];
		struct symbol *symbol;

		if (ELF64_ST_BIND(sym->st_info) == STB_LOCAL || sym->st_shndx == SHN_UNDEF)
			continue;
		symbol = arena_alloc(l->s->arena, sizeof(*symbol));
		*symbol = (struct symbol){ o, sym, NULL };
		hashmap_put(&o->defined, symbol_name(o, sym), symbol);
		if (!hashmap_get(&l->symbols, symbol_name(o, sym)))
			hashmap_put(&l->symbols, symbol_name(o, sym), symbol);
	}
}

/* Returns what a name means in an object: its own, or another's; NULL: nothing has it. */
static struct symbol *symbol_in(const struct linking *l, const struct object *o, const char *name)
{
	struct symbol *own = o ? hashmap_get(&o->defined, name) : NULL;

	return own ? own : hashmap_get(&l->symbols, name);
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
	struct placed placed = { o, n };

	while (l->data.len % (s->sh_addralign > 8 ? s->sh_addralign : 8))
		strbuf_addc(&l->data, 0);
	o->places[n] = BPF_ARENA_AT + l->data.len;
	if (s->sh_type != SHT_NOBITS)
		strbuf_add(&l->data, o->bytes + s->sh_offset, s->sh_size);
	else
		for (uint64_t i = 0; i < s->sh_size; i++)
			strbuf_addc(&l->data, 0);
	vec_push(l->s->arena, &l->placed, placed);
}

/* Returns the address of a section's data, which it places; 0: it is no data. */
static uint64_t place_of(struct linking *l, struct object *o, unsigned n)
{
	if (n >= o->nsections)
		return 0;
	if (!o->places[n] && section_is_data(o, n))
		place_section(l, o, n);
	return o->places[n];
}

/* ---- functions that the linker makes ---- */

static void write_read(struct linking *l, struct function *f);
static void write_frame(struct linking *l, struct function *f);
static void write_symbols(struct linking *l, struct function *f);

static const struct made {
	const char *name;
	uint32_t nargs;
	void (*write)(struct linking *l, struct function *f);
} made[] = {
	{ "stp_bpf_read", 2, write_read },
	{ "stp_bpf_frame", 1, write_frame },
	{ "stp_bpf_symbols", 0, write_symbols },
};

static const struct made *made_named(const char *name)
{
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (!strcmp(name, made[i].name))
			return &made[i];
	return NULL;
}

/* ---- functions ---- */

/* Reads a function, as irtext.h describes it. */
struct description {
	uint32_t nargs, signature;
};

static struct description describe(struct linking *l, const struct object *o, const char *name)
{
	struct description ret = { REGISTERS, 0 };
	const struct symbol *symbol = symbol_in(l, o, arena_printf(l->s->arena, "args.%s", name));

	if (made_named(name))
		ret.nargs = made_named(name)->nargs;
	else if (begins(name, POINTER))
		ret.signature = (uint32_t)strtoul(name + strlen(POINTER), NULL, 10);
	else if (symbol)
		memcpy(&ret,
		       symbol->o->bytes +
			       symbol->o->sections[section_of(symbol->o, symbol->sym)].sh_offset +
			       symbol->sym->st_value,
		       sizeof(ret));
	return ret;
}

static struct function *new_function(struct linking *l, const struct object *o, const char *name)
{
	struct description d = describe(l, o, name);
	struct function *f = arena_alloc(l->s->arena, sizeof(*f));

	*f = (struct function){ .name = name, .nargs = d.nargs, .signature = d.signature };
	vec_push(l->s->arena, &l->order, f);
	return f;
}

static struct function *function_at(struct linking *l, struct symbol *symbol)
{
	if (!symbol->function) {
		symbol->function = new_function(l, symbol->o, symbol_name(symbol->o, symbol->sym));
		symbol->function->o = symbol->o;
		symbol->function->section = section_of(symbol->o, symbol->sym);
	}
	return symbol->function;
}

/* Returns the function of this name that an object calls; NULL: there is none. */
static struct function *function_named(struct linking *l, const struct object *o, const char *name)
{
	struct symbol *symbol = symbol_in(l, o, name);
	struct function *f = hashmap_get(&l->by_name, name);

	if (symbol)
		return function_at(l, symbol);
	if (f || (!begins(name, POINTER) && !made_named(name)))
		return f;
	f = new_function(l, o, name);
	hashmap_put(&l->by_name, name, f);
	return f;
}

/*
 * Returns the number that represents the function where its address is taken: its address
 * in the process, because both read the same tables.
 */
static uint64_t pointer_to(struct linking *l, struct symbol *symbol)
{
	const char *name = symbol_name(symbol->o, symbol->sym);
	const Elf64_Sym *process = hashmap_get(&l->process, name);
	struct pointed p = { symbol, 0 };

	vec_each(&l->pointed, i)
		if (l->pointed.data[i].symbol == symbol)
			return l->pointed.data[i].number;
	p.number = process && process->st_value && kind_of(process) == STT_FUNC
			   ? process->st_value
			   : POINTERS_FROM + l->pointed.count;
	vec_push(l->s->arena, &l->pointed, p);
	return p.number;
}

static const Elf64_Sym *function_in(const struct object *o, unsigned section)
{
	for (size_t i = 0; i < o->nsymbols; i++)
		if (kind_of(&o->symbols[i]) == STT_FUNC && section_of(o, &o->symbols[i]) == section)
			return &o->symbols[i];
	return NULL;
}

/* Returns the function that a symbol names, or its section; NULL: it names data. */
static struct symbol *function_of(struct linking *l, struct object *o, const Elf64_Sym *sym)
{
	struct symbol *symbol;

	if (kind_of(sym) == STT_SECTION)
		sym = function_in(o, section_of(o, sym));
	if (!sym)
		return NULL;
	symbol = symbol_in(l, o, symbol_name(o, sym));
	return symbol && kind_of(symbol->sym) == STT_FUNC ? symbol : NULL;
}

/* Returns where data is defined: in the object, or in another; NULL: nowhere. */
static const struct symbol *data_of(struct linking *l, struct object *o, const Elf64_Sym *sym,
				    struct symbol *own)
{
	*own = (struct symbol){ o, sym, NULL };
	return sym->st_shndx != SHN_UNDEF ? own : symbol_in(l, NULL, symbol_name(o, sym));
}

static size_t relocations_of(const struct object *o, unsigned section, const Elf64_Rel **ret)
{
	const Elf64_Shdr *s = o->relocations[section];

	*ret = s ? (const void *)(o->bytes + s->sh_offset) : NULL;
	return s ? s->sh_size / sizeof(Elf64_Rel) : 0;
}

/*
 * Notes the functions that data of the process points to, and the data that it refers to:
 * handlers find both through the process, whether or not their code names them.
 */
static void note_pointed(struct linking *l, struct object *o, unsigned n)
{
	const Elf64_Rel *rel;
	size_t count;

	if (n >= o->nsections || o->noted[n] || !section_is_data(o, n))
		return;
	o->noted[n] = true;
	count = relocations_of(o, n, &rel);
	for (size_t i = 0; i < count; i++) {
		const Elf64_Sym *sym = &o->symbols[ELF64_R_SYM(rel[i].r_info)];
		struct symbol *function = function_of(l, o, sym), own;
		const struct symbol *data = data_of(l, o, sym, &own);

		if (function)
			pointer_to(l, function);
		else if (data)
			note_pointed(l, data->o, section_of(data->o, data->sym));
	}
}

/* Returns the address of data, or the number of a function; 0 if nothing defines it. */
static uint64_t address_of(struct linking *l, struct object *o, const Elf64_Sym *sym)
{
	const char *name = symbol_name(o, sym);
	struct symbol *function = function_of(l, o, sym), own;
	const Elf64_Sym *process = *name ? hashmap_get(&l->process, name) : NULL;
	const struct symbol *data = data_of(l, o, sym, &own);
	uint64_t place;

	if (function)
		return pointer_to(l, function);
	if (process && process->st_value && kind_of(process) == STT_OBJECT &&
	    (sym->st_shndx == SHN_UNDEF || process->st_size == sym->st_size)) {
		if (data)
			note_pointed(l, data->o, section_of(data->o, data->sym));
		return process->st_value;
	}
	place = data ? place_of(l, data->o, section_of(data->o, data->sym)) : 0;
	return place ? place + data->sym->st_value : 0;
}

static void relocate_data(struct linking *l, struct object *o, unsigned n)
{
	const Elf64_Rel *rel;
	size_t count = relocations_of(o, n, &rel);

	for (size_t i = 0; i < count; i++) {
		uint64_t value = address_of(l, o, &o->symbols[ELF64_R_SYM(rel[i].r_info)]), addend;
		char *at = l->data.s + (o->places[n] - BPF_ARENA_AT) + rel[i].r_offset;

		if (ELF64_R_TYPE(rel[i].r_info) != RELOC_DATA)
			continue;
		memcpy(&addend, at, sizeof(addend));
		value = value ? value + addend : 0;
		memcpy(at, &value, sizeof(value));
	}
}

/* The data that these refer to is placed, too, at the end of the list. */
static void relocate_placed(struct linking *l)
{
	for (; l->relocated < l->placed.count; l->relocated++)
		relocate_data(l, l->placed.data[l->relocated].o,
			      l->placed.data[l->relocated].section);
}

/* ---- code ---- */

static const Elf64_Rel *relocation_at(const struct object *o, unsigned section, size_t offset)
{
	const Elf64_Rel *rel;
	size_t count = relocations_of(o, section, &rel);

	for (size_t i = 0; i < count; i++)
		if (rel[i].r_offset == offset)
			return &rel[i];
	return NULL;
}

/* Returns the name of what a function of the runtime does, if that can be asked for. */
static const char *lacking(const char *function)
{
	if (begins(function, "stp_set_") || begins(function, "stp_store"))
		return "writing to what is probed";
	return function;
}

/* Returns the function that an instruction calls. */
static struct function *callee_of(struct linking *l, struct function *f, const Elf64_Rel *rel)
{
	const Elf64_Sym *sym = rel ? &f->o->symbols[ELF64_R_SYM(rel->r_info)] : NULL;
	struct function *callee;

	if (!rel)
		return f;
	if (kind_of(sym) == STT_SECTION)
		sym = function_in(f->o, section_of(f->o, sym));
	callee = sym ? function_named(l, f->o, symbol_name(f->o, sym)) : NULL;
	if (!callee)
		refuse(l, f, sym ? lacking(symbol_name(f->o, sym)) : "a call");
	return callee;
}

#define TYPED_TASK 158 /* a helper of the kernel: a pointer that loads may be made by */

/*
 * stp_bpf_name_begins() and stp_bpf_name_ends() of runtime/bpf/port.c: a word of the
 * current task's name. The loader adds the name's place in the task. False: another.
 */
static bool add_name(struct linking *l, struct function *f, const char *callee)
{
	bool begins = !strcmp(callee, "stp_bpf_name_begins");

	if (!begins && strcmp(callee, "stp_bpf_name_ends") != 0)
		return false;
	l->uses |= BPFIMAGE_USES_NAME;
	code_add(l, &f->code, INSN(BPF_JMP | BPF_CALL, 0, 0, 0, TYPED_TASK));
	code_add(l, &f->code,
		 INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 0, begins ? 0 : 8, BPFIMAGE_IN_NAME));
	return true;
}

static void add_call(struct linking *l, struct function *f, struct bpf_insn in,
		     const Elf64_Rel *rel)
{
	const Elf64_Sym *sym = rel ? &f->o->symbols[ELF64_R_SYM(rel->r_info)] : NULL;
	bool is_wait = sym && !strcmp(symbol_name(f->o, sym), WAIT);
	bool is_stack = sym && !strcmp(symbol_name(f->o, sym), STACK);
	struct function *callee;

	if (sym && add_name(l, f, symbol_name(f->o, sym)))
		return;
	callee = is_wait || is_stack ? NULL : callee_of(l, f, rel);
	code_add(l, &f->code, in);
	f->code.data[f->code.count - 1].callee = callee;
	f->code.data[f->code.count - 1].is_wait = is_wait;
	f->code.data[f->code.count - 1].is_stack = is_stack;
	if (is_stack)
		l->uses |= BPFIMAGE_USES_STACK;
	if (callee)
		vec_push(l->s->arena, &f->callees, callee);
}

/* Resolves an address, the two instructions at `in`. */
static void add_address(struct linking *l, struct function *f, const struct bpf_insn *in,
			const Elf64_Rel *rel, int64_t offset)
{
	uint64_t value =
		((uint32_t)in[0].imm | (uint64_t)(uint32_t)in[1].imm << 32) + (uint64_t)offset;

	if (rel) {
		const Elf64_Sym *sym = &f->o->symbols[ELF64_R_SYM(rel->r_info)];
		uint64_t address = address_of(l, f->o, sym);

		if (!address)
			refuse(l, f, symbol_name(f->o, sym));
		value += address;
	}
	code_add_address(l, &f->code, in[0].dst_reg, value);
}

static void add_jump(struct linking *l, struct function *f, const struct bpf_insn *in, long i)
{
	code_add_jump(l, &f->code, *in, i + 1 + (in->code == OP_GOTO_LONG ? in->imm : in->off));
}

static bool is_constant(const struct bpf_insn *i)
{
	return i->code == (BPF_ALU64 | BPF_MOV | BPF_K) || i->code == (BPF_ALU | BPF_MOV | BPF_K);
}

static bool *targets_of(struct linking *l, const struct bpf_insn *in, size_t n)
{
	bool *ret = arena_alloc(l->s->arena, n + 1);

	memset(ret, 0, n + 1);
	for (size_t i = 0; i < n; i++) {
		long to = (long)i + 1 + (in[i].code == OP_GOTO_LONG ? in[i].imm : in[i].off);

		if (code_is_jump(&in[i]) && to >= 0 && to <= (long)n)
			ret[to] = true;
	}
	return ret;
}

/* True: a constant is added to a register. */
static bool adds_to(const struct bpf_insn *i, int reg)
{
	return i->code == (BPF_ALU64 | BPF_ADD | BPF_K) && i->dst_reg == reg;
}

/* True: two instructions that leave the lower half of a register. */
static bool halves(const struct bpf_insn *in)
{
	return in[0].code == (BPF_ALU64 | BPF_LSH | BPF_K) && in[0].imm == 32 &&
	       in[1].code == (BPF_ALU64 | BPF_RSH | BPF_K) && in[1].imm == 32 &&
	       in[0].dst_reg == in[1].dst_reg;
}

/* Reads the function's instructions; `map` gets the new place of each. */
static void translate(struct linking *l, struct function *f, const struct bpf_insn *in, size_t n,
		      long *map)
{
	const bool *is_target = targets_of(l, in, n);

	for (size_t i = 0; i < n && !l->error; i++) {
		bool is_call = in[i].code == (BPF_JMP | BPF_CALL) && in[i].src_reg == 1;
		bool is_address = in[i].code == (BPF_LD | BPF_IMM | BPF_DW);
		const Elf64_Rel *rel = is_call || is_address
					       ? relocation_at(f->o, f->section, i * sizeof(*in))
					       : NULL;

		map[i] = (long)f->code.count;
		if (is_address) {
			bool adds = i + 2 < n && !is_target[i + 2] && rel &&
				    adds_to(&in[i + 2], in[i].dst_reg);

			add_address(l, f, &in[i], rel, adds ? in[i + 2].imm : 0);
			for (unsigned k = adds ? 2 : 1; k; k--)
				map[++i] = (long)f->code.count;
			continue;
		}
		if (i + 1 < n && !is_target[i + 1] && halves(&in[i])) {
			code_add(l, &f->code,
				 INSN(BPF_ALU | BPF_MOV | BPF_X, in[i].dst_reg, in[i].dst_reg, 0,
				      0));
			map[++i] = (long)f->code.count;
			continue;
		}
		if (is_call)
			add_call(l, f, in[i], rel);
		else if (is_constant(&in[i]))
			code_add_hidden(l, &f->code, &in[i]);
		else if (code_is_jump(&in[i]))
			add_jump(l, f, &in[i], (long)i);
		else
			code_add(l, &f->code, in[i]);
	}
}

/* Notes the places of the instructions that translate() has made of these n. */
static void note_places(struct linking *l, struct function *f, const long *map, size_t n)
{
	const uint32_t *lines = btflines_read(l->s->arena, f->o->lines, f->o->types,
					      section_name(f->o, f->section), n);

	for (size_t i = 0; lines && i < n; i++)
		for (long at = map[i]; at < map[i + 1]; at++)
			f->code.data[at].of = clines_place(l->lines, lines[i]);
}

/* Converts targets from indexes of the object's instructions to indexes of the code. */
static void place_targets(struct function *f, const long *map, size_t n)
{
	for (size_t i = 0; i < f->code.count; i++) {
		long target = f->code.data[i].target;

		if (target >= 0)
			f->code.data[i].target = map[(size_t)target < n ? target : (long)n];
	}
}

static void read_function(struct linking *l, struct function *f)
{
	const Elf64_Shdr *section = &f->o->sections[f->section];
	const struct bpf_insn *in = (const void *)(f->o->bytes + section->sh_offset);
	size_t n = section->sh_size / sizeof(*in);
	long *map = arena_alloc(l->s->arena, (n + 1) * sizeof(*map));

	translate(l, f, in, n, map);
	if (l->error)
		return;
	map[n] = (long)f->code.count;
	place_targets(f, map, n);
	note_places(l, f, map, n);
	loops_bound(l, f);
	code_define(l, f);
	loadedconstants_reveal(l, f);
	loops_settle(l, f);
}

static void add_stuck(struct linking *l, struct function *f, enum bpf_stuck why)
{
	code_add_address(l, &f->code, 1, l->shared + offsetof(struct bpf_shared, stuck));
	code_add(l, &f->code, TO_ARENA(1));
	code_add(l, &f->code, INSN(BPF_ST | BPF_MEM | BPF_W, 1, 0, 0, why));
	code_add(l, &f->code, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0));
	code_add(l, &f->code, EXIT);
}

/* Writes the exit for a function that is stuck in a loop or runs out of its code. */
static void add_end(struct linking *l, struct function *f)
{
	const struct bpf_insn *last = &f->code.data[f->code.count - 1].i;
	bool needed = !code_is_exit(last) && !code_is_goto(last);

	for (size_t i = 0; i < f->code.count; i++)
		needed |= f->code.data[i].i.code == OP_MAY_GOTO;
	if (needed)
		add_stuck(l, f, BPF_STUCK_LOOP);
}

/* ---- calls through pointers ---- */

/*
 * Writes a function that calls the function represented by its first argument: one with
 * this signature whose address is taken.
 */
static void write_pointer_call(struct linking *l, struct function *f)
{
	f->nargs = f->callees.count ? f->callees.data[0]->nargs + 1 : 1;
	vec_each(&f->callees, i) {
		struct function *callee = f->callees.data[i];
		long next = (long)(f->code.count + 1 + callee->nargs + 2);

		code_add_jump(l, &f->code,
			      INSN(BPF_JMP | BPF_JNE | BPF_K, 1, 0, 0,
				   pointer_to(l, symbol_in(l, callee->o, callee->name))),
			      next);
		for (unsigned n = 1; n <= callee->nargs; n++)
			code_add(l, &f->code, MOVE(n, n + 1));
		code_add(l, &f->code, INSN(BPF_JMP | BPF_CALL, 0, 1, 0, 0));
		f->code.data[f->code.count - 1].callee = callee;
		code_add(l, &f->code, EXIT);
	}
	add_stuck(l, f, BPF_STUCK_POINTER);
}

/* Helpers of the kernel, by their numbers. */
#define READ_USER   112 /* (to, size, from) */
#define READ_KERNEL 113 /* the same */

/*
 * stp_bpf_read() of runtime/bpf/access.c: reads to the kernel's stack. The kernel's
 * addresses are in the upper half.
 */
static void write_read(struct linking *l, struct function *f)
{
	f->on_stack = true;
	code_add(l, &f->code, STORE_K(10, -8, 0));
	code_add(l, &f->code, MOVE(3, 1));
	code_add(l, &f->code, MOVE(1, 10));
	code_add(l, &f->code, ADD(1, -8));
	code_add_jump(l, &f->code, INSN(BPF_JMP | BPF_JGT | BPF_K, 2, 0, 0, 8), 10);
	code_add_jump(l, &f->code, INSN(BPF_JMP | BPF_JSLT | BPF_K, 3, 0, 0, 0), 8);
	code_add(l, &f->code, INSN(BPF_JMP | BPF_CALL, 0, 0, 0, READ_USER));
	code_add_jump(l, &f->code, GOTO, 9);
	code_add(l, &f->code, INSN(BPF_JMP | BPF_CALL, 0, 0, 0, READ_KERNEL));
	code_add_jump(l, &f->code, INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0), 13);
	code_add_address(l, &f->code, 1, l->shared + offsetof(struct bpf_shared, fault));
	code_add(l, &f->code, TO_ARENA(1));
	code_add(l, &f->code, INSN(BPF_ST | BPF_MEM | BPF_W, 1, 0, 0, 1));
	code_add(l, &f->code, LOAD(0, 10, -8));
	code_add(l, &f->code, EXIT);
}

/*
 * stp_bpf_frame() of runtime/bpf/kernelstack.c: an address of the stack that was taken
 * last.
 */
static void write_frame(struct linking *l, struct function *f)
{
	f->on_stack = true;
	code_add(l, &f->code, INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0));
	code_add_jump(l, &f->code, INSN(BPF_JMP | BPF_JGE | BPF_K, 1, 0, 0, BPFIMAGE_STACK_WORDS),
		      7);
	code_add(l, &f->code,
		 INSN(BPF_LD | BPF_IMM | BPF_DW, 2, BPF_PSEUDO_MAP_VALUE, 0, BPFIMAGE_STACK));
	code_add(l, &f->code, INSN(0, 0, 0, 0, 0));
	code_add(l, &f->code, INSN(BPF_ALU64 | BPF_LSH | BPF_K, 1, 0, 0, 3));
	code_add(l, &f->code, INSN(BPF_ALU64 | BPF_ADD | BPF_X, 2, 1, 0, 0));
	code_add(l, &f->code, LOAD(0, 2, 0));
	code_add(l, &f->code, EXIT);
}

/*
 * stp_bpf_symbols() of runtime/bpf/kernelstack.c: the table that the process makes if a
 * program asks for it.
 */
static void write_symbols(struct linking *l, struct function *f)
{
	l->uses |= BPFIMAGE_USES_SYMBOLS;
	f->on_stack = true;
	code_add_address(l, &f->code, 1, l->shared + offsetof(struct bpf_shared, symbols));
	code_add(l, &f->code, TO_ARENA(1));
	code_add(l, &f->code, LOAD(0, 1, 0));
	code_add(l, &f->code, EXIT);
}

/* Lets a call through pointers reach the functions with its signature known so far. */
static void find_callees(struct linking *l, struct function *f)
{
	for (size_t i = 0; i < l->pointed.count; i++) {
		struct symbol *symbol = l->pointed.data[i].symbol;
		struct description d = describe(l, symbol->o, symbol_name(symbol->o, symbol->sym));
		struct function *callee;
		bool known = false;

		if (d.signature != f->signature || d.nargs >= REGISTERS)
			continue;
		callee = function_at(l, symbol);
		vec_each(&f->callees, k)
			known |= f->callees.data[k] == callee;
		if (!known)
			vec_push(l->s->arena, &f->callees, callee);
	}
}

/*
 * Reads all functions that the entry reaches. Functions whose address is taken are added
 * to the order only if a call may reach them.
 */
static void read_functions(struct linking *l)
{
	size_t done = 0, count;

	do {
		count = l->order.count;
		for (; done < l->order.count && !l->error; done++)
			if (l->order.data[done]->o)
				read_function(l, l->order.data[done]);
		relocate_placed(l);
		for (size_t i = 0; i < l->order.count && !l->error; i++)
			if (begins(l->order.data[i]->name, POINTER))
				find_callees(l, l->order.data[i]);
	} while (count != l->order.count && !l->error);
	for (size_t i = 0; i < l->order.count && !l->error; i++)
		if (begins(l->order.data[i]->name, POINTER))
			write_pointer_call(l, l->order.data[i]);
		else if (!l->order.data[i]->o)
			made_named(l->order.data[i]->name)->write(l, l->order.data[i]);
}

/* ---- places ---- */

/* Notes the place that uses a function, and all that it calls: the first one found. */
static void note_use(struct function *f, const char *at)
{
	if (f->used_at)
		return;
	f->used_at = at;
	vec_each(&f->callees, i)
		note_use(f->callees.data[i], at);
}

static void note_uses(struct linking *l)
{
	vec_each(&l->order, k) {
		struct function *f = l->order.data[k];

		for (size_t i = 0; i < f->code.count; i++)
			if (f->code.data[i].callee && f->code.data[i].of)
				note_use(f->code.data[i].callee, f->code.data[i].of);
	}
}

/* Instructions that are of no statement have the place of the function. */
static void name_instructions(struct linking *l, struct function *f)
{
	const char *whole = placetext(l->s, f->name, f->used_at);

	for (size_t i = 0; i < f->code.count; i++)
		if (!f->code.data[i].of)
			f->code.data[i].of = whole;
}

static void settle(struct linking *l)
{
	functions left = { 0 };

	note_uses(l);
	mergecalls_choose(l);
	vec_each(&l->order, i)
		arenaframe_measure(l->order.data[i]);
	vec_each(&l->order, i) {
		struct function *f = l->order.data[i];

		arenaframe_place(l, f);
		if (f->ends > BPF_STACK_AT)
			refuse(l, f, "frames of this size");
		if (!f->on_stack) {
			if (!f->merged)
				add_end(l, f);
			arenaframe_settle(l, f);
		}
		name_instructions(l, f);
	}
	mergecalls_merge(l);
	vec_each(&l->order, i)
		if (!i || !l->order.data[i]->merged) {
			vec_push(l->s->arena, &left, l->order.data[i]);
			code_end_values(l, l->order.data[i]);
			code_resolve(l, &l->order.data[i]->code);
		}
	l->order = left;
}

struct error *imagelink_link(struct session *s, const char *const *objects, size_t n,
			     const char *program, const struct clines *lines, struct strbuf *ret)
{
	struct object process;
	struct linking l = { .s = s, .nobjects = n, .program = &process, .lines = lines };
	struct error *err = object_read(s, program, &process);
	const Elf64_Sym *shared;

	hashmap_init(&l.symbols, s->arena);
	hashmap_init(&l.process, s->arena);
	hashmap_init(&l.by_name, s->arena);
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
	shared = hashmap_get(&l.process, "bpf_shared");
	if (!shared || !function_named(&l, NULL, ENTRY))
		return error_create(s->arena, ERROR_ENVIRONMENT, "no %s in the runtime", ENTRY);
	l.shared = shared->st_value;
	l.machine = process.head->e_machine;
	/* The first page holds no data: a NULL pointer must not lead to any. */
	for (unsigned i = 0; i < BPFIMAGE_DATA_FROM; i++)
		strbuf_addc(&l.data, 0);
	for (size_t i = 0; i < l.objects[0].nsections; i++)
		note_pointed(&l, &l.objects[0], i);
	read_functions(&l);
	if (!l.error)
		settle(&l);
	if (!l.error)
		imagewrite(&l, ret);
	return l.error;
}
