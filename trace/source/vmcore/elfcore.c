/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dumps in ELF, as /proc/vmcore, makedumpfile -E and QEMU's dump-guest-memory have them:
 * each segment (PT_LOAD) is a range of physical memory. Segments may overlap: the
 * kernel's text is in two of /proc/vmcore. Memory of a segment that has no bytes in the
 * file is zero: makedumpfile leaves such pages out.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/source/join_file.h"
#include "trace/source/vmcore/physical.h"

/* A range of memory that is in the file. */
struct segment {
	uint64_t address, bytes, offset;
};

struct segments {
	struct segment *list; /* by address, apart from each other */
	size_t n;
};

struct elfcore {
	struct segments there, zero;
	uint64_t file_bytes;
};

static bool elfcore_is(const uint8_t *begin)
{
	return !memcmp(begin, ELFMAG, SELFMAG);
}

static bool refuse(const struct physical *p, uint64_t offset, const char *what)
{
	join_file_damaged(p->name, offset, what);
	return false;
}

static bool read_at(const struct physical *p, uint64_t offset, void *buf, size_t size)
{
	return pread(p->fd, buf, size, (off_t)offset) == (ssize_t)size;
}

static bool check_header(struct physical *p, Elf64_Ehdr *h)
{
	if (!read_at(p, 0, h, sizeof(*h)))
		return refuse(p, 0, "the file ends inside its header");
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return refuse(p, EI_CLASS, "not of a 64-bit little-endian machine");
	if (h->e_type != ET_CORE)
		return refuse(p, offsetof(Elf64_Ehdr, e_type), "an ELF file, but not a dump");
	if (h->e_phentsize != sizeof(Elf64_Phdr))
		return refuse(p, offsetof(Elf64_Ehdr, e_phentsize), "entries of unknown size");
	return true;
}

/*
 * If the header's field is too small for the number of segments, the first section has
 * the number.
 */
static bool count_segments(struct physical *p, const Elf64_Ehdr *h, uint64_t *ret)
{
	const struct elfcore *e = p->own;
	Elf64_Shdr section;

	*ret = h->e_phnum;
	if (*ret == PN_XNUM) {
		if (!read_at(p, h->e_shoff, &section, sizeof(section)))
			return refuse(p, offsetof(Elf64_Ehdr, e_shoff), "no such place");
		*ret = section.sh_info;
	}
	if (h->e_phoff > e->file_bytes || *ret > (e->file_bytes - h->e_phoff) / sizeof(Elf64_Phdr))
		return refuse(p, offsetof(Elf64_Ehdr, e_phoff), "the file ends inside its header");
	return true;
}

static void add_zero(struct elfcore *e, const Elf64_Phdr *h)
{
	uint64_t address = h->p_paddr + h->p_filesz, bytes = h->p_memsz - h->p_filesz;

	if (h->p_memsz > h->p_filesz && address >= h->p_paddr && bytes <= UINT64_MAX - address)
		e->zero.list[e->zero.n++] = (struct segment){ address, bytes, 0 };
}

/*
 * Leaves out the part that is missing from the file, for example because its disk was
 * full.
 */
static bool add_segment(struct elfcore *e, const Elf64_Phdr *h)
{
	struct segment *s = &e->there.list[e->there.n];
	bool is_whole;

	if (h->p_type != PT_LOAD)
		return true;
	add_zero(e, h);
	if (!h->p_filesz)
		return true;
	*s = (struct segment){ h->p_paddr, h->p_filesz, h->p_offset };
	if (s->offset >= e->file_bytes)
		return false;
	is_whole = s->bytes <= e->file_bytes - s->offset;
	if (!is_whole)
		s->bytes = e->file_bytes - s->offset;
	if (s->bytes > UINT64_MAX - s->address)
		s->bytes = UINT64_MAX - s->address;
	e->there.n++;
	return is_whole;
}

static int segment_compare(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->bytes > y->bytes ? -1 : x->bytes < y->bytes;
}

/* Leaves of each segment what no earlier one has. */
static uint64_t segments_part(struct segments *e)
{
	uint64_t end = 0, all = 0;
	size_t n = 0;

	qsort(e->list, e->n, sizeof(*e->list), segment_compare);
	for (size_t i = 0; i < e->n; i++) {
		struct segment s = e->list[i];
		uint64_t twice = s.address < end ? end - s.address : 0;

		if (twice >= s.bytes)
			continue;
		s = (struct segment){ s.address + twice, s.bytes - twice, s.offset + twice };
		end = s.address + s.bytes;
		all += s.bytes;
		e->list[n++] = s;
	}
	e->n = n;
	return all;
}

