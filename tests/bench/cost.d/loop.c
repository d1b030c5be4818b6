// SPDX-License-Identifier: GPL-2.0-or-later
// Makes N calls of a kind and prints the nanoseconds, which are instructions in a guest that counts them, of one call.
//
//   loop N [RESULT [KIND]]       KIND: a row of loads below; default: read
#define _GNU_SOURCE
#define _SDT_HAS_SEMAPHORES 1
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <time.h>
#include <unistd.h>

#define WARM_CALLS 2000	   // what is used for the first time costs more
#define TICK	   1001001 // instructions between ticks of 999 Hz

__extension__ unsigned short bench_mark_semaphore __attribute__((unused, section(".probes")));

static int zero = -1;				     // /dev/zero
static char buffer[64] = "?a string of the program"; // of which its first byte is read

static int load_read(void)
{
	return read(zero, buffer, 1) != 1;
}

__attribute__((noinline, noclone)) int probed(int number, const char *text)
{
	int sum = number + text[0];

	__asm__ volatile("" : "+r"(sum));
	return sum;
}

static int load_function(void)
{
	return probed(1000, buffer) == 0;
}

// Its values are those of three variables at the line that the case probes.
__attribute__((noinline, noclone)) int located(int number, const char *text)
{
	int twice = number * 2;

	__asm__ volatile("located_line:" : "+r"(twice)); // PROBED LINE
	return twice + number + text[0];
}

static int load_line(void)
{
	return located(1000, buffer) == 0;
}

static int load_marker(void)
{
	DTRACE_PROBE2(bench, mark, 1000, (const char *)buffer);
	return 0;
}

static int load_library(void)
{
	swab(buffer, buffer + 32, 8);
	return 0;
}

// descend() reads at the bottom of so many frames.
__attribute__((noinline, noclone)) int descend(int frames)
{
	int result = frames <= 1 ? load_read() : descend(frames - 1);

	__asm__ volatile("" : "+r"(result)); // no tail call
	return result;
}

static int load_deep10(void)
{
	return descend(10);
}

static int load_deep50(void)
{
	return descend(50);
}

// A signal that is ignored: the kernel says so at its tracepoint, and nothing else comes of it.
static int load_signal(void)
{
	return kill(getpid(), SIGURG);
}

// It takes as long as a tick.
static int load_spin(void)
{
	unsigned long turns = TICK / 2;

#ifdef __aarch64__
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(turns));
#else
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns));
#endif
	return 0;
}

static const struct load {
	const char *name;
	int (*call)(void);
	int warm_calls;
} loads[] = {
	{ "read", load_read, WARM_CALLS },
	{ "function", load_function, WARM_CALLS },
	{ "line", load_line, WARM_CALLS },
	{ "marker", load_marker, WARM_CALLS },
	{ "library", load_library, WARM_CALLS },
	{ "deep10", load_deep10, WARM_CALLS },
	{ "deep50", load_deep50, WARM_CALLS },
	{ "signal", load_signal, WARM_CALLS },
	{ "spin", load_spin, 10 },
	{ "few", load_signal, 1 },
};

static const struct load *find_load(const char *name)
{
	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++)
		if (!strcmp(loads[i].name, name))
			return &loads[i];
	return NULL;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int call_all(const struct load *load, long n)
{
	for (long i = 0; i < n; i++)
		if (load->call())
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	FILE *result = argc > 2 ? fopen(argv[2], "w") : stdout;
	const struct load *load = find_load(argc > 3 ? argv[3] : "read");
	double begin;

	zero = open("/dev/zero", O_RDONLY);
	if (n <= 0 || !result || !load || call_all(load, load->warm_calls))
		return 1;
	begin = now();
	if (call_all(load, n))
		return 1;
	fprintf(result, "%.1f\n", (now() - begin) / (double)n);
	return fclose(result) != 0;
}
