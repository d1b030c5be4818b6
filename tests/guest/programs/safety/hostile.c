/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile SECONDS SEED USER MODULE DIRECTORY…: the owner of a loaded module, as bad as he
 * can be. Opens all files below the directories, becomes USER (a number; 0: stays root),
 * then two processes make random calls on the files, for so many seconds. The same seed
 * makes the same calls.
 *
 * Prints how many calls were made, and how many of them succeeded. Ends with status 1
 * when a process died.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "../../../../runtime/uapi/msg.h"

enum { PATHS = 128, FDS = 64, PAGE = 4096, ROOM = 64 * PAGE, PROCESSES = 2 };

static char paths[PATHS][600];
static int npaths, fds[FDS], pipes[2], sockets[2], epoll_fd;
static const char *module;
static char *room;     /* ROOM bytes; behind them a page that is not there */
static char *constant; /* a page that can only be read */
static uint64_t seed;
static struct {
	long calls, succeeded;
} * shared;

static uint64_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint64_t below(uint64_t n)
{
	return any() % n;
}

#define PICK(table) ((table)[below(sizeof(table) / sizeof((table)[0]))])

/* ---- values ---- */

static size_t a_size(void)
{
	static const size_t sizes[] = {
		0,	    1,
		2,	    7,
		8,	    24,
		72,	    296,
		PAGE - 1,   PAGE,
		PAGE + 1,   65535,
		ROOM,	    ROOM + 1,
		INT32_MAX,  (size_t)INT32_MAX + 1,
		UINT32_MAX, SIZE_MAX / 2,
		SIZE_MAX,
	};

	return below(3) ? below(3 * PAGE) : PICK(sizes);
}

static int64_t an_offset(void)
{
	static const int64_t offsets[] = { 0,	      1,	 -1,	    PAGE,
					   INT32_MAX, INT64_MAX, INT64_MIN, INT64_MAX - PAGE,
					   UINT32_MAX };

	return below(3) ? (int64_t)below(2 * PAGE) : PICK(offsets);
}

/* Fills the room: numbers that look like some, strings, noise. */
static void fill(void)
{
	for (size_t i = 0; i < 4096; i += 8) {
		uint64_t v = below(3) ? below(300) : any();

		memcpy(room + i, &v, sizeof(v));
	}
	if (!below(4))
		memset(room, "\n%s\377A"[below(5)], below(PAGE * 2));
}

/* Memory that is there, there in part, not to be written, not there, or the kernel's. */
static void *a_pointer(void)
{
	switch (below(8)) {
	case 0:
		return NULL;
	case 1:
		return (void *)(uintptr_t)any();
	case 2:
		return (void *)(uintptr_t)(0xffffffff81000000u + below(1 << 24));
	case 3:
		return (void *)(uintptr_t)(0xffff888000000000u + below(1 << 30));
	case 4:
		return constant + below(PAGE);
	case 5:
		return room + ROOM - below(400); /* its end is not there */
	default:
		fill();
		return room + below(PAGE);
	}
}

static int an_fd(void)
{
	return fds[below(FDS)];
}

/* ---- calls ---- */

static long do_read(void)
{
	return syscall(SYS_read, an_fd(), a_pointer(), a_size());
}
static long do_write(void)
{
	return syscall(SYS_write, an_fd(), a_pointer(), a_size());
}
static long do_pread(void)
{
	return syscall(SYS_pread64, an_fd(), a_pointer(), a_size(), an_offset());
}
static long do_pwrite(void)
{
	return syscall(SYS_pwrite64, an_fd(), a_pointer(), a_size(), an_offset());
}
static long do_lseek(void)
{
	return lseek(an_fd(), an_offset(), (int)below(7));
}
static long do_truncate(void)
{
	return ftruncate(an_fd(), an_offset());
}
static long do_allocate(void)
{
	return fallocate(an_fd(), (int)below(64), an_offset(), an_offset());
}
static long do_sync(void)
{
	return below(2) ? fsync(an_fd()) : fdatasync(an_fd());
}
static long do_lock(void)
{
	return flock(an_fd(), (int[]){ LOCK_SH, LOCK_EX, LOCK_UN }[below(3)] | LOCK_NB);
}
static long do_control(void)
{
	return fcntl(an_fd(), (int)below(1040), below(2) ? (long)below(64) : (long)a_pointer());
}
static long do_mode(void)
{
	return fchmod(an_fd(), 0400 | (mode_t)below(0200));
}
static long do_advise(void)
{
	return posix_fadvise(an_fd(), an_offset(), an_offset(), (int)below(8));
}
static long do_names(void)
{
	return syscall(SYS_getdents64, an_fd(), a_pointer(), a_size());
}
static long do_attribute(void)
{
	return fsetxattr(an_fd(), "user.x", room, below(100), 0);
}
static long do_readahead(void)
{
	return readahead(an_fd(), an_offset(), a_size());
}
static long do_copy(void)
{
	return copy_file_range(an_fd(), NULL, an_fd(), NULL, a_size(), 0);
}
static long do_send(void)
{
	return sendfile(below(2) ? pipes[1] : an_fd(), an_fd(), NULL, a_size());
}
static long do_drain(void)
{
	return read(pipes[0], room, ROOM / 4);
}

