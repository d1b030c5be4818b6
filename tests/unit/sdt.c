/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static markers: notes of an ELF file made here are read, every form of operand is
 * worked out and computed on made-up registers and memory; then files and operands are
 * damaged at random, which the sanitizers watch.
 */
#include <elf.h>
#include <stdint.h>

#include "unit.h"

#include "lib/arena.c"
#include "lib/error.c"
#include "arch/x86_64/marker.c"
#include "arch/x86_64/registers.c"
#include "sdt/argument.c"
#include "sdt/notes.c"

static const struct arch tested = { .registers = &x86_64_registers, .marker = &x86_64_marker };

const struct arch *arch_of_machine(uint16_t elf)
{
	return elf == EM_X86_64 || elf == EM_386 ? &tested : NULL;
}

static struct arena *arena;

/* ---- a file ---- */

#define PC	  0x1234
#define SEMAPHORE 0x4010
#define OLD_BASE  0x2000
#define NEW_BASE  0x12000 /* prelinking moved it by 0x10000 */
#define VARIABLE  0x14020
#define TWICE_A	  0x14040

struct image {
	uint8_t data[8192];
	size_t len;
	Elf64_Shdr headers[8];
	unsigned sections;
	char names[256];
	size_t names_len;
};

static void put(struct image *m, const void *data, size_t len)
{
	memcpy(m->data + m->len, data, len);
	m->len += len;
}

static void begin_section(struct image *m, const char *name, uint32_t type, uint64_t address)
{
	m->headers[m->sections] = (Elf64_Shdr){
		.sh_name = (uint32_t)m->names_len,
		.sh_type = type,
		.sh_addr = address,
		.sh_offset = m->len,
		.sh_addralign = 4,
	};
	memcpy(m->names + m->names_len, name, strlen(name) + 1);
	m->names_len += strlen(name) + 1;
}

static void end_section(struct image *m)
{
	m->headers[m->sections].sh_size = m->len - m->headers[m->sections].sh_offset;
	m->sections++;
	m->len = (m->len + 7) & ~(size_t)7;
}

static void put_note(struct image *m, uint64_t semaphore, const char *strings, size_t len)
{
	uint64_t addresses[3] = { PC, OLD_BASE, semaphore };
	uint32_t header[3] = { 8, (uint32_t)(sizeof(addresses) + len), 3 };

	put(m, header, sizeof(header));
	put(m, "stapsdt", 8);
	put(m, addresses, sizeof(addresses));
	put(m, strings, len);
	m->len = (m->len + 3) & ~(size_t)3;
}

static void put_symbol(struct image *m, uint32_t name, uint64_t value, uint16_t section,
		       unsigned type)
{
	Elf64_Sym symbol = { .st_name = name,
			     .st_info = ELF64_ST_INFO(STB_LOCAL, type),
			     .st_shndx = section,
			     .st_value = value };

	put(m, &symbol, sizeof(symbol));
}

static const char strings[] = "\0variable\0twice\0environ@GLIBC_2.2.5\0missing\0tls";

static struct image make_image(const char *arguments)
{
	struct image m = { .len = sizeof(Elf64_Ehdr) };
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_shentsize = sizeof(Elf64_Shdr),
	};
	char text[600];
	size_t len;

	begin_section(&m, "", SHT_NULL, 0);
	m.sections++;
	begin_section(&m, ".note.stapsdt", SHT_NOTE, 0);
	put_note(&m, 0, "prov\0none\0", 11);
	len = (size_t)snprintf(text, sizeof(text), "prov%cargs%c%s", 0, 0, arguments) + 1;
	put_note(&m, SEMAPHORE, text, len);
	end_section(&m);
	begin_section(&m, ".stapsdt.base", SHT_PROGBITS, NEW_BASE);
	put(&m, "", 1);
	end_section(&m);
	begin_section(&m, ".symtab", SHT_SYMTAB, 0);
	m.headers[m.sections].sh_link = 4;
	m.headers[m.sections].sh_entsize = sizeof(Elf64_Sym);
	put_symbol(&m, 0, 0, 0, STT_NOTYPE);
	put_symbol(&m, 1, VARIABLE, 1, STT_OBJECT);
	put_symbol(&m, 10, TWICE_A, 1, STT_OBJECT);
	put_symbol(&m, 10, TWICE_A + 8, 1, STT_OBJECT);
	put_symbol(&m, 16, VARIABLE + 64, 1, STT_OBJECT);
	put_symbol(&m, 36, VARIABLE, SHN_UNDEF, STT_OBJECT);
	put_symbol(&m, 44, 16, 1, STT_TLS);
	end_section(&m);
	begin_section(&m, ".strtab", SHT_STRTAB, 0);
	put(&m, strings, sizeof(strings));
	end_section(&m);
	begin_section(&m, ".shstrtab", SHT_STRTAB, 0);
	put(&m, m.names, m.names_len);
	end_section(&m);
	header.e_shoff = m.len;
	header.e_shnum = (uint16_t)m.sections;
	header.e_shstrndx = (uint16_t)(m.sections - 1);
	put(&m, m.headers, m.sections * sizeof(m.headers[0]));
	memcpy(m.data, &header, sizeof(header));
	return m;
}

