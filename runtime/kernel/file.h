/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that probes stand in or compare with. The inode alone would not keep its file system from being unmounted, and the kernel from
 * finding the inode busy then.
 */
#ifndef STP_KERNEL_FILE_H
#define STP_KERNEL_FILE_H

#include <linux/fs.h>
#include <linux/path.h>

struct stp_file {
	struct path path;
	struct inode *inode; /* NULL: none is held. Of an overlay: its own or the one below, as the holder needs it */
};

static inline void stp_file_hold(struct stp_file *f, const struct path *path, struct inode *inode)
{
	f->inode = igrab(inode);
	if (!f->inode)
		return;
	f->path = *path;
	path_get(&f->path);
}

static inline void stp_file_release(struct stp_file *f)
{
	if (!f->inode)
		return;
	iput(f->inode);
	path_put(&f->path);
	f->inode = NULL;
}

#endif
