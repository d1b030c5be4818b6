/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * books make N [FROM]: on each CPU N times the three calls that books.stp probes, numbered. No other program of a
 * machine makes them.
 * books check: standard input is what that printed: each kind on each CPU in order. Prints "KIND CPU COUNT" lines.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char kinds[] = "psb";
static long count, from = 1;

static void *make(void *arg)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((long)arg, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long i = from; i < from + count; i++) {
		syscall(SYS_sched_get_priority_max, i);
		syscall(SYS_sched_get_priority_min, i);
		syscall(SYS_sched_rr_get_interval, i, NULL);
	}
	return NULL;
}

static int make_all(void)
{
	pthread_t threads[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, make, (void *)i);
	for (long i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int check(void)
{
	static long counts[3][2], last[3][2];
	int kind;

	while ((kind = getchar()) != EOF) {
		const char *at = strchr(kinds, kind);
		int cpu = 2;
		int64_t number = 0;

		if (at && kind == 'b') {
			cpu = getchar();
			if (fread(&number, sizeof(number), 1, stdin) != 1)
				at = NULL;
		} else if (at && (scanf("%d %ld", &cpu, &number) != 2 || getchar() != '\n')) {
			at = NULL;
		}
		if (!at || cpu < 0 || cpu > 1 || number <= last[at - kinds][cpu]) {
			fprintf(stderr, "wrong: kind %c cpu %d number %ld at %ld\n", kind, cpu,
				number, ftell(stdin));
			return 1;
		}
		last[at - kinds][cpu] = number;
		counts[at - kinds][cpu]++;
	}
	for (int k = 0; k < 3; k++)
		for (int cpu = 0; cpu < 2; cpu++)
			printf("%c %d %ld\n", kinds[k], cpu, counts[k][cpu]);
	return 0;
}

int main(int argc, char **argv)
{
	count = argc > 2 ? atol(argv[2]) : 0;
	from = argc > 3 ? atol(argv[3]) : 1;
	return argc > 1 && !strcmp(argv[1], "check") ? check() : make_all();
}
