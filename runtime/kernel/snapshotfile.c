/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/stap-MODULE/globals, of scripts of stap --globals. The text is made when its
 * beginning is read: a reader gets the values of that moment, even if it reads in small
 * pieces, and those of another moment when it reads from the beginning again.
 */
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "api.h"
#include "core/snapshot.h"
#include "core/port.h"
#include "kernel/procfile.h"
#include "uapi/globals.h"

#define TEXT_FIRST (64u << 10)
#define TEXT_MOST  (16u << 20) /* the rest is left out, and then there is no line `end` */

struct text {
	struct mutex lock; /* several tasks may read one open file */
	char *bytes;
	size_t len, room;
	int error;
};

/* Makes room for this many more bytes. False: there is no memory. */
static __cold bool text_grow(struct text *t, size_t more)
{
	size_t room = t->room ? 2 * t->room : TEXT_FIRST;
	char *bytes;

	if (t->len + more > TEXT_MOST)
		return false;
	bytes = port_alloc(room);
	if (!bytes) {
		t->error = -ENOMEM;
		return false;
	}
	memcpy(bytes, t->bytes, t->len);
	port_free(t->bytes);
	t->bytes = bytes;
	t->room = room;
	return true;
}

static __cold void text_put(void *ctx, const char *piece)
{
	struct text *t = ctx;
	size_t len = strlen(piece);

	if (t->error || (t->room - t->len < len && !text_grow(t, len))) {
		t->error = t->error ?: -E2BIG;
		return;
	}
	memcpy(t->bytes + t->len, piece, len);
	t->len += len;
}

static __cold void text_drop(struct text *t)
{
	port_free(t->bytes);
	t->bytes = NULL;
	t->len = t->room = 0;
	t->error = 0;
}

/* Returns 0 or -ENOMEM. */
static __cold int text_make(struct text *t)
{
	text_drop(t);
	if (!stp_snapshot_write(text_put, t))
		t->error = -ENOMEM;
	return t->error == -ENOMEM ? -ENOMEM : 0;
}

static __cold int globals_open(struct inode *inode, struct file *file)
{
	struct text *t = kzalloc(sizeof(*t), GFP_KERNEL);
	int ret = t ? procfile_hold() : -ENOMEM;

	if (ret) {
		kfree(t);
		return ret;
	}
	mutex_init(&t->lock);
	file->private_data = t;
	return 0;
}

static __cold ssize_t globals_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct text *t = file->private_data;
	ssize_t ret;

	if (mutex_lock_interruptible(&t->lock))
		return -EINTR;
	ret = *at ? 0 : text_make(t);
	if (!ret)
		ret = simple_read_from_buffer(to, size, at, t->bytes, t->len);
	mutex_unlock(&t->lock);
	return ret;
}

static __cold int globals_release(struct inode *inode, struct file *file)
{
	text_drop(file->private_data);
	kfree(file->private_data);
	procfile_let_go();
	return 0;
}

static const struct proc_ops globals_ops = {
	.proc_open = globals_open,
	.proc_read = globals_read,
	.proc_lseek = default_llseek,
	.proc_release = globals_release,
};

static __cold int create_file(void *dir)
{
	return proc_create(STP_GLOBALS_FILE, 0400, dir, &globals_ops) ? 0 : -ENOMEM;
}

const struct stp_snapshot_reader stp_snapshot_reader = {
	.write = stp_snapshot_write,
	.create_file = create_file,
};
