/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signatures of modules. A signed module is the module, a CMS message without the data
 * and without certificates, and a trailer that has its length; the kernel's
 * linux/module_signature.h describes it.
 */
#include "build/sign.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "build/cache.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"

#define SIGNED_MARK "~Module signature appended~\n"

struct signer {
	EVP_PKEY *key;
	X509 *certificate;
	const char *file; /* of the key */
};

/* Places of a machine's key: our own, and those of other builders of modules. */
static const struct place {
	const char *key, *certificate;
} places[] = {
	{ SIGN_DIR "/key.pem", SIGN_DIR "/cert.der" },
	{ "/var/lib/dkms/mok.key", "/var/lib/dkms/mok.pub" },
	{ "/var/lib/shim-signed/mok/MOK.priv", "/var/lib/shim-signed/mok/MOK.der" },
};
#define NPLACES (sizeof(places) / sizeof(places[0]))

static struct error *crypto_failed(struct session *s, const char *what, const char *file)
{
	const char *reason = ERR_reason_error_string(ERR_peek_last_error());

	ERR_clear_error();
	return error_create(s->arena, ERROR_ENVIRONMENT, "%s: %s: %s", file, what,
			    reason ? reason : "unknown reason");
}

/* ---- the key ---- */

/*
 * A passphrase is given in the same way as to the kernel's own build; there is no prompt.
 */
static int give_passphrase(char *buf, int size, int writing, void *unused)
{
	const char *pin = getenv("KBUILD_SIGN_PIN");
	size_t len = pin ? strlen(pin) : 0;

	if (!len || len > (size_t)size)
		return 0;
	memcpy(buf, pin, len);
	return (int)len;
}

static struct error *open_file(struct session *s, const char *path, BIO **ret)
{
	errno = 0;
	*ret = BIO_new_file(path, "rb");
	ERR_clear_error();
	return *ret ? NULL : error_errno(s->arena, "%s", path);
}

static struct error *read_key(struct session *s, const char *path, EVP_PKEY **ret)
{
	BIO *in;
	struct error *err = open_file(s, path, &in);

	if (err)
		return err;
	*ret = PEM_read_bio_PrivateKey(in, NULL, give_passphrase, NULL);
	BIO_free(in);
	return *ret ? NULL : crypto_failed(s, "no private key (PEM)", path);
}

/* Reads a certificate in either format; mokutil uses DER. */
static struct error *read_certificate(struct session *s, const char *path, X509 **ret)
{
	BIO *in;
	struct error *err = open_file(s, path, &in);

	if (err)
		return err;
	*ret = PEM_read_bio_X509(in, NULL, NULL, NULL);
	if (!*ret && !BIO_reset(in))
		*ret = d2i_X509_bio(in, NULL);
	BIO_free(in);
	if (!*ret)
		return crypto_failed(s, "no certificate (PEM or DER)", path);
	ERR_clear_error();
	return NULL;
}

static struct error *read_pair(struct session *s, const struct place *p, struct signer **ret)
{
	struct signer *signer = arena_new(s->arena, struct signer);
	struct error *err = read_key(s, p->key, &signer->key);

	signer->file = p->key;
	if (!err)
		err = read_certificate(s, p->certificate, &signer->certificate);
	if (!err && X509_check_private_key(signer->certificate, signer->key) != 1)
		err = crypto_failed(s, "the certificate belongs to another key", p->certificate);
	if (!err)
		*ret = signer;
	return err;
}

/* Returns the names in --sign-module=KEY[,CERTIFICATE]; the key's file may hold both. */
static struct place place_named(struct session *s, const char *arg)
{
	const char *comma = strchr(arg, ',');

	return (struct place){
		.key = comma ? arena_strndup(s->arena, arg, (size_t)(comma - arg)) : arg,
		.certificate = comma ? comma + 1 : arg,
	};
}

/* ---- whether to sign ---- */

static bool file_says(struct session *s, const char *path, const char *word)
{
	char *text;
	size_t len;

	return !path_read(s->arena, path, &text, &len) && strstr(text, word);
}

bool sign_is_asked(struct session *s)
{
	if (s->options->remotes.count)
		return s->options->remote_signs;
	return s->kernel->is_running &&
	       (file_says(s, "/sys/module/module/parameters/sig_enforce", "Y") ||
		file_says(s, "/sys/kernel/security/lockdown", "[integrity]"));
}

/*
 * Returns the first key that can be read. A key that was made for stap is used for every
 * kernel; keys of others only if a signature is required.
 */
