/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key: 'a' is typed, as far as the kernel can tell: the keyboard's controller says that its keyboard has said so. */
// arch: x86_64
// cflags: -O1
#include <fcntl.h>
#include <sys/io.h>
#include <unistd.h>

#define DATA	0x60
#define COMMAND 0x64
#define SAY	0xd2 /* the next byte, as if the keyboard had */

/* /dev/port, for kernels without iopl(); others have only that, or both. */
static int ports = -1;

static int put(unsigned char byte, int port)
{
	if (ports >= 0)
		return pwrite(ports, &byte, 1, port) != 1;
	outb(byte, port);
	return 0;
}

static int say(unsigned char code)
{
	if (put(SAY, COMMAND))
		return 1;
	usleep(20000);
	if (put(code, DATA))
		return 1;
	usleep(50000);
	return 0;
}

int main(void)
{
	if (iopl(3)) {
		ports = open("/dev/port", O_WRONLY);
		if (ports < 0)
			return 1;
	}
	return say(0x1e) || say(0x9e);
}
