/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what it sees of values that tests change under it. */
// cflags: -O2 -g
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

struct flags {
	unsigned a : 3, b : 7;
	int c : 9;
	char name[8];
};

static __attribute__((noipa)) int user_sum(struct flags *f, int small, unsigned char byte, long a,
					   long b, long c, long seventh)
{
	printf("user %u %u %d %s %d %u %ld\n", f->a, f->b, f->c, f->name, small, byte, seventh);
	return small + byte;
}

static __attribute__((noipa, optimize("O0"))) int on_stack(int n)
{
	int twice = 2 * n;

	twice++;
	return twice;
}

int main(void)
{
	struct flags f = { 1, 2, -3, "name" };
	char buf[64], name[] = "/dev/nothing";
	int fd = open("/dev/zero", O_RDONLY);

	printf("result %d\n", user_sum(&f, 4, 5, 0, 0, 0, 7));
	printf("stack %d\n", on_stack(10));
	printf("ppid %ld\n", syscall(SYS_getppid));
	printf("read %zd\n", read(fd, buf, 41));
	printf("read %zd\n", read(fd, buf, 42));
	printf("read %zd\n", read(fd, buf, 43));
	printf("read %zd\n", read(fd, buf, 44));
	printf("opened %d\n", openat(AT_FDCWD, name, O_RDONLY) >= 0);
	printf("seek %ld\n", (long)lseek(fd, 100, SEEK_SET));
	return 0;
}