static const struct place *place_found(struct session *s)
{
	const struct place *p = places;

	while (p < places + NPLACES && access(p->key, R_OK))
		p++;
	if (p == places + NPLACES)
		return NULL;
	return p == places || s->options->sign || sign_is_asked(s) ? p : NULL;
}

struct error *sign_open(struct session *s, struct signer **ret)
{
	const struct options *o = s->options;
	const struct place *p;

	*ret = NULL;
	if (o->sign_key) {
		struct place named = place_named(s, o->sign_key);

		return read_pair(s, &named, ret);
	}
	p = place_found(s);
	if (p)
		return read_pair(s, p, ret);
	if (o->sign)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "--sign-module: there is no key that you can read, neither "
				    "%s nor %s; stap --make-key makes one, as root",
				    places[0].key, places[1].key);
	/*
	 * That machine's staprun would advise making a key there, which is useless here.
	 */
	if (o->remote_signs && o->last_pass == 5)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "a machine of --remote loads only signed modules, and there is "
				    "no key here that you can read, neither %s nor %s; stap "
				    "--make-key makes one, as root, and mokutil --import takes its "
				    "certificate on that machine",
				    places[0].key, places[1].key);
	return NULL;
}

void sign_add_key(const struct signer *signer, struct strbuf *key)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned len = 0;

	if (!signer || !X509_digest(signer->certificate, EVP_sha256(), digest, &len))
		len = 0;
	strbuf_addhex(key, digest, len);
	build_key_text(key, len ? "signed" : "unsigned");
}

/* ---- signing ---- */

/* The trailer: struct module_signature of linux/module_signature.h. */
struct trailer {
	unsigned char algorithm, hash; /* 0: in the message */
	unsigned char kind;	       /* 2: PKCS #7 */
	unsigned char name_len, key_len, pad[3];
	uint32_t len; /* of the message, big endian */
};

/* Returns the message; NULL: libcrypto says why. */
static CMS_ContentInfo *make_message(const struct signer *signer, const EVP_MD *hash, BIO *data)
{
	const unsigned flags = CMS_NOCERTS | CMS_BINARY | CMS_DETACHED;
	CMS_ContentInfo *cms = CMS_sign(NULL, NULL, NULL, NULL, flags | CMS_PARTIAL | CMS_STREAM);

	if (cms &&
	    CMS_add1_signer(cms, signer->certificate, signer->key, hash,
			    CMS_NOCERTS | CMS_BINARY | CMS_NOSMIMECAP | CMS_NOATTR) &&
	    CMS_final(cms, data, NULL, flags) == 1)
		return cms;
	CMS_ContentInfo_free(cms);
	return NULL;
}

/* Sets *ret to the message's bytes, in the arena; their number, 0: libcrypto says why. */
static size_t sign_text(struct session *s, const struct signer *signer, const char *text,
			size_t len, unsigned char **ret)
{
	const char *wanted = kernel_config(s, "CONFIG_MODULE_SIG_HASH");
	const EVP_MD *hash = EVP_get_digestbyname(wanted ? wanted : "sha256");
	BIO *data = BIO_new_mem_buf(text, (int)len);
	CMS_ContentInfo *cms = data && hash ? make_message(signer, hash, data) : NULL;
	int n = cms ? i2d_CMS_ContentInfo(cms, NULL) : 0;

	if (n > 0) {
		unsigned char *end = *ret = arena_alloc(s->arena, (size_t)n);

		n = i2d_CMS_ContentInfo(cms, &end);
	}
	CMS_ContentInfo_free(cms);
	BIO_free(data);
	return n > 0 ? (size_t)n : 0;
}

struct error *sign_module(struct session *s, const struct signer *signer, const char *path)
{
	struct trailer trailer = { .kind = 2 };
	unsigned char *message;
	char *text, *all;
	size_t len, n;
	struct error *err = path_read(s->arena, path, &text, &len);

	if (err)
		return err;
	n = sign_text(s, signer, text, len, &message);
	if (!n)
		return crypto_failed(s, "the module cannot be signed with it", signer->file);
	trailer.len = htonl((uint32_t)n);
	all = arena_alloc(s->arena, len + n + sizeof(trailer) + sizeof(SIGNED_MARK));
	memcpy(all, text, len);
	memcpy(all + len, message, n);
	memcpy(all + len + n, &trailer, sizeof(trailer));
	memcpy(all + len + n + sizeof(trailer), SIGNED_MARK, sizeof(SIGNED_MARK) - 1);
	return path_write(s->arena, path, all, len + n + sizeof(trailer) + sizeof(SIGNED_MARK) - 1);
}
