/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes system calls whose arguments tests know. What it is about to do is its name, as execname() has it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

static char buf[4096];

static void files(void)
{
	struct iovec iov[3] = { { buf, 5 }, { buf, 6 }, { buf, 7 } };

	prctl(PR_SET_NAME, "v_read");
	read(77, buf, 123);
	prctl(PR_SET_NAME, "v_pread");
	pread(77, buf, 45, 6);
	prctl(PR_SET_NAME, "v_write");
	write(77, buf, 321);
	prctl(PR_SET_NAME, "v_writev");
	writev(77, iov, 3);
	prctl(PR_SET_NAME, "v_seek");
	lseek(77, 11, SEEK_SET);
	prctl(PR_SET_NAME, "v_truncate");
	ftruncate(77, 12345);
	prctl(PR_SET_NAME, "v_allocate");
	fallocate(77, 0, 4096, 8192);
	prctl(PR_SET_NAME, "v_fcntl");
	fcntl(77, F_DUPFD, 90);
	prctl(PR_SET_NAME, "v_sync");
	sync_file_range(77, 4096, 8192, 2);
	prctl(PR_SET_NAME, "v_dup");
	dup3(77, 95, O_CLOEXEC);
	prctl(PR_SET_NAME, "v_chmod");
	fchmod(77, 0640);
	prctl(PR_SET_NAME, "v_chown");
	fchown(77, 12, 34);
	prctl(PR_SET_NAME, "v_sendfile");
	syscall(SYS_sendfile, 77, 78, NULL, 19);
}

static void names(void)
{
	prctl(PR_SET_NAME, "v_open");
	syscall(SYS_openat, AT_FDCWD, "values.none", O_RDWR, 0);
	prctl(PR_SET_NAME, "v_access");
	syscall(SYS_faccessat, AT_FDCWD, "values.data", R_OK);
	prctl(PR_SET_NAME, "v_mkdir");
	mkdir("values.dir", 0751);
	prctl(PR_SET_NAME, "v_rename");
	rename("values.dir", "values.moved");
	prctl(PR_SET_NAME, "v_rmdir");
	rmdir("values.moved");
	prctl(PR_SET_NAME, "v_symlink");
	symlink("values.data", "values.link");
	prctl(PR_SET_NAME, "v_unlink");
	unlink("values.link");
}

static void memory(void)
{
	char *p;

	prctl(PR_SET_NAME, "v_mmap");
	p = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	prctl(PR_SET_NAME, "v_mprotect");
	mprotect(p, 4096, PROT_READ);
	prctl(PR_SET_NAME, "v_madvise");
	madvise(p, 8192, MADV_DONTNEED);
	prctl(PR_SET_NAME, "v_munmap");
	munmap(p, 12288);
	prctl(PR_SET_NAME, "v_shm");
	shmctl(shmget(4711, 8192, IPC_CREAT | 0600), IPC_RMID, NULL);
	prctl(PR_SET_NAME, "v_sem");
	semctl(semget(4712, 7, IPC_CREAT | 0600), 0, IPC_RMID);
}

static void processes(void)
{
	struct rlimit limit = { 512, 1024 };
	struct itimerval never = { { 0, 0 }, { 0, 0 } };
	cpu_set_t set;

	prctl(PR_SET_NAME, "v_rlimit");
	setrlimit(RLIMIT_NOFILE, &limit);
	prctl(PR_SET_NAME, "v_priority");
	setpriority(PRIO_PROCESS, 0, 5);
	prctl(PR_SET_NAME, "v_itimer");
	syscall(SYS_setitimer, 0, &never, NULL);
	prctl(PR_SET_NAME, "v_kill");
	kill(getpid(), 0);
	prctl(PR_SET_NAME, "v_tgkill");
	syscall(SYS_tgkill, getpid(), getpid(), SIGWINCH);
	prctl(PR_SET_NAME, "v_affinity");
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	syscall(SYS_sched_setaffinity, 0, sizeof(set), &set);
	prctl(PR_SET_NAME, "v_futex");
	syscall(SYS_futex, buf, 1, 17, NULL, NULL, 0);
}

static void descriptors(void)
{
	struct pollfd poll_one = { 77, POLLIN, 0 };
	struct epoll_event event = { EPOLLIN, { .u64 = 0x1234 } };
	int fds[2];

	prctl(PR_SET_NAME, "v_socket");
	dup2(socket(AF_UNIX, SOCK_DGRAM, 0), 80);
	prctl(PR_SET_NAME, "v_listen");
	listen(80, 33);
	prctl(PR_SET_NAME, "v_sendto");
	sendto(80, buf, 99, MSG_DONTWAIT, NULL, 0);
	prctl(PR_SET_NAME, "v_pipe");
	pipe2(fds, O_CLOEXEC);
	prctl(PR_SET_NAME, "v_eventfd");
	dup2(eventfd(41, EFD_NONBLOCK), 81);
	prctl(PR_SET_NAME, "v_poll");
	poll(&poll_one, 1, 0);
	prctl(PR_SET_NAME, "v_epoll");
	dup2(epoll_create1(0), 82);
	epoll_ctl(82, EPOLL_CTL_ADD, 81, &event);
}

int main(int argc, char **argv)
{
	if (argc < 2 || chdir(argv[1]))
		return 1;
	dup2(open("values.data", O_RDWR | O_CREAT | O_TRUNC, 0600), 77);
	dup2(open("values.data", O_RDONLY), 78);
	files();
	names();
	memory();
	processes();
	descriptors();
	_exit(0);
}
