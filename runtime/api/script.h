/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script as tables. */
#ifndef STP_API_SCRIPT_H
#define STP_API_SCRIPT_H

#include "api/snapshot.h"
#include "api/lock.h"
#include "api/parts.h"
#include "api/point.h"
#include "api/program.h"
#include "api/sourceline.h"
#include "api/output.h"

struct stp_family;

/*
 * Follows the declarator of a static variable and keeps the variable out of the module's
 * symbol table. There are as many such variables as probe points.
 */
#define STP_LOCAL(name) __asm__(".L" #name)
/*
 * Puts related constants into one section, because a linker takes ten seconds for 70,000
 * sections.
 */
#define STP_TOGETHER(kind) __attribute__((__section__(".rodata." #kind)))

/*
 * Short forms for generated C, which has thousands of them: a point in the kernel,
 * members of a probe and of a format, the use of a global's lock.
 */
#define STP_FUNCTION_POINT(n)                                                                      \
	static const struct stp_point_function point_##n STP_LOCAL(point_##n) STP_TOGETHER(points)
#define STP_NAMED(name)		   .pp = name, .pn = name
#define STP_AT_POINT(n, of_family) .index = n, .family = &of_family, .point = &point_##n
#define STP_LOCKS(n, count)	   .locks = locks_##n, .nlocks = count
#define STP_USE(global, how)                                                                       \
	{                                                                                          \
		.lock = &lock_##global, .mode = STP_LOCK_##how                                     \
	}
#define STP_FORMAT(literal, letters) .text = literal, .len = sizeof(literal) - 1, .args = letters

struct stp_global {
	const char *name;
	uint8_t type; /* enum stp_type of a scalar; arrays: of their values */
	bool is_array;
	/*
	 * For a long: int64_t *. For a string: struct stp_str *, with `storage`. For
	 * stats: struct stp_stat **. For an array: struct stp_map **.
	 */
	void *place;
	char *storage;		     /* string scalars: char[MAXSTRINGLEN] */
	const void *desc;	     /* struct stp_map_desc or stp_stat_desc */
	const struct stp_lock *lock; /* NULL: no probe takes it */
	bool shares_lock;	     /* it uses the lock of an earlier global */
	/*
	 * The lines of uapi/globals.h that precede its values. NULL: programs cannot read
	 * its values.
	 */
	const char *told;
};

typedef bool stp_hit_function(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,
			      int64_t *saved);

/* A hit that was aborted because something of the program was absent. */
struct stp_repeat {
	const struct stp_probe *p;
	stp_hit_function *hit;
	struct pt_regs *regs;
	const int64_t *args;
	int64_t *saved;
	struct stp_absence absence;
	bool wants_mappings; /* the mappings were locked */
};

/* Loads the absent memory if the task can wait, runs the hit, and returns its result. */
typedef bool stp_repeat_function(struct stp_repeat *r);

/*
 * A hit of a function's entry as ftrace calls it, for functions with an ftrace_ops of
 * their own. The instruction pointer among its registers is ftrace's, not the point's.
 */
struct ftrace_ops;
struct ftrace_regs;
typedef void stp_traced_function(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				 struct ftrace_regs *regs);

struct stp_probe;

/* The address to which the function returns, and the wrapper's own return. */
enum stp_wrapper_place { STP_WRAPPER_BACK, STP_WRAPPER_RETURN };

/* Code that runs the hits of a call's entry and return, and in between the function. */
struct stp_wrapper {
	void (*code)(void);	       /* NULL: there is none */
	const unsigned long *places;   /* distances from it, by enum stp_wrapper_place */
	const struct stp_probe *entry; /* NULL: the return's hit only */
};

/* Up to this many functions of a script have one. */
#define STP_WRAPPERS_MOST 3

/* A part, for scripts that have wrappers. */
struct stp_wrapping {
	/*
	 * Has ftrace call the wrapper of this return at the address, as the n-th. False:
	 * it cannot.
	 */
	bool (*add)(unsigned int n, unsigned long ip, const struct stp_probe *p);
	/* Removes all; no task is in one when it returns, or comes back to it. */
	void (*remove)(void);
};
extern const struct stp_wrapping stp_wrapping; /* probe/function/wrappers.c */

