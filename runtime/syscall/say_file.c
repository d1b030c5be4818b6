/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files: opening them, their types, locks, and event queues. */
#include "syscall/syscall.h"

#define O_ACCMODE_BITS 3
#define O_CREAT_BIT    0100

static void say_open_flags(struct stp_shown *s, uint64_t flags)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };

	say_text(s, modes[flags & O_ACCMODE_BITS]);
	flags &= ~(uint64_t)O_ACCMODE_BITS;
	if (!flags)
		return;
	say(s, "|");
	say_flags(s, &stp_names_open_flags, flags);
}

static void show_open_flags(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_open_flags(s, (uint32_t)v);
}
KIND(open_flags, INT, show_open_flags, NULL);

/* Shows the mode, if the call can make a file; the flags come before it. */
static void show_open_mode(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	for (unsigned i = 0; i < s->call->nargs; i++) {
		if (s->call->args[i] == &stp_kind_open_flags &&
		    (s->args[i] & O_CREAT_BIT || (s->args[i] & ARCH_O_TMPFILE) == ARCH_O_TMPFILE))
			say_octal(s, (uint16_t)v);
	}
}
KIND(open_mode, UINT, show_open_mode, NULL);

static const struct stp_kind kind_flags64 = { show_open_flags, NULL, STP_CALL_ULONG, false };
static const struct stp_kind kind_resolve = { show_flags, &stp_names_resolve, STP_CALL_ULONG,
					      false };
LAYOUT(open_how, 24, 24, false, { "flags", &kind_flags64, { 0, 0 }, { 8, 8 } },
       { "mode", &stp_kind_octal, { 8, 8 }, { 8, 8 } },
       { "resolve", &kind_resolve, { 16, 16 }, { 8, 8 } });
KIND(open_how, ULONG, show_struct, &open_how_layout);

/* ---- types of files ---- */

static void say_mode(struct stp_shown *s, uint32_t mode)
{
	say_name(s, &stp_names_file_type, mode & 0170000);
	if (mode & 04000)
		say(s, "|S_ISUID");
	if (mode & 02000)
		say(s, "|S_ISGID");
	if (mode & 01000)
		say(s, "|S_ISVTX");
	say(s, "|");
	say_octal(s, mode & 0777);
}

static void show_file_mode(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (v & 0170000)
		say_mode(s, (uint16_t)v);
	else
		say_octal(s, (uint16_t)v);
}
KIND(file_mode, UINT, show_file_mode, NULL);

static void show_mode(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_octal(s, (uint16_t)v);
}
KIND(mode, UINT, show_mode, NULL);

static void say_device(struct stp_shown *s, uint32_t major, uint32_t minor)
{
	say(s, "makedev(");
	say_hex(s, major);
	say(s, ", ");
	say_hex(s, minor);
	say(s, ")");
}

static void show_dev(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say(s, "makedev(");
	show_hex(s, k, v >> 8 & 0xfff);
	say(s, ", ");
	show_hex(s, k, (v & 0xff) | (v >> 12 & 0xfff00));
	say(s, ")");
}
KIND(dev, UINT, show_dev, NULL);

/* Shows a device number; only devices have one. */
static void show_device(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint32_t type = s->call->nargs > 2 ? s->args[s->call->nargs - 2] & 0170000 : 0;

	if (type == 0020000 || type == 0060000)
		say_device(s, (v >> 8 & 0xfff) | (v >> 32 & ~0xfffull),
			   (v & 0xff) | (v >> 12 & 0xffffff00));
}
KIND(device, UINT, show_device, NULL);

/* Members of a stat structure that are shown. */
struct stat_layout {
	uint8_t mode, mode_size, size, size_size, rdev, whole;
};

