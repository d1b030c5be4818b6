/* SPDX-License-Identifier: GPL-2.0-or-later */
/* key: 'a' is typed, as far as the kernel can tell: the keyboard's controller says that its keyboard has said so. */
// cflags: -O1
#include <fcntl.h>
#include <unistd.h>

#define DATA    0x60
#define COMMAND 0x64
#define SAY     0xd2 /* the next byte, as if the keyboard had */

static int ports;

static int say(unsigned char code)
{
	unsigned char command = SAY;

	if (pwrite(ports, &command, 1, COMMAND) != 1)
		return 1;
	usleep(20000);
	if (pwrite(ports, &code, 1, DATA) != 1)
		return 1;
	usleep(50000);
	return 0;
}

int main(void)
{
	ports = open("/dev/port", O_WRONLY);
	return say(0x1e) || say(0x9e);
}
