/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The connected callers. Their number is limited, and slow strangers cannot hold all
 * places:
 *
 *   a request must be complete, and an answer read, within a time limit, however much is
 *     sent meanwhile;
 *   when all places are taken, a newcomer gets the place of the caller who has been
 *     sending its request for longest, in the neighbourhood with the most callers: an
 *     IPv4 address, or all IPv6 addresses with the same first half, because one machine
 *     may have all of them;
 *   few callers wait for the hash of a password, and fewer from one neighbourhood.
 */
#ifndef EXPORTER_CALLERS_H
#define EXPORTER_CALLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

#define CALLERS_MOST   64
#define CALLERS_EACH   16 /* of a neighbourhood */
#define CALLERS_SPARE  64 /* whose connections were ended and are being closed */
#define CALLERS_ASK_S  10 /* until a request is complete */
#define CALLERS_READ_S 30 /* until an answer is read */

enum caller_state {
	CALLER_ABSENT,
	CALLER_ASKS,   /* its request is not complete yet */
	CALLER_HASHES, /* it waits for the hash of its password */
	CALLER_WAITS,  /* it waits for its answer */
	CALLER_READS,  /* it reads its answer */
	CALLER_STAYS,  /* its answer has no end */
};

struct caller {
	enum caller_state state;
	bool is_ended;
	uint64_t neighbourhood;
	int64_t since; /* milliseconds: when it entered that state */
	int fd;	       /* a duplicate of its socket, so that the number is not reused */
};

/* Starts the thread that disconnects callers who take too long. False with a message. */
bool callers_begin(void);
/*
 * Admits a caller who has connected on this socket. NULL: all places are taken by callers
 * who are not slow.
 */
struct caller *callers_take(int fd, const struct sockaddr *from);
/* Notes that the caller has entered that state. c may be NULL. */
void callers_set(struct caller *c, enum caller_state state);
/* Lets a caller wait for a hash. False: too many callers already wait. */
bool callers_may_hash(struct caller *c);
/* Forgets a caller whose connection has ended. */
void callers_leave(struct caller *c);

#endif