static long do_vector(void)
{
	struct iovec v[8];
	int n = (int)below(9);

	for (int i = 0; i < 8; i++)
		v[i] = (struct iovec){ a_pointer(), a_size() };
	switch (below(4)) {
	case 0:
		return readv(an_fd(), v, n);
	case 1:
		return writev(an_fd(), v, n);
	case 2:
		return preadv2(an_fd(), v, n, an_offset(), (int)below(64));
	default:
		return pwritev2(an_fd(), v, n, an_offset(), (int)below(64));
	}
}

static long do_splice(void)
{
	if (below(2))
		return splice(an_fd(), NULL, pipes[1], NULL, a_size(), SPLICE_F_NONBLOCK);
	return splice(pipes[0], NULL, an_fd(), NULL, a_size(), SPLICE_F_NONBLOCK);
}

static long do_map(void)
{
	size_t size = below(4) ? PAGE * (1 + below(16)) : a_size();
	char *p = mmap(NULL, size, (int)below(8), below(2) ? MAP_SHARED : MAP_PRIVATE, an_fd(),
		       an_offset() & ~(int64_t)(PAGE - 1));

	return p == MAP_FAILED ? -1 : munmap(p, size);
}

static long do_poll(void)
{
	struct pollfd p[4];

	for (int i = 0; i < 4; i++)
		p[i] = (struct pollfd){ .fd = an_fd(), .events = (short)any() };
	return poll(p, 4, (int)below(3));
}

static long do_epoll(void)
{
	struct epoll_event e = { .events = (uint32_t)any() & ~EPOLLWAKEUP }, got[8];

	if (below(3))
		return epoll_ctl(epoll_fd, 1 + (int)below(3), an_fd(), &e);
	return epoll_wait(epoll_fd, got, 8, (int)below(3));
}

/* STOP ends the show: it is rare. */
static const unsigned long commands[] = {
	STP_IOC_HELLO,	STP_IOC_HELLO,	 STP_IOC_START,	  STP_IOC_START,  STP_IOC_STATUS,
	STP_IOC_STATUS, STP_IOC_HORIZON, STP_IOC_HORIZON, STP_IOC_DETACH,
};

static void start_fill(struct stp_start *s)
{
	*s = (struct stp_start){ .target = below(2) ? getpid() : (int64_t)any(),
				 .on_full = (uint32_t)below(4),
				 .keep = below(8) == 0 };
	memset(s->zone.name, 'Z', sizeof(s->zone.name)); /* without an end */
	memset(s->error, 'E', sizeof(s->error));
	s->zone.west = (int64_t)any();
}

static long do_ioctl(void)
{
	unsigned long command = PICK(commands);

	switch (below(6)) {
	case 0:
		command = any();
		break;
	case 1:
		command ^= 1ul << below(40);
		break;
	case 2:
		command = _IO('S', below(32));
		break;
	}
	if ((uint32_t)command == STP_IOC_STOP && below(200))
		return 0;
	if ((uint32_t)command == STP_IOC_START && below(2)) {
		start_fill((struct stp_start *)room);
		return ioctl(an_fd(), command, room);
	}
	return ioctl(an_fd(), command, a_pointer());
}

