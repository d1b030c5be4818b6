/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs and shared libraries from their ELF files: their functions by symbol, and the
 * offsets of addresses in the file. No debuginfo is read.
 */
#ifndef STAP_EXECUTABLE_H
#define STAP_EXECUTABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct session;
struct error;
struct landings;
struct bytes;
struct sdt_file;

struct executable_symbol {
	const char *name;
	uint64_t address; /* as in the file */
	bool is_exported; /* a global symbol */
	/*
	 * Size in bytes if the address is that of code that selects a function
	 * (STT_GNU_IFUNC); 0: the function itself is there.
	 */
	uint64_t resolver_size;
	uint64_t size; /* in bytes; 0: not known */
};

struct executable_segment {
	uint64_t address, offset, size;
	bool is_code;
};
typedef VEC(struct executable_segment) executable_segments;

struct executable {
	const char *path; /* canonical */
	/* The same where the script will run; another than path in another's tree. */
	const char *seen;
	uint64_t size;
	const uint8_t *id; /* build-id; NULL: it has none */
	uint64_t id_offset;
	size_t id_size;
	bool is_32;
	bool is_movable;	   /* loaded anywhere: a library or PIE */
	const char *switching;	   /* the function by which it switches stacks; NULL: it does not */
	bool throws;		   /* it throws or handles exceptions of C++ or panics of Rust */
	bool is_go;		   /* built by Go: its stacks move */
	uint64_t go_begin, go_end; /* addresses of the code that Go has compiled */
	executable_segments segments;
	VEC(struct executable_symbol) symbols; /* functions, by name, no duplicates */
	uint64_t unwind_index;		       /* address of .eh_frame_hdr; 0: none */
	VEC(const char *) needed;	       /* DT_NEEDED */
	const char *run_path;		       /* DT_RUNPATH or DT_RPATH, or NULL */
	int64_t process;		       /* of lookup_process(), or 0 */
	const char *root; /* "/proc/PID/root" when the process's root is not ours; else "" */
	/* Address where the kernel, or the dynamic linker, enters it; 0: a library. */
	uint64_t entry;
	struct Dwarf_CFI_s *frames;   /* returns.c: read on first use, */
	bool frames_asked;	      /* true: this was tried */
	const struct sdt_file *marks; /* probe/user/: read on first use */
	struct landings *landings;    /* landing.c: the same */
	const struct bytes *code;     /* executable_code(): the same */
};

typedef VEC(struct executable *) executables;

struct code_range {
	uint64_t begin, end;
};
typedef VEC(struct code_range) code_ranges;

/*
 * Returns the root directory for programs of another architecture: the tree of their
 * kernel. "": the script is for this machine's programs.
 */
const char *executable_tree(const struct session *s);
/* Returns the name of a file on the machine where the script will run. */
const char *executable_seen(const struct session *s, const char *path);

/* Reads the file, once a session. */
struct error *executable_read(struct session *s, const char *path, struct executable **ret);

/*
 * Returns the present place of a library with an old script's name for it:
 * "/lib64/libc.so.6", "libpthread-2.12.so", "libx.so". NULL: the name is right, as that
 * of any library that exists and has functions (librarydrift.c).
 */
const char *librarydrift_now(struct session *s, const char *name);
/* True: the library's functions have moved into libc.so.6, and left an empty file. */
bool librarydrift_is_remainder(const struct executable *file);

/*
 * lookup.c: finds programs by the names that users give. A script means its interpreter.
 * ERROR_ABSENT: there is none.
 */

/* Finds a program; a name without '/' is looked for in PATH. */
struct error *lookup_executable(struct session *s, const char *name, struct executable **ret);
/*
 * Finds all programs that match; a pattern without '/' is looked for in the directories
 * of PATH.
 */
struct error *lookup_matching(struct session *s, const char *pattern, executables *ret);
/*
 * Finds the program that the process runs: in the process's own mount namespace, and even
 * when the file has been deleted.
 */
struct error *lookup_process(struct session *s, int64_t pid, struct executable **ret);
/*
 * Returns the program of -c's command: its first word. NULL if the command needs a
 * shell.
 */
const char *lookup_of_command(struct session *s);
/* Finds the program of -x or -c. ERROR_ABSENT: there is neither, or no such program. */
struct error *lookup_target(struct session *s, struct executable **ret);
/* ERROR_ABSENT: there is no such process. */
struct error *lookup_process_exists(struct session *s, int64_t pid);
/*
 * Finds a program by its build-id, 40 hexadecimal digits: through the links of debuginfo
 * packages, else among the files in PATH and the libraries' directories.
 */
struct error *lookup_build_id(struct session *s, const char *id, struct executable **ret);

/*
 * Finds libraries of the program by path, file name or pattern (library.c). A file name
 * means a library that the program is linked with or (a process) has loaded, else one in
 * the system's directories. Other names and patterns are searched where the program could
 * load plugins from. ERROR_ABSENT: there is none.
 */
struct error *library_find(struct session *s, const struct executable *p, const char *name,
			   executables *ret);
