// SPDX-License-Identifier: GPL-2.0-or-later
// Calls read() N times and prints the nanoseconds, which are instructions in a guest that counts them, of one call.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int read_all(int fd, long n)
{
	char buf[64] = "?a string of the program"; // of which its first byte is read

	for (long i = 0; i < n; i++)
		if (read(fd, buf, 1) != 1)
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	int fd = open("/dev/zero", O_RDONLY);
	FILE *result = argc > 2 ? fopen(argv[2], "w") : stdout;
	double begin;

	if (n <= 0 || !result || read_all(fd, 2000)) // what is used for the first time costs more
		return 1;
	begin = now();
	if (read_all(fd, n))
		return 1;
	fprintf(result, "%.1f\n", (now() - begin) / (double)n);
	return fclose(result) != 0;
}
