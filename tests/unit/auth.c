/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exporter/auth.c, with hashes that count the work of real ones: it is the same whoever
 * is asked for, and passwords that are remembered wait for none of it.
 */
#define crypt_r counted_crypt
#include "unit.h"

#include "exporter/auth.c"
#include "exporter/text.c"

static long work;
static void (*meanwhile)(void); /* called while a hash is made */

/* "$2y$NN$" and 22 characters of salt, then the password. */
char *counted_crypt(const char *password, const char *setting, struct crypt_data *data)
{
	work += 1 << atoi(setting + 4);
	if (meanwhile)
		meanwhile();
	snprintf(data->output, sizeof(data->output), "%.29s%.31s", setting, password);
	return data->output;
}

static char ann_hash[] = "$2y$04$aaaaaaaaaaaaaaaaaaaaaaright",
	    bob_hash[] = "$2y$12$bbbbbbbbbbbbbbbbbbbbbbsecret",
	    other_hash[] = "$2y$04$aaaaaaaaaaaaaaaaaaaaaaother";
static char ann[] = "ann", bob[] = "bob";
static struct webuser users[] = { { ann, ann_hash }, { bob, bob_hash } };
static const struct webconfig config = { .users = users, .nusers = 2 };

static long work_of(const char *name, const char *password, bool is_right)
{
	work = 0;
	CHECK(auth_is_right(&config, name, password) == is_right);
	return work;
}

/* No time tells who is a user, whatever hashes the users have. */
static void equal_work(void)
{
	CHECK_LONG(work_of("nobody", "x", false), 1 << 12);
	CHECK_LONG(work_of("bob", "x", false), 1 << 12);
	CHECK_LONG(work_of("ann", "x", false), 1 << 12);
	CHECK_LONG(work_of("", "", false), 1 << 12);
	CHECK_LONG(work_of("ann", "right", true), 1 << 12);
	CHECK_LONG(work_of("ann", NULL, false), 0);
	CHECK_LONG(work_of(NULL, NULL, false), 0);
}

static void remembered(void)
{
	work = 0;
	CHECK(auth_is_remembered(&config, "ann", "right"));
	CHECK(!auth_is_remembered(&config, "ann", "wrong"));
	CHECK(!auth_is_remembered(&config, "bob", "secret"));
	CHECK(!auth_is_remembered(&config, "nobody", "right"));
	CHECK(!auth_is_remembered(&config, NULL, NULL));
	CHECK_LONG(work, 0);
	CHECK_LONG(work_of("ann", "right", true), 0);
	/* Another hash is another password. */
	users[0].hash = other_hash;
	CHECK(!auth_is_remembered(&config, "ann", "right"));
	users[0].hash = ann_hash;
	CHECK(auth_is_remembered(&config, "ann", "right"));
}

static unsigned asked;

static void ask(void)
{
	asked += auth_is_remembered(&config, "ann", "right");
}

/* Would wait for ever if it waited for the hash. */
static void during_hashes(void)
{
	meanwhile = ask;
	CHECK_LONG(work_of("nobody", "x", false), 1 << 12);
	meanwhile = NULL;
	CHECK(asked > 0);
}

static void many_right(void)
{
	char name[] = "u00", hash[64];
	struct webuser one = { name, hash };
	const struct webconfig c = { .users = &one, .nusers = 1 };

	for (int i = 0; i < 2 * REMEMBERED; i++) {
		snprintf(name, sizeof(name), "u%02d", i % 100);
		snprintf(hash, sizeof(hash), "$2y$04$%022dpw", i);
		CHECK(auth_is_right(&c, name, "pw") && auth_is_remembered(&c, name, "pw"));
	}
	CHECK_LONG(auth.count, REMEMBERED);
	CHECK(!auth_is_remembered(&config, "ann", "right"));
}

static void nobody_needed(void)
{
	const struct webconfig open_to_all = { .nusers = 0 };

	CHECK(auth_is_remembered(&open_to_all, NULL, NULL));
	CHECK(auth_is_right(&open_to_all, NULL, NULL));
}

int main(void)
{
	RUN(equal_work);
	RUN(remembered);
	RUN(during_hashes);
	RUN(many_right);
	RUN(nobody_needed);
	return unit_end();
}
