/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacked sections follow the file's own bytes, and their headers point there. */
#include "formats/zstdsections.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#define PACKED_BY_ZSTD 2 /* ELFCOMPRESS_ZSTD */
#define MOST_BYTES     (UINT64_C(8) << 30)

/* A section, and where it is packed. */
struct packed {
	GElf_Shdr header;
	size_t number;
	const uint8_t *data;
	size_t len;
	uint64_t size, alignment; /* unpacked */
};

struct unpacking {
	Elf *elf;
	GElf_Ehdr header;
	int fd; /* of the file in memory */
	uint64_t end;
};

static bool read_packed(const struct unpacking *u, Elf_Scn *section, struct packed *ret)
{
	bool is_64 = u->header.e_ident[EI_CLASS] == ELFCLASS64;
	size_t head = is_64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	Elf64_Chdr long_head;
	Elf32_Chdr short_head;
	Elf_Data *data;

	if (!gelf_getshdr(section, &ret->header) || !(ret->header.sh_flags & SHF_COMPRESSED))
		return false;
	data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf || data->d_size < head)
		return false;
	memcpy(&long_head, data->d_buf, is_64 ? head : 0);
	memcpy(&short_head, data->d_buf, is_64 ? 0 : head);
	ret->number = elf_ndxscn(section);
	ret->data = (const uint8_t *)data->d_buf + head;
	ret->len = data->d_size - head;
	ret->size = is_64 ? long_head.ch_size : short_head.ch_size;
	ret->alignment = is_64 ? long_head.ch_addralign : short_head.ch_addralign;
	return (is_64 ? long_head.ch_type : short_head.ch_type) == PACKED_BY_ZSTD;
}

static bool has_packed(const struct unpacking *u)
{
	struct packed packed;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(u->elf, section));)
		if (read_packed(u, section, &packed))
			return true;
	return false;
}

static bool copy_file(int from, int to, uint64_t *size)
{
	struct stat status;
	off_t at = 0;

	if (fstat(from, &status) || status.st_size <= 0)
		return false;
	*size = (uint64_t)status.st_size;
	while (at < status.st_size)
		if (sendfile(to, from, &at, (size_t)(status.st_size - at)) <= 0)
			return false;
	return true;
}

static bool write_header(const struct unpacking *u, const struct packed *p)
{
	const GElf_Shdr *h = &p->header;
	Elf32_Shdr narrow = { h->sh_name,
			      h->sh_type,
			      (Elf32_Word)h->sh_flags,
			      (Elf32_Addr)h->sh_addr,
			      (Elf32_Off)h->sh_offset,
			      (Elf32_Word)h->sh_size,
			      h->sh_link,
			      h->sh_info,
			      (Elf32_Word)p->alignment,
			      (Elf32_Word)h->sh_entsize };
	bool is_64 = u->header.e_ident[EI_CLASS] == ELFCLASS64;
	size_t len = is_64 ? sizeof(*h) : sizeof(narrow);
	off_t at = (off_t)(u->header.e_shoff + p->number * u->header.e_shentsize);

	return pwrite(u->fd, is_64 ? (const void *)h : &narrow, len, at) == (ssize_t)len;
}

static bool unpack(struct unpacking *u, struct packed *p)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), begin = (u->end + page - 1) / page * page;
	size_t got;
	void *to;

	if (!p->size || p->size > MOST_BYTES || begin + p->size > MOST_BYTES ||
	    ftruncate(u->fd, (off_t)(begin + p->size)))
		return false;
	to = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_SHARED, u->fd, (off_t)begin);
	if (to == MAP_FAILED)
		return false;
	got = ZSTD_decompress(to, p->size, p->data, p->len);
	munmap(to, p->size);
	u->end = begin + p->size;
	p->header.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
	p->header.sh_offset = begin;
	p->header.sh_size = p->size;
	p->header.sh_addralign = p->alignment;
	return got == p->size && write_header(u, p);
}

static bool unpack_all(struct unpacking *u)
{
	struct packed packed;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(u->elf, section));)
		if (read_packed(u, section, &packed) && !unpack(u, &packed))
			return false;
	return true;
}

/* Returns the file in memory; -1: nothing is to be unpacked, or cannot be. */
static int unpacked(struct unpacking *u, int fd)
{
	if (!gelf_getehdr(u->elf, &u->header) || u->header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    !has_packed(u))
		return -1;
	u->fd = memfd_create("unpacked", MFD_CLOEXEC);
	if (u->fd < 0 || (copy_file(fd, u->fd, &u->end) && unpack_all(u)))
		return u->fd;
	close(u->fd);
	return -1;
}

int zstdsections_unpacked(int fd)
{
	struct unpacking u = { 0 };
	int ret = -1;

	if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
		return fd;
	u.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (u.elf)
		ret = unpacked(&u, fd);
	elf_end(u.elf);
	if (ret < 0)
		return fd;
	close(fd);
	return ret;
}
