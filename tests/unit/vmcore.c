/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dumps of a machine's memory: a module that runtime/kernel/crash.c could have left is
 * found by trace/source/vmcore in a small ELF file, its pages in any order; copies of
 * it are none; damage of any kind is survived. With a directory, dumps are left there.
 */
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "trace/messages.h"
#include "trace/source/join.h"
#include "trace/source/vmcore/vmcore.h"
#include "uapi/crash.h"
#include "uapi/msg.h"

#define PAGE  4096u
#define PAGES 9
#define FIRST 16 /* frame of the first page of memory */

static char dir[64] = "/tmp/stapio-vmcore-XXXXXX";
static const char *seeds;
static uint8_t memory[PAGES][PAGE];

/* Which page has what; the description goes on in an earlier one. */
enum { TEXT_2, CPUS, BOOKS, RING_0B, COPY, RING_0A, TEXT, RING_1, GLOBALS };

/* ---- the description ---- */

static uint8_t text[2 * PAGE];
static size_t text_len;

static void put(const void *bytes, size_t len)
{
	memcpy(text + text_len, bytes, len);
	text_len += len;
}

static void put_table(uint32_t kind, const char *const *rows)
{
	struct stp_crash_area a = { .kind = kind };
	size_t from = text_len;

	put(&a, sizeof(a));
	for (; *rows; rows++) {
		uint32_t len = (uint32_t)strlen(*rows);

		put(&len, sizeof(len));
		put(*rows, len);
	}
	a.bytes = text_len - from - sizeof(a);
	memcpy(text + from, &a, sizeof(a));
	while (text_len % 8)
		put("", 1);
}

static void put_area(uint32_t kind, uint32_t index, uint64_t from, uint64_t bytes, uint64_t page,
		     uint64_t page_2)
{
	const struct stp_crash_area a = { kind, index, 0xffffc90000000000u + from, bytes };

	put(&a, sizeof(a));
	page += FIRST;
	page_2 += FIRST;
	put(&page, sizeof(page));
	if (from + bytes > PAGE)
		put(&page_2, sizeof(page_2));
}

/* Lays the text over its pages. */
static void place_text(void)
{
	const size_t room = PAGE - sizeof(struct stp_crash_page);
	struct stp_crash_page one = { STP_CRASH_MAGIC, ~STP_CRASH_MAGIC, FIRST + TEXT,
				      FIRST + TEXT_2 },
			      two = { .self = FIRST + TEXT_2 };

	memcpy(memory[TEXT], &one, sizeof(one));
	memcpy(memory[TEXT] + sizeof(one), text, room);
	memcpy(memory[TEXT_2], &two, sizeof(two));
	memcpy(memory[TEXT_2] + sizeof(two), text + room, text_len - room);
	memcpy(memory[COPY], memory[TEXT], PAGE);
}

static void describe(void)
{
	static char long_name[4000];
	const char *const formats[] = { "%d\n", "site\tvalue", NULL };
	const char *const probes[] = { "one", "two", NULL };
	const char *const globals[] = { "g", long_name, NULL };
	struct stp_crash_header h = {
		.version = STP_CRASH_VERSION,
		.abi = STP_ABI,
		.page_bytes = PAGE,
		.nareas = 10,
		.nrings = 3,
		.nformats = 1,
		.nprobes = 2,
		.nglobals = 2,
		.size = 8,
		.head = 16,
		.tail = 32,
		.pending = 40,
		.module = "mod",
		.host = "host",
	};

	memset(long_name, 'n', sizeof(long_name) - 1);
	text_len = 0;
	put(&h, sizeof(h));
	put_table(STP_CRASH_FORMATS, formats);
	put_table(STP_CRASH_PROBES, probes);
	put_table(STP_CRASH_GLOBALS, globals);
	put_area(STP_CRASH_CPU, 0, 64, 48, CPUS, 0);
	put_area(STP_CRASH_RING, 0, 2048, 4096, RING_0A, RING_0B);
	put_area(STP_CRASH_BOOKS, 0, 0, 128, BOOKS, 0);
	put_area(STP_CRASH_CPU, 2, 128, 48, CPUS, 0);
	put_area(STP_CRASH_RING, 2, 0, 4096, RING_1, 0);
	put_area(STP_CRASH_BOOKS, 2, 128, 128, BOOKS, 0);
	put_area(STP_CRASH_GLOBAL, 1, 12, 4, GLOBALS, 0);
	h.bytes = text_len;
	memcpy(text, &h, sizeof(h));
	place_text();
}

