/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machines of --remote and --remote-file. Sets such as node[1-9] and groups such as
 * @web have the syntax of ClusterShell, whose program lists their members.
 */
#ifndef STAP_REMOTE_HOSTSET_H
#define STAP_REMOTE_HOSTSET_H

#include "stap/remote/host.h"

/*
 * ssh may ask for passwords only with at most this many machines, and only where stap has
 * the terminal: not with --web.
 */
#define HOSTSET_FEW 8

struct error *hostset_read(struct session *s, host_list *ret);

#endif
