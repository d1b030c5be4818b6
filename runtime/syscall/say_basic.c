/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers, names, flags, strings and buffers. */
#include "syscall/syscall.h"

#define SHOWN_BYTES 32

static void show_signed(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	stp_text_signed(&s->text, (int64_t)v);
}

static void show_unsigned(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	stp_text_unsigned(&s->text, v);
}

void show_hex(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (v)
		say_hex(s, v);
	else
		say(s, "0");
}

static void show_octal(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_octal(s, v);
}

static void show_pointer(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_pointer(s, v);
}

KIND(int, INT, show_signed, NULL);
KIND(uint, UINT, show_unsigned, NULL);
KIND(long, LONG, show_signed, NULL);
KIND(ulong, ULONG, show_unsigned, NULL);
KIND(short, SHORT, show_unsigned, NULL);
KIND(hex, ULONG, show_hex, NULL);
KIND(hexint, UINT, show_hex, NULL);
KIND(octal, UINT, show_octal, NULL);

/* Shows a mask of permissions, with at least three digits. */
static void show_umask(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (v < 010)
		say(s, "0");
	if (!v)
		say(s, "0");
	say_octal(s, v);
}
KIND(umask, UINT, show_umask, NULL);
KIND(pointer, ULONG, show_pointer, NULL);

/* Shows nothing for an argument that the call ignores. */
static void show_nothing(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
}
KIND(unused, ULONG, show_nothing, NULL);

/* Shows a user or group; -1 is "nobody", "no group", "leave it". */
static void show_id(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if ((uint32_t)v == (uint32_t)-1 || (k->type == STP_CALL_SHORT && v == 0xffff))
		say(s, "-1");
	else
		stp_text_unsigned(&s->text, (uint32_t)v);
}
KIND(id, UINT, show_id, NULL);
KIND(id16, SHORT, show_id, NULL);

AT(id, stp_kind_id, 4, 4, false);
KIND_OUT(id_out, show_at, &id_at);

AT(int, stp_kind_int, 4, 4, true);
KIND(int_at, ULONG, show_at, &int_at);
KIND_OUT(int_out, show_at, &int_at);

/* An offset that the call reads and moves. */
AT(offset, stp_kind_long, 8, 8, true);
KIND(offset_at, ULONG, show_at, &offset_at);

/* ---- names ---- */

void show_name(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, k->data, (uint32_t)v);
}

void show_flags(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_flags(s, k->data, v);
}

/* Names of both INT and UINT are found by 32 bits. */
#define KIND_NAME(name)	 KIND(name, INT, show_name, &stp_names_##name)
#define KIND_FLAGS(name) KIND(name, UINT, show_flags, &stp_names_##name)

KIND_FLAGS(access_mode);
KIND_FLAGS(access_at);
KIND_FLAGS(at_flags);

/*
 * Shows the flags of statx. The bits 0x6000 control when a file system asks its server; 0
 * also has a name.
 */
static void show_statx_flags(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (!(v & 0x6000)) {
		say(s, "AT_STATX_SYNC_AS_STAT");
		if (!v)
			return;
		say(s, "|");
	}
	say_flags(s, &stp_names_statx_flags, v);
}
KIND(statx_flags, UINT, show_statx_flags, NULL);
KIND_FLAGS(statx_mask);
KIND_FLAGS(remove_flags);
KIND_FLAGS(rename_flags);
KIND_FLAGS(xattr_flags);
KIND_FLAGS(pipe_flags);
KIND_FLAGS(fallocate_mode);
KIND_FLAGS(flock_op);
KIND_FLAGS(memfd_flags);
KIND_FLAGS(memfd_secret);
KIND_FLAGS(splice_flags);
KIND_FLAGS(sync_range);
KIND_FLAGS(rwf);
KIND_FLAGS(close_range);
KIND_FLAGS(umount_flags);
KIND_FLAGS(mount_flags);
KIND_FLAGS(open_tree);
KIND_FLAGS(move_mount);
KIND_FLAGS(fsopen);
KIND_FLAGS(fspick);
KIND_FLAGS(fsmount);
KIND_FLAGS(mount_attr);
KIND_NAME(fsconfig);
KIND_NAME(whence);
KIND_NAME(fadvise);
KIND(prot, ULONG, show_flags, &stp_names_prot);
KIND_FLAGS(msync_flags);
KIND_NAME(madvise);
KIND_FLAGS(mlock_flags);
KIND_FLAGS(mlockall_flags);
KIND_NAME(mempolicy);
KIND_FLAGS(mbind_flags);
KIND_FLAGS(get_mempolicy_flags);
KIND_FLAGS(pkey_access);
KIND_FLAGS(epoll_create);
KIND_NAME(epoll_op);
KIND_FLAGS(eventfd_flags);
KIND_FLAGS(signalfd_flags);
KIND_FLAGS(inotify_flags);
KIND_FLAGS(inotify_mask);
KIND_FLAGS(fanotify_mark);
KIND(fanotify_mask, ULONG, show_flags, &stp_names_fanotify_mask);
KIND_FLAGS(userfaultfd_flags);
KIND_FLAGS(handle_flags);
KIND_FLAGS(getrandom);
KIND_NAME(reboot_magic1);
KIND_NAME(reboot_magic2);

#define REBOOT_RESTART2 0xa1b2c3d4

static void show_reboot_cmd(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_reboot_cmd, (uint32_t)v);
	s->ends = (uint32_t)v != REBOOT_RESTART2;
}
KIND(reboot_cmd, UINT, show_reboot_cmd, NULL);

