/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels that do not number the changes of a process's mappings call uprobe_munmap() for
 * each file area that is unmapped, with or without breakpoints, while nobody else can
 * change the mappings. ftrace reports these calls, of one function only, so that other
 * probes pay nothing.
 */
#include "kernel/map_changes.h"

#include "compat/ftrace.h"

struct map_changes map_changes;

#if !COMPAT_HAS_MM_SEQUENCE && defined(CONFIG_DYNAMIC_FTRACE) && !defined(CONFIG_LTO_CLANG)
#define COUNTED "uprobe_munmap"

/* The memory is the current task's, unless a process ends or executes another program. */
static notrace void area_goes(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			      compat_ftrace_regs *regs)
{
	atomic_inc(&map_changes.counts[hash_ptr(current->mm, MAP_CHANGES_BITS)]);
}

static struct ftrace_ops area_ops = {
	.func = area_goes,
	/* PERMANENT: the sysctl ftrace_enabled cannot silence it. */
	.flags = FTRACE_OPS_FL_PERMANENT,
};

void map_changes_create(void)
{
	static char name[] = COUNTED;

	if (ftrace_set_filter(&area_ops, (unsigned char *)name, (int)strlen(name), 1))
		return;
	map_changes.are_told = !register_ftrace_function(&area_ops);
	if (!map_changes.are_told)
		compat_ftrace_forget(&area_ops);
}

void map_changes_destroy(void)
{
	if (!map_changes.are_told)
		return;
	map_changes.are_told = false;
	unregister_ftrace_function(&area_ops);
	compat_ftrace_forget(&area_ops);
}
#else
void map_changes_create(void)
{
}

void map_changes_destroy(void)
{
}
#endif
