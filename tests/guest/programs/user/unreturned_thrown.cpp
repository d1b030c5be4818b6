// cflags: -g -O2 -pthread -Wno-infinite-recursion
/* Calls of functions of C++ that exceptions end, at any depth, in several threads. */
#include <csetjmp>
#include <cstdio>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noclone))

static jmp_buf back;

/* In n + 1 calls of itself; the last one throws if told so. */
OWN int deep(int n, int throws)
{
	volatile int got = 0;

	if (!n && throws)
		throw n;
	if (n)
		got = deep(n - 1, throws);
	return got + 1;
}

OWN int jump(int n)
{
	volatile int got = 0;

	if (!n)
		longjmp(back, 1);
	got = jump(n - 1);
	return got + 1;
}

OWN int leave(int n)
{
	volatile int got = 0;

	if (!n)
		syscall(SYS_exit, 0);
	got = leave(n - 1);
	return got + 1;
}

static void *throwing(void *)
{
	for (int i = 0; i < 100; i++)
		try {
			deep(i % 10, i % 2);
		} catch (int) {
		}
	return nullptr;
}

static void *leaving(void *)
{
	leave(4);
	return nullptr;
}

int main()
{
	pthread_t threads[4], id;
	int sum = 0;

	for (int i = 0; i < 6; i++)
		try {
			sum += deep(i * 40, i % 2);
		} catch (int) {
			sum += deep(3, 0);
		}
	for (auto &t : threads)
		pthread_create(&t, nullptr, throwing, nullptr);
	for (auto &t : threads)
		pthread_join(t, nullptr);
	for (int i = 0; i < 7; i++)
		if (!setjmp(back))
			jump(10);
	for (int i = 0; i < 3; i++)
		sum += pthread_create(&id, nullptr, leaving, nullptr) || pthread_join(id, nullptr);
	printf("sum %d\n", sum);
	return 0;
}
