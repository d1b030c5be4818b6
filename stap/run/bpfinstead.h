/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_BPFINSTEAD_H
#define STAP_BPFINSTEAD_H

struct session;

/*
 * Called where the module could not be built or loaded: says that --runtime=bpf runs the
 * script here, if it does. argv is stap's.
 */
void bpfinstead_say(struct session *s, int argc, char **argv);

#endif