/* ---- the rings ---- */

static uint8_t *ring_0(uint64_t at)
{
	at &= PAGE - 1;
	return at < 2048 ? &memory[RING_0A][2048 + at] : &memory[RING_0B][at - 2048];
}

static uint8_t *ring_1(uint64_t at)
{
	return &memory[RING_1][at & (PAGE - 1)];
}

static void put_record(uint8_t *(*place)(uint64_t), uint64_t at, uint64_t number)
{
	const struct stp_record head = { .time = 1000 + number, .len = 10 };
	uint8_t bytes[32] = { 0 };

	memcpy(bytes, &head, sizeof(head));
	memcpy(bytes + 18, &number, sizeof(number));
	for (unsigned i = 0; i < sizeof(bytes); i++)
		*place(at + i) = bytes[i];
}

/* Both rings go over their end; the first is full. */
static void make_memory(void)
{
	uint64_t cpus[2][6] = { { 0, PAGE, 3200 + PAGE, 0, 3200, 0 },
				{ 0, PAGE, 9600, 0, 8000, 7 } };
	const uint64_t books[2][16] = { { 100, 5, 0, 3 }, { 78 } };
	const uint32_t refused = 3;

	memset(memory, 0, sizeof(memory));
	describe();
	memcpy(memory[CPUS] + 64, cpus[0], 48);
	memcpy(memory[CPUS] + 128, cpus[1], 48);
	memcpy(memory[BOOKS], books[0], 128);
	memcpy(memory[BOOKS] + 128, books[1], 128);
	memcpy(memory[GLOBALS] + 12, &refused, sizeof(refused));
	for (uint64_t i = 0; i < 128; i++)
		put_record(ring_0, 3200 + 32 * i, 2 * i);
	for (uint64_t i = 0; i < 50; i++)
		put_record(ring_1, 8000 + 32 * i, 2 * i + 1);
}

/* ---- the file ---- */

static uint8_t file[65536];
static size_t file_len;

/* Three segments, of which two overlap. */
static void make_file(void)
{
	const Elf64_Ehdr h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			       .e_type = ET_CORE,
			       .e_phoff = sizeof(h),
			       .e_phentsize = sizeof(Elf64_Phdr),
			       .e_phnum = 4 };
	const uint64_t from = FIRST * PAGE, data = 512;
	const Elf64_Phdr p[4] = {
		{ .p_type = PT_NOTE, .p_offset = 1u << 30, .p_filesz = 20 },
		{ .p_type = PT_LOAD,
		  .p_offset = data + 5 * PAGE,
		  .p_paddr = from + 5 * PAGE,
		  .p_filesz = (PAGES - 5) * PAGE },
		{ .p_type = PT_LOAD, .p_offset = data, .p_paddr = from, .p_filesz = 6 * PAGE },
		{ .p_type = PT_LOAD,
		  .p_offset = data + PAGE,
		  .p_paddr = from + PAGE,
		  .p_filesz = 2 * PAGE },
	};

	memset(file, 0, sizeof(file));
	memcpy(file, &h, sizeof(h));
	memcpy(file + sizeof(h), p, sizeof(p));
	memcpy(file + data, memory, sizeof(memory));
	file_len = data + sizeof(memory);
}

static void store(const char *name, size_t len)
{
	FILE *f = fopen(name, "w");

	fwrite(file, 1, len, f);
	fclose(f);
}

/* ---- reading ---- */

static char joined[1 << 16];
static size_t joined_len;
static struct join join;

static bool read_it(const char *module)
{
	struct filename name = { .pattern = "joined", .module = "m", .host = "h", .cpu = -1 };
	struct output out;
	bool opened;
	FILE *f;

	CHECK_LONG(series_output(&out, &name, &(struct rotation){ 0 }), 0);
	opened = vmcore_open(&join, "dump", module, &out);
	if (opened) {
		join_run(&join);
		join_check(&join);
	}
	output_close(&out);
	f = fopen("joined", "r");
	joined_len = fread(joined, 1, sizeof(joined) - 1, f);
	joined[joined_len] = 0;
	fclose(f);
	unlink("joined");
	return opened && !join.damaged;
}

