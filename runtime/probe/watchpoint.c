/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/watchpoint.h"

#include <linux/kprobes.h>

#include "api.h"
#include "arch_watch.h"

struct function {
	const char *name;
	unsigned int regs; /* number of the argument that has the registers */
};

static const struct function functions[] = {
#define FUNCTION(name, regs) { name, regs },
	ARCH_WATCH_FUNCTIONS(FUNCTION)
#undef FUNCTION
		{ 0 },
};

static struct {
	struct kprobe kp;
	const struct function *at; /* NULL: none is probed */
	watchpoint_fn *hit;
} watched;

static int function_called(struct kprobe *kp, struct pt_regs *regs)
{
	watched.hit((void *)regs_get_kernel_argument(regs, 0),
		    (void *)regs_get_kernel_argument(regs, watched.at->regs));
	return 0;
}

bool watchpoint_kernel_can(void)
{
	return arch_watches_kernel();
}

bool watchpoint_by_function(void)
{
	return functions[0].name;
}

int watchpoint_begin(watchpoint_fn *hit)
{
	int ret = -ENOENT;

	watched.hit = hit;
	for (watched.at = functions; watched.at->name; watched.at++) {
		watched.kp = (struct kprobe){ .symbol_name = watched.at->name,
					      .pre_handler = function_called };
		ret = register_kprobe(&watched.kp);
		if (!ret)
			return 0;
	}
	watched.at = NULL;
	return ret;
}

void watchpoint_end(void)
{
	if (watched.at)
		unregister_kprobe(&watched.kp);
	watched.at = NULL;
}

uint64_t watchpoint_missed(void)
{
	return watched.kp.nmissed;
}
