/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into the demangler of Rust's symbols. A name that it gives is text
 * within its room, and the same each time.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rustname.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *symbol = malloc(size + 1), name[RUSTNAME_SIZE], again[RUSTNAME_SIZE];

	if (!symbol)
		return 0;
	memcpy(symbol, data, size);
	symbol[size] = 0;
	if (rustname_demangle(symbol, name) &&
	    (strlen(name) >= RUSTNAME_SIZE || !rustname_demangle(symbol, again) ||
	     strcmp(name, again)))
		abort();
	free(symbol);
	return 0;
}
