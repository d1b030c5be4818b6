/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rights of a program whose handlers are in the kernel. It may have been started with
 * capabilities that its user does not have, by staprun: they are for this process alone,
 * never for the commands that it starts.
 */
#ifndef STP_USER_RIGHTS_H
#define STP_USER_RIGHTS_H

#include <stdbool.h>

/*
 * Keeps the capabilities from all programs that this one will execute, and its memory
 * from its user. Called before anything else.
 */
void rights_keep(void);
/*
 * Takes the environment of commands from a descriptor: "NAME=VALUE", each with its 0. The
 * program itself was started without one, so that nothing in its libraries was chosen by
 * the user. A time zone that is a file of the user's is left out, because the C library
 * would read it here. False: the descriptor cannot be read.
 */
bool rights_take_environment(int fd);

#endif
