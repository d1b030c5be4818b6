/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sockets: families and protocols, addresses, messages, options. */
#include "syscall/syscall.h"

enum {
	FAMILY_UNIX = 1,
	FAMILY_INET = 2,
	FAMILY_INET6 = 10,
	FAMILY_NETLINK = 16,
	FAMILY_PACKET = 17
};

static void show_family(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_family, (uint32_t)v);
}
KIND(family, INT, show_family, NULL);

static void show_sock_type(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_sock_type, v & 15);
	if ((uint32_t)v & ~15u) {
		say(s, "|");
		say_flags(s, &stp_names_sock_flags, (uint32_t)v & ~15u);
	}
}
KIND(sock_type, INT, show_sock_type, NULL);

static void show_protocol(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	int32_t family = (int32_t)s->args[0];

	if (family == FAMILY_INET || family == FAMILY_INET6)
		say_name(s, &stp_names_protocol, (uint32_t)v);
	else if (family == FAMILY_NETLINK)
		say_name(s, &stp_names_netlink_family, (uint32_t)v);
	else
		stp_text_signed(&s->text, (int32_t)v);
}
KIND(protocol, INT, show_protocol, NULL);

/* ---- addresses ---- */

static void say_port(struct stp_shown *s, const uint8_t *bytes)
{
	say(s, "htons(");
	stp_text_unsigned(&s->text, bytes[0] << 8 | bytes[1]);
	say(s, ")");
}

