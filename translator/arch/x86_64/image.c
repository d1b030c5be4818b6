/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bzImage (Documentation/arch/x86/boot.rst): sectors of setup code, whose header tells
 * where after them the payload is.
 */
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "formats/file.h"
#include "lib/error.h"

enum {
	BOOT_SETUP_SECTS = 0x1f1,
	BOOT_MAGIC = 0x202,
	BOOT_VERSION = 0x206,
	BOOT_PAYLOAD_OFFSET = 0x248,
	BOOT_PAYLOAD_LENGTH = 0x24c,
	BOOT_HEADER_END = 0x250,
};

static bool is_packed(const struct bytes *image)
{
	return image->len >= BOOT_HEADER_END && !memcmp(image->data + BOOT_MAGIC, "HdrS", 4);
}

static struct error *payload(struct session *s, const struct bytes *image, struct bytes *ret)
{
	const uint8_t *d = image->data;

	if (!is_packed(image))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s: not an x86 kernel image: no boot header at offset %#x",
				    image->file, BOOT_MAGIC);
	if (d[BOOT_VERSION + 1] < 2 || (d[BOOT_VERSION + 1] == 2 && d[BOOT_VERSION] < 8))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s: boot protocol %u.%02u at offset %#x is too old",
				    image->file, d[BOOT_VERSION + 1], d[BOOT_VERSION],
				    BOOT_VERSION);

	uint64_t sectors = d[BOOT_SETUP_SECTS] ? d[BOOT_SETUP_SECTS] : 4;
	uint64_t offset = (sectors + 1) * 512 + bytes_le32(d + BOOT_PAYLOAD_OFFSET);
	uint64_t length = bytes_le32(d + BOOT_PAYLOAD_LENGTH);

	if (!length || offset > image->len || length > image->len - offset)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s: malformed: payload [%#llx, +%#llx) is outside of the file",
				    image->file, (unsigned long long)offset,
				    (unsigned long long)length);
	*ret = (struct bytes){ image->file, d + offset, length };
	return NULL;
}

const struct arch_image x86_64_image = { .is_packed = is_packed, .payload = payload };
