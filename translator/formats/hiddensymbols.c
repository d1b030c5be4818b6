/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/hiddensymbols.h"

#include "formats/file.h"

#define BYTES_MOST (64u << 20) /* of an ELF file that has only symbols */

Elf *hiddensymbols_open(struct arena *a, const char *path, Elf_Scn *section)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	struct bytes packed = { .file = path }, bytes;

	if (!data || !data->d_buf)
		return NULL;
	packed.data = data->d_buf;
	packed.len = data->d_size;
	return unpack_bounded(a, &packed, BYTES_MOST, &bytes)
		       ? NULL
		       : elf_memory((char *)bytes.data, bytes.len);
}
