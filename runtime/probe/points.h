/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptions of probe points in generated C: one struct per family. The runtime's
 * mutable state of a point is the family's own (state_size).
 */
#ifndef STP_POINTS_H
#define STP_POINTS_H

enum stp_lifecycle { STP_BEGIN, STP_END, STP_ERROR_PROBE, STP_NEVER };
struct stp_point_lifecycle {
	enum stp_lifecycle kind;
	int64_t order; /* begin(N): ascending */
};

struct stp_point_timer {
	uint64_t interval; /* ns, or jiffies */
	uint64_t random;   /* ± up to this, same unit */
	bool jiffies;
};

/* A stretch of code, as distances from the point. */
struct stp_code {
	int64_t begin, end;
};

/* A system call as text: its name, and the kinds of its arguments (syscall/syscall.h). */
#define STP_CALL_ARGS 6
/* Width of an argument: a 32-bit caller's long has 32 bits. */
enum stp_call_type {
	STP_CALL_INT,
	STP_CALL_UINT,
	STP_CALL_LONG,
	STP_CALL_ULONG,
	STP_CALL_SHORT,
	STP_CALL_TYPES
};
struct stp_shown;
struct stp_kind {
	void (*show)(struct stp_shown *s, const struct stp_kind *k, uint64_t v);
	const void *data; /* for the show function: names, members */
	uint8_t type;	  /* enum stp_call_type */
	bool is_out;	  /* it points to memory that the call fills in: shown afterwards */
};
struct stp_call {
	const char *name;
	uint8_t nargs, name_len;
	uint8_t types[STP_CALL_ARGS]; /* enum stp_call_type: those of the kinds */
	const struct stp_kind *args[STP_CALL_ARGS];
};
/*
 * Write text about the call of the running probe's point to dst, which has MAXSTRINGLEN
 * bytes; they return its length. Arguments count from 0.
 */
size_t stp_shown_name(struct stp_ctx *c, char *dst);
size_t stp_shown_args(struct stp_ctx *c, char *dst);
size_t stp_shown_text(struct stp_ctx *c, int64_t n, char *dst); /* as argstr shows it */
/* Writes the string that argument n points to, without quotes or escapes. */
size_t stp_shown_string(struct stp_ctx *c, int64_t n, char *dst);
/* Writes the name of the call with that number in the caller's ABI. */
size_t stp_shown_numbered(struct stp_ctx *c, int64_t number, char *dst);
/* Returns the number of a call; -1: there is none. */
int64_t stp_shown_number_of(const char *name);
/*
 * Writes a part of a socket's address: 0 family, 1 address, 2 port, 3 flowinfo, 4 scope.
 */
size_t stp_shown_address(struct stp_ctx *c, int64_t addr, int64_t len, int64_t part, char *dst);

struct stp_point_function {
	const char *symbol; /* name in kallsyms; NULL: the offset is the address */
	const char *module; /* NULL: the kernel */
	uint64_t offset;    /* from the symbol */
	bool is_inside;	    /* not a function's entry */
	bool is_matched;    /* by a pattern, not named */
	/*
	 * Build-id, in hexadecimal, of the kernel for which the offset is correct; NULL:
	 * any kernel.
	 */
	const char *build_id;
	bool is_return;
	/*
	 * Reads registers other than those of arguments; without this, ftrace saves only
	 * the latter.
	 */
	bool reads_registers;
	uint8_t reads_arguments; /* --runtime=bpf: bits of those; 1 << 7: the result */
	/*
	 * The symbol's one argument is struct pt_regs *, which holds the call's
	 * arguments.
	 */
	bool is_syscall;
	bool is_compat;			/* … of a 32-bit caller */
	bool is_narrow;			/* … whose structures have a 32-bit program's layout */
	bool is_of_all;			/* family syscall: callers of all ABIs hit it */
	const struct stp_call *call;	/* NULL: the script does not ask for texts */
	uint32_t maxactive;		/* 0: default */
	uint32_t nsaved;		/* values the entry handler saves */
	const struct stp_code *callers; /* only calls from there count */
	uint32_t ncallers;		/* 0: all do */
};

struct stp_point_tracepoint {
	const char *name;
	const char *module; /* NULL: the kernel */
	/*
	 * Generated: void f(void *data, ARGS) { int64_t a[] = {…};
	 * stp_tracepoint_hit(data, a); }
	 */
	void *probe;
	/*
	 * --runtime=bpf: the bytes of each parameter, negative if it is signed. The
	 * kernel passes 8 bytes for each.
	 */
#define STP_TRACE_ARGS 12
	uint8_t nargs;
	int8_t widths[STP_TRACE_ARGS];
};
static inline void stp_tracepoint_hit(void *data, const int64_t *args)
{
	const struct stp_probe *p = data;

	p->hit(p, NULL, args, NULL);
}

/* A counter that @perf reads, for the current task, in a context that may sleep. */
struct stp_counter {
	int64_t (*read)(uint32_t number);
	uint32_t number; /* struct stp_point_perf's */
};
#define STP_COUNTERS 16 /* counters that one point can read */
int64_t stp_cpu_counter(uint32_t number);
int64_t stp_task_counter(uint32_t number);

