/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does what LKET's hooks are for, with values that it knows, and prints what their records
 * must have in them: "GROUP HOOK name:value,...", of each group in their order, and then how to
 * know it: "self PID PPID CPU".
 * lket_calls DISK FILE [llseek]: writes and reads the disk; 1 and 0 in FILE stand for a beginning
 * and an end; and the kernel takes calls of 32 bits.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, BIG = 1 << 20 };

static char said[1 << 16];
static size_t length;

/* Printed later: between the marks no call is made but those that are to be seen. */
static void expect(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	length += vsnprintf(said + length, sizeof(said) - length, format, ap);
	va_end(ap);
}

/* A call without the C library's errno. */
static long call(long number, const long a[6])
{
#ifdef __x86_64__
	long result;
	register long r10 __asm__("r10") = a[3], r8 __asm__("r8") = a[4], r9 __asm__("r9") = a[5];

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#else
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a[0], x1 __asm__("x1") = a[1];
	register long x2 __asm__("x2") = a[2], x3 __asm__("x3") = a[3], x4 __asm__("x4") = a[4];
	register long x5 __asm__("x5") = a[5];

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#endif
}

#define CALL(number, ...) call(number, (const long[6]){ __VA_ARGS__ })
/* Group, hook of the entry, the call, and what the entry has. */
#define SEEN(group, hook, name, number, args, ...)                                                 \
	({                                                                                         \
		const long values[6] = { UNPACK args };                                            \
		expect("2 1 syscall:" #name ",\n" #group " %d ", hook);                            \
		expect("" __VA_ARGS__);                                                            \
		long result = call(number, values);                                                \
		expect("\n2 2 syscall:" #name ",\n" #group " %d return:%ld,\n", hook + 1, result); \
		result;                                                                            \
	})
#define UNPACK(...)		   __VA_ARGS__
#define IO(hook, name, args, ...)  SEEN(9, hook, name, SYS_##name, args, __VA_ARGS__)
#define AIO(hook, name, args, ...) SEEN(10, hook, name, SYS_##name, args, __VA_ARGS__)

static char buffer[BIG];

static void files(void)
{
	struct iovec pieces[3] = { { buffer, 10 }, { buffer + 10, 0 }, { buffer + 10, 20 } };
	long fd, other, offset = 3;

#ifdef SYS_open
	fd = IO(1, open, ((long)"calls.one", O_RDWR | O_CREAT | O_TRUNC, 0640),
		"filename:calls.one,flags:%d,mode:%d,", O_RDWR | O_CREAT | O_TRUNC, 0640);
	IO(3, close, (fd), "fd:%ld,", fd);
#endif
	fd = SEEN(9, 1, openat, SYS_openat, (AT_FDCWD, (long)"calls.one", O_RDWR | O_CREAT, 0640),
		  "filename:calls.one,flags:%d,mode:%d,", O_RDWR | O_CREAT, 0640);
	SEEN(9, 1, openat, SYS_openat, (AT_FDCWD, (long)"calls, none", O_RDONLY, 0),
	     "filename:calls, none,flags:%d,mode:0,", O_RDONLY);
	IO(7, write, (fd, (long)buffer, 1000), "fd:%ld,buff_addr:%ld,count:1000,", fd,
	   (long)buffer);
	IO(21, lseek, (fd, -500, SEEK_END), "fd:%ld,offset:-500,whence:%d,", fd, SEEK_END);
	IO(5, read, (fd, (long)buffer, 10000), "fd:%ld,buff_addr:%ld,count:10000,", fd,
	   (long)buffer);
	IO(5, read, (-1, 0, 0), "fd:-1,buff_addr:0,count:0,");
	IO(21, lseek, (fd, 5, SEEK_SET), "fd:%ld,offset:5,whence:%d,", fd, SEEK_SET);
	IO(9, readv, (fd, (long)pieces, 3), "fd:%ld,vector_uaddr:%ld,count:3,", fd, (long)pieces);
	IO(11, writev, (fd, (long)pieces, 2), "fd:%ld,vector_uaddr:%ld,count:2,", fd, (long)pieces);
	IO(13, pread64, (fd, (long)buffer, 77, 5L << 32),
	   "fd:%ld,buff_uaddr:%ld,count:77,offset:%ld,", fd, (long)buffer, 5L << 32);
	IO(15, pwrite64, (fd, (long)buffer, 88, 4000),
	   "fd:%ld,buff_uaddr:%ld,count:88,offset:4000,", fd, (long)buffer);
	IO(17, readahead, (fd, 4096, 8192), "fd:%ld,offset:4096,count:8192,", fd);
	other = SEEN(9, 1, openat, SYS_openat,
		     (AT_FDCWD, (long)"calls.two", O_WRONLY | O_CREAT, 0600),
		     "filename:calls.two,flags:%d,mode:%d,", O_WRONLY | O_CREAT, 0600);
	IO(19, sendfile, (other, fd, (long)&offset, 33),
	   "out_fd:%ld,in_fd:%ld,offset_uaddr:%ld,count:33,", other, fd, (long)&offset);
	IO(25, sync, (0), "");
	IO(27, fsync, (other), "fd:%ld,", other);
	IO(29, fdatasync, (fd), "fd:%ld,", fd);
	IO(31, flock, (fd, LOCK_SH | LOCK_NB), "fd:%ld,operation:%d,", fd, LOCK_SH | LOCK_NB);
	IO(3, close, (other), "fd:%ld,", other);
	IO(3, close, (fd), "fd:%ld,", fd);
}

#ifdef __x86_64__
/* The call of 32 bits, which the kernel takes from any program by this instruction. */
static void llseek(int fd, int64_t *result)
{
	long status;

	__asm__ volatile("int $0x80"
			 : "=a"(status)
			 : "0"(140), "b"(fd), "c"(1), "d"(0x123), "S"(result), "D"(SEEK_SET)
			 : "r8", "r9", "r10", "r11", "memory");
	expect("2 1 syscall:llseek,\n2 2 syscall:llseek,\n"
	       "9 23 fd:%d,offset_high:1,offset_low:291,result_uaddr:%ld,whence:%d,\n"
	       "9 24 return:%d,\n",
	       fd, (long)result, SEEK_SET, (int)status);
}
#endif

static void submit(aio_context_t context, struct iocb *request)
{
	struct iocb *requests[] = { request };
	long status;

	expect("2 1 syscall:io_submit,\n2 2 syscall:io_submit,\n");
	expect("10 3 ctx_id:%ld,nr:1,iocbpp_uaddr:%ld,\n", (long)context, (long)requests);
	expect("10 5 ctx:KERNEL,user_iocb_uaddr:%ld,aio_lio_opcode:%d,aio_reqprio:%d,aio_fildes:%d,"
	       "aio_buf:%ld,aio_nbytes:%ld,aio_offset:%ld,\n",
	       (long)request, request->aio_lio_opcode, request->aio_reqprio,
	       (int)request->aio_fildes, (long)request->aio_buf, (long)request->aio_nbytes,
	       (long)request->aio_offset);
	status = CALL(SYS_io_submit, context, 1, (long)requests);
	expect("10 6 return:%ld,\n10 4 return:%ld,\n", status < 0 ? status : 0, status);
}

static void requests(int fd, int end)
{
	struct timespec wait = { 2, 5000 };
	struct io_event events[4], event;
	aio_context_t context = 0;
	struct iocb write = { .aio_lio_opcode = IOCB_CMD_PWRITE,
			      .aio_fildes = fd,
			      .aio_nbytes = 99,
			      .aio_buf = (long)buffer,
			      .aio_offset = 12345 };
	struct iocb poll = { .aio_lio_opcode = IOCB_CMD_POLL,
			     .aio_fildes = end,
			     .aio_buf = POLLIN };
	struct iocb wrong = {
		.aio_lio_opcode = 99, .aio_reqprio = -7, .aio_fildes = fd, .aio_offset = -1
	};

	AIO(1, io_setup, (8, (long)&context), "nr_events:8,ctxp_uaddr:%ld,", (long)&context);
	submit(context, &write);
	AIO(7, io_getevents, (context, 1, 4, (long)events, (long)&wait),
	    "ctx_id:%ld,min_nr:1,nr:4,events_uaddr:%ld,tv_sec:2,tv_nsec:5000,", (long)context,
	    (long)events);
	AIO(7, io_getevents, (context, 0, 4, (long)events, 0),
	    "ctx_id:%ld,min_nr:0,nr:4,events_uaddr:%ld,tv_sec:0,tv_nsec:0,", (long)context,
	    (long)events);
	/* As the library of today makes it of the same call. */
	SEEN(10, 7, io_pgetevents, SYS_io_pgetevents, (context, 0, 3, (long)events, (long)&wait, 0),
	     "ctx_id:%ld,min_nr:0,nr:3,events_uaddr:%ld,tv_sec:2,tv_nsec:5000,", (long)context,
	     (long)events);
	submit(context, &wrong);
	submit(context, &poll);
	AIO(11, io_cancel, (context, (long)&poll, (long)&event),
	    "ctx_id:%ld,iocb_uaddr:%ld,result_uaddr:%ld,", (long)context, (long)&poll,
	    (long)&event);
	AIO(9, io_destroy, (context), "ctx:%ld,", (long)context);
}

#define SIGNAL(hook, name, args, ...) SEEN(11, hook, name, SYS_##name, args, __VA_ARGS__)

/* The form that the kernel takes. */
struct action {
	void *handler;
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};

/* A signal that waits, as it is blocked, until it is ignored; and signals of number 0. */
static void signals(long me)
{
	const struct action none = { .handler = SIG_IGN, .mask = 1u << (SIGTERM - 1) };
	const uint64_t set = 1u << (SIGUSR1 - 1);
	uint64_t waits = 0;
	long status;

	SIGNAL(13, rt_sigprocmask, (SIG_BLOCK, (long)&set, 0, 8), "how:%d,sigset:%ld,", SIG_BLOCK,
	       (long)set);
	expect("2 1 syscall:kill,\n2 2 syscall:kill,\n11 3 pid:%ld,sig:%d,\n", me, SIGUSR1);
	expect("11 1 sig:%d,sig_pid:%ld,pid_name:lket_calls,shared:1,\n", SIGUSR1, me);
	status = CALL(SYS_kill, me, SIGUSR1);
	expect("11 2 return:%ld,\n11 4 return:%ld,\n", status, status);
	SIGNAL(9, rt_sigpending, ((long)&waits, 8), "sigset_uaddr:%ld,sigset_size:8,",
	       (long)&waits);
	SIGNAL(11, rt_sigaction, (SIGUSR1, (long)&none, 0, 8),
	       "sig:%d,is_set:1,sa_handler:1,sa_mask:%ld,", SIGUSR1, (long)none.mask);
	SIGNAL(11, rt_sigaction, (SIGUSR1, 0, 0, 8), "sig:%d,is_set:0,sa_handler:0,sa_mask:0,",
	       SIGUSR1);
	SIGNAL(11, rt_sigaction, (SIGKILL, (long)&none, 0, 8),
	       "sig:%d,is_set:1,sa_handler:1,sa_mask:%ld,", SIGKILL, (long)none.mask);
	SIGNAL(5, tgkill, (me, me, 0), "tgid:%ld,pid:%ld,sig:0,", me, me);
	SIGNAL(5, tgkill, (me, 1, 0), "tgid:%ld,pid:1,sig:0,", me);
	SIGNAL(7, tkill, (me, 0), "pid:%ld,sig:0,", me);
}

/* A page that is written, one that is read before that, and one that the kernel writes. */
static void faults(volatile char *pages, int fd)
{
	expect("pages %ld %ld\n", (long)pages, (long)pages + 3 * PAGE);
	pages[1] = 1;
	expect("7 1 addr:%ld,write:1,twice:2,who:lket_calls,\n", (long)pages + 1);
	expect("7 1 addr:%ld,write:0,twice:0,who:lket_calls,\n", (long)pages + PAGE + pages[PAGE]);
	pages[PAGE + 2] = 1;
	expect("7 1 addr:%ld,write:1,twice:2,who:lket_calls,\n", (long)pages + PAGE + 2);
	if (pread(fd, (char *)pages + 2 * PAGE + 3, 4, 12345) == 4)
		expect("7 1 addr:%ld,write:1,twice:2,who:lket_calls,\n",
		       (long)pages + 2 * PAGE + 3);
}

static void packet(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(9),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int s = socket(AF_INET, SOCK_DGRAM, 0), port = socket(AF_INET, SOCK_DGRAM, 0);

	if (bind(port, (struct sockaddr *)&to, sizeof(to)) ||
	    sendto(s, buffer, 101, 0, (struct sockaddr *)&to, sizeof(to)) != 101)
		perror("a packet to 127.0.0.1");
	/* The header of Ethernet is there when it is sent, and is not when it has come. */
	printf("8 2 dev_name:lo,data_len:143,protocol:2048,buff_size:MEMORY,\n"
	       "8 1 dev_name:lo,data_len:129,protocol:2048,buff_size:MEMORY,\n");
}

static void disk(const char *name)
{
	char *block = aligned_alloc(PAGE, 2 * PAGE);
	int fd = open(name, O_RDWR | O_DIRECT);

	memset(block, 1, 2 * PAGE);
	if (pwrite(fd, block, PAGE, 2 * PAGE) != PAGE || pread(fd, block, 2 * PAGE, 0) != 2 * PAGE)
		perror(name);
}

static void *thread(void *tid)
{
	*(pid_t *)tid = gettid();
	return NULL;
}

/* The child's program is none of this process: what is recorded of it is not. */
static void processes(void)
{
	pthread_t other;
	pid_t tid, child;

	if (pthread_create(&other, NULL, thread, &tid))
		return;
	pthread_join(other, NULL);
	printf("3 2 tid:%d,pid:%d,ppid:%d,\n", tid, getpid(), getpid());
	child = fork();
	if (!child)
		execl("/bin/true", "true", NULL);
	waitpid(child, NULL, 0);
	printf("3 2 tid:%d,pid:%d,ppid:%d,\n3 3 pid:%d,pname:/bin/true,\n", child, child, getpid(),
	       getpid());
}

int main(int argc, char **argv)
{
	volatile char *pages =
		mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const long me = getpid();
	int pipes[2], fd = open("calls.aio", O_RDWR | O_CREAT, 0600),
		      traced = open(argv[2], O_WRONLY);
	cpu_set_t last;
#ifdef __x86_64__
	void *low = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
#endif

	setvbuf(stdout, NULL, _IONBF, 0);
	CPU_ZERO(&last);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &last);
	sched_setaffinity(0, sizeof(last), &last);
	/* Kernels without huge pages (PREEMPT_RT) don't know the word. */
	madvise((char *)pages, 3 * PAGE, MADV_NOHUGEPAGE);
	if (pipe(pipes) || write(traced, "1", 1) != 1)
		return 1;
	memset(buffer, 'x', sizeof(buffer));
	memset(said, 0, sizeof(said));
	CALL(SYS_openat, AT_FDCWD, (long)"begin", O_RDONLY);
	files();
	requests(fd, pipes[0]);
	signals(me);
#ifdef __x86_64__
	if (argc > 3)
		llseek(fd, low);
#endif
	CALL(SYS_openat, AT_FDCWD, (long)"end", O_RDONLY);
	faults(pages, fd);
	fputs(said, stdout);
	packet();
	disk(argv[1]);
	usleep(50000);
	processes();
	if (write(traced, "0", 1) != 1)
		return 1;
	printf("self %d %d %d\n", getpid(), getppid(), sched_getcpu());
	execl("/bin/true", "true", NULL);
	return 1;
}
