// cflags: -g
/*
 * Strings on pages that the program has never touched: one in each of 10,000 pages of a
 * file. They are given to a function that does not read them, opened as names of files,
 * and written to no file, which the kernel refuses before it reads them. The arguments:
 *   pages N     N strings; they are not written
 *   refused N   N strings; no function takes them
 *   cold        strings of the program's own file, which has to be read
 *   swapped N   N strings that were swapped out
 *   keeps       a string that a page fault never brings (userfaultfd)
 *   keeps-written N   the same, written to no file by N tasks, again and again
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
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

static int take_all(const char *map, long n)
{
	for (long i = 0; i < n; i++)
		if (take(map + i * PAGE, i) != i)
			return 4;
	return 0;
}

static int open_all(const char *map, long n)
{
	for (long i = 0; i < n; i++)
		if (open(map + i * PAGE, O_RDONLY) >= 0)
			return 5;
	return 0;
}

static int write_all(const char *map, long n)
{
	for (long i = 0; i < n; i++)
		if (write(-1, map + i * PAGE, 1) >= 0)
			return 8;
	return 0;
}

static int (*const uses[])(const char *map, long n) = { take_all, open_all, write_all };

#define USES (sizeof(uses) / sizeof(uses[0]))

static int pages(long n, size_t from, size_t to)
{
	int ret = 0;

	for (size_t i = from; i < to && !ret; i++) {
		char *map = strings(n);

		ret = uses[i](map, n);
		munmap(map, (size_t)n * PAGE);
	}
	return ret;
}

/* Returns how many of the pages are in the swap space, and not here. */
static long count_swapped(const char *map, long n)
{
	int fd = open("/proc/self/pagemap", O_RDONLY);
	uint64_t page;
	long count = 0;

	for (long i = 0; i < n; i++)
		if (pread(fd, &page, sizeof(page),
			  (off_t)(((uintptr_t)map / PAGE + (size_t)i) * sizeof(page))) ==
		    sizeof(page))
			count += (long)(page >> 62 & 1);
	close(fd);
	return count;
}

/*
 * Stays on one CPU: pages that were new on another one are in a list of that CPU's for a
 * while, where MADV_PAGEOUT does not find them.
 */
static void stay(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static int swapped(long n)
{
	char *map = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long count;
	int ret = 0;

	if (map == MAP_FAILED)
		return 3;
	stay();
	madvise(map, (size_t)n * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < USES && !ret; i++) {
		for (long k = 0; k < n; k++)
			snprintf(map + k * PAGE, PAGE, "absent/%ld", k);
		for (int tries = 0; (count = count_swapped(map, n)) < n && tries < 10; tries++)
			madvise(map, (size_t)n * PAGE, MADV_PAGEOUT);
		if (count < n) {
			fprintf(stderr, "%ld of %ld pages are swapped out\n", count, n);
			return 9;
		}
		ret = uses[i](map, n);
	}
	return ret;
}

/* Returns a page for which whoever reads it waits: the answer never comes. */
static char *kept_back(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	char *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	area.range.start = (uintptr_t)map;
	area.range.len = PAGE;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &area)) {
		perror("userfaultfd");
		exit(6);
	}
	return map;
}

static int keeps(void)
{
	const char *map = kept_back();

	for (long i = 0; i < 3; i++)
		take(map, i);
	return 0;
}

static int keeps_written(long n)
{
	const char *map;

	while (--n > 0 && fork())
		;
	map = kept_back(); /* a child would not inherit that */
	for (;;)
		if (write(-1, map, 1) >= 0)
			return 8;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "pages";
	long n = argc > 2 ? atol(argv[2]) : 10000;

	if (!strcmp(what, "keeps"))
		return keeps();
	if (!strcmp(what, "keeps-written"))
		return keeps_written(n);
	if (!strcmp(what, "cold"))
		return cold();
	if (!strcmp(what, "swapped"))
		return swapped(n);
	if (!strcmp(what, "refused"))
		return pages(n, 1, USES);
	return pages(n, 0, 2);
}