/*
 * Reads a copy of exactly its size, so that the sanitizer sees reads past it. The symbol
 * table stays in use.
 */
static struct error *read_image(const uint8_t *data, size_t len, struct sdt_file **ret)
{
	struct bytes bytes = { "image", memcpy(arena_alloc(arena, len ? len : 1), data, len), len };

	return sdt_read(arena, &bytes, ret);
}

/* ---- registers and memory of a program ---- */

static const int64_t registers[17] = {
	0x1111222233334481,
	0x2222333344445582,
	0x30,
	0x4444555566667784,
	0x5000,
	0x6666777788889986,
	0x7000,
	0x8000,
	-8,
	9,
	0xa00,
	11,
	12,
	13,
	14,
	15,
	PC + 0x10000 + 0x555500000000, /* loaded at 0x555500000000 */
};
static int64_t last_address;

static int64_t compute(const struct access *a)
{
	const struct access_expression *x = a->expression;
	int64_t *v = malloc(x->operations.count * sizeof(*v)), result;

	vec_each(&x->operations, i) {
		const struct access_operation *o = &x->operations.data[i];

		CHECK(o->kind == ACCESS_CONSTANT || o->kind == ACCESS_REGISTER || o->a < i);
		switch (o->kind) {
		case ACCESS_CONSTANT:
			v[i] = o->number;
			break;
		case ACCESS_REGISTER:
			v[i] = registers[o->number];
			break;
		case ACCESS_ANCHOR: /* of kernels, other files and debuginfo alone */
		case ACCESS_SYMBOL:
		case ACCESS_FILE:
		case ACCESS_THREAD:
		case ACCESS_RETURN_ADDRESS:
		case ACCESS_GIVEN:
			CHECK(false);
			v[i] = 0;
			break;
		case ACCESS_MEMORY: /* the byte at an address is its lowest byte, plus 0x80 */
			last_address = v[o->a];
			v[i] = 0;
			for (unsigned b = 0; b < o->size; b++)
				v[i] = (int64_t)((uint64_t)v[i] |
						 (uint64_t)(uint8_t)(v[o->a] + b + 0x80)
							 << (8 * b));
			break;
		case ACCESS_CUT:
			v[i] = v[o->a] & (o->size < 8 ? (INT64_C(1) << (8 * o->size)) - 1 : -1);
			break;
		case ACCESS_BINARY:
			CHECK(o->b < i);
			v[i] = o->op == OP_ADD	 ? (int64_t)((uint64_t)v[o->a] + (uint64_t)v[o->b])
			       : o->op == OP_MUL ? (int64_t)((uint64_t)v[o->a] * (uint64_t)v[o->b])
						 : (int64_t)((uint64_t)v[o->a] >> v[o->b]);
			break;
		}
	}
	result = v[x->words.data[a->number]];
	free(v);
	vec_each(&a->steps, i) {
		unsigned left = 64 - 8 * a->steps.data[i].size;

		result = (int64_t)((uint64_t)result << left);
		result = a->steps.data[i].is_signed ? result >> left
						    : (int64_t)((uint64_t)result >> left);
	}
	return result;
}

