/* SPDX-License-Identifier: GPL-2.0-or-later */
/* packets: five datagrams of 11 bytes and five of 22 bytes to itself over the loopback; prints how many of each arrive. */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT 7001

static void loopback_up(int fd)
{
	struct ifreq request = { .ifr_name = "lo" };

	ioctl(fd, SIOCGIFFLAGS, &request);
	request.ifr_flags |= IFF_UP;
	ioctl(fd, SIOCSIFFLAGS, &request);
}

int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(PORT),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	char data[64] = "";
	int fd = socket(AF_INET, SOCK_DGRAM, 0), small = 0, large = 0;
	ssize_t n;

	loopback_up(fd);
	if (bind(fd, (struct sockaddr *)&to, sizeof(to)))
		return 1;
	for (int i = 0; i < 5; i++) {
		sendto(fd, data, 11, 0, (struct sockaddr *)&to, sizeof(to));
		sendto(fd, data, 22, 0, (struct sockaddr *)&to, sizeof(to));
	}
	usleep(100000);
	while ((n = recv(fd, data, sizeof(data), MSG_DONTWAIT)) >= 0) {
		small += n == 11;
		large += n == 22;
	}
	printf("arrived: %d small, %d large\n", small, large);
	return 0;
}
