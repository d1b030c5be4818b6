/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A key to sign modules with and its certificate. The certificate restricts the key to
 * modules: the boot loader uses the same list of keys, but does not accept a kernel
 * signed with this one.
 */

#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "build/sign.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"

enum { KEY_BITS = 2048, SERIAL_BITS = 127, DAYS = 3650 }; /* shim accepts RSA with 2048 bits */

#define FOR_MODULES "1.3.6.1.4.1.2312.16.1.2"

static const struct {
	int kind;
	const char *value;
} extensions[] = {
	{ NID_basic_constraints, "critical,CA:FALSE" },
	{ NID_key_usage, "digitalSignature" },
	{ NID_ext_key_usage, "codeSigning," FOR_MODULES },
	{ NID_subject_key_identifier, "hash" },
};

static bool set_name(X509 *x)
{
	char host[65] = "", name[128];
	X509_NAME *subject = X509_get_subject_name(x);

	gethostname(host, sizeof(host) - 1);
	snprintf(name, sizeof(name), "stap: modules of %.64s", host);
	return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (unsigned char *)name, -1,
					  -1, 0) &&
	       X509_set_issuer_name(x, subject);
}

static bool set_serial(X509 *x)
{
	BIGNUM *n = BN_new();
	bool ok = n && BN_rand(n, SERIAL_BITS, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) &&
		  BN_to_ASN1_INTEGER(n, X509_get_serialNumber(x));

	BN_free(n);
	return ok;
}

static bool add_extensions(X509 *x)
{
	X509V3_CTX context;
	bool ok = true;

	X509V3_set_ctx_nodb(&context);
	X509V3_set_ctx(&context, x, x, NULL, NULL, 0);
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]) && ok; i++) {
		X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, &context, extensions[i].kind,
							extensions[i].value);

		ok = e && X509_add_ext(x, e, -1);
		X509_EXTENSION_free(e);
	}
	return ok;
}

/* Returns a self-signed certificate for the key; NULL: no memory. */
static X509 *certify(EVP_PKEY *key)
{
	X509 *x = X509_new();

	if (x && X509_set_version(x, X509_VERSION_3) && set_serial(x) && set_name(x) &&
	    X509_gmtime_adj(X509_getm_notBefore(x), -24L * 3600) &&
	    X509_gmtime_adj(X509_getm_notAfter(x), DAYS * 24L * 3600) && X509_set_pubkey(x, key) &&
	    add_extensions(x) && X509_sign(x, key, EVP_sha256()))
		return x;
	X509_free(x);
	return NULL;
}

/* Creates a file that nobody else can read. Fails if it exists. */
static struct error *create(struct session *s, const char *path, mode_t mode, BIO **ret)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	*ret = fd < 0 ? NULL : BIO_new_fd(fd, BIO_CLOSE);
	return *ret ? NULL : error_errno(s->arena, "%s", path);
}

static struct error *write_pair(struct session *s, const char *key_path, EVP_PKEY *key,
				const char *certificate_path, X509 *certificate)
{
	BIO *out;
	struct error *err = create(s, key_path, 0600, &out);
	bool ok = !err && PEM_write_bio_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL);

	if (err)
		return err;
	BIO_free(out);
	err = create(s, certificate_path, 0644, &out);
	if (err)
		return err;
	ok &= i2d_X509_bio(out, certificate) == 1;
	BIO_free(out);
	return ok ? NULL
		  : error_create(s->arena, ERROR_ENVIRONMENT, "%s: it cannot be written", key_path);
}

static void print_steps(const char *key, const char *certificate)
{
	printf("made %s and %s\n\n"
	       "The kernel loads modules signed with it once the key is enrolled:\n\n"
	       "    mokutil --import %s     # asks for a password\n"
	       "    reboot     # and choose \"Enroll MOK\", which asks for that password\n\n"
	       "From then on stap signs its modules. Anyone who can read the key can load "
	       "modules.\n",
	       key, certificate, certificate);
}

/*
 * Makes key.pem and cert.der in the directory, which must not hold a key, and prints how
 * to make the machine trust them.
 */
struct error *makekey_run(struct session *s, int *status)
{
	const char *dir = s->options->wanted_word ? s->options->wanted_word : SIGN_DIR,
		   *key_path = arena_printf(s->arena, "%s/key.pem", dir),
		   *path = arena_printf(s->arena, "%s/cert.der", dir);
	struct error *err = path_make_dirs(s->arena, dir, 0755);
	EVP_PKEY *key = err ? NULL : EVP_RSA_gen(KEY_BITS);
	X509 *certificate = key ? certify(key) : NULL;

	if (!err)
		err = certificate ? write_pair(s, key_path, key, path, certificate)
				  : error_create(s->arena, ERROR_ENVIRONMENT,
						 "no key can be made here");
	X509_free(certificate);
	EVP_PKEY_free(key);
	if (!err)
		print_steps(key_path, path);
	return err;
}
