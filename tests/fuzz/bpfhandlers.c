/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into the programs of --runtime=bpf: the file of the handlers. The
 * first two bytes are the length of a verifier's log, which comes before the file.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "user/bpfreader.h"
#include "user/bpfrefusal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int maps[BPFIMAGE_MAPS] = { 3, 4, 5 };
	size_t logged = size >= 2 ? data[0] + 256u * data[1] : 0;
	struct bpfparts parts;
	char text[1024], *log;
	void *file;

	if (size < 2 || logged > size - 2)
		return 0;
	log = calloc(1, logged + 1);
	file = malloc(size - 2 - logged + 1);
	memcpy(log, data + 2, logged);
	memcpy(file, data + 2 + logged, size - 2 - logged);
	if (bpfreader_read(file, size - 2 - logged, &parts)) {
		bpfreader_set_maps(&parts, maps);
		bpfrefusal_explain(text, sizeof(text), &parts, log, data[0]);
	}
	free(file);
	free(log);
	return 0;
}
