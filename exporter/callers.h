/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The callers that are connected. There are so many places, and strangers who are slow
 * do not hold them:
 *
 *   a request has to be whole, and an answer read, within a time, however much is said
 *   meanwhile;
 *   when all places are taken, a newcomer gets that of the caller who has been asking for
 *   longest, out of the neighbourhood that has most: an address of IPv4, or the addresses
 *   of IPv6 that differ in their second half alone, which one machine may have;
 *   few wait for the hash of a password, and fewer of one neighbourhood.
 */
#ifndef EXPORTER_CALLERS_H
#define EXPORTER_CALLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;

#define CALLERS_MOST   64
#define CALLERS_EACH   16 /* of a neighbourhood */
#define CALLERS_SPARE  64 /* whose connections have been ended, and are being taken down */
#define CALLERS_ASK_S  10 /* until a request is whole */
#define CALLERS_READ_S 30 /* until an answer is read */

enum caller_state {
	CALLER_ABSENT,
	CALLER_ASKS,   /* its request is not whole yet */
	CALLER_HASHES, /* it waits for the hash of its password */
	CALLER_WAITS,  /* for its answer */
	CALLER_READS,  /* its answer */
	CALLER_STAYS,  /* its answer has no end */
};

struct caller {
	enum caller_state state;
	bool is_ended;
	uint64_t neighbourhood;
	int64_t since; /* milliseconds: when it came into that state */
	int fd;	       /* its socket, in a copy: no number that somebody else has by now */
};

/* Starts the thread that ends those who take too long. False with a message. */
bool callers_begin(void);
/*
 * Takes somebody in who has connected by this socket. NULL: the places are taken, by
 * callers who are not slow.
 */
struct caller *callers_take(int fd, const struct sockaddr *from);
/* Tells that the caller has come to that state; NULL is nobody. */
void callers_set(struct caller *c, enum caller_state state);
/* Lets a caller wait for a hash. False: enough of them do. */
bool callers_may_hash(struct caller *c);
/* Forgets a caller whose connection has ended. */
void callers_leave(struct caller *c);

#endif
