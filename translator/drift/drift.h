/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Successors of names in old scripts. Kernels rename, move and drop functions,
 * parameters, members, types and tracepoints, but scripts stay the same. Before "no such
 * …" is reported, the successor of the name is looked up in these tables. If there is
 * none, the message tells the history of the name.
 *
 * To add a row: the .def file of its kind. A row has the kernel since which it applies,
 * and the kernel's commit if it is certain. No row depends on the version: the old name
 * is looked up first, and of several successors, the first one in the target kernel is
 * used. successor.h describes the forms of the right side. A '=' before it marks a
 * function that still exists but that most callers bypass. Such functions are found in a
 * guest under load, where they are hardly ever hit.
 */
#ifndef STAP_DRIFT_H
#define STAP_DRIFT_H

#include "drift/successor.h"

/* A name of older kernels, and its successors. */
struct drift {
	/*
	 * MEMBER: the structure or typedef.
	 *
	 * PARAMETER: the function by its present name; "*": any function that has the
	 * parameter at which the path begins; "return" of an old function: a path to the
	 * value that it returned; without successor: it returned NULL where its successor
	 * returns an error; "trace:NAME", "sys_NAME".
	 *
	 * Other kinds: NULL.
	 */
	const char *of;
	const char *old;
	successors now; /* the first that exists is used; empty: there is none */
	/* MARKER: the meanings of its $arg1, $arg2 … */
	successors arguments;
	/*
	 * The first kernel without the old name; NULL: it varies, because compilers may
	 * inline it.
	 */
	const char *since;
	const char *commit; /* or NULL */
	const char *story;  /* or NULL */
};

/*
 * Each returns NULL if there is no row.
 *
 * Members: "f_dentry" of "file"; "se.statistics" of "task_struct". With old "": a
 * structure that has replaced a number.
 */
const struct drift *drift_member(struct arena *a, const char *type, const char *old);
/*
 * Functions. A row may begin or end with '*', which keeps the rest of the name ("ext3_*"
 * is "ext4_*", "*_readpage" is "*_read_folio").
 */
const struct drift *drift_function(struct arena *a, const char *old);
const struct drift *drift_parameter(struct arena *a, const char *function, const char *old);
const struct drift *drift_type(struct arena *a, const char *old);
/*
 * Variables of the kernel: the successor is a path that begins at another variable,
 * "init_pid_ns.pid_max".
 */
const struct drift *drift_variable(struct arena *a, const char *old);
const struct drift *drift_tracepoint(struct arena *a, const char *old);
/* Static markers of 2.6: the successor is a tracepoint. */
const struct drift *drift_marker(struct arena *a, const char *old);
const struct drift *drift_module(struct arena *a, const char *old);
/* Source files: "fs/bio.c". */
const struct drift *drift_file(struct arena *a, const char *old);
/*
 * System calls for which the C library now makes another one: "open" is "openat".
 */
const struct drift *drift_call(struct arena *a, const char *old);
/*
 * System calls that the kernel names differently from the library: "mmap" is "mmap2".
 */
const struct drift *drift_alias(struct arena *a, const char *old);

/*
 * Members whose numbers have changed their meaning: constants that old scripts compare
 * them with, or whose bits they test.
 */
struct drift_values {
	const char *of, *member; /* as the script writes it */
	const char *since;
	uint64_t changed; /* bits that mean something else, DRIFT_ALL: whole numbers */
	const char *story;
};
#define DRIFT_ALL UINT64_MAX

/* Returns the row that applies to a kernel, "6.1.0-13-amd64"; or NULL. */
const struct drift_values *drift_values(const char *type, const char *member, const char *release);
/* True: the constant means something else. by_size: it is compared by <, >, <= or >=. */
bool drift_values_mean_other(const struct drift_values *v, int64_t constant, bool by_size);

/* Returns "since 3.19 (78d28e651f97)", and the history, if there is one, after "; ". */
const char *drift_story(struct arena *a, const struct drift *d);

#endif
