/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procfs("PATH").read and .write: files below /proc/systemtap/MODULE/.
 *
 * A read from the beginning of a file runs its handlers, which leave the text in a buffer
 * of that open file; later reads continue from the buffer, whatever has happened since. A
 * write runs the handlers with the written text, up to the length of a string; the call
 * returns that length, and the caller writes the rest with another call.
 *
 * Files that are still open when the script ends do not keep its module: removing a file
 * waits for the calls inside it and closes it; later calls with the descriptor get EIO
 * from the kernel.
 */
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "api.h"
#include "compat/proc.h"
#include "core/session.h"
#include "kernel/deferral.h"
#include "uapi/msg.h"

#define SHARED_DIR "systemtap"
#define SIZE_MOST  (16u << 20)

struct procfs {
	const struct stp_probe *probe;
	struct procfs *first; /* of this path */
	struct procfs *next;  /* after it */
};

/* $value of a hit. */
struct value {
	char *text;
	uint32_t len, size;
	bool used; /* the handler has used it */
};

struct reading {
	struct mutex lock;
	bool filled;
	struct value value;
	char text[];
};

static struct proc_dir_entry *base; /* /proc/systemtap/MODULE */

static const struct stp_point_procfs *point_of(const struct stp_probe *p)
{
	return p->point;
}

/* ---- $value ---- */

static struct value *value_of(struct stp_ctx *c)
{
	struct value *v = (struct value *)(unsigned long)c->args[0];

	v->used = true;
	return v;
}

struct stp_str stp_procfs_value(struct stp_ctx *c, char *dst)
{
	const struct value *v = value_of(c);

	return stp_str_copy(c, dst, (struct stp_str){ v->text, v->len });
}

void stp_procfs_append(struct stp_ctx *c, struct stp_str s)
{
	struct value *v = value_of(c);
	uint32_t n = min(s.len, v->size - 1 - v->len);

	if (n < s.len)
		stp_error(c, "buffer size exceeded, consider .maxsize(%u)", v->len + s.len + 1);
	memcpy(v->text + v->len, s.s, n);
	v->len += n;
	v->text[v->len] = 0;
}

void stp_procfs_set(struct stp_ctx *c, struct stp_str s)
{
	value_of(c)->len = 0;
	stp_procfs_append(c, s);
}

/* ---- hits ---- */

/*
 * Runs the handlers of one direction. EAGAIN: one was skipped, or failed before it
 * reached the value; the books have the reason.
 */
static int file_hit(struct procfs *file, bool is_write, struct value *v)
{
	const int64_t args[] = { (int64_t)(unsigned long)v };

	for (struct procfs *f = file; f; f = f->next) {
		if (point_of(f->probe)->is_write != is_write)
			continue;
		v->used = false;
		if (!f->probe->hit(f->probe, NULL, args, NULL) && !v->used && !f->probe->condition)
			return -EAGAIN;
	}
	return 0;
}

/* ---- the files ---- */

static uint32_t file_size(const struct procfs *file)
{
	uint32_t size = 2;

	for (const struct procfs *f = file; f; f = f->next)
		size = max(size, point_of(f->probe)->size);
	return min(size, SIZE_MOST);
}

static int file_open(struct inode *inode, struct file *file)
{
	uint32_t size = file_size(compat_pde_data(inode));
	struct reading *r;

	file->private_data = NULL;
	if (!(file->f_mode & FMODE_READ))
		return 0;
	r = kvmalloc(sizeof(*r) + size, GFP_KERNEL_ACCOUNT);
	if (!r)
		return -ENOMEM;
	mutex_init(&r->lock);
	r->filled = false;
	r->value = (struct value){ .text = r->text, .size = size };
	file->private_data = r;
	return 0;
}

static int file_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

static int reading_fill(struct reading *r, struct procfs *file)
{
	int ret;

	r->value.len = 0;
	r->text[0] = 0;
	ret = file_hit(file, false, &r->value);
	r->filled = !ret;
	return ret;
}

static ssize_t file_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct reading *r = file->private_data;
	ssize_t ret = 0;

	if (mutex_lock_killable(&r->lock))
		return -EINTR;
	if (!r->filled || !*pos)
		ret = reading_fill(r, compat_pde_data(file_inode(file)));
	if (!ret)
		ret = simple_read_from_buffer(buf, size, pos, r->text, r->value.len);
	mutex_unlock(&r->lock);
	return ret;
}

static ssize_t file_write(struct file *file, const char __user *buf, size_t size, loff_t *pos)
{
	struct value v = { .size = stp_script.limits.string };
	int ret;

	size = min_t(size_t, size, v.size - 1);
	v.text = memdup_user_nul(buf, size);
	if (IS_ERR(v.text))
		return PTR_ERR(v.text);
	v.len = strlen(v.text);
	ret = file_hit(compat_pde_data(file_inode(file)), true, &v);
	kfree(v.text);
	*pos += size;
	return ret ? ret : size;
}

static const struct proc_ops file_ops = {
	.proc_open = file_open,
	.proc_release = file_release,
	.proc_read = file_read,
	.proc_write = file_write,
	.proc_lseek = default_llseek,
};

/* ---- the directories ---- */

static bool exists(const char *name)
{
	struct path path;

	if (kern_path(name, 0, &path))
		return false;
	path_put(&path);
	return true;
}

struct shared_dir {
	struct work_struct work;
	int ret;
};

