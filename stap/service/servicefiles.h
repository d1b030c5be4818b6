/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A service's name, its files, and the command line that results from them. */
#ifndef STAP_SERVICE_SERVICEFILES_H
#define STAP_SERVICE_SERVICEFILES_H

#include <stdbool.h>

#include "lib/vec.h"
#include "stap/service/conf.h"

struct error;
struct session;

#define SERVICE_SCRIPTS "/etc/stap/scripts"

struct service_files {
	const char *name;
	const char *script;	/* NAME.stp */
	const char *conf;	/* NAME.conf; NULL: there is none */
	VEC(const char *) argv; /* stap's, ended by NULL */
};

/* True: the name has no special meaning for systemd, a shell or a file system. */
bool servicefiles_is_name(const char *name);
struct error *servicefiles_check_name(struct session *s, const char *name);
/*
 * Finds and checks the files, and the options in them. `root` is put before their paths;
 * "" is this machine.
 */
struct error *servicefiles_find(struct session *s, const char *root, const char *name,
				struct service_files *ret);

#endif