static long do_known_ioctl(void)
{
	return ioctl(an_fd(), PICK(commands), a_pointer());
}

static int open_some(const char *path)
{
	static const int modes[] = { O_RDWR,
				     O_RDONLY,
				     O_WRONLY,
				     O_RDONLY | O_DIRECT,
				     O_RDWR | O_TRUNC,
				     O_PATH,
				     O_RDWR | O_APPEND | O_SYNC };
	int fd = open(path, PICK(modes) | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : fd;
}

static long do_open(void)
{
	int *place = &fds[below(FDS)], fd = open_some(paths[below((uint64_t)npaths)]);

	if (fd < 0)
		return -1;
	close(*place);
	*place = fd;
	return 0;
}

static long do_open_again(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", an_fd());
	fd = open_some(path);
	return fd < 0 ? -1 : close(fd);
}

/* The file of ctl is kept at its first place: another cannot be had while it is open. */
static long do_close(void)
{
	int *place = &fds[1 + below(FDS - 1)];
	long ret = close(*place);

	*place = -1;
	return ret;
}

static long do_dup(void)
{
	int *place = &fds[1 + below(FDS - 1)], fd = dup(an_fd());

	if (fd < 0)
		return -1;
	close(*place);
	*place = fd;
	return 0;
}

/* A descriptor is on its way while it is used. */
static long do_pass(void)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 }, c = 0;
	struct iovec v = { &c, 1 };
	struct msghdr m = { .msg_iov = &v,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	int fd = an_fd();

	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(h), &fd, sizeof(fd));
	if (sendmsg(sockets[0], &m, MSG_DONTWAIT) < 0)
		return read(sockets[1], room, PAGE); /* those that nobody took are closed */
	return 0;
}

static long do_unlink(void)
{
	return unlink(paths[below((uint64_t)npaths)]);
}
static long do_rename(void)
{
	return rename(paths[below((uint64_t)npaths)], paths[below((uint64_t)npaths)]);
}
static long do_unload(void)
{
	return syscall(SYS_delete_module, module, O_NONBLOCK);
}

/* ---- processes of the fuzzer's ---- */

static void on_alarm(int n)
{
	(void)n;
}

