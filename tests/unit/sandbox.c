/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Abilities of stapio behind its filter of system calls, and the places where it can
 * still make files. Each test is a process of its own: there is no way back.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "unit.h"

#include "stapio/confine.c"
#include "stapio/capabilities.c"
#include "stapio/sandbox.c"

static char dir[64] = "/tmp/stapio-sandbox-XXXXXX";

/* Runs a test in a child. */
static void apart(void (*run)(void))
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		run();
		fflush(stdout);
		_exit(unit_failures != 0);
	}
	CHECK_LONG(waitpid(pid, &status, 0), pid);
	CHECK_LONG(status, 0);
}

#define CHECK_REFUSED(call, error)                                                                 \
	do {                                                                                       \
		errno = 0;                                                                         \
		CHECK_LONG((long)(call), -1);                                                      \
		CHECK_LONG(errno, error);                                                          \
	} while (0)

static void calls(void)
{
	const struct sockaddr_un log = { .sun_family = AF_UNIX, .sun_path = "/dev/log" };
	static char *argv[] = { "true", NULL };
	static const struct rlimit none;
	int fds[2], terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	struct termios2 settings;
	pid_t target = fork();

	if (!target) {
		pause();
		_exit(0);
	}
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	if (sandbox_enter(target)) {
		kill(target, SIGKILL);
		printf("skipped: this kernel has no filters\n");
		return;
	}
	CHECK_REFUSED(socket(AF_UNIX, SOCK_STREAM, 0), EPERM);
	CHECK_REFUSED(socket(AF_INET, SOCK_STREAM, 0), EPERM);
	CHECK_REFUSED(connect(fds[0], (const struct sockaddr *)&log, sizeof(log)), EPERM);
	CHECK_REFUSED(sendto(fds[0], "x", 1, 0, (const struct sockaddr *)&log, sizeof(log)), EPERM);
	CHECK_LONG(send(fds[0], "x", 1, MSG_NOSIGNAL), 1);
	CHECK_REFUSED(kill(getppid(), 0), EPERM);
	CHECK_REFUSED(kill(-1, 0), EPERM);
	CHECK_LONG(kill(target, SIGTERM), 0);
	CHECK_REFUSED(syscall(SYS_tgkill, getppid(), getppid(), 0), EPERM);
	CHECK_REFUSED(execv("/bin/true", argv), EPERM);
	CHECK_REFUSED(fork(), EPERM);
	CHECK_REFUSED(ptrace(PTRACE_ATTACH, target, NULL, NULL), EPERM);
	CHECK_REFUSED(syscall(SYS_init_module, NULL, 0, ""), EPERM);
	CHECK_REFUSED(syscall(SYS_prlimit64, getppid(), RLIMIT_NOFILE, &none, NULL), EPERM);
	CHECK_REFUSED(ioctl(terminal, TIOCSTI, "x"), EPERM);
	CHECK_LONG(ioctl(terminal, TCGETS2, &settings), 0);
	CHECK_LONG(ioctl(terminal, TCSETS2, &settings), 0);
	CHECK_REFUSED((long)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		      EPERM);
	CHECK_REFUSED(chmod(dir, 0777), EPERM);
	CHECK_REFUSED(link(dir, "x"), EPERM);
	CHECK_REFUSED(symlink(dir, "x"), EPERM);
}

static bool can_make(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void files(void)
{
	struct confine c;
	int own;

	CHECK(!mkdir("own", 0700) && !mkdir("other", 0700) && can_make("other/before"));
	own = open("own", O_PATH | O_DIRECTORY);
	confine_init(&c);
	confine_allow(&c, own);
	if (sandbox_enter(0) || c.ruleset < 0) {
		printf("skipped: this kernel has no Landlock\n");
		return;
	}
	CHECK_LONG(confine_enter(&c), 0);
	CHECK(can_make("own/new"));
	CHECK_LONG(rename("own/new", "own/new.1"), 0);
	CHECK_LONG(unlink("own/new.1"), 0);
	CHECK(!can_make("other/new"));
	CHECK(!can_make("other/before"));
	CHECK_REFUSED(unlink("other/before"), EACCES);
	CHECK_REFUSED(rename("other/before", "other/after"), EACCES);
	CHECK(!can_make("own/../other/before"));
	CHECK_LONG(access("other/before", R_OK), 0);
}

static void filter_of_calls(void)
{
	apart(calls);
}

static void confined_to_directory(void)
{
	apart(files);
	CHECK_LONG(system("rm -r own other"), 0);
}

/*
 * Capabilities that are left of root's; they are not needed where the directory is one's
 * own.
 */
static void capabilities(void)
{
	capset left;
	int own = open(dir, O_PATH | O_DIRECTORY), theirs;

	CHECK(capabilities_reach(own));
	if (geteuid())
		return;
	CHECK(!mkdir("theirs", 0755) && !chown("theirs", 12345, 12345));
	theirs = open("theirs", O_PATH | O_DIRECTORY);
	CHECK(!capabilities_reach(theirs));
	CHECK(can_make("theirs/before"));
	CHECK_LONG(capabilities_drop(true), 0);
	CHECK(can_make("theirs/after"));
	CHECK(!capsets_get(left) && left[0].effective == 1u << CAP_DAC_OVERRIDE &&
	      left[0].permitted == 1u << CAP_DAC_OVERRIDE && !left[1].effective);
	CHECK_LONG(capabilities_drop(false), 0);
	CHECK(!can_make("theirs/no"));
	CHECK(!capsets_get(left) && !left[0].effective && !left[0].permitted);
}

static void capabilities_apart(void)
{
	apart(capabilities);
	CHECK_LONG(system("rm -rf theirs"), 0);
}

int main(void)
{
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	RUN(filter_of_calls);
	RUN(confined_to_directory);
	RUN(capabilities_apart);
	if (chdir("/") || rmdir(dir)) {
		printf("left behind in %s\n", dir);
		unit_failed++;
	}
	return unit_end();
}
