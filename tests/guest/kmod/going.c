/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module that goes, and makes room for coming.c: writing to /sys/module/going/parameters/work calls going_work(). */
#include <linux/module.h>

#ifndef WORK
#define WORK going_work
#endif

static noinline __attribute__((noipa)) int WORK(int n)
{
	barrier();
	return n + 1;
}

static int work_set(const char *text, const struct kernel_param *kp)
{
	return WORK(1) == 2 ? 0 : -EINVAL;
}

static const struct kernel_param_ops work_ops = { .set = work_set };
module_param_cb(work, &work_ops, NULL, 0200);
MODULE_LICENSE("GPL");
