/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the running kernel's build-id, from its ELF notes. */
#ifndef STP_PROBE_BUILD_ID_H
#define STP_PROBE_BUILD_ID_H

#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/symbol.h"

/*
 * Searches ELF notes for the build-id. Each note has the sizes of its name and contents,
 * its type, then both, padded to multiples of 4 bytes.
 */
static bool notes_have(const u8 *at, const u8 *end, const char *hex)
{
	const u32 build_id = 3;

	while (end - at >= 12) {
		u32 name_len = ((const u32 *)at)[0], len = ((const u32 *)at)[1],
		    type = ((const u32 *)at)[2];
		const u8 *contents = at + 12 + ALIGN((unsigned long)name_len, 4);
		char text[2 * 32 + 1];

		if (contents > end || len > end - contents)
			return false;
		if (type == build_id && name_len == 4 && !memcmp(at + 12, "GNU", 4) && len <= 32) {
			snprintf(text, sizeof(text), "%*phN", (int)len, contents);
			return !strcmp(text, hex);
		}
		at = contents + ALIGN((unsigned long)len, 4);
	}
	return false;
}

/*
 * Compares the running kernel with a build. Kernels whose symbol table has only functions
 * do not show where the notes are: they are assumed to be that build.
 */
static int kernel_is_build(const char *build_id, bool *ret)
{
	struct stp_symbol notes[] = { { .name = "__start_notes" }, { .name = "__stop_notes" } };
	int err = stp_symbols_resolve(notes, ARRAY_SIZE(notes));

	*ret = err || !notes[0].address || !notes[1].address ||
	       notes_have((const u8 *)notes[0].address, (const u8 *)notes[1].address, build_id);
	return err;
}

#endif
