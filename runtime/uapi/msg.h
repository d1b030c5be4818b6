/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control between stapio and a loaded module. Directory /proc/stap-MODULE:
 *
 *   ctl      open once (a second open fails with EBUSY); ioctls below; poll: POLLIN when
 *            a ring has reached its wake-up level or the module's state changed.
 *            Closing it (stapio died) ends the run: probes are removed, `end` does not
 *            run, the module stays loaded and idle until it is removed. A run that is
 *            kept (STP_IOC_DETACH) continues instead, and the next process that opens ctl
 *            may read its output so far, and stop it.
 *   ring.N   read: committed bytes, without waiting; 0 when empty. N = 0 … nrings-1, the
 *            last is the ring of the probes that may sleep.
 *   formats  read: the printf formats: "u32 length | text" for each, in order of their
 *            index, no padding; then, in the same way and as many, the names that
 *            readers of data give to them and their values: "SITE tab NAME tab NAME
 *            ...", a NAME for each argument, "*" if it is a width or a precision
 *   probes   read: the probe points in the same way, in order of the index that records
 *            and books have
 *   books    read: text, see STP_SKIP_REASONS below
 *   about    read: text, see uapi/status.h
 *   globals  read: the values of globals, see uapi/globals.h; of stap --globals only
 *   switch   write: a request, see uapi/status.h
 *   owner    read: "UID BYTES" as text: the user for whom staprun has loaded it, and the
 *            memory that it has or may take
 *   state    read: "STATE KEPT READ LEFT" as numbers: enum stp_state; 1: the run
 *            continues when ctl is closed; 1: ctl is open; 1: ctl is closed, nothing
 *            will run, and the process that has loaded the module has ended: any
 *            process may remove it
 */
#ifndef STP_UAPI_MSG_H
#define STP_UAPI_MSG_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/ioctl.h>
#else
#include <stdint.h>
#include <sys/ioctl.h>
#endif

#define STP_ABI		5
#define STP_PROC_PREFIX "stap-"

enum stp_state {
	STP_LOADED,   /* nothing has run */
	STP_STARTING, /* begin probes run, points are being registered */
	STP_RUNNING,
	STP_EXITING, /* exit(), an error or an overload: the module asks to be stopped */
	STP_STOPPED, /* all points are removed, end or error probes have run */
	STP_STATES
};

/* Treatment of output when its ring is full. */
enum stp_on_full {
	STP_DROP,      /* it is dropped */
	STP_OVERWRITE, /* the oldest output is dropped to make room */
	/*
	 * Like STP_DROP, but tasks that print are first delayed on their way to user
	 * mode.
	 */
	STP_THROTTLE,
	STP_ON_FULL_COUNT
};

struct stp_hello {
	uint32_t abi; /* STP_ABI */
	uint32_t nrings;
	uint32_t nformats;
	uint32_t nprobes;
	uint32_t runs_commands; /* 0: no record will request a command */
	uint32_t ring_bytes;	/* of each */
};

/* The reader's time zone. */
struct stp_zone {
	int64_t west;  /* seconds west of UTC */
	char name[16]; /* "CET" */
};

struct stp_start {
	int64_t target;	  /* -c/-x process, its number in the caller's namespace; 0: none */
	uint32_t on_full; /* enum stp_on_full */
	uint32_t keep;	  /* 1: as STP_IOC_DETACH, from the start */
	uint32_t as_data; /* 1: with STP_FORMAT_TASK and STP_FORMAT_HIST, see record.h */
	uint32_t verbose; /* 1: all functions that wildcards leave out are named */
	struct stp_zone zone;
	char error[256]; /* out: the reason, if the ioctl fails with ECANCELED */
};

struct stp_status {
	uint32_t state;				    /* enum stp_state */
	uint32_t failed;			    /* 1: the script ended by an error */
	uint32_t kept;				    /* 1: the run continues when ctl is closed */
	uint32_t on_full;			    /* enum stp_on_full */
	uint64_t hits, delivered, dropped, skipped; /* sums over probes and CPUs; see books */
	uint64_t errors;			    /* handlers ended by a run-time error */
	uint64_t suppressed;	/* errors that --suppress-handler-errors keeps quiet */
	uint64_t warnings_lost; /* warnings and errors lost because their ring was full */
};

