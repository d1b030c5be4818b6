/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of /proc: their data. */
#ifndef STP_COMPAT_PROC_H
#define STP_COMPAT_PROC_H

#include <linux/proc_fs.h>

#include "stp_facts.h"

static inline void *compat_pde_data(const struct inode *inode)
{
#ifdef STP_HAVE_PDE_DATA_UPPER
	return PDE_DATA(inode);
#else
	return pde_data(inode);
#endif
}

#endif
