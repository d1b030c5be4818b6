/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Successors of names in old scripts. Kernels rename, move and drop functions,
 * parameters, members, types and tracepoints; scripts stay. Before "no such …" is
 * reported, these tables are asked for the name's successor; where there is none, the
 * message tells the story of the name.
 *
 * To add a row: the .def file of its kind. A row says since which kernel, and the
 * kernel's commit where that is known for certain. No row asks for a version: the old
 * name is looked for first, and of several successors the first that the target kernel
 * has is taken. '=' in front marks a function that still exists, but that most callers go
 * past; a guest under a load shows this: such functions count next to nothing.
 */
#ifndef STAP_DRIFT_H
#define STAP_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct drift {
	/*
	 * MEMBER: the structure or typedef.
	 *
	 * PARAMETER: the function by its present name; "*": any function that has the
	 * parameter at which the path begins; "return" of an old function: a path to the
	 * value that it returned; now NULL: it returned NULL where its successor returns
	 * an error; "trace:NAME", "sys_NAME".
	 *
	 * Other kinds: NULL.
	 */
	const char *of;
	const char *old;
	/*
	 * Successors: "a|b" stands for the first that exists; NULL: there is none.
	 *
	 * Member: a path, "f_path.dentry"; "": the value itself; "/N" and "%N" at the end
	 * convert a number to the units of old. '=' in front: the name still exists, for
	 * a structure around the old value; by itself it means the old value.
	 *
	 * Parameter: '&' in front leads to a structure that it pointed to once.
	 *
	 * Argument of a tracepoint: it may be a number, which it always was.
	 *
	 * Function: '=' in front: it still exists, but most callers go past it, and a
	 * message says so. "trace:x" and "entry:f" stand for its entry alone.
	 */
	const char *now;
	                    /*
	                     * In a path "^request" is the structure right in front,
	                     * "^sock:sk_timer" the structure that this is a member of,
	                     * "head+network_header:iphdr" a structure in a buffer, at the
	                     * given offset: all three were pointers once. "first_area()"
	                     * of an mm_struct and "next_area()" of a vm_area_struct are
	                     * searched for in the maple tree.
	                     */
	/*
	 * The first kernel without the old name; NULL: that varies, as compilers are free
	 * to inline it.
	 */
	const char *since;
	const char *commit; /* or NULL */
	const char *story;  /* or NULL */
};

/*
 * Looks up a member: "f_dentry" of "file"; "se.statistics" of "task_struct". With old "":
 * a structure that stands where a number was once. Returns NULL when there is no row.
 */
const struct drift *drift_member(const char *type, const char *old);
/*
 * Looks up a function. A row may end or begin in '*', which keeps the rest of the name
 * ("ext3_*" is "ext4_*", "*_readpage" is "*_read_folio"). *now gets the successors, as in
 * a row.
 */
const struct drift *drift_function(struct arena *a, const char *old, const char **now);
const struct drift *drift_parameter(const char *function, const char *old);
const struct drift *drift_type(const char *old);
/*
 * Looks up a variable of the kernel: now is another variable and a path of members,
 * "init_pid_ns.pid_max".
 */
const struct drift *drift_variable(const char *old);
const struct drift *drift_tracepoint(const char *old);
/*
 * Looks up a static marker of 2.6: now is the tracepoint; *arguments gets the meanings of
 * its $arg1, $arg2 …: "prev.pid,next.pid".
 */
const struct drift *drift_marker(const char *old, const char **arguments);
const struct drift *drift_module(const char *old);
/* Looks up a source file: "fs/bio.c". */
const struct drift *drift_file(const char *old);
/*
 * Looks up a system call for which the C library now makes another one: "open" is
 * "openat".
 */
const struct drift *drift_call(const char *old);
/*
 * Looks up a system call that the kernel names differently from the library: "mmap" is
 * "mmap2".
 */
const struct drift *drift_alias(const char *old);

/* Returns the next successor of a list, copied; NULL at its end. */
const char *drift_next(struct arena *a, const char **list);
/* Return "since 3.19 (78d28e651f97)", and the story, where there is one, after "; ". */
const char *drift_when(struct arena *a, const struct drift *d);
const char *drift_story(struct arena *a, const struct drift *d);

#endif