static bool elfcore_open(struct physical *p)
{
	struct elfcore *e = calloc(1, sizeof(*e));
	uint64_t n;
	Elf64_Ehdr header;
	bool is_whole = true;
	struct stat st;

	p->own = e;
	if (!e || fstat(p->fd, &st)) {
		message_error("%s: no memory", p->name);
		return false;
	}
	e->file_bytes = (uint64_t)st.st_size;
	if (!check_header(p, &header) || !count_segments(p, &header, &n))
		return false;
	e->there.list = calloc(n + 1, sizeof(*e->there.list));
	e->zero.list = calloc(n + 1, sizeof(*e->zero.list));
	if (!e->there.list || !e->zero.list) {
		message_error("%s: no memory", p->name);
		return false;
	}
	for (uint64_t i = 0; i < n; i++) {
		Elf64_Phdr segment;

		if (!read_at(p, header.e_phoff + i * sizeof(segment), &segment, sizeof(segment)))
			return refuse(p, header.e_phoff, "it cannot be read");
		is_whole &= add_segment(e, &segment);
	}
	if (!is_whole)
		message_warning("%s: cut short: not all memory is in it that its header names",
				p->name);
	p->bytes = segments_part(&e->there);
	segments_part(&e->zero);
	return p->bytes || refuse(p, 0, "there is no memory in it");
}

/* Returns the first segment that ends after the address, or NULL. */
static const struct segment *find(const struct segments *e, uint64_t address)
{
	size_t from = 0, to = e->n;

	while (from < to) {
		size_t middle = (from + to) / 2;
		const struct segment *s = &e->list[middle];

		if (s->address + s->bytes > address)
			to = middle;
		else
			from = middle + 1;
	}
	return from < e->n ? &e->list[from] : NULL;
}

/*
 * Reads the bytes that one segment has at the address, or the zeros up to the next
 * segment. Returns the number of bytes; 0: none.
 */
static uint64_t read_piece(struct physical *p, uint64_t address, void *buf, uint64_t size)
{
	const struct elfcore *e = p->own;
	const struct segment *s = find(&e->there, address), *z;
	uint64_t n;

	if (s && s->address <= address) {
		n = s->address + s->bytes - address;
		n = n < size ? n : size;
		return read_at(p, s->offset + (address - s->address), buf, n) ? n : 0;
	}
	z = find(&e->zero, address);
	if (!z || z->address > address)
		return 0;
	n = z->address + z->bytes - address;
	if (s && s->address - address < n)
		n = s->address - address;
	n = n < size ? n : size;
	memset(buf, 0, n);
	return n;
}

static bool elfcore_read(struct physical *p, uint64_t address, void *buf, size_t size)
{
	char *to = buf;

	while (size) {
		uint64_t n = read_piece(p, address, to, size);

		if (!n)
			return false;
		to += n;
		address += n;
		size -= n;
	}
	return true;
}

static size_t elfcore_next(struct physical *p, uint64_t *address, uint8_t *buf)
{
	const struct elfcore *e = p->own;
	const struct segment *s = find(&e->there, *address);

	for (; s && s < e->there.list + e->there.n; s++) {
		uint64_t from = *address > s->address ? *address : s->address, left, n;

		from = (from + PHYSICAL_PAGE - 1) & ~(uint64_t)(PHYSICAL_PAGE - 1);
		if (from < s->address || from - s->address >= s->bytes)
			continue;
		left = s->bytes - (from - s->address);
		n = left < PHYSICAL_PIECE ? left : PHYSICAL_PIECE;
		if (!read_at(p, s->offset + (from - s->address), buf, n))
			return 0;
		*address = from;
		return n;
	}
	return 0;
}

static uint64_t elfcore_offset(const struct physical *p, uint64_t address)
{
	const struct elfcore *e = p->own;
	const struct segment *s = find(&e->there, address);

	return s && s->address <= address ? s->offset + (address - s->address) : 0;
}

static void elfcore_close(struct physical *p)
{
	struct elfcore *e = p->own;

	if (e) {
		free(e->there.list);
		free(e->zero.list);
	}
	free(e);
}

const struct physical_ops elfcore_ops = {
	.is = elfcore_is,
	.open = elfcore_open,
	.read = elfcore_read,
	.next = elfcore_next,
	.offset = elfcore_offset,
	.close = elfcore_close,
};
