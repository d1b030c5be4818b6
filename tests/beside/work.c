/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The work that the scripts beside it watch: work PART [DIRECTORY]. Each part makes the same calls in
 * the same order each time.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sdt.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TCP_PORT 7771
#define UDP_PORT 7772

static void check(const char *what, int ok)
{
	if (ok)
		return;
	perror(what);
	exit(9);
}

/* ---- files ---- */

static void files(void)
{
	char read_back[8];
	struct iovec both[2] = { { "one ", 4 }, { "two\n", 4 } };
	struct stat st;
	struct dirent *entry;
	DIR *dir;
	int fd;

	check("mkdir", mkdir("made", 0750) == 0);
	fd = open("made/file", O_RDWR | O_CREAT | O_TRUNC, 0640);
	check("open", fd >= 0);
	check("write", write(fd, "hello\n", 6) == 6);
	check("pwrite", pwrite(fd, "world\n", 6, 100) == 6);
	check("writev", writev(fd, both, 2) == 8);
	check("lseek", lseek(fd, 2, SEEK_SET) == 2);
	check("read", read(fd, read_back, 3) == 3);
	check("pread", pread(fd, read_back, 8, 98) == 8);
	check("ftruncate", ftruncate(fd, 50) == 0);
	check("fsync", fsync(fd) == 0);
	check("fstat", fstat(fd, &st) == 0);
	check("fchmod", fchmod(fd, 0600) == 0);
	check("close", close(fd) == 0);
	check("no file", open("made/none", O_RDONLY) == -1);
	check("rename", rename("made/file", "made/moved") == 0);
	check("link", link("made/moved", "made/linked") == 0);
	check("symlink", symlink("moved", "made/soft") == 0);
	check("access", access("made/soft", R_OK) == 0);
	dir = opendir("made");
	while ((entry = readdir(dir)))
		;
	closedir(dir);
	check("unlink", unlink("made/moved") == 0 && unlink("made/linked") == 0);
	check("unlink", unlink("made/soft") == 0);
	check("rmdir", rmdir("made") == 0);
	check("close", close(77) == -1);
}

/* ---- network ---- */

