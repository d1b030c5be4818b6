/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that the library calls: clocks, the run, the kernel's stack. */
#ifndef STP_API_TAPSET_H
#define STP_API_TAPSET_H

#include "api/string.h"

int64_t stp_time_ns(void); /* of day; NMI-safe */
int64_t stp_monotonic_ns(void);
int64_t stp_cycles(void);
/* The processes of the run. */
extern struct stp_run {
	int64_t target;
	int64_t reader; /* the process that started the script: stapio */
} stp_run;
static inline int64_t stp_target(void) /* target(): -c/-x process */
{
	return READ_ONCE(stp_run.target);
}
static inline int64_t stp_reader(void) /* stp_pid(): the process that reads the output */
{
	return READ_ONCE(stp_run.reader);
}
extern long stp_remote_id; /* staprun -r; -1: not given */
extern char *stp_remote_uri;
/*
 * True: the current process belongs to the user who runs the script, and has no further
 * rights.
 */
bool stp_is_own_process(void);
/*
 * True: the current process is target() or a descendant of it; without a target, it is
 * any process that is not of the run. In both cases it is in the control group that the
 * run is restricted to.
 */
bool stp_is_in_target(void);
/* Returns the address of that control group's struct cgroup; 0: there is none. */
int64_t stp_run_cgroup(void);
bool stp_is_of_run(int64_t pid);       /* the reader, or staprun and stap, which wait for it */
int64_t stp_random(uint64_t n);	       /* 0 … n-1 */
const struct stp_zone *stp_zone(void); /* zone of the reader */
struct stp_str stp_module_name(void);
/*
 * Stores the first `max` addresses of the kernel's call chain at the point, innermost
 * first, and returns their number. `frames` has room for STP_STACK_MAX. In user space the
 * number is 0.
 */
unsigned stp_kernel_stack(struct stp_ctx *c, uint64_t *frames, unsigned max);
#define STP_STACK_MAX 48
/* print_backtrace(): prints the kernel's call chain at the point, one frame per line. */
void stp_print_backtrace(struct stp_ctx *c);

#endif
