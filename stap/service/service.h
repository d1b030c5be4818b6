/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `stap service VERB NAME`: scripts that run from boot on, as units of systemd
 * (units/stap@.service). conf.h reads their configuration; unit.h speaks with systemctl.
 * To add a verb: a row in `verbs` of service.c, a line in man/stap@.service.8.
 */
#ifndef STAP_SERVICE_SERVICE_H
#define STAP_SERVICE_SERVICE_H

#include <stdbool.h>

struct error;
struct session;

/*
 * True: the command line is one of `stap service`. Where a script called `service` lies
 * in the directory, `stap service` runs it as ever, unless a verb stands behind it:
 * that is refused by service_main(), for root's words must not run what others have put
 * into a directory.
 */
bool service_is_asked(int argc, char **argv);
/* Does as asked. *status is the exit status when there is no error. */
struct error *service_main(struct session *s, int argc, char **argv, int *status);

#endif
