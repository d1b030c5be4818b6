// SPDX-License-Identifier: GPL-2.0-or-later
// Reads /dev/zero CALLS times, a part of them in a process on each of CPUS processors, all at once. The marks MARK and
// MARK + 1, for tests/bench/functions.d/blocks.c, stand before and behind.
//
//   flood CPUS CALLS MARK
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs an instruction that has the number in it, and a return.
static int mark(int number)
{
	const unsigned char code[] = {
		0x0f, 0x1f, 0x80, (unsigned char)number, 'Z', 'Z', 'Z', 0xc3
	};
	void *page = mmap(NULL, sizeof(code), PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return 1;
	memcpy(page, code, sizeof(code));
	((void (*)(void))page)();
	return 0;
}

// Reads on that processor, when `start` has been closed.
static int flood(int cpu, long calls, int start)
{
	int zero = open("/dev/zero", O_RDONLY);
	cpu_set_t set;
	char c;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (zero < 0 || sched_setaffinity(0, sizeof(set), &set) || read(start, &c, 1))
		return 1;
	while (calls-- > 0)
		if (read(zero, &c, 1) != 1)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	int cpus = argc == 4 ? atoi(argv[1]) : 0, failed = 0, start[2], status;
	long each = cpus > 0 ? atol(argv[2]) / cpus : 0;

	if (each <= 0 || pipe(start))
		return 2;
	for (int cpu = 0; cpu < cpus; cpu++) {
		if (fork())
			continue;
		close(start[1]);
		_exit(flood(cpu, each, start[0]));
	}
	sleep(1); // all have come to their processors
	failed = mark(atoi(argv[3]));
	close(start[1]);
	while (wait(&status) > 0)
		failed |= status;
	failed |= mark(atoi(argv[3]) + 1);
	return !!failed;
}
