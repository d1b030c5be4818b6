/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Returns of functions in programs: where the points of one are, which are refused, and
 * which the script's author is warned of.
 */
#ifndef STAP_PROBE_USERRETURN_H
#define STAP_PROBE_USERRETURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dwarf_place;
struct error;
struct question;

/* Returns the error for a function that never returns. */
struct error *userreturn_none(struct question *q, const char *name);
/* Returns the error for a Go function of which not all returns are known. */
struct error *userreturn_none_of_go(struct question *q, const char *name, const char *why);
/*
 * True: the return of the code cannot be probed. Patterns leave such code out; a named
 * function is refused.
 */
bool userreturn_is_refused(struct question *q, const char *kind, const char *name,
			   uint64_t address);
/* True: the function belongs to a Go program; its returns are added or refused. */
bool userreturn_add_go(struct question *q, const char *name, const struct dwarf_place *place,
		       uint64_t address);
/*
 * Moves the last point, which is on the return of a function, to the instructions by
 * which the function returns, if an exception may leave it.
 */
void userreturn_spread(struct question *q, uint64_t function);
/*
 * Notes a function that an exception may leave, and why not all of its returns are known.
 * True: it is left out, because a pattern matches it.
 */
bool userreturn_note_blind(struct question *q, const char *function, const char *why);
/* Notes the return of the function at the address, if an exception may leave it. */
void userreturn_note_address(struct question *q, uint64_t linked);
/* True: a return is probed by another return address on the program's stack. */
bool userreturn_replaces_addresses(const struct question *q, size_t before);
/* Warns once for a point of the script of those that are noted. */
void userreturn_warn(struct question *q);

#endif
