/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An Image (Documentation/arch/arm64/booting.rst) is the kernel itself; a compressed one
 * is compressed as a whole, or, as an EFI program (zboot), has the payload after its own
 * header.
 */
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "formats/file.h"
#include "lib/error.h"

enum {
	ZBOOT_MAGIC = 4, /* "zimg", after "MZ" and two zeros */
	ZBOOT_OFFSET = 8,
	ZBOOT_SIZE = 12,
	IMAGE_MAGIC = 56,
	HEADER_END = 64,
};

static bool is_zboot(const struct bytes *image)
{
	return image->len >= HEADER_END && !memcmp(image->data, "MZ\0\0zimg", 8);
}

static bool is_packed(const struct bytes *image)
{
	return is_zboot(image) ||
	       (image->len >= HEADER_END && !memcmp(image->data + IMAGE_MAGIC, "ARMd", 4));
}

static struct error *payload(struct session *s, const struct bytes *image, struct bytes *ret)
{
	uint64_t offset, size;

	*ret = *image;
	if (!is_zboot(image))
		return NULL;
	offset = bytes_le32(image->data + ZBOOT_OFFSET);
	size = bytes_le32(image->data + ZBOOT_SIZE);
	if (!size || offset > image->len || size > image->len - offset)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s: malformed: payload [%#llx, +%#llx) is outside of the file",
				    image->file, (unsigned long long)offset,
				    (unsigned long long)size);
	*ret = (struct bytes){ image->file, image->data + offset, size };
	return NULL;
}

/*
 * Finds the table of types by its header: magic, version 1, no flags, 24 bytes long,
 * followed directly by the types. Nothing shows where the other sections begin.
 */
static bool section(const struct bytes *kernel, const char *name, struct bytes *ret)
{
	static const uint8_t head[] = { 0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0, 0, 0, 0 };
	const uint8_t *at = kernel->data, *end = at + kernel->len;

	*ret = *kernel;
	if (strcmp(name, ".BTF"))
		return !strcmp(name, ".rodata");
	while ((at = memmem(at, (size_t)(end - at), head, sizeof(head))) && end - at >= 24) {
		uint64_t types = bytes_le32(at + 12), strings = bytes_le32(at + 16);
		uint64_t size = 24 + strings + bytes_le32(at + 20);

		*ret = (struct bytes){ kernel->file, at, size };
		if (types == strings && size <= (uint64_t)(end - at))
			return true;
		at++;
	}
	return false;
}

const struct arch_image aarch64_image = {
	.is_packed = is_packed,
	.payload = payload,
	.section = section,
};
