/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables that stapio makes of programs: of this program, whose functions are found in its
 * own; of files that are cut short, that are damaged, and that are nothing of the kind.
 */
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "unit.h"

#include "arch_unwind.h"
#include "cfi/cfi.c"
#include "cfi/gotable.c"
#include "cfi/programfile.c"
#include "cfi/registers.h"
#include "cfi/rules.c"
#include "cfi/symbolmap.h"
#include "cfi/symbolrank.c"
#include "cfi/unwindtable.c"
#include "core/program_table.c"
#include "lib/arena.c"
#include "lib/demangle.c"
#include "lib/error.c"
#include "lib/hashmap.c"
#include "lib/plainname.c"
#include "lib/punycode.h"
#include "lib/rustname.h"

#ifdef __x86_64__
#include "cfi/x86_64.c"
#else
#include "cfi/aarch64.c"
#endif

static struct arena *arena;
static struct demangler demangler;
static uint8_t *image;
static size_t image_size;

/* Makes the table of so many bytes. True: there is one, and it can be opened. */
static bool make(const uint8_t *bytes, size_t size, struct programfile *ret,
		 struct stp_program_view *view)
{
	int fd = memfd_create("file", MFD_CLOEXEC);
	bool ok = write(fd, bytes, size) == (ssize_t)size &&
		  programfile_read(fd, ARCH_UNWIND_MACHINE, &ARCH_UNWIND_TABLES, &demangler, arena,
				   ret);

	close(fd);
	if (ok) /* whatever the file is, the module takes what is made of it */
		CHECK(stp_program_table_open(ret->table, ret->table_size, view));
	return ok;
}

__attribute__((noinline)) int programfile_victim(int n);
int programfile_victim(int n)
{
	volatile char room[500];

	room[0] = (char)n;
	return room[0];
}

/* Returns the place of a symbol in the table; v->nsymbols: it is not there. */
static uint32_t symbol_of(const struct stp_program_view *v, const char *name)
{
	uint32_t i = 0;

	while (i < v->nsymbols && strcmp(v->names + v->symbols[i].name, name))
		i++;
	return i;
}

__attribute__((noinline)) int programfile_mangled(int n) __asm__("_ZN4shop5Order5totalEi");
int programfile_mangled(int n)
{
	return n * 3;
}

/* Names of C++ are those of the source where there is a demangler. */
static void demangled(void)
{
	struct stp_program_view v;
	struct programfile p;

	CHECK(make(image, image_size, &p, &v));
	demangle_load(&demangler);
	if (demangler.cplus)
		CHECK(symbol_of(&v, "shop::Order::total") < v.nsymbols);
	demangler.cplus = NULL;
	CHECK(make(image, image_size, &p, &v));
	CHECK(symbol_of(&v, "_ZN4shop5Order5totalEi") < v.nsymbols);
	demangler.is_asked = false;
}

static void own(void)
{
	struct stp_program_view v;
	struct programfile p;
	bool found = false;

	CHECK(make(image, image_size, &p, &v));
	CHECK(p.segments.count > 1 && v.nrows > 10);
	for (uint32_t i = 0; i < v.nsymbols; i++) {
		const struct stp_program_symbol *s = &v.symbols[i];
		const struct stp_unwind_rule *rule =
			stp_program_table_rule(&v, s->at + s->size / 2);

		if (strcmp(v.names + s->name, "programfile_victim"))
			continue;
		found = true;
		CHECK(rule && rule->cfa == STP_CFA_REGISTER);
		CHECK(rule && rule->offset >= 16);
	}
	CHECK(found);
}

static void refused(void)
{
	static const uint8_t zeros[4096];
	Elf64_Ehdr *e = (Elf64_Ehdr *)image;
	struct stp_program_view v;
	struct programfile p;
	uint8_t class = e->e_ident[EI_CLASS];

	CHECK(!make(zeros, 0, &p, &v));
	CHECK(!make(zeros, sizeof(zeros), &p, &v));
	CHECK(!make(image, sizeof(*e) - 1, &p, &v));
	CHECK(!make(image, sizeof(*e), &p, &v)); /* without its segments */
	e->e_ident[EI_CLASS] = ELFCLASS32;
	CHECK(!make(image, image_size, &p, &v));
	e->e_ident[EI_CLASS] = class;
	e->e_machine ^= 1;
	CHECK(!make(image, image_size, &p, &v));
	e->e_machine ^= 1;
	e->e_phnum ^= 0xffff;
	CHECK(!make(image, image_size, &p, &v));
	e->e_phnum ^= 0xffff;
}

/* A file whose sections are gone still says where it lies. */
static void without_sections(void)
{
	Elf64_Ehdr *e = (Elf64_Ehdr *)image;
	struct stp_program_view v;
	struct programfile p;

	CHECK(make(image, e->e_shoff, &p, &v));
	CHECK_LONG(v.nrows, 0);
	CHECK_LONG(v.nsymbols, 0);
}

/* Any bytes of headers, of sections and of frames may be wrong. */
static void damaged(void)
{
	Elf64_Ehdr *e = (Elf64_Ehdr *)image;
	size_t headers = e->e_shoff, made = 0;
	unsigned seed = 1;

	for (unsigned i = 0; i < 300; i++) {
		size_t at = i % 3 == 0	 ? (size_t)rand_r(&seed) % 1024
			    : i % 3 == 1 ? headers + (size_t)rand_r(&seed) % (image_size - headers)
					 : (size_t)rand_r(&seed) % image_size;
		uint8_t was = image[at];
		struct stp_program_view v;
		struct programfile p;

		image[at] = (uint8_t)rand_r(&seed);
		made += make(image, image_size, &p, &v);
		image[at] = was;
		arena_destroy(arena);
		arena = arena_create();
	}
	CHECK(made > 100);
}