/*
 * Makes /proc/systemtap if it does not exist. The kernel has no call for this, so a lock
 * that all modules share prevents two from creating it at once.
 */
static void shared_work(struct work_struct *work)
{
	struct shared_dir *d = container_of(work, struct shared_dir, work);

	rtnl_lock();
	if (!exists("/proc/self"))
		d->ret = -ENOENT;
	else if (!exists("/proc/" SHARED_DIR) && !proc_mkdir(SHARED_DIR, NULL))
		d->ret = -ENOMEM;
	rtnl_unlock();
}

/*
 * All modules share the directory, and it is never removed. A kernel thread looks for it,
 * because the task that starts the script may see another /proc, or none.
 */
static int shared_make(void)
{
	struct shared_dir d = { .ret = 0 };

	INIT_WORK_ONSTACK(&d.work, shared_work);
	schedule_work(&d.work);
	flush_work(&d.work);
	destroy_work_on_stack(&d.work);
	return d.ret;
}

static int base_make(void)
{
	char *name = kasprintf(GFP_KERNEL, SHARED_DIR "/%s", THIS_MODULE->name);
	int ret = name ? shared_make() : -ENOMEM;

	if (!ret)
		base = proc_mkdir(name, NULL);
	kfree(name);
	return ret || base ? ret : -ENOMEM;
}

/* True: path a is below the first n bytes of path b. */
static bool is_below(const char *a, const char *b, size_t n)
{
	return !strncmp(a, b, n) && a[n] == '/';
}

static bool dir_is_made(void *const *states, unsigned int before, const char *path, size_t n)
{
	for (unsigned int i = 0; i < before; i++)
		if (is_below(point_of(((struct procfs *)states[i])->probe)->path, path, n))
			return true;
	return false;
}

/* Makes the directories on the way to path number i. */
static int dirs_make(void *const *states, unsigned int i)
{
	const char *path = point_of(((struct procfs *)states[i])->probe)->path;

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		char *dir;
		bool made;

		if (dir_is_made(states, i, path, slash - path))
			continue;
		dir = kstrndup(path, slash - path, GFP_KERNEL);
		made = dir && proc_mkdir(dir, base);
		kfree(dir);
		if (!made)
			return -ENOMEM;
	}
	return 0;
}

/* ---- the family ---- */

/*
 * Refuses a path that is the beginning of another file's path: it would also have to be a
 * directory.
 */
static int check_path(void *const *states, unsigned int n, const struct stp_probe *p)
{
	const char *path = point_of(p)->path;

	for (unsigned int i = 0; i < n; i++) {
		const struct stp_probe *other = ((struct procfs *)states[i])->probe;

		if (!is_below(point_of(other)->path, path, strlen(path)))
			continue;
		stp_setup_error("%s: '%s' is a directory, as %s needs it", p->pp, path, other->pp);
		return -ENOTDIR;
	}
	return 0;
}

/* Links the probes of one path to the first of them. */
static void link_paths(void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct procfs *f = states[i], **end;

		f->first = f;
		f->next = NULL;
		for (unsigned int k = 0; k < i && f->first == f; k++)
			if (!strcmp(point_of(((struct procfs *)states[k])->probe)->path,
				    point_of(f->probe)->path))
				f->first = ((struct procfs *)states[k])->first;
		for (end = &f->first->next; f->first != f && *end; end = &(*end)->next)
			;
		if (f->first != f)
			*end = f;
	}
}

static umode_t file_mode(const struct procfs *file)
{
	umode_t mode = 0;

	for (const struct procfs *f = file; f; f = f->next)
		mode |= (point_of(f->probe)->is_write ? 0222 : 0444) & ~point_of(f->probe)->umask;
	return mode;
}

/* Adds a file. Its owner is the user who started the script. */
static int file_add(void *const *states, unsigned int i)
{
	struct procfs *f = states[i];
	struct proc_dir_entry *entry;
	int ret;

	if (f->first != f)
		return 0;
	ret = dirs_make(states, i);
	if (ret)
		return ret;
	entry = proc_create_data(point_of(f->probe)->path, file_mode(f), base, &file_ops, f);
	if (!entry)
		return -ENOMEM;
	proc_set_user(entry, current_uid(), current_gid());
	return 0;
}

/*
 * Removes the files. The kernel waits for calls that read or write a file, and a
 * program's memory can delay those.
 */
static void run_remove(void)
{
	proc_remove(base);
	base = NULL;
}

static void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	static struct stp_removal removal = { .run = run_remove };

	stp_deferral_remove(&removal, "a file of the script's below /proc/" SHARED_DIR " is");
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret = 0;

	for (unsigned int i = 0; i < n; i++)
		((struct procfs *)states[i])->probe = probes[i];
	for (unsigned int i = 0; i < n && !ret; i++)
		ret = check_path(states, n, probes[i]);
	if (ret)
		return ret;
	link_paths(states, n);
	ret = base_make();
	for (unsigned int i = 0; i < n && !ret; i++)
		ret = file_add(states, i);
	if (ret) {
		stp_setup_error("%s: its file cannot be made below /proc/" SHARED_DIR " (error %d)",
				probes[0]->pp, -ret);
		remove(probes, states, n);
	}
	return ret;
}

const struct stp_family stp_family_procfs = {
	.name = "procfs",
	.state_size = sizeof(struct procfs),
	.is_of_script = true,
	.add = add,
	.remove = remove,
};
