/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web.config files, as for Prometheus' exporters: TLS, and users with bcrypt hashes of
 * their passwords. An unknown setting is an error, because it may be meant to deny
 * access.
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
	struct webuser *users;	 /* none: everybody may read */
	size_t nusers;
	char *files[WEBCONFIG_FILES]; /* names of the files it was read from */
	uint64_t stamp;		      /* of these files, before they were read */
};

/* Reads a file. False with a message on standard error. */
bool webconfig_read(const char *path, struct webconfig *ret);
/* Returns a number that changes when one of its files changes. */
uint64_t webconfig_stamp(const struct webconfig *c);
void webconfig_free(struct webconfig *c);

#endif
