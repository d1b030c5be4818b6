/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps a task in the kernel, in a page fault that this process does not serve until its input ends:
 * `blocked_task` a child on its first way to user mode, `blocked_task FILE` a read of the file.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static const char *file;
static char *page, stack[65536] __attribute__((aligned(16)));

static int leave(void *unused)
{
	return 0;
}

static void *keep(void *unused)
{
	int fd = file ? open(file, O_RDONLY) : -1;

	if (file)
		return read(fd, page, PAGE) > 0 ? page : NULL;
	if (clone(leave, stack + sizeof(stack), CLONE_VM | CLONE_CHILD_SETTID | SIGCHLD, NULL, NULL,
		  NULL, page) < 0)
		return NULL;
	return page;
}

int main(int argc, char **argv)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_zeropage zero = { 0 };
	struct uffd_msg msg;
	pthread_t thread;
	void *kept;
	char c;

	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = zero.range.start = (unsigned long)page;
	area.range.len = zero.range.len = PAGE;
	file = argc > 1 ? argv[1] : NULL;
	if (fd < 0 || page == MAP_FAILED || ioctl(fd, UFFDIO_API, &api) ||
	    ioctl(fd, UFFDIO_REGISTER, &area)) {
		perror("userfaultfd");
		return 1;
	}
	if (pthread_create(&thread, NULL, keep, NULL))
		return 1;
	if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
		return 1;
	puts("held");
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	ioctl(fd, UFFDIO_ZEROPAGE, &zero);
	pthread_join(thread, &kept);
	wait(NULL);
	puts("let go");
	return !kept;
}
