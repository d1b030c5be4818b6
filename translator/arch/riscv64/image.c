/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An Image (Documentation/arch/riscv/boot-image-header.rst) is the kernel itself. Nothing
 * in it shows where the table of types begins: headers packages have that table.
 */
#include <string.h>

#include "arch/arch.h"
#include "formats/file.h"

enum { IMAGE_MAGIC = 56, HEADER_END = 64 };

static bool is_packed(const struct bytes *image)
{
	return image->len >= HEADER_END && !memcmp(image->data + IMAGE_MAGIC, "RSC\5", 4);
}

static struct error *payload(struct session *s, const struct bytes *image, struct bytes *ret)
{
	*ret = *image;
	return NULL;
}

static bool section(const struct bytes *kernel, const char *name, struct bytes *ret)
{
	*ret = *kernel;
	return !strcmp(name, ".rodata");
}

const struct arch_image riscv64_image = {
	.is_packed = is_packed,
	.payload = payload,
	.section = section,
};