static void whole(void)
{
	char wanted[4096];
	size_t len = 0;

	for (int i = 0; i < 256; i++)
		if (i % 2 == 0 || i < 100)
			len += (size_t)sprintf(wanted + len, "%d\n", i);
	make_memory();
	make_file();
	store("dump", file_len);
	CHECK(read_it(NULL));
	CHECK_LONG((long long)joined_len, (long long)len);
	CHECK_TEXT(joined, wanted);
	CHECK_TEXT(join.module, "mod");
	CHECK(join.has_books);
	CHECK_LONG((long long)join.books.total.hits, 100 + 5 + 3 + 78);
	CHECK_LONG((long long)join.books.total.delivered, 178);
	CHECK_LONG((long long)join.books.reasons[STP_SKIP_LOCK], 3);
	CHECK_LONG(join.books.ncontended, 1);
	join_close(&join);
	CHECK(read_it("mod"));
	join_close(&join);
	CHECK(!read_it("other"));
	join_close(&join);
	if (seeds) {
		char path[400];

		snprintf(path, sizeof(path), "%s/dump", seeds);
		store(path, file_len);
		memmove(file, file + 512, sizeof(memory));
		snprintf(path, sizeof(path), "%s/memory", seeds); /* from FIRST * PAGE on */
		store(path, sizeof(memory));
	}
}

/* A page of the ring is not there: what comes before it, and the other ring, are. */
static void page_missing(void)
{
	Elf64_Phdr *p = (Elf64_Phdr *)(file + sizeof(Elf64_Ehdr));

	make_memory();
	make_file();
	p[2].p_filesz = (RING_0B)*PAGE;
	store("dump", file_len);
	CHECK(!read_it(NULL));
	CHECK(join.has_books);
	CHECK(strstr(joined, "99\n") != NULL);
	join_close(&join);
}

/* A page of the books has no bytes in the file, but its segment goes on: it is zero. */
static void page_zero(void)
{
	Elf64_Phdr *p = (Elf64_Phdr *)(file + sizeof(Elf64_Ehdr));

	make_memory();
	make_file();
	p[2].p_filesz = BOOKS * PAGE;
	p[2].p_memsz = (BOOKS + 1) * PAGE;
	p[3].p_offset += 2 * PAGE;
	p[3].p_paddr += 2 * PAGE;
	store("dump", file_len);
	CHECK(read_it(NULL));
	CHECK(join.has_books);
	CHECK(strstr(joined, "254\n") != NULL);
	CHECK(join.books.total.hits < 100 + 5 + 3 + 78);
	join_close(&join);
}

/* Several of one module, each in its frame. */
static void twice(void)
{
	struct stp_crash_page *copy = (struct stp_crash_page *)memory[COPY];

	make_memory();
	copy->self = FIRST + COPY;
	make_file();
	store("dump", file_len);
	CHECK(!read_it(NULL));
	join_close(&join);
	CHECK(!read_it("mod"));
	join_close(&join);
}

static void cut(void)
{
	make_memory();
	make_file();
	for (size_t at = 0; at < file_len; at += 1 + unit_random() % 400) {
		store("dump", at);
		CHECK(!read_it(NULL) || at > file_len - PAGE);
		join_close(&join);
	}
}

/* Bytes of all that is not records: nothing crashes. */
static void damaged(void)
{
	make_memory();
	make_file();
	for (unsigned i = 0; i < 3000; i++) {
		size_t page = (size_t[]){ TEXT, TEXT, TEXT_2, CPUS, RING_1 }[unit_random() % 5],
		       from = page == TEXT_2 ? 0 : unit_random() % 600;
		size_t at = unit_random() % 8 ? 512 + page * PAGE + from + unit_random() % 400
					      : unit_random() % 300;
		uint8_t kept = file[at];

		file[at] ^= (uint8_t)(1u << unit_random() % 8);
		store("dump", file_len);
		read_it(NULL);
		join_close(&join);
		file[at] = kept;
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		seeds = realpath(argv[1], NULL);
	message_setup(0, true);
	if (!unit_enter(dir))
		return 1;
	RUN(whole);
	RUN(page_missing);
	RUN(page_zero);
	RUN(twice);
	RUN(cut);
	RUN(damaged);
	unlink("dump");
	unit_leave(dir);
	return unit_end();
}
