/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ioctl: requests by name or by their parts, and the most informative arguments. */
#include "syscall/syscall.h"

enum {
	TCGETS_ = 0x5401,
	TCSETS_,
	TCSETSW_,
	TCSETSF_,
	TIOCGPGRP_ = 0x540f,
	TIOCSPGRP_ = 0x5410,
	TIOCGWINSZ_ = 0x5413,
	TIOCSWINSZ_ = 0x5414,
	FIONREAD_ = 0x541b,
	FIONBIO_ = 0x5421,
	FIOCLEX_ = 0x5451,
	FIONCLEX_ = 0x5450,
	FIOASYNC_ = 0x5452
};

static bool is_named(uint32_t request)
{
	for (uint32_t i = 0; i < stp_names_ioctl.count; i++)
		if (stp_names_ioctl.values[i] == request)
			return true;
	return false;
}

static void show_request(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	static const char *const directions[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
						  "_IOC_READ|_IOC_WRITE" };
	uint32_t request = (uint32_t)v;

	if (is_named(request)) {
		say_name(s, &stp_names_ioctl, request);
		return;
	}
	say(s, "_IOC(");
	say_text(s, directions[request >> 30]);
	say(s, ", ");
	show_hex(s, k, request >> 8 & 0xff);
	say(s, ", ");
	show_hex(s, k, request & 0xff);
	say(s, ", ");
	show_hex(s, k, request >> 16 & 0x3fff);
	say(s, ")");
}
KIND(ioctl_request, UINT, show_request, NULL);

LAYOUT(winsize, 8, 8, false, { "ws_row", &stp_kind_uint, { 0, 0 }, { 2, 2 } },
       { "ws_col", &stp_kind_uint, { 2, 2 }, { 2, 2 } },
       { "ws_xpixel", &stp_kind_uint, { 4, 4 }, { 2, 2 } },
       { "ws_ypixel", &stp_kind_uint, { 6, 6 }, { 2, 2 } });

static void show_ioctl_arg(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	switch ((uint32_t)s->args[1]) {
	case FIOCLEX_:
	case FIONCLEX_:
		return;
	case TIOCGWINSZ_:
		if (call_filled(s, v))
			say_struct(s, &winsize_layout, v);
		return;
	case TIOCSWINSZ_:
		say_struct(s, &winsize_layout, v);
		return;
	case FIONREAD_:
	case TIOCGPGRP_:
		show_kind(s, &stp_kind_int_out, v);
		return;
	case FIONBIO_:
	case FIOASYNC_:
	case TIOCSPGRP_:
		show_kind(s, &stp_kind_int_at, v);
		return;
	}
	if (is_named((uint32_t)s->args[1]) && (uint32_t)s->args[1] >> 30)
		say_pointer(s, v);
	else
		show_hex(s, k, v);
}
KIND(ioctl_arg, ULONG, show_ioctl_arg, NULL);