struct stp_probe {
	const char *pp;			    /* pp() */
	const char *pn;			    /* pn() */
	const char *function;		    /* ppfunc(), or NULL */
	const char *module;		    /* or NULL */
	void (*handler)(struct stp_ctx *c); /* NULL: inlined in hit */
	void (*entry)(struct stp_ctx *c);   /* return probes: sets c->saved, see enter */
	/*
	 * Runs one complete hit: guard, interrupts off, context, locks, condition,
	 * handler, commit, books. Safe in any context, including NMI. False: it was
	 * skipped, and the books have the reason. NULL for begin, end and error.
	 */
	stp_hit_function *hit;
	/*
	 * Runs the entry of a return probe: the same steps around `entry`, but the books
	 * do not count a hit. False: do not fire the return. NULL: the probe saves
	 * nothing.
	 */
	stp_hit_function *enter;
	bool (*condition)(struct stp_ctx *c); /* NULL: always; runs under the locks */
	const struct stp_family *family;
	const void *point; /* struct stp_point_FAMILY, see probe/points.h */
	/*
	 * Repeats a hit, or an entry, for which a page of the program was missing. NULL:
	 * the handler does not read memory of the program, or runs where no task can
	 * wait.
	 */
	stp_repeat_function *repeat;
	const struct stp_lock_use *locks; /* in global order */
	uint32_t index;
	uint32_t row; /* in the table of constants, for probes that share a handler */
	uint16_t nlocks;
	/*
	 * The arguments of the script are those of the system call, stp_syscall_arg().
	 * stp_arg() would return those of the entry point.
	 */
	bool of_call;
	bool of_go;	/* …, or of a function of Go: stp_go_arg() */
	bool is_return; /* the arguments are gone, except in `entry` */
	/*
	 * It is exempt from filters of tasks: the handler itself finds out which task an
	 * event belongs to.
	 */
	bool unfiltered;
	bool begins_waiting; /* `enter` of a return may be repeated as well */
};

/*
 * The shared `hit` and `enter`, for scripts with too many probes for separate code:
 * core/hits.c.
 */
stp_hit_function stp_hit, stp_hit_entry;

/*
 * Repeat the hits of probes that read memory of programs (kernel/pages.c): where the task
 * can always wait; at functions, where it can wait unless that is disabled; and at
 * returns of system calls (kernel/pages_return.c).
 */
stp_repeat_function stp_pages_repeat, stp_pages_repeat_function, stp_pages_repeat_return;

struct stp_limits {
	uint32_t string;       /* MAXSTRINGLEN */
	uint32_t string_short; /* the longest string that costs no more than one statement */
	uint32_t map_entries;  /* MAXMAPENTRIES; 0: arrays grow */
	uint32_t map_memory;   /* MAXMAPMEMORY: limit of all arrays together, in MB */
	uint32_t action;       /* MAXACTION */
	/*
	 * The budget of begin, end and error probes: ten times as much, unless
	 * -DMAXACTION is given.
	 */
	uint32_t action_slow;
	uint32_t nesting;	/* MAXNESTING */
	uint32_t errors;	/* MAXERRORS */
	uint32_t skipped;	/* MAXSKIPPED: 0 = never ends the script */
	uint32_t trylock;	/* MAXTRYLOCK */
	uint32_t trylock_delay; /* TRYLOCKDELAY, µs */
	uint32_t buffer_mb;	/* -s, per CPU; 0: default */
	/*
	 * The percentage of a CPU's time that handlers may take before the script is
	 * ended; 0: unlimited.
	 */
	uint32_t overload_percent;
	uint32_t backtrace;    /* MAXBACKTRACE: frames of a program's stack */
	uint32_t hist_width;   /* HIST_WIDTH: characters of the longest bar */
	uint32_t hist_elision; /* HIST_ELISION: empty rows shown next to a nonempty one */
	bool suppress_errors;
};

struct stp_script {
	const char *name; /* module name */
	const struct stp_probe *probes;
	const struct stp_global *globals;
	const struct stp_format *formats;
	struct stp_variable *const *variables;
	uint32_t nprobes, nglobals, nformats, nvariables;
	uint32_t frame_bytes; /* string storage that a context needs */
	uint32_t max_saved;   /* the most values that a return probe saves */
	bool notes_matches;   /* calls matched() or a similar function */
	bool runs_commands;   /* calls stp_command() */
	bool frame_pointers;  /* --stack=fp: for stacks of programs */
	bool is_mangled;      /* --no-demangle: names of C++ and Rust in such stacks */
	bool own_hits;	      /* --runtime=bpf: few points, which have code of their own */
	bool own_only;	      /* --privilege=stapusr: other users' processes are not visible */
	const struct stp_part *const *parts;
	uint32_t nparts;
	const struct stp_program_modules *program_modules; /* with stp_program_stack_part */
	const struct stp_source_tables *source_tables;	   /* with stp_lines_part */
	/* stp_module_symbols(), or NULL: no function of a module is probed */
	int (*module_symbols)(struct stp_symbol *symbols, unsigned int n);
	/* stp_function_leave_out(), or NULL: no wildcards, or --all-places */
	void (*leave_out)(void *const *states, unsigned int n);
	/* By the index of the probe, its members NULL or the same hit; or NULL */
	stp_traced_function *const *traced;
	const struct stp_wrapper *wrappers;  /* by the index of the return's probe; or NULL */
	const struct stp_wrapping *wrapping; /* with these */
	/* NULL: programs cannot read the globals */
	const struct stp_snapshot_reader *snapshot_reader;
	struct stp_limits limits;
};

/* Defined by the generated C, and the runtime's only access to it. */
extern const struct stp_script stp_script;

#endif
