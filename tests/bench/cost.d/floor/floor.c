// SPDX-License-Identifier: GPL-2.0-or-later
// The least that a probe costs: the kernel's own mechanism with a handler that counts, at a place of a program, at the
// entry of a kernel's function, at its return, or in a timer's interrupt.
//
//   insmod floor.ko path=FILE offset=OFFSET [returns=1]     /sys/module/floor/parameters/hits
//   insmod floor.ko function=NAME [returns=1]
//   insmod floor.ko hz=N
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/uprobes.h>
#include <linux/version.h>

static char *path, *function;
static unsigned long offset, hits, hz;
static bool returns;
module_param(path, charp, 0444);
module_param(function, charp, 0444);
module_param(offset, ulong, 0444);
module_param(hz, ulong, 0444);
module_param(returns, bool, 0444);
module_param(hits, ulong, 0444);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define DATA , __u64 *data
#else
#define DATA
#endif

static int count(struct uprobe_consumer *self, struct pt_regs *regs DATA)
{
	hits++;
	return 0;
}

static int count_return(struct uprobe_consumer *self, unsigned long function,
			struct pt_regs *regs DATA)
{
	hits++;
	return 0;
}

static struct uprobe_consumer consumer;
static struct path file;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
static struct uprobe *probe;

static int add(void)
{
	probe = uprobe_register(d_real_inode(file.dentry), offset, 0, &consumer);
	return PTR_ERR_OR_ZERO(probe);
}

static void remove(void)
{
	uprobe_unregister_nosync(probe, &consumer);
	uprobe_unregister_sync();
}
#else
static int add(void)
{
	return uprobe_register(d_real_inode(file.dentry), offset, &consumer);
}

static void remove(void)
{
	uprobe_unregister(d_real_inode(file.dentry), offset, &consumer);
}
#endif

static int add_program(void)
{
	int error = path ? kern_path(path, LOOKUP_FOLLOW, &file) : -EINVAL;

	if (error)
		return error;
	if (returns)
		consumer.ret_handler = count_return;
	else
		consumer.handler = count;
	error = add();
	if (error)
		path_put(&file);
	return error;
}

static void notrace count_call(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			       struct ftrace_regs *regs)
{
	hits++;
}

// The handler traces nothing, so it does not ask for the guard against itself, FTRACE_OPS_FL_RECURSION.
static struct ftrace_ops entry = { .func = count_call };

static int count_kretprobe(struct kretprobe_instance *self, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static struct kretprobe function_return = { .handler = count_kretprobe, .maxactive = 64 };

static int add_function(void)
{
	int error;

	if (returns) {
		function_return.kp.symbol_name = function;
		return register_kretprobe(&function_return);
	}
	error = ftrace_set_filter(&entry, function, strlen(function), 1);
	return error ?: register_ftrace_function(&entry);
}

static struct hrtimer timer;

static enum hrtimer_restart count_tick(struct hrtimer *self)
{
	hits++;
	hrtimer_forward_now(self, NSEC_PER_SEC / hz);
	return HRTIMER_RESTART;
}

static int add_timer_of_hz(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
	hrtimer_setup(&timer, count_tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = count_tick;
#endif
	hrtimer_start(&timer, NSEC_PER_SEC / hz, HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int __init floor_init(void)
{
	return hz ? add_timer_of_hz() : function ? add_function() : add_program();
}

static void __exit floor_exit(void)
{
	if (hz) {
		hrtimer_cancel(&timer);
	} else if (function && returns) {
		unregister_kretprobe(&function_return);
	} else if (function) {
		unregister_ftrace_function(&entry);
	} else {
		remove();
		path_put(&file);
	}
}

module_init(floor_init);
module_exit(floor_exit);
MODULE_DESCRIPTION("the least that a probe costs");
MODULE_LICENSE("GPL");