static void say_stat(struct stp_shown *s, uint64_t addr, const struct stat_layout *l)
{
	uint8_t bytes[144];
	uint64_t mode = 0, size = 0, rdev = 0;

	if (!call_peek(addr, bytes, l->whole)) {
		say_hex(s, addr);
		return;
	}
	memcpy(&mode, bytes + l->mode, l->mode_size);
	memcpy(&size, bytes + l->size, l->size_size);
	memcpy(&rdev, bytes + l->rdev, 4);
	say(s, "{st_mode=");
	say_mode(s, (uint32_t)mode);
	if ((mode & 0170000) == 0020000 || (mode & 0170000) == 0060000) {
		say(s, ", st_rdev=");
		say_device(s, (rdev >> 8) & 0xfff, (rdev & 0xff) | (rdev >> 12 & 0xffffff00));
	} else {
		say(s, ", st_size=");
		stp_text_signed(&s->text, (int64_t)size);
	}
	say(s, ", ...}");
}

/* Shows stat of 64-bit programs, and stat and stat64 of 32-bit programs. */
static void show_stat(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	static const struct stat_layout wide = ARCH_STAT, narrow = { 8, 2, 20, 4, 16, 64 };

	say_stat(s, v, s->narrow ? &narrow : &wide);
}
KIND_OUT(stat, show_stat, NULL);

static void show_stat64(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	static const struct stat_layout layout = ARCH_STAT64;

	say_stat(s, v, &layout);
}
KIND_OUT(stat64, show_stat64, NULL);

static const struct stp_kind kind_statx_mask = { show_flags, &stp_names_statx_mask, STP_CALL_UINT,
						 false };
LAYOUT(statx, 48, 48, true, { "stx_mask", &kind_statx_mask, { 0, 0 }, { 4, 4 } },
       { "stx_attributes", &stp_kind_hex, { 8, 8 }, { 8, 8 } },
       { "stx_mode", &stp_kind_file_mode, { 28, 28 }, { 2, 2 } },
       { "stx_size", &stp_kind_ulong, { 40, 40 }, { 8, 8 } });
KIND_OUT(statx, show_struct, &statx_layout);

LAYOUT(statfs, 120, 64, true, { "f_type", &stp_kind_hex, { 0, 0 }, { 8, 4 } },
       { "f_bsize", &stp_kind_ulong, { 8, 4 }, { 8, 4 } },
       { "f_blocks", &stp_kind_ulong, { 16, 8 }, { 8, 4 } },
       { "f_bfree", &stp_kind_ulong, { 24, 12 }, { 8, 4 } },
       { "f_bavail", &stp_kind_ulong, { 32, 16 }, { 8, 4 } },
       { "f_files", &stp_kind_ulong, { 40, 20 }, { 8, 4 } },
       { "f_ffree", &stp_kind_ulong, { 48, 24 }, { 8, 4 } });
KIND_OUT(statfs, show_struct, &statfs_layout);

/* ---- locks and descriptors ---- */

static const struct stp_kind kind_flock_type = { show_name, &stp_names_flock_type, STP_CALL_INT,
						 false };
static const struct stp_kind kind_whence = { show_name, &stp_names_whence, STP_CALL_INT, false };
LAYOUT(flock, 32, 16, false, { "l_type", &kind_flock_type, { 0, 0 }, { 2, 2 } },
       { "l_whence", &kind_whence, { 2, 2 }, { 2, 2 } },
       { "l_start", &stp_kind_long, { 8, 4 }, { 8, 4 }, true },
       { "l_len", &stp_kind_long, { 16, 8 }, { 8, 4 }, true });
LAYOUT(flock_pid, 32, 16, false, { "l_type", &kind_flock_type, { 0, 0 }, { 2, 2 } },
       { "l_whence", &kind_whence, { 2, 2 }, { 2, 2 } },
       { "l_start", &stp_kind_long, { 8, 4 }, { 8, 4 }, true },
       { "l_len", &stp_kind_long, { 16, 8 }, { 8, 4 }, true },
       { "l_pid", &stp_kind_int, { 24, 12 }, { 4, 4 }, true });

