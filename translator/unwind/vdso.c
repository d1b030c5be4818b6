/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The library that the kernel maps into each process. It is page-aligned in the kernel's
 * image; this process has a copy of the running kernel's.
 */
#include "unwind/vdso.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>

#include "arch/arch.h"
#include "base/session.h"
#include "kernel/factcache.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "kernel/tree.h"

#define PAGE	   4096
#define IMAGE_MOST (1u << 20)
#define SONAME	   "linux-vdso.so.1"

/*
 * Returns the size of the image that begins at data; 0: there is none. The section
 * headers come last in it.
 */
static uint64_t image_size(const struct session *s, const uint8_t *data, uint64_t left)
{
	Elf64_Ehdr h;
	uint64_t size;

	if (left < sizeof(h))
		return 0;
	memcpy(&h, data, sizeof(h));
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_type != ET_DYN || h.e_machine != arch_of(s)->machine->elf)
		return 0;
	size = h.e_shoff + (uint64_t)h.e_shnum * sizeof(Elf64_Shdr);
	if (h.e_shoff > IMAGE_MOST || size > left || size > IMAGE_MOST)
		return 0;
	return memmem(data, size, SONAME, sizeof(SONAME)) ? size : 0;
}

static bool find_in_kernel(struct session *s, struct bytes *ret)
{
	const char *vmlinuz;
	struct bytes kernel;

	if (vmlinux_image(s, &kernel, &vmlinuz))
		return false;
	for (uint64_t at = 0; at < kernel.len; at += PAGE) {
		uint64_t size = image_size(s, kernel.data + at, kernel.len - at);

		if (size) {
			*ret = (struct bytes){ vmlinuz, kernel.data + at, size };
			return true;
		}
	}
	return false;
}

bool vdso_find(struct session *s, struct bytes *ret)
{
	const char *stamp, *name;

	if (s->kernel->is_running && getauxval(AT_SYSINFO_EHDR)) {
		const uint8_t *own = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);

		*ret = (struct bytes){ "vdso", own, image_size(s, own, 4 * PAGE) };
		if (ret->len)
			return true;
	}
	stamp = factcache_stamp(s, kernel_place(s, TREE_IMAGE));
	name = arena_printf(s->arena, "%s.vdso", stamp);
	if (!stamp)
		return false;
	if (factcache_get(s, name, ret))
		return ret->len > 0 && image_size(s, ret->data, ret->len) > 0;
	if (!find_in_kernel(s, ret))
		return false;
	factcache_put(s, name, ret->data, ret->len);
	return true;
}
