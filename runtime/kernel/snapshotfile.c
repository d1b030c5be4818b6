/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/stap-MODULE/globals, of scripts of stap --globals. The text is made once, when
 * the file is opened: a reader gets the values of that moment, even if it reads in small
 * pieces.
 */
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

static __cold void text_free(struct text *t)
{
	port_free(t->bytes);
	kfree(t);
}

static __cold int globals_open(struct inode *inode, struct file *file)
{
	struct text *t = kzalloc(sizeof(*t), GFP_KERNEL);
	int ret = t ? procfile_hold() : -ENOMEM;

	if (!ret && !stp_snapshot_write(text_put, t))
		t->error = -ENOMEM;
	if (!ret && t->error == -ENOMEM) {
		procfile_let_go();
		ret = -ENOMEM;
	}
	if (ret && t)
		text_free(t);
	else
		file->private_data = t;
	return ret;
}

static __cold ssize_t globals_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	const struct text *t = file->private_data;

	return simple_read_from_buffer(to, size, at, t->bytes, t->len);
}

static __cold int globals_release(struct inode *inode, struct file *file)
{
	text_free(file->private_data);
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
