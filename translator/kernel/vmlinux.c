/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's image: the compressed kernel in it, and sections of that. */
#include "arch/arch.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "kernel/tree.h"

bool vmlinux_is_packed(struct session *s, const struct bytes *image)
{
	return arch_of(s)->image->is_packed(image);
}

struct error *vmlinux_payload(struct session *s, const struct bytes *image, struct bytes *ret)
{
	return arch_of(s)->image->payload(s, image, ret);
}

static struct error *open_payload(struct session *s, struct bytes *ret, const char **vmlinuz)
{
	struct bytes image;

	*vmlinuz = kernel_place(s, TREE_IMAGE);

	struct error *err = file_map(s->arena, *vmlinuz, &image);

	return err ? err : vmlinux_payload(s, &image, ret);
}

struct error *vmlinux_part(struct session *s, const struct bytes *kernel, const char *name,
			   struct bytes *ret)
{
	const struct arch_image *image = arch_of(s)->image;

	if (!image->section || elf_is(kernel))
		return elf_section(s->arena, kernel, name, ret);
	if (image->section(kernel, name, ret))
		return NULL;
	return error_create(s->arena, ERROR_ENVIRONMENT, "%s: it has no section %s", kernel->file,
			    name);
}

struct error *vmlinux_section(struct session *s, const char *name, struct bytes *ret)
{
	struct bytes payload;
	const char *vmlinuz;
	struct error *err = open_payload(s, &payload, &vmlinuz);

	if (err || !arch_of(s)->image->section)
		return err ? err : unpack_section(s->arena, &payload, name, ret);
	err = unpack(s->arena, &payload, &payload);
	return err ? err : vmlinux_part(s, &payload, name, ret);
}

struct error *vmlinux_image(struct session *s, struct bytes *ret, const char **vmlinuz)
{
	struct bytes payload;
	struct error *err = open_payload(s, &payload, vmlinuz);

	return err ? err : unpack_elf(s->arena, &payload, ret);
}
