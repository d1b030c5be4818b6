/* SPDX-License-Identifier: GPL-2.0-or-later */
// cflags: -g -O1
// arch: x86_64
/*
 * games MODE [N]: calls point(mode, i), N times (1000), and prints how often, and sums of
 * what it gave and got:
 *
 *   plain       as any program
 *   traced      in a child that is stopped at each system call; stepped: at each instruction
 *   writable    while the page of point() may be written to, and again when it may not
 *   changed     changes an instruction of patched() after the probed one, before each call
 *   replaced    replaces all of patched(), once
 *   copied      calls patched() where mremap() has moved its page, and back again
 *   held        changes patched(), replaces replaced(), waits for a line of standard input, calls both, and says
 *               whether its code is that of the file but for these
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum mode { PLAIN, TRACED, STEPPED, WRITABLE, CHANGED, REPLACED, COPIED, HELD };
static const char *const names[] = { "plain",	"traced",   "stepped", "writable",
				     "changed", "replaced", "copied",  "held" };
static long calls, given, got;
extern unsigned char patched[], replaced[], patched_end[];
static int (*const call_patched)(void) = (int (*)(void))patched;
static int (*const call_replaced)(void) = (int (*)(void))replaced;

/* Both fill a page: xor %ecx,%ecx; mov $1,%eax; ret */
__asm__(".text\n.p2align 12\n"
	".type patched, @function\npatched: xor %ecx, %ecx\nmov $1, %eax\nret\n.size patched, "
	".-patched\n.p2align 12\n"
	".type replaced, @function\nreplaced: xor %ecx, %ecx\nmov $1, %eax\nret\n.size replaced, "
	".-replaced\n"
	".p2align 12\npatched_end:\n");
#define CODE_PAGE 4096

static __attribute__((noipa)) int point(int mode, int i)
{
	int twice = 2 * i;

	return twice + mode;
}

static void call_point(int mode, int n)
{
	for (int i = 0; i < n; i++) {
		calls++;
		given += i;
		got += point(mode, i);
	}
}

static void protect(void *page, int protection)
{
	page = (void *)((unsigned long)page & ~(CODE_PAGE - 1UL));
	if (mprotect(page, CODE_PAGE, protection)) {
		perror("mprotect");
		exit(1);
	}
}

/* Puts number where the function's mov has its own. */
static void change(unsigned char *code, int number)
{
	protect(code, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy(code + 3, &number, sizeof(number));
	protect(code, PROT_READ | PROT_EXEC);
}

static void expect(int is, int wanted, const char *what)
{
	if (is == wanted)
		return;
	printf("%s returned %d, not %d\n", what, is, wanted);
	exit(1);
}

/* Puts "mov $number,%eax; ret" at the beginning, where the breakpoint is. */
static void replace(unsigned char *code, int number)
{
	unsigned char new[6] = { 0xb8, [5] = 0xc3 };

	memcpy(new + 1, &number, sizeof(number));
	protect(code, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy(code, new, sizeof(new));
	protect(code, PROT_READ | PROT_EXEC);
}

static void say(int mode)
{
	printf("%s %ld %ld %ld\n", names[mode], calls, given, got);
	fflush(stdout);
}

/* Runs the calls in a child, and lets it go on with `how` whenever it stops. */
static void traced(int mode, int n, int how)
{
	int status;
	long stops = 0;
	pid_t child = fork();

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		for (int i = 0; i < n; i++) {
			call_point(mode, 1);
			given += i;
			got += 2 * i;
			getppid();
			expect(call_patched(), 1, "patched");
		}
		say(mode);
		_exit(0);
	}
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		int signal = WSTOPSIG(status);

		stops++;
		if (signal != SIGTRAP && signal != SIGSTOP) {
			printf("%s: signal %d\n", names[mode], signal);
			exit(1);
		}
		ptrace(how, child, 0, 0);
	}
	if (status || stops < n) {
		printf("%s: status %x after %ld stops\n", names[mode], status, stops);
		exit(1);
	}
}

static int compare_segment(struct dl_phdr_info *info, size_t size, void *program)
{
	int *differs = program, fd;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		unsigned char *code = (unsigned char *)(info->dlpi_addr + p->p_vaddr), *file;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		file = malloc(p->p_filesz);
		fd = open("/proc/self/exe", O_RDONLY);
		if (pread(fd, file, p->p_filesz, (off_t)p->p_offset) != (ssize_t)p->p_filesz)
			exit(1);
		for (size_t at = 0; at < p->p_filesz; at++)
			if (code[at] != file[at] &&
			    !(code + at >= patched && code + at < patched_end))
				(*differs)++;
	}
	return 1; /* the program comes first */
}

static void held(int mode, int n)
{
	char line[16];
	int differs = 0;

	change(patched, 77);
	replace(replaced, 88);
	expect(call_patched(), 77, "patched");
	expect(call_replaced(), 88, "replaced");
	call_point(mode, n);
	say(mode);
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
	expect(call_patched(), 77, "patched");
	expect(call_replaced(), 88, "replaced");
	point(mode, 1);
	dl_iterate_phdr(compare_segment, &differs);
	printf("differs %d, begins %02x %02x %02x\n", differs, patched[0], replaced[0],
	       *(unsigned char *)point);
}

int main(int argc, char **argv)
{
	int mode = 0, n = argc > 2 ? atoi(argv[2]) : 1000;

	while (argc > 1 && mode < HELD && strcmp(argv[1], names[mode]))
		mode++;
	switch (mode) {
	case PLAIN:
		call_point(mode, n);
		break;
	case TRACED:
	case STEPPED:
		traced(mode, n, mode == TRACED ? PTRACE_SYSCALL : PTRACE_SINGLESTEP);
		return 0;
	case WRITABLE:
		protect(point, PROT_READ | PROT_WRITE | PROT_EXEC);
		call_point(mode, n);
		protect(point, PROT_READ | PROT_EXEC);
		call_point(mode, n);
		break;
	case CHANGED:
		for (int i = 0; i < n; i++) {
			change(patched, i);
			expect(call_patched(), i, "patched");
			call_point(mode, 1);
		}
		break;
	case REPLACED:
		replace(replaced, 5);
		for (int i = 0; i < n; i++)
			expect(call_replaced(), 5, "replaced");
		call_point(mode, n);
		break;
	case COPIED: {
		void *there = mmap(NULL, CODE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		for (int i = 0; i < n; i++) {
			int (*moved)(void) = mremap(patched, CODE_PAGE, CODE_PAGE,
						    MREMAP_MAYMOVE | MREMAP_FIXED, there);

			expect(moved(), 1, "moved");
			if (mremap(there, CODE_PAGE, CODE_PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
				   patched) != patched)
				return 1;
			expect(call_patched(), 1, "patched");
			calls += 2;
		}
		break;
	}
	case HELD:
		held(mode, n);
		return 0;
	}
	say(mode);
	return 0;
}
