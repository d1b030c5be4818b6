/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A service's name, its files and the command line that they make. */
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

/* True: systemd, a shell and a file system take the name for what it is. */
bool servicefiles_is_name(const char *name);
struct error *servicefiles_check_name(struct session *s, const char *name);
/*
 * Finds and checks the files, and the options in them. `root` stands before their
 * places; "" is this machine.
 */
struct error *servicefiles_find(struct session *s, const char *root, const char *name,
				struct service_files *ret);

#endif
