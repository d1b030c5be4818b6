/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See repeats.h. A table of 64-bit hashes, never more than half full. */
#include "lib/repeats.h"

#include <stdint.h>

static struct {
	uint64_t hashes[2 * REPEATS_MOST]; /* 0: free */
	size_t count;
} repeats;

/* FNV-1a. */
static uint64_t hash_of(const char *text, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	return hash ? hash : 1;
}

bool repeats_seen(const char *text, size_t len)
{
	uint64_t hash = hash_of(text, len);
	size_t at = hash % (2 * REPEATS_MOST);

	for (; repeats.hashes[at]; at = (at + 1) % (2 * REPEATS_MOST))
		if (repeats.hashes[at] == hash)
			return true;
	if (repeats.count < REPEATS_MOST) {
		repeats.hashes[at] = hash;
		repeats.count++;
	}
	return false;
}
