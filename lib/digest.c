/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/digest.h"

#include <openssl/evp.h>

#include "lib/arena.h"

const char *digest_hex(struct arena *a, const char *text, size_t len)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int size = 0;
	char *hex, *p;

	if (!EVP_Digest(text, len, digest, &size, EVP_sha256(), NULL))
		size = 0;
	p = hex = arena_alloc(a, size * 2 + 1);
	for (unsigned int i = 0; i < size; i++) {
		*p++ = "0123456789abcdef"[digest[i] >> 4];
		*p++ = "0123456789abcdef"[digest[i] & 15];
	}
	return hex;
}