/* A table of Go's linker: main.a at 0x1000, whose frame grows, and runtime.goexit. */
static size_t go_table(uint8_t *t)
{
	static const uint8_t distances[] = { 2, 4, 32, 12, 0, 0 }; /* 0 for 4 bytes, then 16 */
	static const struct {
		unsigned at, size;
		uint64_t value;
	} numbers[] = {
		{ 0, 4, 0xfffffff1 }, { 6, 1, 1 },	   { 7, 1, 8 },	       { 8, 8, 2 },
		{ 24, 8, 0x1000 },    { 32, 8, 72 },	   { 56, 8, 100 },     { 64, 8, 112 },
		{ 112 + 4, 4, 24 },			   /* the first record */
		{ 112 + 8, 4, 16 },   { 112 + 12, 4, 68 }, /* the second */
		{ 112 + 16, 4, 32 },			   /* the end of the code */
		{ 136 + 16, 4, 1 },			   /* of the first: its distances */
		{ 180, 4, 16 },	      { 180 + 4, 4, 7 },   { 180 + 41, 1, 1 },
	};

	memset(t, 0, 256);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		memcpy(t + numbers[i].at, &numbers[i].value, numbers[i].size);
	memcpy(t + 72, "main.a\0runtime.goexit", 22);
	memcpy(t + 101, distances, sizeof(distances));
	return 224;
}

/* Reads a table of Go whole, cut short anywhere, and damaged. */
static void go_functions(void)
{
	uint8_t whole[256];
	size_t size = go_table(whole);
	struct gotable_function f;
	struct gotable t;
	unsigned seed = 1;

	CHECK(gotable_open(whole, size, 0, 0, &t) && t.number == 2);
	CHECK(gotable_function(&t, 0, &f) && f.begin == 0x1000 && f.end == 0x1010);
	CHECK_TEXT(f.name, "main.a");
	CHECK(gotable_function(&t, 1, &f) && f.end == 0x1020);
	CHECK_TEXT(f.name, "runtime.goexit");
	for (unsigned i = 0; i < 3000; i++) {
		size_t cut = i < size ? i : size;
		uint8_t *bytes = malloc(cut + !cut);
		struct table to = { 0 };
		const struct cfi *c = &to.cfi;

		rules_init(&to.cfi, arena, &ARCH_UNWIND_TABLES);
		memcpy(bytes, whole, cut);
		if (i > size)
			bytes[(size_t)rand_r(&seed) % cut] = (uint8_t)rand_r(&seed);
		if (gotable_open(bytes, cut, 0, 0, &t)) {
			gotable_add(&t, &to, true);
			for (uint64_t k = 0; k < t.number; k++)
				gotable_function(&t, k, &f);
		}
		if (i == size && !ARCH_UNWIND_TABLES.has_link) {
			CHECK(c->functions.count == 2 && c->rows.count == 3);
			CHECK(c->rules.data[c->rows.data[0].rule].head.offset == 8);
			CHECK(c->rows.data[1].at == 0x1004);
			CHECK(c->rules.data[c->rows.data[1].rule].head.offset == 24);
			CHECK(c->rows.data[2].rule == CFI_RULE_END);
		}
		free(bytes);
	}
}

/* Maps: lines of another form, and one that is being written, are left out. */
static void maps(void)
{
	static const char text[] = "7f0000001000 20 first one\n"
				   "no line\n"
				   "1000 20 far away\n"
				   "1020 20 far away\n"
				   "1040 20 far away\n"
				   "7f0000001100 0 of no size\n"
				   "7f0000001080 10 sec\033ond\n"
				   "7f0000001000 30 moved there later\n"
				   "7f0000001040 10 not who";
	int fd = memfd_create("map", MFD_CLOEXEC), empty = memfd_create("empty", MFD_CLOEXEC);
	struct stp_program_view v;
	struct programfile p;

	CHECK(write(fd, text, sizeof(text) - 1) == sizeof(text) - 1);
	CHECK(symbolmap_read(fd, 0x7f0000001008, &ARCH_UNWIND_TABLES, arena, &p));
	CHECK(stp_program_table_open(p.table, p.table_size, &v));
	CHECK_LONG(p.base, 0x7f0000001000);
	CHECK_LONG(v.nsymbols, 2);
	CHECK_TEXT(v.names + v.symbols[0].name, "moved there later");
	CHECK_TEXT(v.names + v.symbols[1].name, "sec?ond");
	CHECK(!stp_program_table_symbol(&v, 0x44));
	CHECK(!symbolmap_read(empty, 0, &ARCH_UNWIND_TABLES, arena, &p));
	close(fd);
	close(empty);
}

static bool read_own(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	off_t size = lseek(fd, 0, SEEK_END);

	image = size > 0 ? malloc((size_t)size) : NULL;
	image_size = (size_t)size;
	return image && pread(fd, image, image_size, 0) == (ssize_t)size;
}

int main(void)
{
	arena = arena_create();
	if (!read_own())
		return 1;
	RUN(own);
	RUN(demangled);
	RUN(refused);
	RUN(without_sections);
	RUN(damaged);
	RUN(go_functions);
	RUN(maps);
	arena_destroy(arena);
	free(image);
	return unit_end();
}
