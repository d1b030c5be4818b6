/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -g -O2 -pthread
/* Exceptions that leave functions: in calls of themselves, in several threads. thrown_bare.cpp has symbols alone. */
#include <pthread.h>
#include <stdexcept>
#include <string>

#define OWN __attribute__((noinline, noclone))

OWN int parse(int n)
{
	if (n % 2)
		throw std::runtime_error("odd");
	asm volatile("");
	return n * 2;
}

OWN int middle(int n, int add)
{
	std::string name(n, 'x');

	return parse(n) + add + (int)name.size();
}

/* With a limit the last call throws; each third one catches that, and goes on. */
OWN int deep(int n, int limit)
{
	volatile int got = 0;

	if (n == 0) {
		if (limit)
			throw n;
		return 1;
	}
	if (n % 3) {
		got = deep(n - 1, limit);
		return got + 1;
	}
	try {
		got = deep(n - 1, limit);
	} catch (int) {
		got = 100;
	}
	return got + 1;
}

OWN std::string text(int n)
{
	if (n > 2)
		throw std::out_of_range("text");
	return std::string(n, 'y');
}

[[noreturn]] OWN void fails(int n)
{
	throw n;
}

OWN int tail(int n)
{
	asm volatile("");
	return parse(n);
}

static int (*volatile handlers[2])(int) = { parse, parse };

OWN int dispatch(int n)
{
	asm volatile("");
	return handlers[n & 1](n);
}

OWN const char *name_of(int n)
{
	switch (n) {
	case 0: asm volatile("nop"); return "none";
	case 1: asm volatile("nop;nop"); return "one";
	case 2: asm volatile("nop;nop;nop"); return "two";
	case 3: asm volatile("nop;nop;nop;nop"); return "three";
	case 4: asm volatile("nop;nop;nop;nop;nop"); return "four";
	}
	return middle(n, 1) > 3 ? "many" : "few";
}

static void *work(void *)
{
	for (int i = 0; i < 200; i++)
		try {
			middle(i % 7, 1);
		} catch (const std::exception &) {
		}
	return nullptr;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];
	int caught = 0, sum = 0;

	for (int i = 0; i < 4; i++) {
		try {
			sum += middle(i, 10);
		} catch (const std::exception &) {
			caught++;
		}
		try {
			sum += (int)text(i).size();
		} catch (const std::exception &) {
			caught++;
		}
	}
	sum += deep(8, argc > 1) + deep(2, 0);
	try {
		fails(argc);
	} catch (int) {
		caught++;
	}
	sum += name_of(argc + 1)[0] + name_of(6)[0];
	if (argc > 2)
		sum += tail(2) + dispatch(2);
	for (auto &t : threads)
		pthread_create(&t, nullptr, work, nullptr);
	for (auto &t : threads)
		pthread_join(t, nullptr);
	return caught != 4 || sum < 100;
}
