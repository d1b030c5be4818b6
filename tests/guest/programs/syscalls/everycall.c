/* SPDX-License-Identifier: GPL-2.0-or-later */
/* everycall: system calls with telling arguments, most through syscall(2). What it does twice has the same text: addresses are fixed. close(1000) and
 * close(1001) stand before the first and after the last. */
// cflags: -O1 -no-pie
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* Arguments that a newer form of a call has besides are 0. */
#define CALL(name, ...) syscall(SYS_##name, ##__VA_ARGS__, 0, 0)

#ifdef __aarch64__ /* has the newer forms alone; calls that have none are others */
#define SYS_access	 SYS_faccessat, AT_FDCWD
#define SYS_alarm	 SYS_getpgid
#define SYS_arch_prctl	 SYS_close
#define SYS_chmod	 SYS_fchmodat, AT_FDCWD
#define SYS_chown	 SYS_fchownat, AT_FDCWD
#define SYS_creat	 SYS_mknodat, AT_FDCWD
#define SYS_epoll_wait	 SYS_epoll_pwait
#define SYS_eventfd	 SYS_eventfd2
#define SYS_futimesat	 SYS_utimensat
#define SYS_getdents	 SYS_getdents64
#define SYS_inotify_init SYS_inotify_init1
#define SYS_ioperm	 SYS_close
#define SYS_iopl	 SYS_close
#define SYS_lchown	 SYS_fchownat, AT_FDCWD
#define SYS_lstat	 SYS_newfstatat, AT_FDCWD
#define SYS_mkdir	 SYS_mkdirat, AT_FDCWD
#define SYS_mknod	 SYS_mknodat, AT_FDCWD
#define SYS_open	 SYS_openat, AT_FDCWD
#define SYS_pipe	 SYS_pipe2
#define SYS_poll	 SYS_ppoll
#define SYS_readlink	 SYS_readlinkat, AT_FDCWD
#define SYS_select	 SYS_pselect6
#define SYS_signalfd	 SYS_signalfd4
#define SYS_stat	 SYS_newfstatat, AT_FDCWD
#define SYS_sysfs	 SYS_close
#define SYS_unlink	 SYS_unlinkat, AT_FDCWD
#define SYS_ustat	 SYS_close
#define SYS_utime	 SYS_utimensat, AT_FDCWD
#define SYS_utimes	 SYS_utimensat, AT_FDCWD
#endif

static char buf[8192], *dir = "/tmp/everycall";
static struct iovec out[2] = { { "one", 3 }, { "two\n", 4 } },
		    in[2] = { { buf, 3 }, { buf + 100, 40 } };
static const struct timespec ms = { 0, 1000000 };

