// cflags: -g -pthread -Wno-infinite-recursion
/* Calls of functions of C that end in other ways than by a return, or are nested deeply. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN __attribute__((noinline))

static jmp_buf back;
static volatile int sink;

static OWN int nest(int n)
{
	return n ? nest(n - 1) + 1 : sink;
}

/* The same, for a return that saves nothing. */
static OWN int plain(int n)
{
	return n ? plain(n - 1) + 1 : sink;
}

static OWN int jump(int n)
{
	if (n == sink)
		longjmp(back, 1);
	return jump(n - 1) + 1;
}

static OWN int leave(int n)
{
	if (n == sink)
		syscall(SYS_exit, 0);
	return leave(n - 1) + 1;
}

static void *thread(void *unused)
{
	leave(4);
	return unused;
}

int main(void)
{
	pthread_t id;
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += nest(100) + nest(5);
	sum += nest(5000) + plain(100) + plain(5);
	for (int i = 0; i < 7; i++) {
		if (!setjmp(back))
			jump(10);
		sum += nest(2);
	}
	for (int i = 0; i < 3; i++)
		sum += pthread_create(&id, NULL, thread, NULL) || pthread_join(id, NULL);
	printf("sum %d\n", sum);
	return 0;
}