static void say_inet(struct stp_shown *s, const uint8_t *a)
{
	char text[20];

	snprintf(text, sizeof(text), "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
	say_text(s, text);
}

#ifdef __KERNEL__
static void say_inet6(struct stp_shown *s, const uint8_t *a)
{
	char text[48];

	snprintf(text, sizeof(text), "%pI6c", a);
	say_text(s, text);
}
#else
#define GROUPS 8 /* of 16 bits */

/* Finds the longest run of zeros, which "::" stands for; at least two groups. */
static unsigned zeros_of(const uint8_t *a, unsigned *len)
{
	unsigned from = GROUPS, n = 0;

	*len = 1;
	for (unsigned i = 0; i < GROUPS; i++) {
		n = a[2 * i] || a[2 * i + 1] ? 0 : n + 1;
		if (n > *len) {
			*len = n;
			from = i + 1 - n;
		}
	}
	return from;
}

/* As the kernel's own format, which other places lack. */
static void say_inet6(struct stp_shown *s, const uint8_t *a)
{
	unsigned len, zeros = zeros_of(a, &len);
	bool is_mapped = !zeros && len == 5 && a[10] == 0xff && a[11] == 0xff;

	for (unsigned i = 0; i < GROUPS; i++) {
		if (i == zeros) {
			say(s, "::");
			i += len - 1;
			continue;
		}
		if (i && i != zeros + len)
			say(s, ":");
		if (is_mapped && i == 6) {
			say_inet(s, a + 12);
			break;
		}
		stp_text_hex(&s->text, a[2 * i] << 8 | a[2 * i + 1], false);
	}
}
#endif

static void say_unix(struct stp_shown *s, const uint8_t *path, size_t len)
{
	say(s, ", sun_path=");
	if (!len) {
		say(s, "\"\"");
	} else if (!path[0]) {
		say(s, "@");
		say_quoted(s, (const char *)path + 1, len - 1);
	} else {
		say_quoted(s, (const char *)path, strnlen((const char *)path, len));
	}
}

static void say_address(struct stp_shown *s, const uint8_t *a, uint32_t len)
{
	uint16_t family;
	uint32_t number, groups;

	memcpy(&family, a, 2);
	say(s, "{sa_family=");
	say_name(s, &stp_names_family, family);
	if (family == FAMILY_UNIX) {
		if (len > 2)
			say_unix(s, a + 2, len - 2);
	} else if (family == FAMILY_INET && len >= 16) {
		say(s, ", sin_port=");
		say_port(s, a + 2);
		say(s, ", sin_addr=inet_addr(\"");
		say_inet(s, a + 4);
		say(s, "\")");
	} else if (family == FAMILY_INET6 && len >= 24) {
		say(s, ", sin6_port=");
		say_port(s, a + 2);
		say(s, ", sin6_flowinfo=htonl(");
		memcpy(&number, a + 4, 4);
		stp_text_unsigned(&s->text, be32_to_cpu((__force __be32)number));
		say(s, "), inet_pton(AF_INET6, \"");
		say_inet6(s, a + 8);
		say(s, "\", &sin6_addr), sin6_scope_id=");
		number = 0;
		if (len >= 28)
			memcpy(&number, a + 24, 4);
		stp_text_unsigned(&s->text, number);
	} else if (family == FAMILY_NETLINK && len >= 12) {
		char text[16];

		memcpy(&number, a + 4, 4);
		memcpy(&groups, a + 8, 4);
		say(s, ", nl_pid=");
		stp_text_signed(&s->text, (int32_t)number);
		say(s, ", nl_groups=");
		snprintf(text, sizeof(text), "%08x", groups);
		say_text(s, text);
	} else if (len > 2) {
		say(s, ", sa_data=");
		say_quoted(s, (const char *)a + 2, len - 2);
	}
	say(s, "}");
}

#define ADDRESS_MAX 128

static void say_sockaddr(struct stp_shown *s, uint64_t addr, uint64_t len)
{
	uint8_t bytes[ADDRESS_MAX];
	uint32_t n = len < sizeof(bytes) ? (uint32_t)len : sizeof(bytes);

	if (!addr || n < 2 || !call_peek(addr, bytes, n))
		say_pointer(s, addr);
	else
		say_address(s, bytes, n);
}

static void show_sockaddr(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_sockaddr(s, v, (uint32_t)call_behind(s, k));
}
KIND(sockaddr, ULONG, show_sockaddr, NULL);

static void show_sockaddr_out(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint64_t at = call_behind(s, k);
	uint32_t len;

	if (at && call_peek(at, &len, sizeof(len)))
		say_sockaddr(s, v, len);
	else
		say_hex(s, v);
}
KIND_OUT(sockaddr_out, show_sockaddr_out, NULL);

/* Writes a part of the address, for the variables of bind and connect. */
static void say_inet_part(struct stp_shown *s, const uint8_t *a, int64_t part)
{
	if (part == 1)
		say_inet(s, a + 4);
	else if (part == 2)
		stp_text_unsigned(&s->text, a[2] << 8 | a[3]);
}

static void say_inet6_part(struct stp_shown *s, const uint8_t *a, int64_t part)
{
	uint32_t number;

	if (part == 1) {
		say_inet6(s, a + 8);
	} else if (part == 2) {
		stp_text_unsigned(&s->text, a[2] << 8 | a[3]);
	} else if (part == 3 || part == 4) {
		memcpy(&number, a + (part == 3 ? 4 : 24), sizeof(number));
		stp_text_unsigned(&s->text,
				  part == 3 ? be32_to_cpu((__force __be32)number) : number);
	}
}

size_t stp_shown_address(struct stp_ctx *c, int64_t addr, int64_t len, int64_t part, char *dst)
{
	struct stp_shown s = { .c = c, .text = { { dst, 0 }, false } };
	uint8_t bytes[28] = { 0 };
	uint16_t family;

	if (addr && len >= 2 &&
	    call_peek(addr, bytes, len < (int64_t)sizeof(bytes) ? len : sizeof(bytes))) {
		memcpy(&family, bytes, sizeof(family));
		if (part == 0)
			say_name(&s, &stp_names_family, family);
		else if (family == FAMILY_INET)
			say_inet_part(&s, bytes, part);
		else if (family == FAMILY_INET6)
			say_inet6_part(&s, bytes, part);
	}
	return stp_text_end(c, &s.text).len;
}

/* ---- messages ---- */

#define MSG_TRUNC_BIT 0x20

struct message {
	uint64_t name, iov, niov, control, controllen;
	uint32_t namelen, flags;
};

static bool read_message(struct stp_shown *s, const uint8_t *b, struct message *m)
{
	*m = (struct message){ 0 };
	if (s->narrow) {
		memcpy(&m->name, b, 4), memcpy(&m->namelen, b + 4, 4), memcpy(&m->iov, b + 8, 4),
			memcpy(&m->niov, b + 12, 4);
		memcpy(&m->control, b + 16, 4), memcpy(&m->controllen, b + 20, 4),
			memcpy(&m->flags, b + 24, 4);
	} else {
		memcpy(&m->name, b, 8), memcpy(&m->namelen, b + 8, 4), memcpy(&m->iov, b + 16, 8),
			memcpy(&m->niov, b + 24, 8);
		memcpy(&m->control, b + 32, 8), memcpy(&m->controllen, b + 40, 8),
			memcpy(&m->flags, b + 48, 4);
	}
	return true;
}

static void say_message(struct stp_shown *s, const uint8_t *bytes, int64_t filled)
{
	struct message m;

	read_message(s, bytes, &m);
	say(s, "{msg_name=");
	say_sockaddr(s, m.name, m.namelen);
	say(s, ", msg_namelen=");
	stp_text_unsigned(&s->text, m.namelen);
	say(s, ", msg_iov=");
	say_iovec(s, m.iov, m.niov, filled);
	say(s, ", msg_iovlen=");
	stp_text_unsigned(&s->text, m.niov);
	if (m.controllen) {
		say(s, ", msg_control=");
		say_pointer(s, m.control);
	}
	say(s, ", msg_controllen=");
	stp_text_unsigned(&s->text, m.controllen);
	say(s, ", msg_flags=");
	say_flags(s, &stp_names_msg_flags, m.flags);
	say(s, "}");
}

static void show_msghdr(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint8_t bytes[56];

	if (v && call_peek(v, bytes, s->narrow ? 28 : 56))
		say_message(s, bytes, k->is_out ? s->result : INT64_MAX);
	else
		say_pointer(s, v);
}
KIND(msghdr, ULONG, show_msghdr, NULL);
KIND_OUT(msghdr_out, show_msghdr, NULL);

static void say_mmsg(struct stp_shown *s, const uint8_t *bytes, const void *data)
{
	const struct stp_kind *k = data;
	uint32_t len;

	memcpy(&len, bytes + (s->narrow ? 28 : 56), 4);
	say(s, "{msg_hdr=");
	say_message(s, bytes, k->is_out ? len : INT64_MAX);
	if (s->is_return && !s->failed) {
		say(s, ", msg_len=");
		stp_text_unsigned(&s->text, len);
	}
	say(s, "}");
}

static void show_mmsghdr(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_array(s, v, s->is_return && !s->failed ? (uint64_t)s->result : (uint32_t)s->args[2],
		  s->narrow ? 32 : 64, say_mmsg, k);
}
KIND(mmsghdr, ULONG, show_mmsghdr, NULL);
KIND_OUT(mmsghdr_out, show_mmsghdr, NULL);

/* ---- options ---- */

enum { LEVEL_IP = 0, LEVEL_SOCKET = 1, LEVEL_TCP = 6, LEVEL_IPV6 = 41 };
enum {
	OPTION_LINGER = 13,
	OPTION_RCVTIMEO = 20,
	OPTION_SNDTIMEO = 21,
	OPTION_BINDTODEVICE = 25,
	TCP_OPTION_CONGESTION = 13
};

static void show_sol_level(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_sol_level, (uint32_t)v);
}
KIND(sol_level, INT, show_sol_level, NULL);

