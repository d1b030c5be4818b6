// SPDX-License-Identifier: GPL-2.0-or-later
// flood SECONDS FILE: calls read() for so long as fast as it can, and writes to FILE how often.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/zero", O_RDONLY);
	unsigned long calls = 0;
	char byte;
	FILE *f;

	if (argc < 3 || fd < 0)
		return 2;
	sleep(1);
	for (double end = now() + atof(argv[1]); now() < end;)
		for (int i = 0; i < 100; i++, calls++)
			if (read(fd, &byte, 1) != 1)
				return 1;
	f = fopen(argv[2], "w");
	return !f || fprintf(f, "%lu\n", calls) < 0 || fclose(f);
}
