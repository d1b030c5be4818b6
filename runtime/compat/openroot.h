/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a file below a directory that serves as the root. */
#ifndef STP_COMPAT_OPENROOT_H
#define STP_COMPAT_OPENROOT_H

#include <linux/fs.h>
#include <linux/path.h>

#include "stp_facts.h"

static inline struct file *compat_open_below(const struct path *root, const char *name, int flags)
{
#ifdef STP_HAVE_OPEN_ROOT_PATH
	return file_open_root(root, name, flags, 0);
#else
	return file_open_root(root->dentry, root->mnt, name, flags, 0);
#endif
}

#endif