/* Returns the value of the one argument, or the complaint about it. */
static const char *value_of(const char *argument, int64_t *ret)
{
	struct image m = make_image(argument);
	struct sdt_file *f;
	struct error *err = read_image(m.data, m.len, &f);
	struct access a;

	last_address = 0;
	if (!err)
		err = sdt_argument(arena, f, &f->marks.data[1], 1, &a);
	if (!err)
		*ret = compute(&a);
	return err ? err->text : NULL;
}

static const char *shown(const char *argument)
{
	int64_t value;
	const char *problem = value_of(argument, &value);

	return problem ? problem
		       : arena_printf(arena, "%lld at %#llx", (long long)value,
				      (unsigned long long)last_address);
}

/* ---- tests ---- */

static void test_marks(void)
{
	struct image m = make_image("8@%rax -4@8(%rsp, %rax) 4@$7");
	struct sdt_file *f;
	struct access a;

	CHECK(!read_image(m.data, m.len, &f));
	CHECK_LONG(f->marks.count, 2);
	CHECK_TEXT(f->marks.data[0].name, "none");
	CHECK_LONG(f->marks.data[0].arguments.count, 0);
	CHECK_LONG(f->marks.data[0].semaphore, 0);
	CHECK_TEXT(f->marks.data[1].provider, "prov");
	CHECK_LONG(f->marks.data[1].pc, PC + 0x10000);
	CHECK_LONG(f->marks.data[1].semaphore, SEMAPHORE + 0x10000);
	CHECK_LONG(f->marks.data[1].arguments.count, 3);
	CHECK_TEXT(f->marks.data[1].arguments.data[1], "-4@8(%rsp, %rax)");
	CHECK_TEXT(sdt_argument(arena, f, &f->marks.data[1], 4, &a)->text,
		   "marker 'args' has 3 arguments");
	CHECK_LONG(sdt_argument(arena, f, &f->marks.data[1], 0, &a)->kind, ERROR_ABSENT);
	f->machine = EM_AARCH64;
	CHECK_TEXT(sdt_argument(arena, f, &f->marks.data[1], 1, &a)->text,
		   "image is for another machine: its markers' operands are not understood");
}

