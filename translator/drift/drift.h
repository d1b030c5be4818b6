/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has become of the names in old scripts. Kernels rename, move and drop functions,
 * parameters, members, types and tracepoints; scripts stay. Before "no such …" is said,
 * these tables are asked what stands for the name now; where nothing does, the message
 * tells the story of the name.
 *
 * To add a row: the .def file of its kind. A row says since which kernel, and the
 * kernel's commit where that is known for certain. No row asks for a version: the old
 * name is looked for first, and of several successors the first that the target kernel
 * has is taken. What is there, but most callers go past, has '=' in front: a guest under
 * a load tells, such names count next to nothing.
 */
#ifndef STAP_DRIFT_H
#define STAP_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct drift {
	/*
	 * MEMBER: the structure or typedef. PARAMETER: the function as it is called
	 * now; "*": any function that has the parameter where the path begins; "return"
	 * of an old function: a path to what it returned; now NULL: it returned NULL
	 * where its successor returns an error; "trace:NAME", "sys_NAME". Else NULL
	 */
	const char *of;
	const char *old;
	/*
	 * "a|b": the first that is there. A member: a path, "f_path.dentry"; "":
	 * the value itself; "/N" and "%N" at the end bring a number into the
	 * units of old. A parameter's with '&' in front leads to a structure that
	 * it pointed to once; a tracepoint's may be a number: it always was that.
	 * '=' in front: the name is still there, for a structure around what it
	 * was; by itself it is what it was. Before a function's: it is still
	 * there, but most callers go past it, which is said. "trace:x", "entry:f"
	 * of a function stand for its entry alone. NULL: nothing stands for it
	 */
	const char *now;
	                    /*
	                     * In a path "^request" is the structure that stands right in
	                     * front, "^sock:sk_timer" the one that this is a member of,
	                     * "head+network_header:iphdr" the one that lies so far in a
	                     * buffer: pointers once. "first_area()" of an mm_struct and
	                     * "next_area()" of a vm_area_struct are asked of the maple
	                     * tree.
	                     */
	/*
	 * the first kernel without the old name; NULL:
	 * that varies, compilers inline it as they like
	 */
	const char *since;
	const char *commit; /* or NULL */
	const char *story;  /* or NULL */
};

/*
 * "f_dentry" of "file"; "se.statistics" of "task_struct". Of old
 * "": a structure used where it was a number once. NULL: no row.
 */
const struct drift *drift_member(const char *type, const char *old);
/*
 * A row may end or begin in '*': the rest stays ("ext3_*" is "ext4_*",
 * "*_readpage" is "*_read_folio"). The successors are then in *now, as in a row.
 */
const struct drift *drift_function(struct arena *a, const char *old, const char **now);
const struct drift *drift_parameter(const char *function, const char *old);
const struct drift *drift_type(const char *old);
/* Of the kernel: now is another variable and a path of members, "init_pid_ns.pid_max". */
const struct drift *drift_variable(const char *old);
const struct drift *drift_tracepoint(const char *old);
/*
 * Static markers of 2.6: now is the tracepoint, arguments
 * what its $arg1, $arg2 … are: "prev.pid,next.pid".
 */
const struct drift *drift_marker(const char *old, const char **arguments);
const struct drift *drift_module(const char *old);
/* Source files: "fs/bio.c". */
const struct drift *drift_file(const char *old);
/* System calls that the C library makes another of: "open" is "openat". */
const struct drift *drift_call(const char *old);
/*
 * System calls by the names that the kernel has for them,
 * where the library's are others: "mmap" is "mmap2".
 */
const struct drift *drift_alias(const char *old);

/* The next successor of a list, copied; NULL at its end. */
const char *drift_next(struct arena *a, const char **list);
/* "since 3.19 (78d28e651f97)", and the story where there is one, after "; ". */
const char *drift_when(struct arena *a, const struct drift *d);
const char *drift_story(struct arena *a, const struct drift *d);

#endif
