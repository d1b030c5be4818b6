/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See sandbox.h. Calls that are not in the table fail with EPERM: an additional call in
 * some version of a library should not end a trace.
 */
#include "stapio/sandbox.h"

#include <asm/termbits.h>
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "uapi/msg.h"

static const int allowed[] = {
	// output
	SCMP_SYS(write),
	SCMP_SYS(writev),
	SCMP_SYS(pwrite64),
	SCMP_SYS(open),
	SCMP_SYS(openat),
	SCMP_SYS(close),
	SCMP_SYS(lseek),
	SCMP_SYS(fstat),
	SCMP_SYS(newfstatat),
	SCMP_SYS(stat),
	SCMP_SYS(lstat),
	SCMP_SYS(statx),
	SCMP_SYS(access),
	SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2),
	SCMP_SYS(ftruncate),
	SCMP_SYS(fallocate),
	SCMP_SYS(fsync),
	SCMP_SYS(fdatasync),
	SCMP_SYS(fcntl),
	SCMP_SYS(rename),
	SCMP_SYS(renameat),
	SCMP_SYS(renameat2),
	SCMP_SYS(unlink),
	SCMP_SYS(unlinkat),
	SCMP_SYS(getdents64),
	SCMP_SYS(dup2),
	SCMP_SYS(dup3),
	SCMP_SYS(fadvise64),
	SCMP_SYS(statfs),
	SCMP_SYS(fstatfs),
	SCMP_SYS(umask),
	SCMP_SYS(getcwd),
	SCMP_SYS(readlink),
	SCMP_SYS(readlinkat),
	SCMP_SYS(flock),
	SCMP_SYS(dup),
	SCMP_SYS(landlock_restrict_self),
	SCMP_SYS(capset),
	SCMP_SYS(capget),
	// using the module, and waiting
	SCMP_SYS(read),
	SCMP_SYS(readv),
	SCMP_SYS(pread64),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(eventfd2),
	SCMP_SYS(nanosleep),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(time),
	SCMP_SYS(restart_syscall),
	// memory and threads; mmap(), mprotect() and clone() below
	SCMP_SYS(brk),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	SCMP_SYS(futex),
	SCMP_SYS(rseq),
	SCMP_SYS(set_robust_list),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(sched_yield),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
	SCMP_SYS(membarrier),
	SCMP_SYS(getrandom),
	SCMP_SYS(sysinfo),
	SCMP_SYS(getrlimit),
	// signals and children: the target and commands
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigpending),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(wait4),
	SCMP_SYS(waitid),
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(getuid),
	SCMP_SYS(geteuid),
	SCMP_SYS(uname),
};

/*
 * The module's ioctls, and those that read and set a terminal's state; since 2.42, glibc
 * uses TCGETS2 and TCSETS2. None of them puts text into the terminal's input, as TIOCSTI
 * does.
 */
static const unsigned long ioctls[] = {
	STP_IOC_HELLO,	 STP_IOC_START,	 STP_IOC_STOP,	STP_IOC_DETACH, STP_IOC_STATUS,
	STP_IOC_HORIZON, STP_IOC_GATHER, STP_IOC_TABLE, TCGETS,		TCSETS,
	TIOCGPGRP,	 TIOCGWINSZ,	 TCGETS2,	TCSETS2,
};

/* Allows a call under one condition on its arguments. */
static int allow_if(scmp_filter_ctx f, int call, struct scmp_arg_cmp condition)
{
	return seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1, condition);
}

static int add_conditional(scmp_filter_ctx f, pid_t target)
{
	const struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(ioctls) / sizeof(ioctls[0]); i++)
		rc = allow_if(f, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, ioctls[i]));
	// Only for existing, connected sockets: to the process that starts commands, and
	// to the system's log. No other socket can be created.
	if (!rc)
		rc = allow_if(f, SCMP_SYS(sendto), SCMP_A4(SCMP_CMP_EQ, 0));
	if (!rc)
		rc = allow_if(f, SCMP_SYS(mmap), no_code);
	if (!rc)
		rc = allow_if(f, SCMP_SYS(mprotect), no_code);
	if (!rc)
		rc = allow_if(f, SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0));
	if (!rc)
		rc = allow_if(f, SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
	if (!rc && target > 0)
		rc = allow_if(f, SCMP_SYS(kill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)target));
	// Allows threads, but not processes. A filter cannot see the flags of clone3();
	// without it the library falls back to clone().
	if (!rc)
		rc = allow_if(f, SCMP_SYS(clone),
			      SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
	return rc ? rc : seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

int sandbox_enter(pid_t target)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int rc = f ? add_conditional(f, target) : -ENOMEM;

	for (size_t i = 0; !rc && i < sizeof(allowed) / sizeof(allowed[0]); i++)
		rc = seccomp_rule_add(f, SCMP_ACT_ALLOW, allowed[i], 0);
	if (!rc)
		rc = seccomp_load(f);
	if (f)
		seccomp_release(f);
	return rc;
}
