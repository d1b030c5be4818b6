// cflags: -g
/*
 * Strings on pages that the program has never touched: one in each of 10,000 pages of a file.
 * They are given to a function that does not read them, and opened as names of files.
 * "pages N": N strings; "cold": strings of the program's own file, which has to be read;
 * "keeps": a string that a page fault never brings (userfaultfd).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096
#define COLD 100

static const char *volatile seen;

static __attribute__((noinline)) long take(const char *text, long number)
{
	seen = text;
	return number;
}

static char *strings(long n)
{
	static char page[PAGE];
	int fd = open("strings", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *map;

	for (long i = 0; i < n; i++) {
		memset(page, 0, sizeof(page));
		snprintf(page, sizeof(page), "absent/%ld", i);
		if (write(fd, page, sizeof(page)) != sizeof(page))
			exit(2);
	}
	map = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		exit(3);
	madvise(map, (size_t)n * PAGE, MADV_RANDOM); /* no neighbours come along */
	return map;
}

/* The file is not in the page cache any more: its pages are read from the disk. */
static int cold(void)
{
	static const char texts[COLD][PAGE] __attribute__((aligned(PAGE))) = {
		[0 ... COLD - 1] = "cold",
	};
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);

	madvise((void *)texts, sizeof(texts), MADV_RANDOM);
	for (long i = 0; i < COLD; i++) {
		madvise((void *)texts, sizeof(texts), MADV_DONTNEED);
		if (i % 20 == 0 && write(fd, "1", 1) != 1)
			return 7;
		take(texts[(i * 7) % COLD], i);
	}
	return 0;
}

static int pages(long n)
{
	char *map = strings(n);

	for (long i = 0; i < n; i++)
		if (take(map + i * PAGE, i) != i)
			return 4;
	munmap(map, (size_t)n * PAGE);
	map = strings(n);
	for (long i = 0; i < n; i++)
		if (open(map + i * PAGE, O_RDONLY) >= 0)
			return 5;
	return 0;
}

/* Whoever reads the page waits for an answer that never comes. */
static int keeps(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	char *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	area.range.start = (uintptr_t)map;
	area.range.len = PAGE;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &area)) {
		perror("userfaultfd");
		return 6;
	}
	for (long i = 0; i < 3; i++)
		take(map, i);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "keeps"))
		return keeps();
	if (argc > 1 && !strcmp(argv[1], "cold"))
		return cold();
	return pages(argc > 2 ? atol(argv[2]) : 10000);
}
