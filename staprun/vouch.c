/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See vouch.h. A mark is a few bytes in the file, whose owner can change them like
 * everything else in it. So the mark counts only if somebody whom root trusts has signed
 * the file. A signature is 64 bytes of Ed25519 and nothing else: no format that a user
 * wrote has to be parsed.
 */
#include "staprun/vouch.h"

#include <dirent.h>
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "staprun/caller.h"
#include "staprun/load.h"
#include "staprun/report.h"

#define SIGNATURE_SIZE 64
#define KEY_MAX	       4096

static bool is_verified(const struct image *module, const struct image *signature, EVP_PKEY *key)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool ok = ctx && EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 &&
		  EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) == 1 &&
		  EVP_DigestVerify(ctx, (const unsigned char *)signature->data, signature->size,
				   (const unsigned char *)module->data, module->size) == 1;

	EVP_MD_CTX_free(ctx);
	return ok;
}

static EVP_PKEY *parse_key(const struct image *pem)
{
	BIO *bio = BIO_new_mem_buf(pem->data, (int)pem->size);
	EVP_PKEY *key = bio ? PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL) : NULL;

	BIO_free(bio);
	return key;
}

/* True: the signature was made with the key in that file. */
static bool is_signed_by(int dir, const char *name, const struct image *module,
			 const struct image *signature)
{
	struct image pem;
	const char *wrong = image_read_in(dir, name, KEY_MAX, &pem);
	EVP_PKEY *key = wrong ? NULL : parse_key(&pem);
	bool ok = key && is_verified(module, signature, key);

	if (!key)
		report_verbose(VOUCH_KEYS "/%s: %s", name, wrong ? wrong : "not a public key");
	if (ok)
		report_verbose("signed by " VOUCH_KEYS "/%s", name);
	EVP_PKEY_free(key);
	if (!wrong)
		image_free(&pem);
	return ok;
}

static bool is_key(const char *name)
{
	size_t len = strlen(name);

	return len > 4 && name[0] != '.' && !strcmp(name + len - 4, ".pem");
}

/* Returns NULL, or the error. */
static const char *check_keys(const struct image *module, const struct image *signature)
{
	int fd = image_open_root_dir(VOUCH_KEYS);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	bool found = false;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return errno == ENOENT	? "there is no " VOUCH_KEYS " with keys"
		       : errno == EPERM ? "users other than root may write to " VOUCH_KEYS
					: VOUCH_KEYS " cannot be read";
	}
	// No configuration file may influence the decision about trust.
	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
	while (!found && (e = readdir(d)))
		found = is_key(e->d_name) && is_signed_by(fd, e->d_name, module, signature);
	closedir(d);
	return found ? NULL : "it is not by a key in " VOUCH_KEYS;
}

/* Returns NULL, or the error. */
static const char *check_signature(const struct load *l, const char *path)
{
	struct image signature;
	const char *wrong = image_read_as_user(path, SIGNATURE_SIZE, &signature);

	if (wrong)
		return wrong;
	wrong = signature.size == SIGNATURE_SIZE ? check_keys(&l->image, &signature)
						 : "it is too short";
	image_free(&signature);
	return wrong;
}

static bool is_signed(const struct load *l)
{
	char path[sizeof(l->path_buf)];
	int n = snprintf(path, sizeof(path), "%s.sig", l->path);
	const char *wrong = n < 0 || (size_t)n >= sizeof(path) ? "the name is too long"
							       : check_signature(l, path);

	if (!wrong)
		return true;
	report_error("%s: it is not signed", l->path);
	report_hint("%s: %s", path, wrong);
	return false;
}

static bool is_marked_for(const struct load *l, enum stp_privilege level)
{
	const char *mark = modinfo_next(&l->info, STP_PRIVILEGE_MARK, NULL);

	for (unsigned i = 0; mark && i <= level; i++)
		if (!strcmp(mark, caller_group(i)))
			return true;
	report_error("%s: it is made for %s", l->path, mark ? mark : "root");
	// No program can be made for them: it would see the processes of others.
	if (!l->is_program || level != PRIVILEGE_STAPUSR)
		report_hint("made with stap --privilege=%s, and signed, you may load it",
			    caller_group(level));
	return false;
}

bool vouch_check(const struct load *l, const struct caller *c)
{
	if (caller_may_all(c) || l->is_placed || (l->is_program && c->has_capabilities))
		return true;
	if (is_marked_for(l, c->level) && is_signed(l))
		return true;
	report_hint("members of %s may load %s that root has put into "
		    "/lib/modules/RELEASE/systemtap, "
		    "and those that are signed for them",
		    caller_group(c->level), l->is_program ? "programs" : "modules");
	return false;
}