/* fcntl(fd, cmd, arg): the command decides what the argument is. */
enum {
	F_DUPFD_ = 0,
	F_GETFD_,
	F_SETFD_,
	F_GETFL_,
	F_SETFL_,
	F_GETLK_,
	F_SETLK_,
	F_SETLKW_,
	F_SETOWN_,
	F_GETOWN_,
	F_SETSIG_,
	F_GETSIG_,
	F_GETLK64_,
	F_SETLK64_,
	F_SETLKW64_,
	F_OFD_GETLK_ = 36,
	F_OFD_SETLK_,
	F_OFD_SETLKW_,
	F_SETLEASE_ = 1024,
	F_GETLEASE_,
	F_NOTIFY_,
	F_CANCELLK_ = 1029,
	F_DUPFD_CLOEXEC_,
	F_SETPIPE_SZ_,
	F_GETPIPE_SZ_,
	F_ADD_SEALS_,
	F_GET_SEALS_
};

static void say_fcntl_arg(struct stp_shown *s, int32_t cmd, uint64_t v)
{
	switch (cmd) {
	case F_GETFD_:
	case F_GETFL_:
	case F_GETOWN_:
	case F_GETSIG_:
	case F_GETLEASE_:
	case F_GETPIPE_SZ_:
	case F_GET_SEALS_:
		return;
	case F_DUPFD_:
	case F_DUPFD_CLOEXEC_:
	case F_SETOWN_:
	case F_SETPIPE_SZ_:
		stp_text_signed(&s->text, (int32_t)v);
		return;
	case F_SETFD_:
		say_flags(s, &stp_names_fd_flags, (uint32_t)v);
		return;
	case F_SETFL_:
		say_open_flags(s, (uint32_t)v);
		return;
	case F_SETLK_:
	case F_SETLKW_:
	case F_OFD_SETLK_:
	case F_OFD_SETLKW_:
		say_struct(s, &flock_layout, v);
		return;
	case F_GETLK_:
	case F_OFD_GETLK_:
		say_struct(s, s->is_return ? &flock_pid_layout : &flock_layout, v);
		return;
	case F_SETSIG_:
		say_signal(s, (int32_t)v);
		return;
	case F_SETLEASE_:
		say_name(s, &stp_names_flock_type, (uint32_t)v);
		return;
	case F_ADD_SEALS_:
		say_flags(s, &stp_names_seals, (uint32_t)v);
		return;
	default:
		show_hex(s, NULL, v);
	}
}

static void show_fcntl_cmd(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_fcntl_cmd, (uint32_t)v);
}
KIND(fcntl_cmd, INT, show_fcntl_cmd, NULL);

static void show_fcntl_arg(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_fcntl_arg(s, (int32_t)s->args[1], v);
}
KIND(fcntl_arg, ULONG, show_fcntl_arg, NULL);

static void show_int_pair_out(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	int32_t fds[2];

	if (!call_peek(v, fds, sizeof(fds)))
		return;
	say(s, "[");
	stp_text_signed(&s->text, fds[0]);
	say(s, ", ");
	stp_text_signed(&s->text, fds[1]);
	say(s, "]");
}
KIND_OUT(int_pair_out, show_int_pair_out, NULL);

/* ---- waiting for descriptors ---- */

static void say_epoll_event(struct stp_shown *s, const uint8_t *bytes, const void *data)
{
	uint32_t events;
	uint64_t v;

	memcpy(&events, bytes, 4);
	memcpy(&v, bytes + ARCH_EPOLL_DATA, 8);
	say(s, "{events=");
	say_flags(s, &stp_names_epoll_events, events);
	say(s, ", data={u32=");
	stp_text_unsigned(&s->text, (uint32_t)v);
	say(s, ", u64=");
	stp_text_unsigned(&s->text, v);
	say(s, "}}");
}

