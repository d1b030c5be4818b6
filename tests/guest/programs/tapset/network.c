/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Brings the loopback up and talks to itself: 100 bytes by TCP over IPv4, 7 by UDP over IPv4, 9 by UDP over IPv6. */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int failed(const char *what)
{
	perror(what);
	return 1;
}

static int tcp(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(a);
	char bytes[100] = "";
	int one = 1, waits = socket(AF_INET, SOCK_STREAM, 0),
	    calls = socket(AF_INET, SOCK_STREAM, 0), answers;

	if (bind(waits, (void *)&a, sizeof(a)) || listen(waits, 1) ||
	    getsockname(waits, (void *)&a, &len) || connect(calls, (void *)&a, sizeof(a)) ||
	    (answers = accept(waits, NULL, NULL)) < 0)
		return failed("tcp");
	if (setsockopt(calls, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) ||
	    send(calls, bytes, 100, 0) != 100 || recv(answers, bytes, 100, MSG_WAITALL) != 100 ||
	    write(answers, bytes, 3) != 3 || read(calls, bytes, 50) != 3)
		return failed("tcp data");
	return close(calls) || close(answers) || close(waits);
}

static int udp(const struct sockaddr *to, socklen_t len, size_t size)
{
	int from = socket(to->sa_family, SOCK_DGRAM, 0), at = socket(to->sa_family, SOCK_DGRAM, 0);
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	char bytes[100] = "";

	if (bind(at, to, len) || connect(from, to, len) ||
	    send(from, bytes, size, 0) != (ssize_t)size ||
	    recv(at, bytes, sizeof(bytes), 0) != (ssize_t)size ||
	    connect(from, &none, sizeof(none)) ||
	    sendto(from, bytes, size + 1, 0, to, len) != (ssize_t)size + 1 ||
	    recv(at, bytes, sizeof(bytes), 0) != (ssize_t)size + 1)
		return failed("udp");
	return close(from) || close(at);
}

int main(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = 0 };
	struct sockaddr_in four = { .sin_family = AF_INET,
				    .sin_port = htons(5004),
				    .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_in6 six = { .sin6_family = AF_INET6,
				    .sin6_port = htons(5006),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct ifreq mtu = { .ifr_name = "lo", .ifr_mtu = 9000 };
	int control = socket(AF_INET, SOCK_DGRAM, 0);

	/* Down first: it may be up already. */
	if (ioctl(control, SIOCSIFFLAGS, &r) ||
	    (r.ifr_flags = IFF_UP, ioctl(control, SIOCSIFFLAGS, &r)) ||
	    ioctl(control, SIOCSIFMTU, &mtu))
		return failed("lo");
	if (tcp() || udp((void *)&four, sizeof(four), 7) || udp((void *)&six, sizeof(six), 9))
		return 1;
	mtu.ifr_mtu = 65536; /* as it was: others come after this */
	return ioctl(control, SIOCSIFMTU, &mtu) && failed("lo");
}