struct stp_point_uprobe {
	const char *path; /* of the program or library */
	/*
	 * Size and build-id of the file that the script was translated for: another file
	 * is refused.
	 */
	uint64_t size;
	uint64_t id_offset;
	const uint8_t *id;
	uint32_t id_size;    /* 0: no build-id */
	uint64_t offset;     /* in the file */
	const char *program; /* only in processes that run this program; NULL: in all */
	bool is_marker;
	/* Offset in the file of the counter of attached tracers; 0: none. */
	uint64_t semaphore;
	/* Process to probe alone; 0: all, or the target and its children. */
	int64_t pid;
	bool is_return;
	const struct stp_code *callers; /* only calls from there count */
	uint32_t ncallers;		/* 0: all do */
	bool optional;	      /* a point that cannot be probed is skipped with a warning */
	bool switches_stacks; /* the program does: a stack pointer does not tell finished calls */
	uint32_t maxactive;   /* calls whose saved values are kept at once; 0: default */
	uint32_t nsaved;
	/*
	 * The point is at a return instruction of a function that exceptions may leave:
	 * replacing the return address would end the program.
	 */
	bool at_site;
	/*
	 * At a return instruction, also of Go: the offset of the function's entry, where
	 * values are saved; 0: none are. All return instructions of one call have one
	 * number.
	 */
	uint64_t entry;
	uint32_t function;
	const struct stp_counter *counters; /* args: their values */
	uint32_t ncounters;
};

enum stp_process_event {
	STP_PROCESS_BEGIN,
	STP_PROCESS_END,
	STP_THREAD_BEGIN,
	STP_THREAD_END,
	STP_SYSCALL,	    /* args: number, six arguments */
	STP_SYSCALL_RETURN, /* args: number, value returned */
	STP_PROCESS_EVENTS
};
struct stp_point_process {
	enum stp_process_event event;
	const char *path; /* of the program; NULL: any */
	int64_t pid;	  /* as in stp_point_uprobe */
	/* If the program or process is not found, the point is skipped with a warning. */
	bool optional;
};

struct stp_point_perf {
	uint32_t type; /* as in struct perf_event_attr */
	uint64_t config;
	uint64_t period; /* hit after this many events; with is_rate: this many times a second */
	bool is_rate;
	uint32_t counter;    /* number of a counter that is only read: it has no hits; 0: none */
	const char *program; /* perftask: for tasks that run this program */
	/* Watched memory, when type is PERF_TYPE_BREAKPOINT. */
	const char *symbol;	/* NULL: at address */
	unsigned long exported; /* the symbol's address, if the kernel exports it */
	uint64_t address;
	uint32_t length, access; /* HW_BREAKPOINT_… */
	bool is_user;		 /* memory of processes: the target's, if there is one */
};

struct stp_point_procfs {
	const char *path; /* below /proc/systemtap/MODULE */
	bool is_write;
	uint32_t umask;
	uint32_t size; /* of the text that can be read, including the NUL */
};
/* Read, set and append to $value. */
struct stp_str stp_procfs_value(struct stp_ctx *c, char *dst);
void stp_procfs_set(struct stp_ctx *c, struct stp_str s);
void stp_procfs_append(struct stp_ctx *c, struct stp_str s);

struct stp_point_netfilter {
	uint8_t pf;
	uint32_t hook;
	int32_t priority;
};
/* Read and set $verdict. */
int64_t stp_netfilter_verdict(struct stp_ctx *c);
void stp_netfilter_decide(struct stp_ctx *c, int64_t verdict);

/* A family of probes, on the runtime's side. */
struct stp_family {
	const char *name;
	uint32_t state_size; /* bytes of mutable state for each probe, zeroed */
	/*
	 * Registers n probes of this family at once; reports failures through
	 * stp_setup_error().
	 */
	int (*add)(const struct stp_probe *const *probes, void *const *states, unsigned n);
	/*
	 * Removes the probes that add registered; returns when no handler runs any more.
	 */
	void (*remove)(const struct stp_probe *const *probes, void *const *states, unsigned n);
	/* Returns the hits that the kernel missed, for the books; may be NULL. */
	uint64_t (*missed)(const struct stp_probe *p, void *state);
	/*
	 * Returns the calls that began and did not return, for the books; may be NULL.
	 * They count neither as hits nor as losses.
	 */
	uint64_t (*unreturned)(const struct stp_probe *p, void *state);
	/*
	 * True: at its hits the kernel provides only two registers, the instruction
	 * pointer and the stack pointer. NULL: it provides all, or none.
	 */
	bool (*lacks_registers)(const struct stp_probe *p);
	/*
	 * True: its events belong to the script, such as timers, and not to a task:
	 * filters of tasks do not apply to them.
	 */
	bool is_of_script;
	/*
	 * probe_type(): returns SystemTap's name of the mechanism. NULL: the family's
	 * name.
	 */
	const char *(*type)(const struct stp_probe *p);
};
#define FAMILY(name) extern const struct stp_family stp_family_##name;
#include "probe/families.def"
#undef FAMILY

#endif
