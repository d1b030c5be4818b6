/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key: 'a' is typed, as far as the kernel can tell: the keyboard's controller says that its keyboard has said so. */
// cflags: -O1
#include <sys/io.h>
#include <unistd.h>

#define DATA    0x60
#define COMMAND 0x64
#define SAY     0xd2 /* the next byte, as if the keyboard had */

static void say(unsigned char code)
{
	outb(SAY, COMMAND);
	usleep(20000);
	outb(code, DATA);
	usleep(50000);
}

int main(void)
{
	if (iopl(3))
		return 1;
	say(0x1e);
	say(0x9e);
	return 0;
}
