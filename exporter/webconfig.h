/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web.config files, as Prometheus' exporters have them: TLS, and users with bcrypt
 * hashes of their passwords. What is not understood there is an error: it may be what
 * keeps somebody out.
 */
#ifndef EXPORTER_WEBCONFIG_H
#define EXPORTER_WEBCONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct webuser {
	char *name, *hash;
};

enum webconfig_file { WEBCONFIG_ITSELF, WEBCONFIG_CERTIFICATE, WEBCONFIG_KEY, WEBCONFIG_FILES };

struct webconfig {
	char *certificate, *key; /* contents; NULL: no TLS */
	char *priorities;	 /* of GnuTLS */
	struct webuser *users;	 /* none: everybody is welcome */
	size_t nusers;
	char *files[WEBCONFIG_FILES]; /* names of those it was read from */
	uint64_t stamp;		      /* of them, as they were before they were read */
};

/* Reads a file. False with a message on standard error. */
bool webconfig_read(const char *path, struct webconfig *ret);
/* Returns a number that is another one when one of its files has changed. */
uint64_t webconfig_stamp(const struct webconfig *c);
void webconfig_free(struct webconfig *c);

#endif
