/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work for the scripts in kinds/: calls, switches, packets to this machine itself. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sum;

__attribute__((noinline)) void work_step(int i)
{
	for (int j = 0; j < 100000; j++)
		sum += (unsigned long)(i ^ j);
}

static void read_file(void)
{
	char text[64];
	int fd = open("/proc/self/stat", O_RDONLY);

	if (fd >= 0 && read(fd, text, sizeof(text)) > 0)
		sum += (unsigned long)text[0];
	if (fd >= 0)
		close(fd);
}

static void send_packet(int fd)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (sendto(fd, "work", 4, MSG_DONTWAIT, (struct sockaddr *)&to, sizeof(to)) == 4)
		sum++;
}

int main(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	for (int i = 0; i < 100; i++) {
		work_step(i);
		read_file();
		send_packet(fd);
		syscall(SYS_getppid);
		if (i % 10 == 0 && !fork())
			_exit(0);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		usleep(5000);
	}
	return 0;
}
