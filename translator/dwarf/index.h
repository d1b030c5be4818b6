/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of a debug file: every copy of every function that has code, by name, and the
 * units that have lines of each source file. It is made by one walk over the file, kept
 * in the cache for this state of the file and mapped, so that a query reads only the
 * parts that it touches. Numbers in it are trusted only as far as they are in range.
 */
#ifndef STAP_DWARF_INDEX_H
#define STAP_DWARF_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct session;
struct error;
struct dwarf_file;

enum {
	COPY_INLINED = 1,  /* is part of another function */
	COPY_EXTERNAL = 2, /* visible to other files */
	/* a thread-local variable: the address is its offset in the file's block */
	COPY_THREAD = 8,
	/* Not a function: a variable outside of functions, at the address. */
	COPY_VARIABLE = 4,
	/* … that has only a value: the address is this value. */
	COPY_CONSTANT = COPY_VARIABLE | COPY_INLINED,
};

/* One copy of a function: out of line, or inlined somewhere; or a variable. */
struct index_copy {
	uint64_t address; /* its first instruction */
	uint64_t die;	  /* offsets in .debug_info: the copy, */
	uint64_t frame;	  /* and the function that it is part of: the same when it is not inlined */
	uint32_t name;
	uint32_t scope; /* scope of the name: "geo::Box<int>" */
	uint32_t file;	/* file of its declaration */
	uint32_t line : 28, flags : 4;
};

/* A unit whose line table names the file. */
struct index_unit {
	uint64_t die;
	uint32_t file;
	uint32_t pad;
};

struct dwarf_index {
	const struct index_copy *copies; /* by name, then address */
	size_t ncopies;
	const struct index_unit *units; /* by file */
	size_t nunits;
	const uint32_t *files; /* names, in alphabetical order */
	size_t nfiles;
	const char *names;
	size_t names_len;
};

struct error *index_get(struct session *s, struct dwarf_file *f, const struct dwarf_index **ret);

/* Returns the text at an offset; "" when it is out of range. */
const char *index_text(const struct dwarf_index *x, uint32_t offset);
/* Returns the name of a copy's or unit's file. */
const char *index_file(const struct dwarf_index *x, uint32_t file);
/*
 * Finds the copies begin … end - 1, whose names begin with the first len bytes of the
 * text.
 */
void index_range(const struct dwarf_index *x, const char *text, size_t len, size_t *begin,
		 size_t *end);

#endif
