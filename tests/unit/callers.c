/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exporter/callers.c: strangers who are slow hold no places, and have so much time. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <time.h>

#include "unit.h"

static long long clock_ms;

static int pretended_time(struct timespec *t)
{
	*t = (struct timespec){ clock_ms / 1000, clock_ms % 1000 * 1000000 };
	return 0;
}
#define clock_gettime(id, t) pretended_time(t)

#include "exporter/callers.c"

/* The client's end of each connection. */
struct client {
	int fd;
	struct caller *c;
};

static struct client call(const char *address)
{
	struct sockaddr_in a4 = { .sin_family = AF_INET };
	struct sockaddr_in6 a6 = { .sin6_family = AF_INET6 };
	bool is4 = inet_pton(AF_INET, address, &a4.sin_addr) == 1;
	struct client ret;
	int fds[2];

	CHECK(is4 || inet_pton(AF_INET6, address, &a6.sin6_addr) == 1);
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	ret = (struct client){ fds[0], callers_take(fds[1], is4 ? (struct sockaddr *)&a4
								: (struct sockaddr *)&a6) };
	close(fds[1]); /* the copy stays, as long as the caller does */
	return ret;
}

/* True: the connection was ended. */
static bool is_over(const struct client *c)
{
	char byte;

	return recv(c->fd, &byte, 1, MSG_DONTWAIT) == 0;
}

static void leave(struct client *all, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		callers_leave(all[i].c);
		close(all[i].fd);
	}
	CHECK_LONG(count(0, NULL), 0);
}

static const char *address_of(unsigned i)
{
	static char ret[32];

	snprintf(ret, sizeof(ret), "127.0.0.%u", i);
	return ret;
}

/* As many slow ones as there are places: everybody else comes in all the same. */
static void slow_ones(void)
{
	struct client slow[64], one;

	for (unsigned i = 0; i < 64; i++, clock_ms++) {
		slow[i] = call(address_of(i / 16 + 1));
		CHECK(slow[i].c && !is_over(&slow[i]));
	}
	for (unsigned i = 0; i < 200; i++) {
		one = call("10.0.0.1");
		CHECK(one.c && !is_over(&one));
		callers_set(one.c, CALLER_WAITS);
		callers_leave(one.c);
		close(one.fd);
	}
	/* It was the oldest one's place; and then there was one for all of them. */
	CHECK(is_over(&slow[0]));
	for (unsigned i = 1; i < 64; i++)
		CHECK(!is_over(&slow[i]));
	leave(slow, 64);
}

/* From where the slow ones are, others come in as well. */
static void neighbours(void)
{
	struct client all[17];

	for (unsigned i = 0; i < 16; i++, clock_ms++)
		all[i] = call("::ffff:10.1.1.1");
	all[16] = call("10.1.1.1");
	CHECK(all[16].c && is_over(&all[0]) && !is_over(&all[1]) && !is_over(&all[16]));
	leave(all, 17);
	/* Whoever waits for an answer keeps the place. */
	for (unsigned i = 0; i < 16; i++) {
		all[i] = call("::1");
		callers_set(all[i].c, CALLER_WAITS);
	}
	all[16] = call("::1");
	CHECK(!all[16].c && !is_over(&all[0]));
	close(all[16].fd);
	leave(all, 16);
}

/* A machine that has 2^64 addresses is one. */
static void many_addresses(void)
{
	char address[64];
	struct client all[40];

	for (unsigned i = 0; i < 40; i++, clock_ms++) {
		snprintf(address, sizeof(address), "2001:db8:1:2:%x::1", i);
		all[i] = call(address);
		CHECK(all[i].c);
	}
	CHECK_LONG(count(0, NULL), 16);
	CHECK(is_over(&all[23]) && !is_over(&all[24]));
	leave(all, 40);
	all[0] = call("2001:db8:1:2::1");
	all[1] = call("2001:db8:1:3::1");
	CHECK(all[0].c->neighbourhood != all[1].c->neighbourhood);
	leave(all, 2);
}

/*
 * When all places are taken, the neighbourhood that has the most gives one up, no matter
 * who came first.
 */
static void fair(void)
{
	struct client all[65];

	all[0] = call("10.9.9.9"); /* alone there, and the oldest */
	for (unsigned i = 1; i < 64; i++, clock_ms++)
		all[i] = call(address_of(i % 5 + 1));
	all[64] = call("10.9.9.8");
	CHECK(all[64].c && !is_over(&all[0]));
	CHECK_LONG(count(0, NULL), 64);
	leave(all, 65);
}

static void times(void)
{
	struct client asks, waits, reads;

	asks = call("10.0.0.1");
	waits = call("10.0.0.1");
	reads = call("10.0.0.1");
	callers_set(waits.c, CALLER_WAITS);
	callers_set(reads.c, CALLER_READS);
	clock_ms += CALLERS_ASK_S * 1000;
	end_overdue(now_ms());
	CHECK(!is_over(&asks));
	clock_ms++;
	end_overdue(now_ms());
	CHECK(is_over(&asks) && !is_over(&waits) && !is_over(&reads));
	clock_ms += (CALLERS_READ_S - CALLERS_ASK_S) * 1000;
	end_overdue(now_ms());
	CHECK(is_over(&reads) && !is_over(&waits));
	/* The next request has its own time. */
	callers_set(waits.c, CALLER_READS);
	callers_set(waits.c, CALLER_ASKS);
	clock_ms += CALLERS_ASK_S * 1000;
	CHECK_LONG(end_overdue(now_ms()), 1);
	clock_ms++;
	end_overdue(now_ms());
	CHECK(is_over(&waits));
	CHECK_LONG(end_overdue(now_ms()), 0);
	leave((struct client[]){ asks, waits, reads }, 3);
}

/* A reader that is slow may lose its place, one that has just begun does not. */
static void readers(void)
{
	struct client all[17];

	for (unsigned i = 0; i < 16; i++) {
		all[i] = call("10.0.0.1");
		callers_set(all[i].c, CALLER_READS);
	}
	all[16] = call("10.0.0.1");
	CHECK(!all[16].c);
	close(all[16].fd);
	clock_ms += SLOW_READER_MS + 1;
	all[16] = call("10.0.0.1");
	CHECK(all[16].c && is_over(&all[0]) && !is_over(&all[1]));
	leave(all, 17);
}

static void hashes(void)
{
	struct client all[20];
	unsigned may = 0;

	for (unsigned i = 0; i < 20; i++) {
		all[i] = call(address_of(i / 4 + 1));
		may += callers_may_hash(all[i].c);
		CHECK(count(CALLER_HASHES, NULL) == may);
	}
	CHECK_LONG(may, HASHES_MOST);
	callers_set(all[0].c, CALLER_WAITS);
	CHECK(callers_may_hash(all[19].c));
	CHECK(!callers_may_hash(all[18].c) && !callers_may_hash(NULL));
	leave(all, 20);
}

int main(void)
{
	clock_ms = 1000000;
	RUN(slow_ones);
	RUN(neighbours);
	RUN(many_addresses);
	RUN(fair);
	RUN(times);
	RUN(readers);
	RUN(hashes);
	return unit_end();
}
