/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machines of a run with --remote, for its live page: what stap writes to the socket
 * of --page-hosts (stap/remote/hostpage.h) becomes the state of each machine. Not
 * thread-safe.
 */
#ifndef EXPORTER_LIVEHOSTS_H
#define EXPORTER_LIVEHOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct livehosts;
struct text;

struct livehosts *livehosts_create(void);
/* Takes bytes that have come; `ms` is CLOCK_REALTIME. */
void livehosts_take(struct livehosts *l, const char *bytes, size_t len, int64_t ms);
/* Returns the number of machines; 0: the run is one of this machine. */
size_t livehosts_count(const struct livehosts *l);
/* Returns the number of the last change. */
uint64_t livehosts_last(const struct livehosts *l);
/* Moves the answer to a request to *ret, malloc. False: none has come. */
bool livehosts_answer(struct livehosts *l, char **ret);
/*
 * Adds what has changed since the change `seen`, members of an object without braces:
 *
 *   "look":N, "hosts":[{"n":N, "name":S, "kind":S, "says":S, ...}]
 *
 * The kind is waits, running, ended or failed; says: the words for that. If the machine
 * has sent values since, its object also has the members of livestate.h.
 */
void livehosts_write(struct livehosts *l, uint64_t seen, struct text *t);
void livehosts_free(struct livehosts *l);

#endif
