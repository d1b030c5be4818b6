/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that contains probes or that probes compare with. A reference to the inode alone
 * would not prevent the file system from being unmounted, and the kernel would then
 * complain about a busy inode.
 */
#ifndef STP_KERNEL_FILE_H
#define STP_KERNEL_FILE_H

#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/path.h>
#include <linux/sched/task.h>

struct stp_file {
	struct path path;
	/*
	 * NULL: none is held. For a file of an overlay: the overlay's inode or the one
	 * below, as the holder needs it.
	 */
	struct inode *inode;
};

#define STP_BUILD_ID_MAX 64

/*
 * Opens the file with the kernel's rights, because the process that starts the module has
 * dropped its own, and files below /proc/PID are not readable by everybody.
 */
static inline struct file *stp_file_open(const char *path)
{
	struct cred *own = prepare_kernel_cred(&init_task);
	const struct cred *before;
	struct file *file;

	if (!own)
		return ERR_PTR(-ENOMEM);
	before = override_creds(own);
	file = filp_open(path, O_RDONLY, 0);
	revert_creds(before);
	put_cred(own);
	return file;
}

/*
 * True: the file has that size and that build-id at the offset; id_size 0: no build-id.
 */
static inline bool stp_file_is(struct file *file, uint64_t size, uint64_t id_offset,
			       const uint8_t *id, uint32_t id_size)
{
	uint8_t found[STP_BUILD_ID_MAX];
	loff_t at = id_offset;

	if (i_size_read(file_inode(file)) != size || id_size > sizeof(found))
		return false;
	return !id_size ||
	       (kernel_read(file, found, id_size, &at) == id_size && !memcmp(found, id, id_size));
}

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
