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
 * True: the command line is one of `stap service`. If the directory contains a script
 * called `service`, `stap service` runs it, unless a verb follows. service_main() refuses
 * that case, because a command of root must not run a file that others have put into a
 * directory.
 */
bool service_is_asked(int argc, char **argv);
/* Performs the command. *status is the exit status if there is no error. */
struct error *service_main(struct session *s, int argc, char **argv, int *status);

#endif
