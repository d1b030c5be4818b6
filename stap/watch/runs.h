/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of this machine that the user may see. Modules are listed by the kernel,
 * through staprun. Programs of --runtime=user have sockets, and the kernel tells who owns
 * them. Everything else that a run reports about itself, including names, is controlled
 * by its user: runs_find() makes the texts safe for a terminal.
 */
#ifndef STAP_WATCH_RUNS_H
#define STAP_WATCH_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/vec.h"
#include "uapi/msg.h"

struct error;
struct session;

struct run_sums {
	uint64_t hits, delivered, dropped, skipped;
	uint64_t ns; /* in handlers; 0: not known */
};

struct run_probe {
	const char *point;
	struct run_sums sums, before;
	bool is_off; /* switched off */
};

/* Hits that were skipped for a reason, or for the lock of a global. */
struct run_count {
	const char *name;
	uint64_t count;
};

struct run {
	const char *name;    /* the name to find it by */
	const char *shown;   /* the same, for display */
	const char *host;    /* the machine, where several are shown, or NULL */
	const char *address; /* the name of its socket; NULL: a module */
	const char *script;
	bool answers; /* the members below, except owner and pid, are known */
	bool is_kept; /* it continues without a reader */
	uid_t owner;
	pid_t pid;		/* its reader, or the program; 0: none, or it is out of sight */
	unsigned state;		/* enum stp_state */
	int64_t started;	/* seconds since 1970, 0: it has not begun */
	uint64_t looked;	/* time of this state, CLOCK_MONOTONIC in nanoseconds */
	uint64_t looked_before; /* the time of `before`; 0: no rates are known */
	struct run_sums sums, before;
	VEC(struct run_probe) probes;
	VEC(struct run_count) reasons, contended;
	VEC(const char *) values; /* of globals, a line each; those of runs_find_values() */
};

struct runs {
	VEC(struct run) list;
	VEC(struct run) others; /* of other users; only they may see more than the name */
	unsigned hidden;	/* running modules that staprun does not show to this user */
	const char *refusal;	/* by staprun, or NULL */
};

/*
 * Finds the runs whose name matches the pattern, or that are the process of that number;
 * NULL: all. Programs get two seconds to answer.
 */
struct error *runs_find(struct session *s, const char *pattern, struct runs *ret);
/*
 * Finds the run of this session's runtime, with the values of its globals. The pattern is
 * a module's name or a program's number.
 */
struct error *runs_find_values(struct session *s, const char *pattern, struct runs *ret);
/*
 * Looks again after a short time, so that rates are known; *ret is the list of the runs
 * that are still running.
 */
struct error *runs_find_rates(struct session *s, const char *pattern, struct runs *ret);
/* Takes the counts of an earlier look as the beginning of the rates. */
void runs_compare(struct runs *now, const struct runs *before);
/* Returns the number per second, for a run that has rates. */
double runs_rate(const struct run *r, uint64_t now, uint64_t before);
/*
 * Returns a hit's time in handlers in nanoseconds: of the hits between two looks, or of
 * all hits if there were none; 0: unknown.
 */
uint64_t runs_time(const struct run_sums *now, const struct run_sums *before);
/* Returns a word for the state. */
const char *runs_state(const struct run *r);
/* Returns the user's name, or the number. */
const char *runs_user(struct session *s, uid_t uid);

#endif
