/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs and shared libraries as ELF has them: their functions by symbol,
 * and where addresses lie in the file. No debuginfo is read for it.
 */
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
	/*
	 * bytes, where the address is that of code which chooses
	 * a function (STT_GNU_IFUNC); 0: the function is there
	 */
	uint64_t resolver_size;
};

struct executable_segment {
	uint64_t address, offset, size;
	bool is_code;
};
typedef VEC(struct executable_segment) executable_segments;

struct executable {
	const char *path; /* canonical */
	uint64_t size;
	const uint8_t *id; /* build-id; NULL: it has none */
	uint64_t id_offset;
	size_t id_size;
	bool is_32;
	bool is_movable;  /* loaded anywhere: a library or PIE */
	const char *switching; /* the function by which it switches stacks; NULL: it does not */
	bool is_go;       /* built by Go: its stacks move, and returns cannot be probed */
	executable_segments segments;
	VEC(struct executable_symbol) symbols; /* functions, by name, no duplicates */
	uint64_t unwind_index;    /* address of .eh_frame_hdr; 0: none */
	VEC(const char *) needed; /* DT_NEEDED */
	const char *run_path;     /* DT_RUNPATH or DT_RPATH, or NULL */
	int64_t process;          /* of lookup_process(), or 0 */
	const char *root; /* "/proc/PID/root" when the process has another one than we; else "" */
	/* address where the kernel, or the dynamic linker, enters it; 0: a library */
	uint64_t entry;
	struct Dwarf_CFI_s *frames; /* returns.c: read on first use, */
	bool frames_asked;        /* if that has been */
	const struct sdt_file *marks; /* probe/user/mark.c: read on first use */
};

typedef VEC(struct executable *) executables;

/* Where libraries are that no program's own path says. */
#define LIBRARY_DIRECTORIES                                                                        \
	"/usr/local/lib:/usr/local/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib/"           \
	"x86_64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib:"                                        \
	"/lib/i386-linux-gnu:/usr/lib/i386-linux-gnu:/lib32:/usr/lib32"

/* The file; read once. */
struct error *executable_read(struct session *s, const char *path, struct executable **ret);

/*
 * formerlibrary.c: where the library is that an old script calls so:
 * "/lib64/libc.so.6", "libpthread-2.12.so", "libx.so". NULL: as it says.
 */
const char *formerlibrary_now(struct session *s, const char *name);

/*
 * lookup.c: programs by what the user calls them. A script
 * stands for its interpreter. ERROR_ABSENT: there is none.
 */

/* A name without '/' is looked for in PATH. */
struct error *lookup_executable(struct session *s, const char *name, struct executable **ret);
/* All that match; without '/' in the directories of PATH. */
struct error *lookup_matching(struct session *s, const char *pattern, executables *ret);
/*
 * What the process runs: in its own mount namespace,
 * and even when the file has been deleted.
 */
struct error *lookup_process(struct session *s, int64_t pid, struct executable **ret);
/*
 * By build-id, 40 hexadecimal digits: as debuginfo packages link
 * it, or else among what PATH and the libraries' directories hold.
 */
struct error *lookup_build_id(struct session *s, const char *id, struct executable **ret);

/*
 * library.c: libraries of the program by path, file name, or pattern. A file name is that
 * of one which the program is linked with or (a process) has loaded, or stands in the
 * system's directories; patterns mean linked or loaded ones only. ERROR_ABSENT: there is
 * none.
 */
struct error *library_find(struct session *s, const struct executable *p, const char *name,
			   executables *ret);
/* All that the program is linked with, and (a process) has loaded. */
void library_list(struct session *s, const struct executable *p, executables *ret);

/*
 * What the process has mapped at an address as executable:
 * the file, and the address there. ERROR_ABSENT: nothing.
 */
struct error *library_at(struct session *s, const struct executable *p, uint64_t address,
			 struct executable **file, uint64_t *linked);

/* Of code at the address; false: no segment of the file holds code there. */
bool executable_code_offset(const struct executable *p, uint64_t address, uint64_t *offset);
/* The other way. */
bool executable_address(const struct executable *p, uint64_t offset, uint64_t *address);
/* Of anything in any segment. */
bool executable_offset(const struct executable *p, uint64_t address, uint64_t *offset);

/*
 * matching.c: functions by symbol whose name matches: as it is written, or of C++ as
 * "geo::Box<int>::grow", "grow", "geo::scale(int)". By address; of several names at one
 * address the plainest is first.
 */
struct executable_found {
	const char *name; /* "geo::scale(int)" */
	uint64_t address;
	uint64_t resolver_size; /* as in executable_symbol */
};
typedef VEC(struct executable_found) executable_matches;
void matching_functions(struct session *s, const struct executable *p, const char *pattern,
			bool only_exported, executable_matches *ret);

/*
 * The function whose code an address is part of, by symbols:
 * the last one that begins before. NULL: none does.
 */
const char *executable_function_at(const struct executable *p, uint64_t address);

/*
 * ifunc.c: the functions among which the found one's resolver chooses.
 * ERROR_ABSENT: none is known; the text says what to probe instead.
 */
typedef VEC(uint64_t) executable_addresses;
struct error *ifunc_choices(struct session *s, const struct executable *p,
			    const struct executable_found *f, executable_addresses *ret);

/* threads.c: how a thread's copies of the file's thread-local variables are found. */
struct thread_block {
	enum {
		THREAD_BLOCK_BELOW = 1, /* it begins `distance` from the thread pointer */
		/*
		 * a word of the file's memory, at address `word`,
		 * has its number among the thread's blocks
		 */
		THREAD_BLOCK_NUMBER,
		/*
		 * such a word has the distance of what stands at
		 * offset `distance` of it from the thread pointer
		 */
		THREAD_BLOCK_DISTANCE,
	} kind;
	uint64_t word;
	int64_t distance;
};
/* ERROR_ABSENT: it has none, or does not tell. */
struct error *threads_of(struct session *s, const struct executable *p, struct thread_block *ret);

/*
 * Offset in the file's block of a variable that its symbols name; false: they name none.
 */
bool threads_symbol(const struct executable *p, const char *name, uint64_t *ret);

/*
 * returns.c: what is at the address is called as
 * functions are, so that its return can be probed.
 */
bool returns_of(struct executable *p, uint64_t address);

const char *executable_near(struct session *s, const struct executable *p, const char *name);

#endif
