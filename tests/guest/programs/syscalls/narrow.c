/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of a program for 32 bits: with addresses, with numbers in two registers, with types that are narrower there. */
// arch: aarch64
// skip: ! type -P arm-linux-gnueabihf-gcc > /dev/null && echo "no arm-linux-gnueabihf-gcc: tools/deps.sh arm64 gets it"
// compiler: arm-linux-gnueabihf-gcc
// cflags: -static -D_FILE_OFFSET_BITS=64
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	char text[6], more[2];
	struct iovec parts[2] = { { text, 3 }, { more, 2 } };
	struct timespec briefly = { 0, 1000000 };
	char raw[104]; /* struct stat64, as the kernel has it */
	int fd = open("/etc/passwd", O_RDONLY);

	if (read(fd, text, 5) != 5 || readv(fd, parts, 2) != 5)
		return 1;
	pread(fd, text, 4, (off_t)1 << 32 | 2); /* behind the end */
	lseek(fd, 2, SEEK_SET);
	syscall(SYS_fstat64, fd, raw);
	ftruncate(fd, (off_t)1 << 33);			     /* it is not to be written */
	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 65536); /* a page of any size */
	mprotect(raw, 0, PROT_READ | 0x30);		     /* PROT_BTI, PROT_MTE */
	nanosleep(&briefly, NULL);
	return close(fd) || syscall(SYS_stat64, "/etc/hostname", raw);
}
