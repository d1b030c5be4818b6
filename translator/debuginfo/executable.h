/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and shared libraries as ELF has them: their functions by symbol, and where addresses lie in the file. No debuginfo is read for it. */
#ifndef STAP_EXECUTABLE_H
#define STAP_EXECUTABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct session;
struct error;
struct sdt_file;

struct executable_symbol {
	const char *name;
	uint64_t address; /* as in the file */
	bool is_exported; /* in .dynsym */
};

struct executable_segment {
	uint64_t address, offset, size;
	bool is_code;
};

struct executable {
	const char *path; /* canonical */
	uint64_t size;
	const uint8_t *id; /* build-id; NULL: it has none */
	uint64_t id_offset;
	size_t id_size;
	bool is_32;
	bool is_go;       /* built by Go: its stacks move, and returns cannot be probed */
	VEC(struct executable_segment) segments;
	VEC(struct executable_symbol) symbols; /* functions, by name, no duplicates */
	const struct sdt_file *marks; /* probe/mark.c: read on first use */
};

/* A name without '/' is looked for in PATH. Read once. ERROR_ABSENT: no such file. */
struct error *executable_open(struct session *s, const char *name, struct executable **ret);
/* A library by its path, or by its soname as the program or the system's directories have it. */
struct error *executable_open_library(struct session *s, const char *name, struct executable **ret);

/* Of code at the address; false: no segment of the file holds code there. */
bool executable_code_offset(const struct executable *p, uint64_t address, uint64_t *offset);
/* Of anything in any segment. */
bool executable_offset(const struct executable *p, uint64_t address, uint64_t *offset);

const char *executable_near(struct session *s, const struct executable *p, const char *name);

#endif
