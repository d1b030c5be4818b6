/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signs modules for kernels that require it (Secure Boot), with a key of this machine. */
#ifndef STAP_BUILD_SIGN_H
#define STAP_BUILD_SIGN_H

#include <stdbool.h>

struct error;
struct session;
struct signer;
struct strbuf;

/* The machine's key for stap: key.pem and cert.der. */
#define SIGN_DIR "/etc/stap/signing"

/*
 * Finds the key to sign modules with: that of --sign-module, else the machine's. *ret is
 * NULL if nothing must be signed: neither the option nor the target kernel requires it,
 * and there is no key for stap on this machine.
 */
struct error *sign_open(struct session *s, struct signer **ret);
/*
 * True: the target kernel takes only signed modules, and runs here or on a machine of
 * --remote.
 */
bool sign_is_asked(struct session *s);
/* Adds the certificate's fingerprint to a key of the cache. */
void sign_add_key(const struct signer *signer, struct strbuf *key);
/* Appends the signature to the module, in the form that the kernel's sign-file makes. */
struct error *sign_module(struct session *s, const struct signer *signer, const char *path);

#endif
