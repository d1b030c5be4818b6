/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The conversation over the one connection to a machine. A shell there, TALK_SCRIPT,
 * writes "stap-host " and the words that host_answered() reads, and then accepts lines:
 *
 *   clock 0     it answers "clock NANOSECONDS", or "clock N" if date(1) has no %N
 *   run LENGTH  this many bytes of another script follow, and then that script's input
 *
 * The script of a run reads the module from its input, after staprun and stapio if the
 * machine has none. From then on each byte there means that stap is still listening. When
 * none comes for the time of --remote-timeout, or the connection ends, the run ends.
 * Among them are lines "sWHICH:on" and "sWHICH:off", for staprun --switch.
 */
#ifndef STAP_REMOTE_TALK_H
#define STAP_REMOTE_TALK_H

#include <stdbool.h>
#include <stddef.h>

struct host;
struct session;

#define TALK_GREETING "stap-host "
#define TALK_CLOCK    "clock "

/* Returns the command that the machine's login shell gets. */
const char *talk_command(struct session *s);
void talk_ask_clock(struct host *h);
/*
 * Switches a probe of a running machine, or all of them (-1). False: the connection takes
 * nothing.
 */
bool talk_switch(struct host *h, int index, bool on);
/*
 * Puts the run into h->to_send, as machine number `id`; the programs, if it gets any, and
 * the module follow it. stream: the argument of --records, or NULL.
 */
void talk_run(struct session *s, struct host *h, size_t id, const char *stream);

#endif