static void files(void)
{
	struct stat st;
	struct statfs sfs;
	off_t at = 3;
	int fd, fds[2];
	struct flock lock = { F_WRLCK, SEEK_SET, 10, 20 };
	struct timespec times[2] = { { 1000, 2000 }, { 0, UTIME_OMIT } };
	struct timeval tvs[2] = { { 100, 200 }, { 300, 400 } };
	struct utimbuf ut = { 1111, 2222 };
	static char stx[256];

	CALL(mkdir, dir, 0755);
	CALL(mkdirat, AT_FDCWD, "/tmp/everycall/d", 0700);
	fd = CALL(open, "/tmp/everycall/f", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	CALL(openat, AT_FDCWD, "/tmp/everycall/none\n\"x\"", O_RDONLY | O_NONBLOCK | O_DIRECTORY);
	CALL(openat, -1, "x", O_WRONLY | O_APPEND | O_SYNC);
	CALL(openat, AT_FDCWD, "/tmp/everycall", O_RDWR | O_TMPFILE, 0600);
	CALL(creat, "/tmp/everycall/g", 0600);
	CALL(write, fd, "hello \001\t\377world, this is more than thirty-two bytes\n", 49);
	CALL(pwrite64, fd, "abc", 3, 5L);
	CALL(writev, fd, out, 2);
	CALL(pwritev, fd, out, 2, 60L, 0L);
	CALL(pwritev2, fd, out, 1, 60L, 0L, 2);
	CALL(lseek, fd, 2L, SEEK_SET);
	CALL(lseek, fd, -1L, SEEK_END);
	CALL(lseek, fd, 0L, 77);
	CALL(lseek, fd, 0L, SEEK_SET);
	CALL(read, fd, buf, 100);
	CALL(read, fd, buf, 0);
	CALL(read, -1, buf, 10);
	CALL(pread64, fd, buf, 5, 6L);
	CALL(readv, fd, in, 2);
	CALL(preadv, fd, in, 2, 1L, 0L);
	CALL(preadv2, fd, in, 2, 1L, 0L, 0);
	CALL(fsync, fd);
	CALL(fdatasync, fd);
	CALL(syncfs, fd);
	CALL(sync_file_range, fd, 0L, 10L, 7);
	CALL(ftruncate, fd, 50L);
	CALL(truncate, "/tmp/everycall/f", 40L);
	CALL(fallocate, fd, 1, 0L, 4096L);
	CALL(fadvise64, fd, 0L, 100L, 3);
	CALL(readahead, fd, 0L, 100L);
	CALL(dup, fd);
	dup2(fd, 50);
	CALL(dup3, fd, 51, O_CLOEXEC);
	CALL(close_range, 50, 51, 0);
	CALL(pipe, fds);
	CALL(pipe2, fds, O_NONBLOCK | O_CLOEXEC);
	CALL(write, fds[1], "pipe", 4);
	CALL(tee, fds[0], fds[1], 4, 2);
	CALL(splice, fd, &at, fds[1], 0, 4L, 3);
	CALL(vmsplice, fds[1], out, 1, 2);
	CALL(sendfile, fds[1], fd, &at, 3L);
	CALL(copy_file_range, fd, 0, fd, 0, 0L, 0);
	CALL(fcntl, fd, F_GETFD);
	CALL(fcntl, fd, F_SETFD, FD_CLOEXEC);
	CALL(fcntl, fd, F_GETFL);
	CALL(fcntl, fd, F_SETFL, O_RDWR | O_NONBLOCK);
	CALL(fcntl, fd, F_DUPFD, 60);
	CALL(fcntl, fd, F_DUPFD_CLOEXEC, 61);
	CALL(fcntl, fd, F_SETLK, &lock);
	CALL(fcntl, fd, F_GETLK, &lock);
	CALL(fcntl, fd, F_OFD_SETLK, &lock);
	CALL(fcntl, fd, F_GETOWN);
	CALL(fcntl, fd, F_SETSIG, SIGUSR1);
	CALL(fcntl, fds[1], F_SETPIPE_SZ, 65536);
	CALL(fcntl, fds[1], F_GETPIPE_SZ);
	CALL(fcntl, fd, F_NOTIFY, 0x1234);
	CALL(flock, fd, LOCK_EX | LOCK_NB);
	CALL(ioctl, fd, FIONREAD, &fds[0]);
	CALL(ioctl, fd, TIOCGWINSZ, buf);
	CALL(ioctl, fd, FS_IOC_GETFLAGS, 0);
	CALL(ioctl, fd, 0xc0125577, 5);
	CALL(ioctl, fd, FIOCLEX);
	CALL(access, "/tmp/everycall/f", R_OK | W_OK);
	CALL(access, "/nope", F_OK);
	CALL(faccessat, AT_FDCWD, "/tmp/everycall/f", X_OK);
	CALL(faccessat2, AT_FDCWD, "/tmp/everycall/f", R_OK, AT_EACCESS);
	CALL(chdir, dir);
	CALL(fchdir, -1);
	CALL(chroot, "/");
	CALL(getcwd, buf, 4096);
	CALL(getcwd, buf, 2);
	CALL(chmod, "f", 0600);
	CALL(fchmod, fd, 04755);
	CALL(fchmodat, AT_FDCWD, "f", 0644);
	CALL(chown, "f", 1, -1);
	CALL(lchown, "f", 2, 3);
	CALL(fchown, fd, 0, 0);
	CALL(fchownat, AT_FDCWD, "", 0, 0, AT_EMPTY_PATH);
	CALL(umask, 022);
	link("f", "l");
	CALL(linkat, AT_FDCWD, "f", AT_FDCWD, "l2", AT_SYMLINK_FOLLOW);
	symlink("f", "s");
	CALL(symlinkat, "f", AT_FDCWD, "s2");
	CALL(readlink, "s", buf, 100);
	CALL(readlinkat, AT_FDCWD, "s2", buf, 100);
	CALL(readlink, "f", buf, 100);
	rename("l", "m");
	CALL(renameat, AT_FDCWD, "m", AT_FDCWD, "n");
	CALL(renameat2, AT_FDCWD, "n", AT_FDCWD, "l", 1);
	CALL(mknod, "p", S_IFIFO | 0600, 0);
	CALL(mknodat, AT_FDCWD, "c", S_IFCHR | 0600, 0x103);
	CALL(stat, "f", &st);
	CALL(stat, "/dev/null", &st);
	CALL(stat, "/nope", &st);
	CALL(lstat, "s", &st);
	CALL(fstat, fd, &st);
	CALL(newfstatat, AT_FDCWD, "d", &st, AT_SYMLINK_NOFOLLOW);
	CALL(statx, AT_FDCWD, "f", AT_STATX_SYNC_AS_STAT | AT_SYMLINK_NOFOLLOW, 0x7ff, stx);
	CALL(statx, AT_FDCWD, "nope", 0, 0x1, stx);
	CALL(statfs, "/nope", &sfs);
	CALL(fstatfs, -1, &sfs);
	CALL(utime, "f", &ut);
	CALL(utimes, "f", tvs);
	CALL(futimesat, AT_FDCWD, "f", tvs);
	CALL(utimensat, AT_FDCWD, "f", times, 0);
	CALL(utimensat, AT_FDCWD, "f", 0, AT_SYMLINK_NOFOLLOW);
	CALL(setxattr, "f", "user.a", "value", 5, XATTR_CREATE);
	CALL(fsetxattr, fd, "user.b", "v\0w", 3, 0);
	CALL(lsetxattr, "f", "user.c", "", 0, 0);
	CALL(getxattr, "f", "user.a", buf, 100);
	CALL(lgetxattr, "f", "user.none", buf, 100);
	CALL(fgetxattr, fd, "user.b", buf, 100);
	CALL(listxattr, "f", 0, 0);
	CALL(llistxattr, "/nope", buf, 100);
	CALL(flistxattr, -1, buf, 100);
	CALL(removexattr, "f", "user.a");
	CALL(lremovexattr, "f", "user.c");
	CALL(fremovexattr, fd, "user.b");
	CALL(memfd_create, "name", 3);
	CALL(getdents64, -1, buf, 1000);
	CALL(getdents, -1, buf, 1000);
	CALL(unlink, "s");
	CALL(unlinkat, AT_FDCWD, "s2", 0);
	CALL(unlinkat, AT_FDCWD, "d", AT_REMOVEDIR);
	rmdir("/nope");
	CALL(mount, "none", "/nope", "tmpfs", 1 | 2 | 8, "size=1M");
	CALL(umount2, "/nope", 2 | 8);
	CALL(pivot_root, "/nope", "/nope2");
	CALL(swapon, "/nope", 0);
	CALL(swapoff, "/nope");
	CALL(acct, "/nope");
	CALL(inotify_init);
	fd = CALL(inotify_init1, O_CLOEXEC | O_NONBLOCK);
	CALL(inotify_add_watch, fd, "f", 0x3c0);
	CALL(inotify_rm_watch, fd, 99);
	CALL(sync);
}

static void waits(void)
{
	struct pollfd p[2] = { { 0, POLLIN | POLLPRI, 0 }, { -1, POLLOUT, 0 } };
	struct epoll_event ev = { EPOLLIN | EPOLLET, { .u32 = 7 } }, evs[4];
	struct timeval tv = { 0, 1000 };
	uint64_t mask = 1ull << (SIGUSR1 - 1) | 1ull << (SIGTERM - 1);
	fd_set set;
	int ep, e;

	p[0].fd = 777;
	CALL(poll, p, 2, 1);
	CALL(ppoll, p, 1, &ms, &mask, 8);
	CALL(ppoll, p, 0, &ms, 0, 8);
	FD_ZERO(&set);
	CALL(select, 1, &set, 0, 0, &tv);
	FD_SET(0, &set);
	CALL(select, 5, &set, 0, &set, (void *)8);
	CALL(pselect6, 0, 0, 0, 0, &ms, 0);
	epoll_create(5);
	ep = CALL(epoll_create1, EPOLL_CLOEXEC);
	e = CALL(eventfd2, 3, O_CLOEXEC | O_NONBLOCK | 1);
	CALL(eventfd, 1);
	CALL(epoll_ctl, ep, EPOLL_CTL_ADD, e, &ev);
	CALL(epoll_ctl, ep, EPOLL_CTL_MOD, e, &ev);
	CALL(epoll_wait, ep, evs, 4, 10);
	CALL(epoll_pwait, ep, evs, 4, 10, &mask, 8);
	CALL(epoll_ctl, ep, EPOLL_CTL_DEL, e, 0);
	CALL(epoll_wait, -1, evs, 4, 10);
	CALL(signalfd4, -1, &mask, 8, O_NONBLOCK);
	CALL(signalfd, -1, &mask, 8);
	CALL(io_setup, 1, 0);
	CALL(io_destroy, 0x1234L);
	CALL(userfaultfd, O_CLOEXEC | 0x100);
	CALL(fanotify_init, 0xffff0000, O_RDWR);
	CALL(fanotify_mark, -1, 1 | 0x10, 0x3bL, AT_FDCWD, "/nope");
}

static void memory(void)
{
	char *at = (char *)0x200000000;
	int mode;
	unsigned long nodes = 1;

	CALL(mmap, at, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
	     0);
	CALL(mmap, 0, 4096, PROT_NONE, MAP_SHARED, -1, 0x1000);
	CALL(mprotect, at, 4096, PROT_READ);
	CALL(mprotect, at + 1, 4096, PROT_READ | PROT_EXEC);
	CALL(madvise, at, 4096, MADV_DONTNEED);
	CALL(madvise, at, 4096, 999);
	CALL(msync, at, 4096, MS_SYNC);
	CALL(mincore, at, 1, 0);
	CALL(mlock, at, 4096);
	CALL(mlock2, at, 4096, 1);
	CALL(munlock, at, 4096);
	CALL(mlockall, 0x80);
	CALL(munlockall);
	CALL(mremap, at, 8192, 4096, 0, 0);
	CALL(mremap, at, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, at + 0x10000);
	CALL(munmap, at + 0x10000, 4096);
	CALL(remap_file_pages, at, 4096, 0, 0, 0);
	CALL(brk, 0x10);
	CALL(pkey_alloc, 1, 0);
	CALL(pkey_free, 99);
	CALL(pkey_mprotect, at, 4096, PROT_READ, 99);
	CALL(get_mempolicy, &mode, 0, 0, 0, 0);
	CALL(set_mempolicy, 0, 0, 0);
	CALL(mbind, at, 4096, 99, &nodes, 64, 0);
	CALL(migrate_pages, -5, 0, 0, 0);
	CALL(move_pages, -5, 0, 0, 0, 0, 2);
	CALL(process_vm_readv, -5, in, 1, out, 1, 0);
	CALL(process_vm_writev, -5, out, 1, in, 1, 0);
	CALL(membarrier, 0, 0, 0);
	CALL(memfd_secret, 5);
}

static void processes(void)
{
	uint64_t set = 1ull << (SIGUSR1 - 1), none = 0;
	struct rlimit lim = { 100, 4096 };
	struct rusage use;
	struct sched_param sp = { 0 };
	struct utsname uts;
	struct __user_cap_header_struct cap = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} act = { SIG_IGN, SA_RESTART, 0, set }, old;
	stack_t ss;
	siginfo_t si;
	int status, ids[3], child;
	unsigned long cpus = 1, base;
	char name[16];

	CALL(getpgid, 0);
	CALL(setpgid, -3, 1);
	CALL(getsid, -3);
	CALL(setsid);
	CALL(getuid);
	CALL(geteuid);
	CALL(getgid);
	CALL(getegid);
	CALL(setuid, 0);
	CALL(setgid, 0);
	CALL(setreuid, -1, 0);
	CALL(setregid, 0, -1);
	CALL(setresuid, -1, -1, 0);
	CALL(setresgid, -1, 0, -1);
	CALL(getresuid, &ids[0], &ids[1], &ids[2]);
	CALL(getresgid, &ids[0], &ids[1], &ids[2]);
	CALL(setfsuid, 0);
	CALL(setfsgid, 0);
	CALL(setgroups, 2, ((int[]){ 5, 6 }));
	CALL(getgroups, 32, buf);
	CALL(getgroups, 0, 0);
	CALL(capget, &cap, 0);
	CALL(capget, &cap, data);
	CALL(prctl, PR_SET_NAME, "renamed");
	CALL(prctl, PR_GET_NAME, name);
	CALL(prctl, PR_SET_NAME, "everycall");
	CALL(prctl, PR_SET_PDEATHSIG, SIGHUP);
	CALL(prctl, PR_GET_PDEATHSIG, &status);
	CALL(prctl, PR_SET_DUMPABLE, 1);
	CALL(prctl, PR_GET_DUMPABLE);
	CALL(prctl, PR_CAPBSET_READ, 5);
	CALL(prctl, PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
	CALL(arch_prctl, 0x1003, &base);
	CALL(personality, 0xffffffff);
	CALL(set_robust_list, 0x10, 24);
	CALL(get_robust_list, -5, 0, 0);
	CALL(getrlimit, RLIMIT_NOFILE, &lim);
	CALL(setrlimit, 99, &lim);
	CALL(prlimit64, 0, RLIMIT_CORE, 0, &lim);
	CALL(prlimit64, -5, RLIMIT_STACK, &lim, 0);
	CALL(getrusage, RUSAGE_CHILDREN, &use);
	CALL(getpriority, PRIO_PROCESS, 0);
	CALL(setpriority, PRIO_PGRP, -5, 3);
	CALL(sched_yield);
	CALL(sched_setscheduler, 0, SCHED_OTHER, &sp);
	CALL(sched_getscheduler, 0);
	CALL(sched_setparam, 0, &sp);
	CALL(sched_getparam, 0, &sp);
	CALL(sched_get_priority_max, SCHED_RR);
	CALL(sched_get_priority_min, SCHED_FIFO);
	CALL(sched_rr_get_interval, -5, buf);
	CALL(sched_setaffinity, 0, 8, &cpus);
	CALL(sched_getaffinity, 0, 8, &cpus);
	CALL(ioprio_get, 1, 0);
	CALL(ioprio_set, 1, 0, 2 << 13 | 4);
	CALL(kill, -12345, 0);
	CALL(kill, 99999, SIGTERM);
	CALL(tkill, 99999, SIGRTMIN);
	CALL(tgkill, 99999, 99999, SIGUSR2);
	CALL(rt_sigaction, SIGUSR2, &act, &old, 8);
	CALL(rt_sigaction, SIGUSR2, 0, &old, 8);
	CALL(rt_sigaction, SIGKILL, &act, 0, 8);
	CALL(rt_sigprocmask, SIG_BLOCK, &set, 0, 8);
	CALL(rt_sigprocmask, SIG_SETMASK, &none, &set, 8);
	CALL(rt_sigpending, &set, 8);
	CALL(rt_sigtimedwait, &none, 0, &ms, 8);
	CALL(sigaltstack, 0, &ss);
	CALL(uname, &uts);
	CALL(kcmp, -5, -5, 1, 0, 0);
	CALL(unshare, 0);
	CALL(setns, -1, CLONE_NEWNET);
	CALL(pidfd_open, -5, 0);
	CALL(pidfd_getfd, -1, 3, 0);
	CALL(pidfd_send_signal, -1, SIGUSR1, 0, 0);
	CALL(seccomp, 5, 0, 0);
	CALL(execve, "/nope", ((char *[]){ "a", "b c", 0 }), ((char *[]){ "X=1", 0 }));
	CALL(execveat, AT_FDCWD, "/nope", ((char *[]){ "a", 0 }), ((char *[]){ 0 }),
	     AT_SYMLINK_NOFOLLOW);
	CALL(ptrace, 16, -5, 0, 0);
	child = fork();
	if (!child)
		_exit(3);
	CALL(wait4, child, &status, 0, 0);
	CALL(wait4, -1, &status, WNOHANG, &use);
	CALL(waitid, P_ALL, 0, &si, WEXITED | WNOHANG, 0);
}

static void times_and_queues(void)
{
	struct timespec ts;
	struct timeval tv;
	struct itimerval it = { { 0, 0 }, { 100, 5 } }, oit;
	struct itimerspec its = { { 1, 2 }, { 3, 4 } }, oits;
	struct sembuf sb = { 0, 1, IPC_NOWAIT };
	struct {
		long type;
		char text[8];
	} msg = { 5, "message" };
	int fd, id, timer;
	uint32_t word = 1;
	struct sigevent sev = { .sigev_notify = SIGEV_NONE, .sigev_signo = SIGALRM };

	CALL(clock_getres, CLOCK_MONOTONIC, &ts);
	CALL(clock_gettime, 99, &ts);
	CALL(clock_settime, CLOCK_MONOTONIC, &ms);
	CALL(nanosleep, &ms, 0);
	CALL(clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &ms, 0);
	CALL(gettimeofday, 0, 0);
	CALL(settimeofday, (void *)8, 0);
	CALL(alarm, 0);
	CALL(setitimer, ITIMER_VIRTUAL, &it, &oit);
	CALL(getitimer, ITIMER_PROF, &oit);
	CALL(timer_create, CLOCK_REALTIME, &sev, &timer);
	CALL(timer_settime, timer, 0, &its, &oits);
	CALL(timer_getoverrun, timer);
	CALL(timer_delete, timer);
	fd = CALL(timerfd_create, CLOCK_MONOTONIC, O_CLOEXEC | O_NONBLOCK);
	CALL(timerfd_settime, fd, 1, &its, &oits);
	CALL(timerfd_gettime, -1, &its);
	CALL(futex, &word, FUTEX_WAKE, 1);
	CALL(futex, &word, FUTEX_WAIT_PRIVATE, 2, &ms);
	CALL(futex, &word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 2, 0, 0, -1);
	CALL(futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, 2, &word, 9);
	id = CALL(msgget, IPC_PRIVATE, IPC_CREAT | 0600);
	CALL(msgsnd, id, &msg, 7, IPC_NOWAIT);
	CALL(msgrcv, id, &msg, 7, 0L, MSG_NOERROR);
	CALL(msgctl, id, IPC_RMID, 0);
	id = CALL(semget, 0x1234, 1, IPC_CREAT | IPC_EXCL | 0666);
	CALL(semop, id, &sb, 1);
	CALL(semtimedop, id, &sb, 1, &ms);
	CALL(semctl, id, 0, IPC_RMID, 0);
	id = CALL(shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	CALL(shmat, id, 0x300000000, SHM_RDONLY);
	CALL(shmdt, 0x300000000);
	CALL(shmctl, id, IPC_RMID, 0);
	CALL(mq_open, "q", O_RDWR, 0600, 0);
	CALL(mq_unlink, "none");
	CALL(mq_timedsend, -1, "abc", 3, 5, 0);
	CALL(gettimeofday, &tv, (void *)8);
}

static void sockets(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(5555) };
	struct sockaddr_in6 a6 = { .sin6_family = AF_INET6,
				   .sin6_port = htons(5556),
				   .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_un un = { AF_UNIX, "/tmp/everycall/sock" };
	struct msghdr m = { .msg_iov = out, .msg_iovlen = 2 },
		      r = { .msg_iov = in, .msg_iovlen = 2 };
	struct linger linger = { 1, 5 };
	socklen_t len = sizeof(a);
	int s, l, c, n, pair[2], one = 1;

	inet_aton("127.0.0.1", &a.sin_addr);
	l = CALL(socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	CALL(setsockopt, l, SOL_SOCKET, SO_REUSEADDR, &one, 4);
	CALL(setsockopt, l, SOL_SOCKET, SO_LINGER, &linger, 8);
	CALL(setsockopt, l, IPPROTO_TCP, 1, &one, 4);
	CALL(getsockopt, l, SOL_SOCKET, SO_TYPE, &one, &len);
	len = sizeof(a);
	CALL(bind, l, &a, sizeof(a));
	CALL(listen, l, 5);
	c = CALL(socket, AF_INET, SOCK_STREAM, 0);
	CALL(connect, c, &a, sizeof(a));
	s = CALL(accept4, l, 0, 0, SOCK_NONBLOCK);
	CALL(getsockname, l, &a, &len);
	CALL(getpeername, c, &a, &len);
	CALL(sendto, c, "data", 4, MSG_NOSIGNAL, 0, 0);
	CALL(recvfrom, s, buf, 100, MSG_DONTWAIT, 0, 0);
	CALL(sendmsg, c, &m, 0);
	CALL(recvmsg, s, &r, MSG_DONTWAIT);
	CALL(recvmsg, s, &r, MSG_DONTWAIT | MSG_PEEK);
	CALL(shutdown, c, SHUT_WR);
	CALL(accept, s, 0, 0);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, pair);
	n = CALL(socket, AF_INET6, SOCK_DGRAM, IPPROTO_UDP);
	CALL(connect, n, &a6, sizeof(a6));
	CALL(sendto, n, "x", 1, 0, &a6, sizeof(a6));
	n = CALL(socket, AF_UNIX, SOCK_SEQPACKET, 0);
	CALL(connect, n, &un, sizeof(un));
	CALL(socket, AF_NETLINK, SOCK_RAW, 0);
	CALL(socket, 99, 99, 99);
}

static void system_calls(void)
{
	CALL(sethostname, "vm", 2);
	CALL(setdomainname, "(none)", 6);
	CALL(reboot, 0xfee1dead, 672274793, 5, 0);
	CALL(syslog, 99, 0, 0);
	CALL(getrandom, buf, 0, 1);
	CALL(init_module, 0, 0, "a=1");
	CALL(finit_module, -1, "b=2", 1);
	CALL(delete_module, "none", O_NONBLOCK);
	CALL(bpf, 99, 0, 0);
	CALL(perf_event_open, 8, -1, -1, -1, 8);
	CALL(add_key, "user", "name", "payload", 7, -3);
	CALL(keyctl, 0, -3, 0);
	CALL(keyctl, 3, 12345);
	CALL(request_key, "user", "none", 0, -2);
	CALL(ioperm, 0, 1, 9);
	CALL(iopl, 99);
	CALL(getcpu, 0, 0, 0);
	CALL(times, 0);
	CALL(sysfs, 3);
	CALL(ustat, 0, 0);
	CALL(quotactl, 0x800002 << 8, "/nope", 0, 0);
	CALL(name_to_handle_at, -1, "x", 0, 0, 0);
	CALL(open_by_handle_at, -1, 8, O_RDONLY);
	CALL(kexec_load, 0, 99, 0, 0);
	CALL(io_uring_setup, 0, 8);
	CALL(io_uring_enter, -1, 1, 2, 1, 0, 0);
	CALL(io_uring_register, -1, 2, 0, 0);
	CALL(landlock_create_ruleset, 0, 0, 1);
	CALL(landlock_restrict_self, -1, 0);
	CALL(open_tree, -1, "x", 1);
	CALL(move_mount, -1, "a", -1, "b", 4);
	CALL(fsopen, "none", 1);
	CALL(fsmount, -1, 1, 3);
	CALL(fspick, -1, "x", 1);
}

int main(void)
{
	if (system("rm -rf /tmp/everycall"))
		return 1;
	close(1000);
	files();
	waits();
	memory();
	processes();
	times_and_queues();
	sockets();
	system_calls();
	close(1001);
	return 0;
}
