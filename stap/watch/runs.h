/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs of this machine that the user may see. Modules are the kernel's word, by way
 * of staprun; programs of --runtime=user have sockets, and the kernel says whose they
 * are. Everything else that a run says about itself, names as well, is whatever its user
 * likes: runs_find() has made the texts fit for a terminal.
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
	const char *name;    /* to be found by */
	const char *shown;   /* the same, for people */
	const char *host;    /* the machine, where several are shown, or NULL */
	const char *address; /* the name of its socket; NULL: a module */
	const char *script;
	bool answers; /* what follows, but for owner and pid, is known */
	bool is_kept; /* it goes on without a reader */
	uid_t owner;
	pid_t pid;		/* its reader, or the program; 0: none, or it is out of sight */
	unsigned state;		/* enum stp_state */
	int64_t started;	/* seconds since 1970, 0: it has not begun */
	uint64_t looked;	/* when this was so, by CLOCK_MONOTONIC in nanoseconds */
	uint64_t looked_before; /* the time of `before`; 0: no rates are known */
	struct run_sums sums, before;
	VEC(struct run_probe) probes;
	VEC(struct run_count) reasons, contended;
	VEC(const char *) values; /* of globals, a line each; those of runs_find_values() */
};

struct runs {
	VEC(struct run) list;
	VEC(struct run) others; /* of other users, who alone may see more than the name */
	unsigned hidden;	/* modules that run and that staprun does not show to this user */
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
 * Looks once more after a short while, so that rates are known; *ret are those that still
 * run.
 */
struct error *runs_find_rates(struct session *s, const char *pattern, struct runs *ret);
/* Takes the counts of an earlier look as the beginning of the rates. */
void runs_compare(struct runs *now, const struct runs *before);
/* Returns how many a second there have been, for a run that has rates. */
double runs_rate(const struct run *r, uint64_t now, uint64_t before);
/*
 * Returns a hit's time in handlers in nanoseconds: of those between two looks, or of all
 * where none ran between them; 0: it is not known.
 */
uint64_t runs_time(const struct run_sums *now, const struct run_sums *before);
/* Returns a word for the state. */
const char *runs_state(const struct run *r);
/* Returns the user's name, or the number. */
const char *runs_user(struct session *s, uid_t uid);

#endif