/* Signals come at any time, to end what waits. */
static void be_interrupted(void)
{
	struct sigaction sa = { .sa_handler = on_alarm };
	struct itimerval often = { { 0, 7000 }, { 0, 7000 } };

	sigaction(SIGALRM, &sa, NULL);
	signal(SIGIO, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (int n = SIGRTMIN; n <= SIGRTMAX; n++)
		signal(n, SIG_IGN);
	signal(SIGURG, SIG_IGN);
	setitimer(ITIMER_REAL, &often, NULL);
}

static long call_it(void);
static bool is_child;

static long do_fork(void)
{
	pid_t pid;

	if (is_child)
		return 0;
	pid = fork();
	if (!pid) {
		is_child = true;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		be_interrupted();
		for (int i = 0; i < 20; i++)
			call_it();
		_exit(0);
	}
	if (pid > 0 && !below(3)) {
		struct timespec t = { .tv_nsec = (long)below(3000000) };

		nanosleep(&t, NULL);
		kill(pid, SIGKILL);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return pid;
}

static const struct {
	long (*call)(void);
	unsigned often;
} calls[] = {
	{ do_read, 30 },	{ do_write, 12 },    { do_pread, 8 },	   { do_pwrite, 6 },
	{ do_lseek, 8 },	{ do_truncate, 3 },  { do_allocate, 2 },   { do_sync, 2 },
	{ do_lock, 2 },		{ do_control, 6 },   { do_mode, 1 },	   { do_advise, 2 },
	{ do_names, 2 },	{ do_attribute, 1 }, { do_readahead, 1 },  { do_copy, 3 },
	{ do_send, 5 },		{ do_drain, 6 },     { do_vector, 10 },	   { do_splice, 10 },
	{ do_map, 6 },		{ do_poll, 8 },	     { do_epoll, 6 },	   { do_ioctl, 30 },
	{ do_known_ioctl, 30 }, { do_open, 12 },     { do_open_again, 4 }, { do_close, 4 },
	{ do_dup, 5 },		{ do_pass, 3 },	     { do_unlink, 1 },	   { do_rename, 1 },
	{ do_unload, 1 },	{ do_fork, 1 },
};

static long call_it(void)
{
	const size_t end = sizeof(calls) / sizeof(calls[0]);
	unsigned all = 0;
	size_t i;

	for (i = 0; i < end; i++)
		all += calls[i].often;
	all = (unsigned)below(all);
	for (i = 0; all >= calls[i].often; i++)
		all -= calls[i].often;
	return calls[i].call();
}

/* ---- the files ---- */

static void call_until(time_t end, int index)
{
	be_interrupted();
	while (time(NULL) < end)
		for (int i = 0; i < 50; i++) {
			shared[index].calls++;
			shared[index].succeeded += call_it() >= 0;
		}
}

static void find_files(const char *dir)
{
	struct dirent *entry;
	DIR *d = opendir(dir);

	while (d && (entry = readdir(d))) {
		struct stat s;

		if (entry->d_name[0] == '.' || npaths == PATHS ||
		    snprintf(paths[npaths], sizeof(paths[0]), "%s/%s", dir, entry->d_name) >=
			    (int)sizeof(paths[0]) ||
		    stat(paths[npaths], &s))
			continue;
		if (S_ISDIR(s.st_mode)) {
			char below_it[600];

			strcpy(below_it, paths[npaths]);
			find_files(below_it);
		} else {
			npaths++;
		}
	}
	if (d)
		closedir(d);
}

static void open_files(int argc, char **argv)
{
	char ctl[300];

	memset(fds, -1, sizeof(fds));
	snprintf(ctl, sizeof(ctl), "%s/ctl", argv[5]);
	fds[0] = open(ctl, O_RDWR | O_NONBLOCK);
	for (int i = 5; i < argc; i++)
		find_files(argv[i]);
	if (fds[0] < 0 || !npaths) {
		fprintf(stderr, "%s: %s\n", ctl, strerror(errno));
		exit(2);
	}
	for (int i = 1; i < FDS; i++)
		fds[i] = i % 5 ? open_some(paths[i % npaths]) : dup(fds[0]);
}

static void make_memory(void)
{
	room = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	constant = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED || constant == MAP_FAILED || shared == MAP_FAILED ||
	    munmap(room + ROOM, PAGE)) {
		perror("hostile");
		exit(2);
	}
}

static void become(unsigned user)
{
	if (user && (setresgid(user, user, user) || setresuid(user, user, user))) {
		perror("hostile");
		exit(2);
	}
}

/* The run may be begun in order, without which there is little to attack. */
static void begin(void)
{
	struct stp_start s = { .on_full = (uint32_t)below(STP_ON_FULL_COUNT), .zone.name = "UTC" };

	if (below(8) && ioctl(fds[0], STP_IOC_START, &s))
		fprintf(stderr, "START: %s: %s\n", strerror(errno), s.error);
}

int main(int argc, char **argv)
{
	int died = 0, status;
	pid_t pids[PROCESSES];
	time_t end;

	if (argc < 6)
		return 2;
	seed = (uint64_t)atoll(argv[2]) * 0x9e3779b97f4a7c15u + 1;
	module = argv[4];
	make_memory();
	open_files(argc, argv);
	become((unsigned)atoi(argv[3]));
	if (pipe2(pipes, O_NONBLOCK) ||
	    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, sockets) ||
	    (epoll_fd = epoll_create1(0)) < 0)
		return 2;
	begin();
	find_files(argc > 6 ? argv[6] : "/nothing"); /* what the start has made */
	end = time(NULL) + atol(argv[1]);
	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			seed += (uint64_t)i * 0x2545f4914f6cdd1du;
			call_until(end, i);
			_exit(0);
		}
	}
	for (int i = 0; i < PROCESSES; i++)
		if (waitpid(pids[i], &status, 0) != pids[i] || status) {
			fprintf(stderr, "process %d: status %x\n", i, status);
			died = 1;
		}
	printf("%ld calls, %ld succeeded\n", shared[0].calls + shared[1].calls,
	       shared[0].succeeded + shared[1].succeeded);
	return died;
}
