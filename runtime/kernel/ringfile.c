/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ring.N of the module's directory: reading a ring removes its records for good. */
#include <linux/mutex.h>
#include <linux/proc_fs.h>

#include "core/port.h"
#include "core/ring.h"
#include "core/session.h"
#include "kernel/procfile.h"
#include "kernel/ringfile.h"

static unsigned long *rings_open;

/* A ring has one consumer: one open file, one read at a time. */
struct ring_reader {
	unsigned int index;
	struct mutex lock;
	char *bounce; /* for rings that overwrite: copied bytes may have to be dropped */
};

#define BOUNCE_BYTES (2 * (STP_RECORD_MAX + sizeof(struct stp_record)))

static __cold struct ring_reader *reader_create(unsigned int index)
{
	struct ring_reader *reader = port_alloc(sizeof(*reader));

	if (reader) {
		reader->index = index;
		mutex_init(&reader->lock);
	}
	return reader;
}

static __cold int ring_open(struct inode *inode, struct file *file)
{
	unsigned int index = (unsigned long)compat_pde_data(inode);
	int ret;

	if (test_and_set_bit(index, rings_open))
		return -EBUSY;
	ret = procfile_hold();
	if (!ret) {
		file->private_data = reader_create(index);
		if (file->private_data)
			return nonseekable_open(inode, file);
		procfile_let_go();
		ret = -ENOMEM;
	}
	clear_bit(index, rings_open);
	return ret;
}

static __cold int ring_release(struct inode *inode, struct file *file)
{
	struct ring_reader *reader = file->private_data;

	clear_bit(reader->index, rings_open);
	port_free(reader->bounce);
	port_free(reader);
	procfile_let_go();
	return 0;
}

static ssize_t ring_copy(struct stp_ring *ring, char __user *buf, size_t size)
{
	bool some = stp_ring_fill(ring) != 0; /* checked first: more may come at any time */
	size_t n = stp_ring_readable(ring, size);
	struct stp_ring_piece pieces[2];

	if (!n)
		return some ? -EINVAL : 0; /* EINVAL: the next record is longer than size */
	stp_ring_pieces(ring, n, pieces);
	if (copy_to_user(buf, pieces[0].at, pieces[0].len) ||
	    copy_to_user(buf + pieces[0].len, pieces[1].at, pieces[1].len))
		return -EFAULT;
	stp_ring_consume(ring, n);
	return n;
}

/*
 * Copies records from a ring that overwrites. size: room of the reader, always more than
 * one record.
 */
static ssize_t ring_copy_moving(struct ring_reader *reader, struct stp_ring *ring, char __user *buf,
				size_t size)
{
	size_t n;

	if (!reader->bounce)
		reader->bounce = port_alloc(BOUNCE_BYTES);
	if (!reader->bounce)
		return -ENOMEM;
	if (size < BOUNCE_BYTES / 2)
		return -EINVAL;
	n = stp_ring_read(ring, reader->bounce, min(size, BOUNCE_BYTES));
	return copy_to_user(buf, reader->bounce, n) ? -EFAULT : n;
}

static ssize_t ring_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct ring_reader *reader = file->private_data;
	struct stp_ring *ring = stp_session_ring(reader->index);
	ssize_t ret;

	if (!ring)
		return 0;
	if (mutex_lock_killable(&reader->lock))
		return -EINTR;
	ret = ring->overwrite ? ring_copy_moving(reader, ring, buf, size)
			      : ring_copy(ring, buf, size);
	mutex_unlock(&reader->lock);
	return ret;
}

static const struct proc_ops ring_ops = {
	.proc_open = ring_open,
	.proc_release = ring_release,
	.proc_read = ring_read,
	.proc_lseek = noop_llseek,
};

static int stp_ringfile_create(struct proc_dir_entry *dir)
{
	unsigned int nrings = stp_session_nrings();
	char name[16];

	rings_open = port_alloc(BITS_TO_LONGS(nrings) * sizeof(long));
	if (!rings_open)
		return -ENOMEM;
	for (unsigned long i = 0; i < nrings; i++) {
		snprintf(name, sizeof(name), "ring.%lu", i);
		if (!proc_create_data(name, 0400, dir, &ring_ops, (void *)i))
			return -ENOMEM;
	}
	return 0;
}

static void stp_ringfile_destroy(void)
{
	port_free(rings_open);
}
