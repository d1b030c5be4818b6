/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bcrypt is slow on purpose, and a scraper comes every few seconds. So accepted passwords
 * are remembered, as digests with a key of this process, and need no further hash. Hashes
 * are computed one at a time, so that wrong passwords keep at most one processor busy.
 */
#include "exporter/auth.h"

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exporter/text.h"
#include "exporter/webconfig.h"

#define REMEMBERED 64
#define DIGEST	   32
#define LONGEST	   1024 /* name and password together; bcrypt uses 72 bytes of the password */

static struct {
	pthread_mutex_t lock;	 /* for the remembered passwords; held for microseconds */
	pthread_mutex_t hashing; /* held while a hash is computed */
	bool is_keyed;
	unsigned char key[DIGEST];
	unsigned char right[REMEMBERED][DIGEST];
	unsigned count, next;
} auth = { .lock = PTHREAD_MUTEX_INITIALIZER, .hashing = PTHREAD_MUTEX_INITIALIZER };

static bool has_key(void)
{
	if (!auth.is_keyed)
		auth.is_keyed = RAND_bytes(auth.key, sizeof(auth.key)) == 1;
	return auth.is_keyed;
}

/* Makes the digest of a name, a password and its hash. False: there is no randomness. */
static bool digest(const char *name, const char *password, const char *hash,
		   unsigned char ret[DIGEST])
{
	struct text t = { 0 };
	unsigned len = DIGEST;
	bool ok;

	text_add(&t, name, strlen(name) + 1);
	text_add(&t, password, strlen(password) + 1);
	text_adds(&t, hash);
	ok = has_key() &&
	     HMAC(EVP_sha256(), auth.key, DIGEST, (unsigned char *)t.s, t.len, ret, &len);
	OPENSSL_cleanse(t.s, t.len);
	text_free(&t);
	return ok;
}

/* ---- remembered passwords ---- */

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

static const char *hash_of(const struct webconfig *c, const char *name)
{
	const char *ret = NULL;

	for (size_t i = 0; i < c->nusers; i++)
		if (!strcmp(c->users[i].name, name))
			ret = c->users[i].hash;
	return ret;
}

/* True: both are given, and they are not too long. */
static bool is_asked(const char *name, const char *password)
{
	return name && password && strlen(name) + strlen(password) <= LONGEST;
}

bool auth_is_remembered(const struct webconfig *c, const char *name, const char *password)
{
	const char *hash = is_asked(name, password) ? hash_of(c, name) : NULL;
	unsigned char d[DIGEST];
	bool ret;

	if (!c->nusers)
		return true;
	if (!hash)
		return false;
	pthread_mutex_lock(&auth.lock);
	ret = digest(name, password, hash, d) && is_remembered(d);
	pthread_mutex_unlock(&auth.lock);
	return ret;
}

/* ---- hashes ---- */

/* Returns the logarithm of the cost of a hash, the 10 of "$2y$10$..." */
static int cost_of(const char *hash)
{
	return atoi(hash + 4);
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

/* Spends the time of a hash with this cost. */
static void spend(const char *password, int cost)
{
	char nobody[64];

	snprintf(nobody, sizeof(nobody), "$2y$%02d$abcdefghijklmnopqrstuu", cost);
	has_hash(password, nobody);
}

/*
 * Compares in the time of the most expensive user's hash, for every name. Each step of
 * the cost doubles the time. So a cheaper hash, plus one hash of each cost from there on,
 * takes as long as the most expensive one.
 */
static bool compare(const struct webconfig *c, const char *password, const char *hash)
{
	int most = 0, cost;
	bool ret = false;

	for (size_t i = 0; i < c->nusers; i++)
		if (cost_of(c->users[i].hash) > most)
			most = cost_of(c->users[i].hash);
	cost = hash ? cost_of(hash) : most;
	if (hash)
		ret = has_hash(password, hash);
	else
		spend(password, cost);
	for (; cost < most; cost++)
		spend(password, cost);
	return ret;
}

bool auth_is_right(const struct webconfig *c, const char *name, const char *password)
{
	const char *hash = is_asked(name, password) ? hash_of(c, name) : NULL;
	unsigned char d[DIGEST];
	bool ret;

	if (!c->nusers)
		return true;
	if (!is_asked(name, password))
		return false;
	pthread_mutex_lock(&auth.hashing);
	ret = auth_is_remembered(c, name, password) || compare(c, password, hash);
	pthread_mutex_unlock(&auth.hashing);
	pthread_mutex_lock(&auth.lock);
	if (ret && digest(name, password, hash, d) && !is_remembered(d))
		remember(d);
	pthread_mutex_unlock(&auth.lock);
	return ret;
}
