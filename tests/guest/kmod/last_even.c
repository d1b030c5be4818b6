/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module whose last function is followed by zeros up to the end of a page. With last_odd.c, which is longer by one
 * byte, both an even and an odd number of them are there.
 */
#include <linux/module.h>

#ifndef LENGTHEN
#define LENGTHEN "nop\n"
#endif

static int __init last_enter(void)
{
	return 0;
}

static void __exit leave(void)
{
	asm volatile(LENGTHEN "" ::: "memory");
	pr_debug("left\n");
}

module_init(last_enter);
module_exit(leave);
MODULE_LICENSE("GPL");
