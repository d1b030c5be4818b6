/* SPDX-License-Identifier: GPL-2.0-or-later */
/* secret SECONDS: works for so long with a secret in its memory, at an address that is the same in each process. */
// cflags: -static -no-pie -g -O0
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct secret {
	long words[8];
};
union {
	char text[64];
	struct secret shown;
} kept = { "SECRET-OF-BOB-hunter2-and-more-of-the-same-kind" };
struct secret shown;

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);
	volatile unsigned long n __attribute__((unused)) = 0;

	shown = kept.shown;
	while (time(NULL) < end)
		for (int i = 0; i < 100000; i++)
			n += (unsigned long)shown.words[0];
	return 0;
}
