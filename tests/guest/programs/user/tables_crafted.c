/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a run in place of stapio, and hands in tables as somebody might who has taken
 * stapio over: tables_crafted DIRECTORY ADDRESS COPY COPY. ADDRESS is one of the kernel's,
 * COPY this program under other names. Prints what was wrong; status 1.
 *
 * tables_crafted call ADDRESS: a system call with that frame pointer; 0: that of `words`.
 */
// arch: x86_64
// cflags: -g -O1 -mno-red-zone
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../../runtime/core/program_table.h"
#include "../../../../runtime/uapi/msg.h"

static int ctl;
static char *directory;

static void call(uint64_t frame)
{
	long result;

	__asm__ volatile("push %%rbp\n\tmov %1, %%rbp\n\tsyscall\n\tpop %%rbp"
			 : "=a"(result)
			 : "r"(frame), "a"(SYS_getpriority), "D"(0), "S"(0)
			 : "rcx", "r11", "memory");
}

/* One rule for all code: the return address is the word that the frame pointer is of. */
static struct {
	struct stp_program_table head;
	uint32_t unused;
	uint32_t row_at[2];
	uint16_t row_rule[4];
	struct stp_unwind_rule rule;
	struct stp_unwind_place place;
	char names[8];
} table = {
	.head = { .magic = STP_PROGRAM_TABLE_MAGIC,
		  .size = sizeof(table),
		  .nrows = 1,
		  .nrules = 1,
		  .nplaces = 1,
		  .name_bytes = 1 },
	.rule = { .cfa = STP_CFA_REGISTER, .base = 6, .nplaces = 1, .offset = 16 },
	.place = { .reg = STP_UNWIND_RETURN, .from = STP_FROM_CFA, .offset = -16 },
};

static void fail(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static void expect(const char *what, int wanted, uint32_t ticket, uint32_t size, uint32_t nsegments)
{
	static struct stp_table_segment all = { 0, 0, UINT64_MAX };
	struct stp_table t = { .ticket = ticket,
			       .nsegments = nsegments,
			       .size = size,
			       .segments = (uintptr_t)&all,
			       .table = (uintptr_t)&table };

	errno = 0;
	if ((ioctl(ctl, STP_IOC_TABLE, &t) ? errno : 0) != wanted)
		fail(what);
}

static void run(const char *program, const char *address)
{
	pid_t child = fork();

	if (!child) {
		execl(program, program, "call", address, (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

/* Runs the program, whose stack meets its file, and gets that. */
static uint32_t next_file(const char *program)
{
	struct stp_gather file;

	run(program, "0");
	if (ioctl(ctl, STP_IOC_GATHER, &file))
		fail("GATHER");
	if (!strstr(program, strrchr(file.path, '/')))
		fail(file.path);
	if ((fcntl(file.fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
		fail("the file is not open for reading alone");
	close(file.fd);
	return file.ticket;
}

/* Counts a text in what the script has written so far. */
static unsigned written(const char *text)
{
	static char all[1 << 20];
	char path[300];
	size_t size = 0;
	unsigned n = 0;

	for (int i = 0; size < sizeof(all); i++) {
		snprintf(path, sizeof(path), "%s/ring.%d", directory, i);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t got;

		if (fd < 0)
			break;
		while ((got = read(fd, all + size, sizeof(all) - size)) > 0)
			size += (size_t)got;
		close(fd);
	}
	for (const char *at = all; (at = memmem(at, (size_t)(all + size - at), text, strlen(text)));
	     at++)
		n++;
	return n;
}

int main(int argc, char **argv)
{
	struct stp_start start = { .on_full = STP_DROP };
	char path[300];
	volatile uint64_t words[4] = { 0x12345678 }; /* above the frames of what main() calls */
	uint32_t ticket;

	if (!strcmp(argv[1], "call")) {
		uint64_t frame = strtoull(argv[2], NULL, 16);

		call(frame ? frame : (uintptr_t)words);
		return 0;
	}
	setvbuf(stdout, NULL, _IONBF, 0);
	directory = argv[1];
	snprintf(path, sizeof(path), "%s/ctl", directory);
	ctl = open(path, O_RDWR | O_CLOEXEC);
	if (ctl < 0 || ioctl(ctl, STP_IOC_START, &start))
		fail(start.error);
	expect("before anything was asked for", EBADF, 0, sizeof(table), 1);

	ticket = next_file(argv[0]);
	expect("another file's", EBADF, ticket + 1, sizeof(table), 1);
	expect("no such ticket", EBADF, UINT32_MAX, sizeof(table), 1);
	table.row_rule[0] = 1; /* there is rule 0 alone */
	expect("a damaged table", EINVAL, ticket, sizeof(table), 1);
	expect("a second answer", EBADF, ticket, sizeof(table), 1);
	table.row_rule[0] = 0;
	expect("too large", ENOSPC, next_file(argv[3]), 1u << 30, 1);

	ticket = next_file(argv[4]);
	if (written("walked 2 12345678"))
		fail("no table yet");
	expect("a table", 0, ticket, sizeof(table), 1);
	for (int i = 0; i < 10; i++)
		run(argv[4], "0");
	if (written("walked 2 12345678") != 10)
		fail("the table is not used");
	for (int i = 0; i < 10; i++)
		run(argv[4], argv[2]);
	if (written("walked 1 0") != 10)
		fail("a walk has read memory of the kernel");
	return ioctl(ctl, STP_IOC_STOP) ? 1 : 0;
}
