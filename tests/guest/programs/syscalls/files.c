/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files [32]: one known call of each kind that the system-call tapset names; with "32" through the 32-bit entry (int 0x80). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>

#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __x86_64__
static long call32(long nr, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "a"(nr), "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
}

static void calls_32(void)
{
	/* Pointers have to fit 32 bits. */
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long fd;

	strcpy(low, "/etc/passwd");
	call32(18, (long)low, (long)low + 100, 0);
	call32(17, 0, 0, 0);
	fd = call32(5, (long)low, O_RDONLY, 0);
	call32(3, fd, (long)low, 5);
	call32(19, fd, 2, SEEK_SET);
	memcpy(low + 200, (int[]){ (int)(long)low + 300, 3, (int)(long)low + 310, 2 }, 16);
	call32(145, fd, (long)low + 200, 2); /* readv() */
	call32(6, fd, 0, 0);
}
#else
static void calls_32(void)
{
}
#endif

int main(int argc, char **argv)
{
	char buf[64] = "some text\n";
	struct iovec vec[2] = { { buf, 4 }, { buf + 4, 6 } };
	int fd, s;

	if (argc > 1) {
		calls_32();
		return 0;
	}
	fd = syscall(SYS_openat, AT_FDCWD, "/tmp/stap-test-files", O_RDWR | O_CREAT | O_TRUNC,
		     0644);
	syscall(SYS_write, fd, buf, 10);
	syscall(SYS_lseek, fd, 5, SEEK_SET);
	syscall(SYS_read, fd, buf, 4);
	syscall(SYS_pread64, fd, buf, 3, 1);
	syscall(SYS_pwrite64, fd, "xy", 2, 8);
	syscall(SYS_writev, fd, vec, 2);
	syscall(SYS_lseek, fd, 0, SEEK_SET);
	syscall(SYS_readv, fd, vec, 2);
	syscall(SYS_fsync, fd);
	syscall(SYS_close, fd);
	syscall(SYS_openat, AT_FDCWD, "/nonexistent/\"x\"", O_WRONLY | O_CLOEXEC, 0);
	s = syscall(SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP);
	syscall(SYS_close, s);
	unlink("/tmp/stap-test-files");
	return 0;
}
