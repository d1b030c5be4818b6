/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "arch/arch.h"

/*
 * On this architecture a processor that starts has its exception table before it reaches
 * any function. So the list has only the functions by which ftrace reaches callbacks.
 */
static const char *const refused[] = {
	"_mcount",
	"ftrace_caller",
	"ftrace_call",
	"ftrace_regs_caller",
	"ftrace_common",
	"ftrace_graph_call",
	"ftrace_graph_caller",
	"ftrace_stub",
	"ftrace_stub_graph",
	"ftrace_stub_direct_tramp",
	"return_to_handler",
	NULL,
};

const struct arch_kprobes aarch64_kprobes = { .refused = refused };