/* Lists all libraries that the program is linked with, or (a process) has loaded. */
void library_list(struct session *s, const struct executable *p, executables *ret);

/*
 * Finds the file that the process has mapped as executable at an address, and the address
 * in that file. ERROR_ABSENT: nothing is mapped there.
 */
struct error *library_at(struct session *s, const struct executable *p, uint64_t address,
			 struct executable **file, uint64_t *linked);

/*
 * Converts an address of code to its offset in the file. False: no segment of the file
 * has code there.
 */
bool executable_code_offset(const struct executable *p, uint64_t address, uint64_t *offset);
/*
 * Returns the code at an address, and the number of bytes of it that the file has; NULL:
 * it has none there.
 */
const uint8_t *executable_code(struct session *s, struct executable *p, uint64_t address,
			       size_t *left);
/* Converts an offset in the file to the address of code. */
bool executable_address(const struct executable *p, uint64_t offset, uint64_t *address);
/* Converts the address of anything in any segment to its offset in the file. */
bool executable_offset(const struct executable *p, uint64_t address, uint64_t *offset);

/*
 * A function by symbol whose name matches (matching.c): as it is written, or in C++ as
 * "geo::Box<int>::grow", "grow", "geo::scale(int)". Sorted by address; of several names
 * at one address the plainest is first.
 */
struct executable_found {
	const char *name; /* "geo::scale(int)" */
	uint64_t address;
	uint64_t resolver_size; /* see executable_symbol */
};
typedef VEC(struct executable_found) executable_matches;
void matching_functions(struct session *s, const struct executable *p, const char *pattern,
			bool only_exported, executable_matches *ret);

/*
 * Returns the function whose code holds an address, by symbols: the last one that begins
 * before it. NULL: there is none.
 */
const char *executable_function_at(const struct executable *p, uint64_t address);

/*
 * Lists the functions from which the resolver of the found one selects (ifunc.c).
 * ERROR_ABSENT: none is known; the text says what to probe instead.
 */
typedef VEC(uint64_t) executable_addresses;
struct error *ifunc_choices(struct session *s, const struct executable *p,
			    const struct executable_found *f, executable_addresses *ret);

/* The way to a thread's copies of the file's thread-local variables (threads.c). */
struct thread_block {
	enum {
		THREAD_BLOCK_BELOW = 1, /* it begins `distance` from the thread pointer */
		/*
		 * a word of the file's memory, at address `word`, holds the block's
		 * number among the thread's
		 */
		THREAD_BLOCK_NUMBER,
		/*
		 * such a word holds the distance from the thread pointer to offset
		 * `distance` in the block
		 */
		THREAD_BLOCK_DISTANCE,
		/*
		 * such a word and the next describe the variable at offset `distance` in
		 * the block to the code that the first leads to (dwarf/thread.c)
		 */
		THREAD_BLOCK_DESCRIPTOR,
	} kind;
	uint64_t word;
	int64_t distance;
};
/* ERROR_ABSENT: the file has no such variables, or does not tell where they are. */
struct error *threads_of(struct session *s, const struct executable *p, struct thread_block *ret);

/*
 * Finds, by the file's symbols (datasymbol.c), a variable's address, as the file has it,
 * or the offset of a thread-local one in the file's block; false: no symbol has the name.
 */
bool datasymbol_variable(const struct executable *p, const char *name, uint64_t *ret);
bool datasymbol_thread_local(const struct executable *p, const char *name, uint64_t *ret);

/*
 * True: the code at the address is called like a function, so that its return can be
 * probed (returns.c); within a function: nothing but the return address is on the stack.
 */
bool returns_of(struct session *s, struct executable *p, uint64_t address);

/*
 * Lists the instructions by which a function returns (returnsites.c). parts: its code;
 * other parts are found by symbols. Returns the reason why there may be others, or NULL.
 * *calls: it may call something, and be left by an exception from there.
 */
const char *returnsites_find(struct session *s, struct executable *p, const code_ranges *parts,
			     executable_addresses *ret, bool *calls);

/*
 * Returns the address for a probe on the function that begins at the address: that
 * address, or the one after the function's landing pad (landing.c).
 */
uint64_t landing_behind(struct session *s, struct executable *p, uint64_t function);

/*
 * Go's functions (gofunction.c). The address is that of the function's beginning.
 *
 * Returns false for C functions that a foreign linker has put into a Go program.
 */
bool gofunction_is(const struct executable *p, uint64_t address);
/*
 * Returns the address for a probe on it: after the code that restarts the function on a
 * larger stack, so that a call counts once.
 */
uint64_t gofunction_behind_check(struct session *s, struct executable *p, uint64_t address);
/*
 * Lists the instructions by which it returns. end: where its code ends; 0: at the next
 * symbol. Returns the reason why there may be others, or NULL.
 */
const char *gofunction_returns(struct session *s, struct executable *p, uint64_t address,
			       uint64_t end, executable_addresses *ret);

const char *executable_near(struct session *s, const struct executable *p, const char *name);

#endif
