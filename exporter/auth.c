/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bcrypt is slow on purpose, and a scraper comes every few seconds: passwords that were right
 * are remembered, by a digest under a key of this process. Hashes are made one at a time, so
 * that wrong ones keep no more than one processor busy.
 */
#define _GNU_SOURCE
#include "exporter/auth.h"

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "exporter/text.h"
#include "exporter/webconfig.h"

#define REMEMBERED 64
#define DIGEST	   32
#define LONGEST	   1024 /* name and password; bcrypt looks at 72 bytes of it */

/* Matches no password, and takes the time that a user's hash takes. */
#define NOBODY "$2y$10$abcdefghijklmnopqrstuu5LoVjzBbyqRzuJXFIwyE8I1nV2pX9Ii"

static struct {
	pthread_mutex_t lock;
	bool is_keyed;
	unsigned char key[DIGEST];
	unsigned char right[REMEMBERED][DIGEST];
	unsigned count, next;
} auth = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Makes the digest of a name, a password and its hash. False: there is no randomness. */
static bool digest(const char *name, const char *password, const char *hash,
		   unsigned char ret[DIGEST])
{
	struct text t = { 0 };
	unsigned len = DIGEST;
	bool ok;

	if (!auth.is_keyed)
		auth.is_keyed = RAND_bytes(auth.key, sizeof(auth.key)) == 1;
	text_add(&t, name, strlen(name) + 1);
	text_add(&t, password, strlen(password) + 1);
	text_adds(&t, hash);
	ok = auth.is_keyed && HMAC(EVP_sha256(), auth.key, DIGEST, (unsigned char *)t.s, t.len, ret,
				   &len);
	OPENSSL_cleanse(t.s, t.len);
	text_free(&t);
	return ok;
}

static bool is_remembered(const unsigned char d[DIGEST])
{
	bool found = false;

	for (unsigned i = 0; i < auth.count; i++)
		found |= !CRYPTO_memcmp(auth.right[i], d, DIGEST);
	return found;
}

static void remember(const unsigned char d[DIGEST])
{
	memcpy(auth.right[auth.next], d, DIGEST);
	auth.next = (auth.next + 1) % REMEMBERED;
	auth.count += auth.count < REMEMBERED;
}

static bool has_hash(const char *password, const char *hash)
{
	struct crypt_data *data = text_memory(sizeof(*data));
	const char *made = crypt_r(password, hash, data);
	bool ret = made && strlen(made) == strlen(hash) && !CRYPTO_memcmp(made, hash, strlen(hash));

	OPENSSL_cleanse(data, sizeof(*data));
	free(data);
	return ret;
}

static bool check(const char *name, const char *password, const char *hash)
{
	unsigned char d[DIGEST];
	bool has_digest = digest(name, password, hash, d);

	if (has_digest && is_remembered(d))
		return true;
	if (!has_hash(password, hash))
		return false;
	if (has_digest)
		remember(d);
	return true;
}

bool auth_is_right(const struct webconfig *c, const char *name, const char *password)
{
	const char *hash = NULL;
	bool ret;

	if (!c->nusers)
		return true;
	if (!name || !password || strlen(name) + strlen(password) > LONGEST)
		return false;
	for (size_t i = 0; i < c->nusers; i++)
		if (!strcmp(c->users[i].name, name))
			hash = c->users[i].hash;
	pthread_mutex_lock(&auth.lock);
	ret = check(name, password, hash ? hash : NOBODY) && hash;
	pthread_mutex_unlock(&auth.lock);
	return ret;
}
