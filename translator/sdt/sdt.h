/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static markers of programs and libraries: the notes of <sys/sdt.h> in .note.stapsdt.
 * The files are not trusted: every number in them is checked before it is used, and a
 * file with a damaged note is refused with its offset.
 */
#ifndef STAP_SDT_H
#define STAP_SDT_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/access.h"
#include "formats/file.h"

struct arena;
struct error;

struct sdt_mark {
	const char *provider, *name;
	uint64_t pc;	    /* addresses as in the file, moved as far as prelinking moved it */
	uint64_t semaphore; /* 0: none */
	VEC(const char *) arguments; /* "-4@OPERAND" */
};

struct sdt_file {
	const char *path;
	uint16_t machine; /* EM_… */
	bool is_64;
	VEC(struct sdt_mark) marks; /* in the order of the notes */
	/* .symtab and .dynsym with their strings, for operands that name a variable. */
	struct bytes symbols[2], names[2];
};

/* Returns ERROR_ABSENT if there are none. */
struct error *sdt_read(struct arena *a, const struct bytes *elf, struct sdt_file **ret);

/*
 * Finds the address of a defined object or function. ERROR_ABSENT if there is none,
 * ERROR_ENVIRONMENT when two of that name are in different places.
 */
struct error *sdt_symbol(struct arena *a, const struct sdt_file *f, const char *name,
			 uint64_t *ret);

/*
 * Fills *ret with the access to the value of argument n, counted from 1, when the program
 * is at the marker. ERROR_ABSENT: there are fewer arguments.
 */
struct error *sdt_argument(struct arena *a, const struct sdt_file *f, const struct sdt_mark *m,
			   uint64_t n, struct access *ret);

#endif