static void show_epoll_event(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint8_t bytes[ARCH_EPOLL_BYTES];

	if (!v || s->args[1] == 2 || !call_peek(v, bytes, sizeof(bytes)))
		say_pointer(s, v);
	else
		say_epoll_event(s, bytes, NULL);
}
KIND(epoll_event, ULONG, show_epoll_event, NULL);

static void show_epoll_events(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_array(s, v, (uint64_t)s->result, ARCH_EPOLL_BYTES, say_epoll_event, NULL);
}
KIND_OUT(epoll_events_out, show_epoll_events, NULL);

static void say_pollfd(struct stp_shown *s, const uint8_t *bytes, const void *data)
{
	int32_t fd;
	uint16_t events;

	memcpy(&fd, bytes, 4);
	memcpy(&events, bytes + 4, 2);
	say(s, "{fd=");
	stp_text_signed(&s->text, fd);
	if (fd >= 0) {
		say(s, ", events=");
		say_flags(s, &stp_names_poll_events, events);
	}
	say(s, "}");
}

static void show_pollfds(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_array(s, v, (uint32_t)s->args[1], 8, say_pollfd, NULL);
}
KIND(pollfds, ULONG, show_pollfds, NULL);

/*
 * Shows the set as it was when the call was made; in a return probe, as the call has left
 * it.
 */
static void show_fd_set(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	int32_t n = (int32_t)s->args[0];
	uint32_t size = s->narrow ? 4 : 8; /* size of the words in the set */
	uint64_t word;

	if (!v || n < 0 || (n && !call_peek(v, &word, size)))
		say_pointer(s, v);
	else
		say_bits(s, v, n, DIV_ROUND_UP((uint32_t)n, 8 * size) * size);
}
KIND(fd_set, ULONG, show_fd_set, NULL);

/* ---- notification ---- */

static void show_fanotify_init(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_fanotify_class, v & 0xc);
	if (v & ~0xcull) {
		say(s, "|");
		say_flags(s, &stp_names_fanotify_init, v & ~0xcull);
	}
}
KIND(fanotify_init, UINT, show_fanotify_init, NULL);

/* ---- file systems ---- */

static void show_quota_cmd(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say(s, "QCMD(");
	say_name(s, &stp_names_quota_cmd, (uint32_t)v >> 8);
	say(s, ", ");
	say_name(s, &stp_names_quota_type, v & 255);
	say(s, ")");
}
KIND(quota_cmd, UINT, show_quota_cmd, NULL);

#define QUOTA_ON 0x800002 /* Q_QUOTAON */

static bool turns_quota_on(const struct stp_shown *s)
{
	return (uint32_t)s->args[0] >> 8 == QUOTA_ON;
}

/* Shows a user or group, or the format of a quota file. */
static void show_quota_id(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (turns_quota_on(s) && v)
		say_name(s, &stp_names_quota_format, (uint32_t)v);
	else
		stp_text_signed(&s->text, (int32_t)v);
}
KIND(quota_id, UINT, show_quota_id, NULL);

/* Shows the address of a structure, or the file of quotas. */
static void show_quota_addr(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (turns_quota_on(s))
		say_string(s, v, 4095);
	else
		say_pointer(s, v);
}
KIND(quota_addr, ULONG, show_quota_addr, NULL);

static const struct stp_kind kind_mount_attr = { show_flags, &stp_names_mount_attr, STP_CALL_ULONG,
						 false };
static const struct stp_kind kind_mount_propagation = { show_flags, &stp_names_mount_flags,
							STP_CALL_ULONG, false };
LAYOUT(mount_attr, 32, 32, false, { "attr_set", &kind_mount_attr, { 0, 0 }, { 8, 8 } },
       { "attr_clr", &kind_mount_attr, { 8, 8 }, { 8, 8 } },
       { "propagation", &kind_mount_propagation, { 16, 16 }, { 8, 8 } },
       { "userns_fd", &stp_kind_ulong, { 24, 24 }, { 8, 8 } });
KIND(mount_setattr, ULONG, show_struct, &mount_attr_layout);