static struct sockaddr_in at(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons(port),
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static void tcp(void)
{
	struct sockaddr_in where = at(TCP_PORT);
	int one = 1, listening = socket(AF_INET, SOCK_STREAM, 0), from, to;
	char got[16];

	check("reuse", !setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	check("bind", !bind(listening, (struct sockaddr *)&where, sizeof(where)));
	check("listen", !listen(listening, 4));
	from = socket(AF_INET, SOCK_STREAM, 0);
	check("connect", !connect(from, (struct sockaddr *)&where, sizeof(where)));
	to = accept(listening, NULL, NULL);
	check("accept", to >= 0);
	check("send", send(from, "hello", 5, 0) == 5);
	check("recv", recv(to, got, 16, 0) == 5);
	check("write", write(to, "goodbye", 7) == 7);
	check("read", read(from, got, 16) == 7);
	check("shutdown", !shutdown(from, SHUT_WR));
	check("end", recv(to, got, 16, 0) == 0);
	close(from);
	close(to);
	close(listening);
}

static void udp(void)
{
	struct sockaddr_in where = at(UDP_PORT);
	int to = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
	char got[16];

	check("bind", !bind(to, (struct sockaddr *)&where, sizeof(where)));
	check("sendto",
	      sendto(from, "datagrams", 9, 0, (struct sockaddr *)&where, sizeof(where)) == 9);
	check("recv", recv(to, got, 16, 0) == 9);
	close(from);
	close(to);
}

static void local(void)
{
	int pair[2];
	char got[16];

	check("socketpair", !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	check("send", send(pair[0], "abc", 3, MSG_NOSIGNAL) == 3);
	check("recv", recv(pair[1], got, 16, 0) == 3);
	close(pair[0]);
	close(pair[1]);
}

/* ---- signals ---- */

static void on_signal(int sig)
{
	(void)sig;
}

static void signals(void)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	sigset_t some, before;
	pid_t child;
	int status;

	sigaction(SIGUSR1, &act, NULL);
	sigaction(SIGUSR2, &act, NULL);
	signal(SIGWINCH, SIG_IGN);
	check("kill", !kill(getpid(), SIGUSR1));
	sigemptyset(&some);
	sigaddset(&some, SIGUSR2);
	sigprocmask(SIG_BLOCK, &some, &before);
	check("kill", !kill(getpid(), SIGUSR2));
	sigpending(&some);
	sigprocmask(SIG_SETMASK, &before, NULL);
	check("kill", !kill(getpid(), SIGWINCH));
	child = fork();
	if (!child)
		for (;;)
			pause();
	check("kill", !kill(child, SIGTERM));
	check("wait", waitpid(child, &status, 0) == child && WIFSIGNALED(status));
	check("kill", kill(getpid(), 0) == 0);
}

/* ---- processes ---- */

static void *idle(void *arg)
{
	return arg;
}

static void life(void)
{
	pthread_t thread;
	pid_t child = fork();
	int status;

	if (!child)
		_exit(3);
	check("wait", waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
	child = fork();
	if (!child) {
		execl("/bin/true", "true", "one", "two words", NULL);
		_exit(127);
	}
	check("wait", waitpid(child, &status, 0) == child && status == 0);
	pthread_create(&thread, NULL, idle, NULL);
	pthread_join(thread, NULL);
	setpriority(PRIO_PROCESS, 0, 5);
}

static void waits(void)
{
	struct timespec pause = { 0, 20000000 };

	for (int i = 0; i < 5; i++)
		nanosleep(&pause, NULL);
	sched_yield();
	poll(NULL, 0, 10);
}

static void busy(void)
{
	volatile unsigned long n = 0;
	time_t end = time(NULL) + 3;

	while (time(NULL) < end)
		n += 3;
}

/* ---- memory ---- */

static void memory(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *at =
		mmap(NULL, 16 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	check("mmap", at != MAP_FAILED);
	for (int i = 0; i < 8; i++)
		at[i * page] = 'x';
	check("mprotect", !mprotect(at, page, PROT_READ));
	check("madvise", !madvise(at + 8 * page, page, MADV_DONTNEED));
	check("munmap", !munmap(at, 16 * page));
	check("brk", sbrk(0x5000) != (void *)-1);
}

/* ---- a program's own functions ---- */

enum kind { KIND_PLAIN = 1, KIND_ROUND = 7 };
struct point {
	int x, y;
};
struct shape {
	const char *name;
	enum kind kind;
	struct point at;
	struct shape *next;
	unsigned bits : 5, more : 3;
	short few[4];
	double ratio;
};

int total = 40;
struct point corner = { 11, -12 };

__attribute__((noinline, noclone)) static int add(int a, int b)
{
	int sum = a + b;

	total += sum;
	return sum;
}

static inline __attribute__((always_inline)) int twice(int n)
{
	return add(n, n);
}

__attribute__((noinline, noclone)) static long factorial(long n)
{
	if (n < 2)
		return 1;
	return n * factorial(n - 1);
}

__attribute__((noinline, noclone)) static const char *name_of(struct shape *shape)
{
	DTRACE_PROBE2(beside, named, shape->name, shape->at.x);
	return shape->name;
}

static void calls(void)
{
	struct shape last = { "square", KIND_PLAIN, { 1, -2 }, NULL, 21, 5, { 1, 2, 3, 4 }, 0.5 };
	struct shape first = { "circle", KIND_ROUND, { 3, 4 }, &last, 1, 2, { 9, 8, 7, 6 }, 1.5 };
	int i;

	for (i = 1; i <= 3; i++) {
		add(i, i * 10);
		DTRACE_PROBE1(beside, turn, i);
	}
	twice(21);
	factorial(4);
	for (struct shape *shape = &first; shape; shape = shape->next)
		name_of(shape);
	add(corner.x, corner.y);
	DTRACE_PROBE(beside, over);
}

static const struct {
	const char *name;
	void (*run)(void);
} parts[] = {
	{ "files", files },	{ "tcp", tcp },	    { "udp", udp },	{ "local", local },
	{ "signals", signals }, { "life", life },   { "waits", waits }, { "busy", busy },
	{ "memory", memory },	{ "calls", calls },
};

int main(int argc, char **argv)
{
	if (argc > 2)
		check(argv[2], chdir(argv[2]) == 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (argc > 1 && strcmp(argv[1], parts[i].name) == 0) {
			parts[i].run();
			return 0;
		}
	return argc > 1 ? atoi(argv[1]) : 2;
}
