/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of /proc: the names of their operations. */
#ifndef STP_COMPAT_PROC_H
#define STP_COMPAT_PROC_H

#include <linux/proc_fs.h>

#include "stp_facts.h"

#ifdef STP_HAVE_PROC_OPS
#define COMPAT_PROC_OPS(name, open_, release_, read_, write_)                                      \
	static const struct proc_ops name = { .proc_open = (open_),                                \
					      .proc_release = (release_),                          \
					      .proc_read = (read_),                                \
					      .proc_write = (write_),                              \
					      .proc_lseek = default_llseek }
#else
#define COMPAT_PROC_OPS(name, open_, release_, read_, write_)                                      \
	static const struct file_operations name = { .open = (open_),                              \
						     .release = (release_),                        \
						     .read = (read_),                              \
						     .write = (write_),                            \
						     .llseek = default_llseek }
#endif

static inline void *compat_pde_data(const struct inode *inode)
{
#ifdef STP_HAVE_PDE_DATA_UPPER
	return PDE_DATA(inode);
#else
	return pde_data(inode);
#endif
}

#endif
