/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls the control file of a loaded module from several threads at once: control DIRECTORY ROUNDS SEED. One START has the time zone "first", all
 * that come after it another. Ends with status 1 when two of them succeed, or when a call fails for a reason that it cannot have.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../../runtime/uapi/msg.h"

#define THREADS 4

static int ctl, rounds;
static char directory[256];
static atomic_int started, wrong;

static void complain(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	wrong = 1;
}

static int start(const char *zone, int64_t west)
{
	struct stp_start s = { .on_full = (uint32_t)rand() % STP_ON_FULL_COUNT, .zone.west = west };

	strcpy(s.zone.name, zone);
	return ioctl(ctl, STP_IOC_START, &s);
}

static void call_start(void)
{
	if (!start("another", 2))
		started++;
	else if (errno != ECANCELED)
		complain("START");
}

static void call_start_badly(void)
{
	struct stp_start s = { .on_full = STP_ON_FULL_COUNT };

	if (!ioctl(ctl, STP_IOC_START, &s) || errno != EINVAL)
		complain("START with a mode that is none");
	if (!ioctl(ctl, STP_IOC_START, NULL) || errno != EFAULT)
		complain("START with nothing");
}

static void call_hello(void)
{
	struct stp_hello h;

	if (ioctl(ctl, STP_IOC_HELLO, &h) || h.abi != STP_ABI)
		complain("HELLO");
}

static void call_status(void)
{
	struct stp_status s;

	if (ioctl(ctl, STP_IOC_STATUS, &s) || s.state >= STP_STATES || s.failed)
		complain("STATUS");
}

static void call_horizon(void)
{
	uint64_t horizon;

	if (ioctl(ctl, STP_IOC_HORIZON, &horizon))
		complain("HORIZON");
}

static void call_detach(void)
{
	if (ioctl(ctl, STP_IOC_DETACH) && errno != ENOENT)
		complain("DETACH");
}

static void call_poll(void)
{
	struct pollfd p = { .fd = ctl, .events = POLLIN };

	poll(&p, 1, 0);
}

static void call_none(void)
{
	if (!ioctl(ctl, _IO('S', 99)) || errno != ENOTTY)
		complain("a call that is none");
}

static void read_file(const char *name)
{
	char path[300], buf[65536];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDONLY);
	while (fd >= 0 && read(fd, buf, sizeof(buf)) > 0)
		;
	if (fd >= 0)
		close(fd);
}

static void read_books(void)
{
	read_file("books");
}

static void read_ring(void)
{
	char name[16];

	snprintf(name, sizeof(name), "ring.%d", rand() % 3);
	read_file(name);
}

static void (*const calls[])(void) = {
	call_start,  call_start, call_start_badly, call_hello, call_status, call_horizon,
	call_detach, call_poll,	 call_none,	   read_books, read_ring,
};

static void *run(void *unused)
{
	(void)unused;
	for (int i = 0; i < rounds; i++)
		calls[(size_t)rand() % (sizeof(calls) / sizeof(calls[0]))]();
	return NULL;
}

/* In the state that there is now. */
static void run_all(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, NULL))
			exit(2);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void *stop(void *unused)
{
	(void)unused;
	if (ioctl(ctl, STP_IOC_STOP))
		complain("STOP");
	return NULL;
}

static void stop_twice(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, stop, NULL))
			exit(2);
	run_all();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	char path[300];

	if (argc < 4)
		return 2;
	snprintf(directory, sizeof(directory), "%s", argv[1]);
	snprintf(path, sizeof(path), "%s/ctl", directory);
	rounds = atoi(argv[2]);
	srand((unsigned)atoi(argv[3]));
	ctl = open(path, O_RDWR);
	if (ctl < 0) {
		complain("ctl");
		return 1;
	}
	if (open(path, O_RDWR) >= 0 || errno != EBUSY)
		complain("ctl, open twice");
	call_hello(), call_status(), call_horizon(), call_detach(), call_none();
	if (start("first", 1))
		complain("START");
	run_all();
	stop_twice();
	run_all();
	read_file("ring.2");
	if (started)
		fprintf(stderr, "%d STARTs more than one have succeeded\n", started);
	return wrong || started;
}
