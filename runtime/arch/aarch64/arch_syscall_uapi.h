/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and structures of system calls in which machines differ. */
#ifndef STP_ARCH_SYSCALL_UAPI_H
#define STP_ARCH_SYSCALL_UAPI_H

/* Rows of mprotect(2)'s flags, and of mmap(2)'s, that others do not have. */
#define ARCH_PROT_NAMES NAME(PROT_BTI, 0x10) NAME(PROT_MTE, 0x20)
#define ARCH_MAP_NAMES

/* Flags of open(2). */
#define ARCH_O_DIRECTORY 0x4000
#define ARCH_O_NOFOLLOW	 0x8000
#define ARCH_O_DIRECT	 0x10000
#define ARCH_O_LARGEFILE 0x20000
#define ARCH_O_TMPFILE	 (0x400000 | ARCH_O_DIRECTORY)

/*
 * Rows of struct stat_layout: offset and size of st_mode, then of st_size, the offset of
 * st_rdev, and the size of the whole struct; for 64-bit programs, and for struct stat64
 * of 32-bit programs.
 */
#define ARCH_STAT                                                                                  \
	{                                                                                          \
		16, 4, 48, 8, 32, 128                                                              \
	}
#define ARCH_STAT64                                                                                \
	{                                                                                          \
		16, 4, 48, 8, 32, 104                                                              \
	}

/* struct epoll_event: where its data is, and its size. */
#define ARCH_EPOLL_DATA	 8
#define ARCH_EPOLL_BYTES 16

#endif