/*
 * Some socket options have two spellings in the kernel; the short one is shown, which
 * programs use.
 */
static void say_option(struct stp_shown *s, uint32_t v)
{
	uint32_t before = s->text.str.len, len;

	say_name(s, &stp_names_so_option, v);
	len = s->text.str.len - before;
	if (len > 4 && !memcmp(s->text.str.s + s->text.str.len - 4, "_OLD", 4))
		s->text.str.len -= 4;
}

static void show_sock_option(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	switch ((int32_t)s->args[1]) {
	case LEVEL_SOCKET:
		say_option(s, (uint32_t)v);
		return;
	case LEVEL_TCP:
		say_name(s, &stp_names_tcp_option, (uint32_t)v);
		return;
	case LEVEL_IP:
		say_name(s, &stp_names_ip_option, (uint32_t)v);
		return;
	case LEVEL_IPV6:
		say_name(s, &stp_names_ipv6_option, (uint32_t)v);
		return;
	}
	show_hex(s, k, v);
}
KIND(sock_option, INT, show_sock_option, NULL);

static void say_option_value(struct stp_shown *s, uint64_t addr, uint32_t len)
{
	int32_t level = (int32_t)s->args[1], option = (int32_t)s->args[2];
	int64_t wide[2];
	int32_t v[2];

	if (level == LEVEL_SOCKET && option == OPTION_LINGER && len >= 8 && call_peek(addr, v, 8)) {
		say(s, "{l_onoff=");
		stp_text_signed(&s->text, v[0]);
		say(s, ", l_linger=");
		stp_text_signed(&s->text, v[1]);
		say(s, "}");
	} else if (level == LEVEL_SOCKET &&
		   (option == OPTION_RCVTIMEO || option == OPTION_SNDTIMEO) && len == 16 &&
		   call_peek(addr, wide, 16)) {
		say(s, "{tv_sec=");
		stp_text_signed(&s->text, wide[0]);
		say(s, ", tv_usec=");
		stp_text_signed(&s->text, wide[1]);
		say(s, "}");
	} else if ((level == LEVEL_SOCKET && option == OPTION_BINDTODEVICE) ||
		   (level == LEVEL_TCP && option == TCP_OPTION_CONGESTION)) {
		say_bytes(s, addr, len, 32);
	} else if (len == 4 && call_peek(addr, v, 4)) {
		say(s, "[");
		stp_text_signed(&s->text, v[0]);
		say(s, "]");
	} else {
		say_bytes(s, addr, len, 32);
	}
}

static void show_option_value(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (v)
		say_option_value(s, v, (uint32_t)s->args[4]);
	else
		say(s, "NULL");
}
KIND(option_value, ULONG, show_option_value, NULL);

static void show_option_value_out(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint32_t len;

	if (call_peek(s->args[4], &len, 4))
		say_option_value(s, v, len);
	else
		say_hex(s, v);
}
KIND_OUT(option_value_out, show_option_value_out, NULL);