#define STP_IOC_HELLO _IOR('S', 1, struct stp_hello)
#define STP_IOC_START                                                                              \
	_IOWR('S', 2,                                                                              \
	      struct stp_start)	   /* returns when begin has run and all points are registered */
#define STP_IOC_STOP   _IO('S', 3) /* returns when all points are removed and end has run */
#define STP_IOC_DETACH _IO('S', 6) /* from now on the run is kept */
#define STP_IOC_STATUS _IOR('S', 4, struct stp_status)
/*
 * A time T such that every record with time <= T that will ever be written is already in
 * its ring. Read it before the rings. Then records up to T can be merged and written.
 */
#define STP_IOC_HORIZON _IOR('S', 5, uint64_t)

/*
 * Requests tables of programs that a run meets and for which the script has no table, and
 * symbols that processes write for code that they generate (/tmp/perf-PID.map). A module
 * without stacks of programs fails with ENOTTY.
 *
 * STP_IOC_GATHER waits for the next such file and opens it for the caller. It fails with
 * ENODATA when the run has ended. STP_IOC_TABLE answers with the file's table
 * (core/program_table.h) and the places of its segments. A size of 0 means that there is
 * no table. A table may be refused: EINVAL, it is damaged; ENOSPC, tables have reached
 * their memory limit; EBADF, the file was not requested.
 */
struct stp_gather {
	uint32_t ticket; /* identifies the file */
	int32_t fd;
	uint32_t is_map;     /* 1: lines "START SIZE NAME", hexadecimal */
	uint32_t is_mangled; /* 1: names of C++ and Rust stay as the linker has them */
	uint64_t near;	     /* of a map: the address whose name is wanted */
	char path[160];	     /* from the root of its file system; or its end, after "..." */
};

#define STP_TABLE_SEGMENTS 32 /* more are refused */
struct stp_table_segment {
	uint64_t address, offset, size;
};

struct stp_table {
	uint32_t ticket, nsegments, size, reserved;
	uint64_t base;		  /* origin of the table's addresses */
	uint64_t segments, table; /* addresses in the caller's memory */
};

#define STP_IOC_GATHER _IOR('S', 7, struct stp_gather)
#define STP_IOC_TABLE  _IOW('S', 8, struct stp_table)

_Static_assert(sizeof(struct stp_gather) == 184, "part of the protocol");
_Static_assert(sizeof(struct stp_table) == 40, "part of the protocol");
_Static_assert(sizeof(struct stp_hello) == 24, "part of the protocol");
_Static_assert(sizeof(struct stp_start) == 304, "part of the protocol");
_Static_assert(sizeof(struct stp_status) == 72, "part of the protocol");

/*
 * Books: for each probe that had hits one line per CPU and one with the time that its
 * handlers took, fields separated by tabs, and one with the calls that saved values at
 * their entry and did not return; then one line per reason, and one per global for which
 * hits were skipped (reason "lock"), which also represents those that share its lock:
 *   probe INDEX CPU HITS DELIVERED DROPPED SKIPPED POINT
 *   time INDEX NANOSECONDS
 *   unreturned INDEX COUNT POINT
 *   skipped REASON COUNT
 *   contended GLOBAL COUNT
 * HITS = DELIVERED + DROPPED + SKIPPED in every line. CPU is a number, "slow" (the
 * sleeping probes' ring) or "any" (hits the kernel missed).
 */
#define STP_SKIP_REASONS(R)                                                                        \
	R(REENTRANT, "reentrant") /* hit inside a handler on this CPU */                           \
	R(LOCK, "lock")		  /* a global stayed locked too long */                            \
	R(ERROR, "error")	  /* ended by a run-time error */                                  \
	R(MISSED, "missed")	  /* the kernel missed it: kretprobe instances, nested kprobes */  \
	R(FILTERED, "filtered")	  /* of a task outside the run: not counted as a hit */            \
	R(STOPPING, "stopping")	  /* arrived while the script was ending: not counted as a hit */

enum stp_skip_reason {
#define R(kind, text) STP_SKIP_##kind,
	STP_SKIP_REASONS(R)
#undef R
		STP_SKIP_COUNT,
	STP_SKIP_UNCOUNTED = STP_SKIP_FILTERED /* from here on they do not count as hits */
};

#endif
