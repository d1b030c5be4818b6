/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -rdynamic
/* Says that it is Python, whose lists of interpreters and of threads have no end. */
#include <unistd.h>

unsigned long Py_Version;
struct {
	unsigned long words[100];
} _PyRuntime;

/* The list of interpreters is at word 5, that of threads at word 2 of an interpreter. */
static void ask(unsigned long version, void *interpreter, void *thread)
{
	static unsigned long threads[100];

	Py_Version = version;
	_PyRuntime.words[5] = (unsigned long)interpreter;
	_PyRuntime.words[0] = (unsigned long)interpreter;
	_PyRuntime.words[2] = (unsigned long)(thread ? threads : 0);
	threads[1] = (unsigned long)threads;
	getppid();
}

int main(void)
{
	ask(0, NULL, NULL);
	ask(0x030b00f0, NULL, NULL);
	ask(0x030b00f0, &_PyRuntime, NULL);
	ask(0x030b00f0, &_PyRuntime, &_PyRuntime);
	ask(0x030b00f0, (void *)0xffff888000000000, NULL);
	ask(0x030a00f0, NULL, NULL);
	ask(0x040b00f0, NULL, NULL);
	return 0;
}
