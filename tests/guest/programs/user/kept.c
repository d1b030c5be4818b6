/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept LIBRARY: variables of a program and of a library that it loads, for looks from elsewhere: at each getppid() they have other values. */
// cflags: -g -O1 -ldl -pthread
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct stage {
	int number;
	const char *name;
	struct stage *before;
};
enum mood { CALM = 3, HASTY = 9 };

static struct stage first = { 1, "first", 0 }, last = { 2, "last", &first };
static struct stage *stage = &first;
static enum mood mood = CALM;
static volatile int told = 7;
char text[12] = "some text";
static __thread volatile int mine = 11;

static void *other_thread(void *arg)
{
	mine = 21;
	getppid();
	return arg;
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	pthread_t thread;
	int (*plug)(int) = library ? (int (*)(int))dlsym(library, "plug") : NULL;

	getppid();
	stage = &last;
	mood = HASTY;
	mine++;
	text[0] = 'S';
	if (plug)
		plug(4);
	getppid();
	if (!pthread_create(&thread, NULL, other_thread, NULL))
		pthread_join(thread, NULL);
	puts("");
	printf("told %d\n", told);
	return stage->number != 2 || mood != HASTY;
}