static void test_values(void)
{
	static const struct {
		const char *argument, *value;
	} cases[] = {
		{ "8@%rax", "1229801703532086401 at 0" },
		{ "-4@%eax", "858997889 at 0" },
		{ "-1@%al", "-127 at 0" },
		{ "1@%al", "129 at 0" },
		{ "1@%ah", "68 at 0" },
		{ "-1@%bh", "119 at 0" },
		{ "-2@%dx", "21890 at 0" },
		{ "1@%sil", "0 at 0" },
		{ "1@%r8b", "248 at 0" },
		{ "-1@%r8b", "-8 at 0" },
		{ "-1@%r8l", "-8 at 0" },
		{ "-2@%r8w", "-8 at 0" },
		{ "4@%r8d", "4294967288 at 0" },
		{ "-8@%r8", "-8 at 0" },
		{ "8@%eax", "858997889 at 0" },
		{ "%al", "129 at 0" },
		{ "4@$7", "7 at 0" },
		{ "-4@$-1", "-1 at 0" },
		{ "4@$-1", "4294967295 at 0" },
		{ "-8@$0x7fffffffffffffff", "9223372036854775807 at 0" },
		{ "8@$18446744073709551615", "-1 at 0" },
		{ "-2@$3+4-1", "6 at 0" },
		{ "1@(%rsp)", "128 at 0x8000" },
		{ "-1@(%rsp)", "-128 at 0x8000" },
		{ "-4@-20(%rbp)", "1869507948 at 0x6fec" },
		{ "2@16(%rsp,%rcx,4)", "20816 at 0x80d0" },
		{ "2@16(%rsp, %rcx, 4)", "20816 at 0x80d0" },
		{ "2@(%rsp,%rcx)", "45488 at 0x8030" },
		{ "2@8(,%rcx,8)", "2312 at 0x188" },
		{ "1@(%esp,1)", "128 at 0x8000" },
		{ "1@-8+4(%rsp)", "124 at 0x7ffc" },
		{ "1@variable(%rip)", "160 at 0x555500014020" },
		{ "1@8+variable(%rip)", "168 at 0x555500014028" },
		{ "1@variable+8(%rip)", "168 at 0x555500014028" },
		{ "1@variable-1(%rip)", "159 at 0x55550001401f" },
		{ "1@environ(%rip)", "224 at 0x555500014060" },
		{ "1@variable", "160 at 0x555500014020" },
		{ "1@variable(,%rcx,2)", "0 at 0x555500014080" },
		{ "8@$variable", "93823560663072 at 0" },
		{ "8@$variable+4", "93823560663076 at 0" },
		{ "(%rsp)", "-8681104427521506944 at 0x8000" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(
			arena_printf(arena, "%s: %s", cases[i].argument, shown(cases[i].argument)),
			arena_printf(arena, "%s: %s", cases[i].argument, cases[i].value));
}

static void test_refused(void)
{
	static const struct {
		const char *argument, *why;
	} cases[] = {
		{ "8f@%xmm0", "is a floating-point number, which scripts have no type for" },
		{ "-8f@8(%rsp)", "is a floating-point number, which scripts have no type for" },
		{ "8@%xmm0",
		  "is in a register that probes cannot read (floating point, vector or unknown)" },
		{ "8@%st(0)",
		  "is in a register that probes cannot read (floating point, vector or unknown)" },
		{ "8@%r16",
		  "is in a register that probes cannot read (floating point, vector or unknown)" },
		{ "8@%r7",
		  "is in a register that probes cannot read (floating point, vector or unknown)" },
		{ "8@%r8dd",
		  "is in a register that probes cannot read (floating point, vector or unknown)" },
		{ "8@%",
		  "is in a register that probes cannot read (floating point, vector or unknown)" },
		{ "8@%fs:16", "is in a segment of its own, which probes cannot find" },
		{ "16@(%rsp)", "has a size that no number of a script has" },
		{ "3@(%rsp)", "has a size that no number of a script has" },
		{ "99999999999999999999@(%rsp)", "has a size that no number of a script has" },
		{ "8u@(%rsp)", "has a size that no number of a script has" },
		{ "8@", "is an address that the program has no part in" },
		{ "8@()", "is an address that the program has no part in" },
		{ "8@1234", "is an address that the program has no part in" },
		{ "8@16(%rip)", "is relative to an instruction that is not known" },
		{ "8@variable(%rip,%rax)", "is relative to an instruction that is not known" },
		{ "8@(%rax,%rip)", "has an invalid index" },
		{ "8@(%rax,%rsp,2)", "has an invalid index" },
		{ "8@(%rax,%rcx,3)", "has an invalid scale" },
		{ "8@(%rax,%rcx,", "has an invalid scale" },
		{ "8@(%rax,%rcx,16)", "is not understood" },
		{ "8@(%rax,%rcx,%rdx)", "is not understood" },
		{ "8@(%rax", "is not understood" },
		{ "8@(%rax)x", "is not understood" },
		{ "8@%raxx",
		  "is in a register that probes cannot read (floating point, vector or unknown)" },
		{ "8@%rax+1", "is not understood" },
		{ "8@$", "is not understood" },
		{ "8@$5(%rax)", "is not understood" },
		{ "8@*%rax", "is not understood" },
		{ "8@$18446744073709551616", "has an invalid number, or one that is too large" },
		{ "8@$12x", "has an invalid number, or one that is too large" },
		{ "8@variable+twice(%rip)", "has more than one symbol, or subtracts one" },
		{ "8@5-variable(%rip)", "has more than one symbol, or subtracts one" },
		{ "8@variable@GOTPCREL(%rip)",
		  "needs a relocation that is known to the linker alone" },
		{ "8@missing(%rip)",
		  "cannot be worked out: the symbol table of image has no 'missing'" },
		{ "8@tls(%rip)", "cannot be worked out: the symbol table of image has no 'tls'" },
		{ "8@.LC0(%rip)", "cannot be worked out: the symbol table of image has no '.LC0'" },
		{ "8@twice(%rip)", "cannot be worked out: there are several 'twice' in image" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_TEXT(shown(cases[i].argument), arena_printf(arena, "the operand '%s' %s",
								  cases[i].argument, cases[i].why));
}

/* Returns the complaint when so many bytes at the offset are changed. */
static const char *damaged(size_t offset, const void *bytes, size_t len)
{
	struct image m = make_image("8@%rax");
	struct sdt_file *f;
	struct error *err;

	memcpy(m.data + offset, bytes, len);
	err = read_image(m.data, m.len, &f);
	return err ? err->text : "fine";
}

static void test_damaged(void)
{
	size_t first = sizeof(Elf64_Ehdr), second = first + 12 + 8 + 24 + 12;
	static const uint32_t huge = 0xfffffff0, small = 20, odd = 35;
	struct image m = make_image("");
	struct sdt_file *f;

	CHECK_TEXT(damaged(0, "x", 1),
		   "image: malformed at offset 0: not a little-endian ELF file");
	CHECK_TEXT(damaged(first, &huge, 4),
		   "image: malformed at offset 0x40: a note reaches past the end of its section");
	CHECK_TEXT(damaged(first + 4, &huge, 4),
		   "image: malformed at offset 0x40: a note reaches past the end of its section");
	CHECK_TEXT(damaged(first + 4, &small, 4),
		   "image: malformed at offset 0x54: a marker's note is too short");
	CHECK_TEXT(damaged(second + 4, &odd, 4),
		   "image: malformed at offset 0x8c: a marker's note has a string without an end");
	CHECK_TEXT(damaged(first + 12 + 8 + 24, "\n", 1),
		   "image: malformed at offset 0x54: a marker's name has characters that names do "
		   "not have");
	CHECK_TEXT(damaged(first + 12 + 8 + 24, "", 1),
		   "image: malformed at offset 0x54: a marker's name has characters that names do "
		   "not have");
	CHECK_TEXT(damaged(first + 8, "\4", 1), "fine"); /* a note of someone else */
	CHECK_TEXT(read_image(m.data, 10, &f)->text,
		   "image: malformed at offset 0: not a little-endian ELF file");
	memcpy(m.data + first + 12, "other", 5);
	memcpy(m.data + second + 12, "other", 5);
	CHECK_TEXT(read_image(m.data, m.len, &f)->text, "image has no static markers");
}

/* Any result is fine, but nothing may go wrong. */
static void try_all(const uint8_t *data, size_t len)
{
	struct sdt_file *f;
	struct access a;

	if (read_image(data, len, &f))
		return;
	vec_each(&f->marks, i)
		for (size_t n = 0; n <= f->marks.data[i].arguments.count; n++)
			if (!sdt_argument(arena, f, &f->marks.data[i], n, &a))
				compute(&a);
}

static void test_random(void)
{
	static const char *const pieces[] = {
		"8@", "-4@", "1@",	 "%rax", "%ah", "%r9d", "(",   ")", ",", "$",  "-20",
		"+",  "-",   "variable", "%rip", "4",	" ",	"8f@", "@", "%", "0x",
	};
	struct arena *session = arena;

	for (unsigned round = 0; round < 20000; round++) {
		struct image m = make_image("8@%rax -4@variable+8(%rip) 2@16(%rsp,%rcx,4)");

		if (round % 512 == 0) {
			if (arena != session)
				arena_destroy(arena);
			arena = arena_create();
		}
		for (unsigned n = 1 + unit_random() % 3; n; n--)
			m.data[unit_random() % m.len] = (uint8_t)(unit_random() % 3 ? unit_random()
								  : unit_random() % 2 ? 0xff
										      : 0);
		try_all(m.data, unit_random() % 4 ? m.len : unit_random() % m.len);
	}
	for (unsigned round = 0; round < 20000; round++) {
		char text[200] = "";
		int64_t value;

		for (unsigned n = unit_random() % 10; n; n--)
			strcat(text, pieces[unit_random() % (sizeof(pieces) / sizeof(pieces[0]))]);
		if (*text)
			value_of(arena_printf(arena, "%s 0", text), &value);
	}
	arena_destroy(arena);
	arena = session;
}

int main(void)
{
	arena = arena_create();
	RUN(test_marks);
	RUN(test_values);
	RUN(test_refused);
	RUN(test_damaged);
	RUN(test_random);
	return unit_end();
}
