/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into dtrace: a provider file. The first byte says whether the
 * preprocessor has seen it.
 */
#include <stdint.h>
#include <string.h>

#include "dtrace/generate.h"
#include "dtrace/provider.h"
#include "lib/arena.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_create();
	provider_list providers = { 0 };

	if (size) {
		const char *text = arena_strndup(a, (const char *)data + 1, size - 1);

		if (!provider_parse(a, "fuzz.d", text, size - 1, data[0] & 1, &providers)) {
			generate_header(a, "fuzz.d", &providers);
			generate_semaphores(a, "fuzz.d", &providers);
		}
	}
	arena_destroy(a);
	return 0;
}
