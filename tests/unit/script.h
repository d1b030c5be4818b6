/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Base of tests that run in the user-space runtime: the runtime itself, and a context to
 * call it with. The test defines stp_script.
 */
#ifndef UNIT_SCRIPT_H
#define UNIT_SCRIPT_H

#define STP_NO_MAIN
#include "user/runtime.c"
#include "unit.h"

/* Limits that suit most tests. */
#define UNIT_LIMITS                                                                                \
	.limits = { .string = 64,                                                                  \
		    .string_short = 63,                                                            \
		    .map_entries = 100,                                                            \
		    .action = 1000,                                                                \
		    .action_slow = 10000,                                                          \
		    .nesting = 10,                                                                 \
		    .trylock = 100,                                                                \
		    .trylock_delay = 10,                                                           \
		    .hist_width = 50,                                                              \
		    .hist_elision = 2 },                                                           \
	.name = "unit", .frame_bytes = 1024

/* Limits for arrays that grow, and of which several CPUs use the locks. */
#define UNIT_LIMITS_GROWING                                                                        \
	.limits = { .string = 512,                                                                 \
		    .string_short = 511,                                                           \
		    .map_memory = 48,                                                              \
		    .action = 1000000,                                                             \
		    .action_slow = 1000000,                                                        \
		    .nesting = 10,                                                                 \
		    .trylock = 100000,                                                             \
		    .trylock_delay = 10,                                                           \
		    .buffer_mb = 1 },                                                              \
	.name = "unit", .frame_bytes = 1024

static inline int unit_add_nothing(const struct stp_probe *const *probes, void *const *states,
				   unsigned n)
{
	return 0;
}

static inline void unit_remove_nothing(const struct stp_probe *const *probes, void *const *states,
				       unsigned n)
{
}

/* For .family of probes that the test hits itself, under a name that sessions know. */
#define UNIT_FAMILY                                                                                \
	(&(const struct stp_family){                                                               \
		.name = "function", .add = unit_add_nothing, .remove = unit_remove_nothing })

/* Returns the sleeping context, outside any hit. */
static inline struct stp_ctx *unit_context(void)
{
	struct stp_cpu *cpu = stp_runtime.cpus[stp_runtime.ncpus];

	cpu->ctx.error = NULL;
	cpu->ctx.where = NULL;
	cpu->ctx.work = stp_script.limits.action_slow;
	return &cpu->ctx;
}

/* Returns the context of a CPU, as in a hit of the first probe. */
static inline struct stp_ctx *unit_cpu_context(unsigned cpu)
{
	static const struct stp_probe first;
	struct stp_ctx *c = &stp_runtime.cpus[cpu]->ctx;

	c->probe = &first;
	return c;
}

/* Makes a string of a literal or an array that ends in NUL. */
static inline struct stp_str unit_str(const char *s)
{
	return (struct stp_str){ s, (uint32_t)strlen(s) };
}

#endif