KIND_FLAGS(delete_module);
KIND_FLAGS(finit_module);
KIND(kexec_load, ULONG, show_flags, &stp_names_kexec_load);
KIND(kexec_file, ULONG, show_flags, &stp_names_kexec_file);

#define SYSLOG_ACTIONS 11

static void show_syslog(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (v < SYSLOG_ACTIONS)
		say_name(s, &stp_names_syslog, v);
	else
		stp_text_signed(&s->text, (int32_t)v);
}
KIND(syslog, INT, show_syslog, NULL);

KIND_FLAGS(setns);
KIND_FLAGS(unshare);
KIND_FLAGS(wait_options);
KIND_NAME(waitid_which);
KIND_NAME(rlimit);
KIND_NAME(rusage_who);
KIND_NAME(priority_which);
KIND_NAME(ioprio_who);

/* Shows the type of kcmp; only files and the targets of an event poll have numbers. */
static void show_kcmp(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_kcmp, (uint32_t)v);
	s->ends = v != 0 && v != 7;
}
KIND(kcmp, INT, show_kcmp, NULL);

static void show_membarrier_flags(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	show_hex(s, k, v);
	s->ends = !v;
}
KIND(membarrier_flags, UINT, show_membarrier_flags, NULL);

AT(mempolicy, stp_kind_mempolicy, 4, 4, false);
KIND_OUT(mempolicy_out, show_at, &mempolicy_at);

KIND_NAME(membarrier);
KIND_NAME(clock);
KIND_FLAGS(clock_flags);
KIND_FLAGS(timerfd_create);
KIND_FLAGS(timerfd_settime);
KIND_NAME(itimer);
KIND_NAME(seccomp_op);
KIND_FLAGS(seccomp_flags);
KIND_NAME(arch_prctl);
KIND_NAME(shutdown);
KIND_FLAGS(msg_flags);
KIND_FLAGS(sock_flags);
KIND_NAME(sig_how);
KIND_FLAGS(rseq_flags);
KIND_NAME(bpf_cmd);
KIND(perf_flags, ULONG, show_flags, &stp_names_perf_flags);
KIND_FLAGS(uring_enter);
KIND_NAME(uring_register);
KIND_FLAGS(pidfd_open);
KIND_FLAGS(landlock_create);
KIND_NAME(landlock_rule);
KIND_FLAGS(futex2_flags);
KIND_FLAGS(swap_flags);
KIND_FLAGS(shm_at);

/* ---- strings and buffers ---- */

static void show_path(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_string(s, v, 4095);
}
KIND(path, ULONG, show_path, NULL);
/* The path that a call fills in includes its NUL. */
KIND_OUT(path_out, show_path, NULL);

static void show_string(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_string(s, v, SHOWN_BYTES);
}
KIND(string, ULONG, show_string, NULL);

/* Shows bytes given to the call; the next argument is their number. */
static void show_bytes_given(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_bytes(s, v, call_behind(s, k), SHOWN_BYTES);
}
KIND(bytes, ULONG, show_bytes_given, NULL);

/* Shows bytes that the call fills in; its result is their number. */
static void show_bytes_filled(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_bytes(s, v, (uint64_t)s->result, SHOWN_BYTES);
}
KIND_OUT(bytes_out, show_bytes_filled, NULL);

/* Shows the text that readlink() fills in; it ends where the result says. */
static void show_link_filled(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_bytes(s, v, (uint64_t)s->result, 64);
}
KIND_OUT(link_out, show_link_filled, NULL);

static void say_dirfd(struct stp_shown *s, int32_t fd)
{
	if (fd == -100)
		say(s, "AT_FDCWD");
	else
		stp_text_signed(&s->text, fd);
}

static void show_dirfd(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_dirfd(s, (int32_t)v);
}
KIND(dirfd, INT, show_dirfd, NULL);

/* argv and envp: pointers, the last NULL. */
#define STRINGS_SHOWN 32
#define POINTER_WORK  80 /* api/ctx.h */

static uint64_t pointer_at(struct stp_shown *s, uint64_t list, unsigned i, bool *ok)
{
	unsigned size = s->narrow ? 4 : 8;
	uint64_t v = 0;

	stp_charge_later(s->c, POINTER_WORK);
	*ok = call_peek(list + i * size, &v, size);
	return v;
}

static void show_strings(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint64_t one;
	bool ok;

	if (!v || (one = pointer_at(s, v, 0, &ok), !ok)) {
		say_pointer(s, v);
		return;
	}
	say(s, "[");
	for (unsigned i = 0; ok && one; one = pointer_at(s, v, ++i, &ok)) {
		if (i)
			say(s, ", ");
		if (i == STRINGS_SHOWN) {
			say(s, "...");
			break;
		}
		say_string(s, one, SHOWN_BYTES);
	}
	say(s, "]");
}
KIND(strings, ULONG, show_strings, NULL);

/* Shows the address of the environment, and its number of variables. */
static void show_environment(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	unsigned n = 0;
	bool ok = true;

	say_pointer(s, v);
	if (!v)
		return;
	while (n < 4096 && pointer_at(s, v, n, &ok) && ok)
		n++;
	say(s, " /* ");
	stp_text_unsigned(&s->text, n);
	say_text(s, n == 1 ? " var */" : " vars */");
}
KIND(environment, ULONG, show_environment, NULL);

/*
 * 32-bit programs pass a 64-bit offset in two registers: this argument and the next.
 */
static void show_offset_pair(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	stp_text_signed(&s->text, (int64_t)(v | call_behind(s, k) << 32));
}
KIND(offset_pair, UINT, show_offset_pair, NULL);
