/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rights. A table determines which words a walk reads. These reads are limited to the
 * process's memory and cannot fault, whatever the table contains; it is checked as a
 * whole before it is used. But a false table could lead a walk to any word of the
 * process. So the tables of a user other than root serve this user's own processes only
 * (is_own() of target.c): their memory is the user's to read. Files are noted under the
 * same condition: the reader gets them without searching directories that may be closed
 * to it. Only the mode of the file itself counts.
 */
#include "kernel/program_gathering.h"

#include <linux/cred.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/irq_work.h>
#include <linux/timekeeping.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "compat/openroot.h"
#include "core/session.h"
#include "kernel/control.h"
#include "kernel/program_mapping.h"
#include "kernel/target.h"
#include "uapi/msg.h"

#define FILES_MOST  256
#define TABLE_MOST  (16u << 20)	  /* bytes of one table */
#define TABLES_MOST (32ull << 20) /* of all */

#define MAP_TRIES_MOST 6		  /* to read one process's map */
#define MAP_FIRST_NS   (NSEC_PER_SEC / 4) /* before it is read again; then four times as long */

/*
 * The values that identify a file. Files are not held: their file systems can be
 * unmounted. A map belongs to a process: no device, the process's start time, its number
 * and program.
 */
struct identity {
	dev_t device;
	uint32_t generation;
	uint64_t inode, size;
};

enum {
	FREE,
	NOTING, /* a hit writes it */
	WANTED, /* the reader must get it */
	GIVEN,	/* the reader is getting it, or has it */
	SERVED, /* its table is here */
	REFUSED
};

struct gathered {
	int state;
	struct identity identity;
	struct file *file; /* valid while it is WANTED; */
	struct pid *pid;   /* … for a map, this */
	uint64_t near;	   /* and the address whose name was requested; */
	uint64_t noted_at; /* … when, how often */
	unsigned int tries;
	char path[PROGRAM_PATH_MOST];
	struct stp_program_module module;
	struct stp_program_view view;
};

static struct gathering {
	struct gathered *files; /* FILES_MOST */
	atomic_t taken;		/* number of places that are not FREE */
	uint32_t served;
	uint64_t room;	   /* bytes that tables may still take; under lock */
	struct mutex lock; /* orders requests of the reader */
	bool is_over;
	wait_queue_head_t wait;
} gathering = {
	.lock = __MUTEX_INITIALIZER(gathering.lock),
	.wait = __WAIT_QUEUE_HEAD_INITIALIZER(gathering.wait),
};

static void reader_call(struct irq_work *work)
{
	wake_up_interruptible(&gathering.wait);
}

static DEFINE_IRQ_WORK(call_work, reader_call);

/* ---- setting up ---- */

int program_gathering_create(void)
{
	gathering.files = kvcalloc(FILES_MOST, sizeof(*gathering.files), GFP_KERNEL);
	if (!gathering.files)
		return -ENOMEM;
	gathering.room = stp_session_take_some(TABLES_MOST);
	return 0;
}

static void table_free(struct stp_program_module *m)
{
	kvfree(m->table);
	kvfree(m->segments);
	m->table = NULL;
	m->segments = NULL;
}

void program_gathering_destroy(void)
{
	irq_work_sync(&call_work);
	for (unsigned int i = 0; gathering.files && i < FILES_MOST; i++) {
		struct gathered *g = &gathering.files[i];

		if (g->file)
			fput(g->file);
		put_pid(g->pid);
		table_free(&g->module);
	}
	kvfree(gathering.files);
	gathering.files = NULL;
}

void program_gathering_end(void)
{
	WRITE_ONCE(gathering.is_over, true);
	wake_up_interruptible(&gathering.wait);
}

/* ---- hits ---- */

bool program_gathering_serves(void)
{
	return !stp_owner || stp_is_own_process();
}

static struct identity identity_of(const struct file *file)
{
	const struct inode *inode = file_inode(file);

	return (struct identity){ inode->i_sb->s_dev, inode->i_generation, inode->i_ino,
				  i_size_read(inode) };
}

static bool is_same(const struct identity *a, const struct identity *b)
{
	return a->inode == b->inode && a->device == b->device && a->size == b->size &&
	       a->generation == b->generation;
}

static unsigned int files_taken(void)
{
	return min_t(unsigned int, atomic_read(&gathering.taken), FILES_MOST);
}

/* Two CPUs that find a file at the same time may both note it: then it is read twice. */
static bool is_asked_for(const struct identity *identity)
{
	for (unsigned int i = 0; i < files_taken(); i++) {
		const struct gathered *g = &gathering.files[i];

		if (smp_load_acquire(&g->state) > NOTING && is_same(&g->identity, identity))
			return true;
	}
	return false;
}

/* Takes a place; NULL: there is none. */
static struct gathered *place_take(const struct identity *identity)
{
	unsigned int place;

	if (!stp_control_is_open() || files_taken() == FILES_MOST)
		return NULL;
	place = atomic_inc_return(&gathering.taken) - 1;
	if (place >= FILES_MOST) {
		atomic_set(&gathering.taken, FILES_MOST);
		return NULL;
	}
	WRITE_ONCE(gathering.files[place].state, NOTING);
	gathering.files[place].identity = *identity;
	return &gathering.files[place];
}

static void place_call(struct gathered *g)
{
	smp_store_release(&g->state, WANTED);
	irq_work_queue(&call_work);
}

void program_gathering_note(struct file *file)
{
	struct identity identity = identity_of(file);
	struct gathered *g;

	if (!S_ISREG(file_inode(file)->i_mode) || is_asked_for(&identity))
		return;
	g = place_take(&identity);
	if (!g)
		return;
	g->file = get_file(file);
	program_mapping_put_path(file, g->path, sizeof(g->path));
	place_call(g);
}

static struct identity identity_of_process(void)
{
	return (struct identity){ 0, current->self_exec_id, current->group_leader->start_time,
				  current->tgid };
}

/* How often a process's map was read, and the result. */
struct map_reads {
	bool is_asked; /* it is being read */
	unsigned int tries;
	uint64_t last;		  /* when it was requested */
	struct gathered *refused; /* a place that may be used again, or NULL */
};

static struct map_reads map_reads_of(const struct identity *identity)
{
	struct map_reads reads = { false };

	for (unsigned int i = 0; i < files_taken(); i++) {
		struct gathered *g = &gathering.files[i];
		int state = smp_load_acquire(&g->state);

		if (state <= NOTING || !is_same(&g->identity, identity))
			continue;
		reads.is_asked |= state == WANTED || state == GIVEN;
		reads.tries += g->tries;
		reads.last = max(reads.last, g->noted_at);
		if (state == REFUSED)
			reads.refused = g;
	}
	return reads;
}

void program_gathering_note_map(uint64_t address)
{
	struct identity identity = identity_of_process();
	struct map_reads reads = map_reads_of(&identity);
	uint64_t now = ktime_get_mono_fast_ns();
	struct gathered *g = reads.refused;

	if (reads.is_asked || reads.tries >= MAP_TRIES_MOST || files_taken() > FILES_MOST / 2 ||
	    (reads.tries && now - reads.last < MAP_FIRST_NS << 2 * (reads.tries - 1)))
		return;
	if (!g || cmpxchg(&g->state, REFUSED, NOTING) != REFUSED)
		g = place_take(&identity);
	if (!g)
		return;
	g->noted_at = now;
	g->near = address;
	g->tries++;
	if (!g->pid)
		g->pid = get_pid(task_tgid(current));
	place_call(g);
}

uint32_t program_gathering_count(void)
{
	return smp_load_acquire(&gathering.served);
}

/* Finds the latest table: maps are read several times. */
static bool find_served(const struct identity *identity, unsigned int *number,
			const struct stp_program_module **module,
			const struct stp_program_view **view)
{
	for (unsigned int i = files_taken(); i--;) {
		const struct gathered *g = &gathering.files[i];

		if (smp_load_acquire(&g->state) != SERVED || !is_same(&g->identity, identity))
			continue;
		*number = i;
		*module = &g->module;
		*view = &g->view;
		return true;
	}
	return false;
}

bool program_gathering_find(const struct file *file, unsigned int *number,
			    const struct stp_program_module **module,
			    const struct stp_program_view **view)
{
	struct identity identity = identity_of(file);

	return find_served(&identity, number, module, view);
}

bool program_gathering_find_map(unsigned int *number, const struct stp_program_module **module,
				const struct stp_program_view **view)
{
	struct identity identity = identity_of_process();

	return find_served(&identity, number, module, view);
}

bool program_gathering_has(const char *path)
{
	for (unsigned int i = 0; i < files_taken(); i++)
		if (gathering.files[i].state == SERVED && !strcmp(gathering.files[i].path, path))
			return true;
	return false;
}

/* ---- passing a file to the reader ---- */

static struct gathered *next_wanted(void)
{
	for (unsigned int i = 0; i < files_taken(); i++)
		if (smp_load_acquire(&gathering.files[i].state) == WANTED)
			return &gathering.files[i];
	return NULL;
}

/* Finds the root directory of a process; false: it has ended. */
static bool root_of(struct task_struct *task, struct path *ret)
{
	bool found = false;

	task_lock(task);
	if (task->fs) {
		get_fs_root(task->fs, ret);
		found = true;
	}
	task_unlock(task);
	return found;
}

/* Opens a map below the process's root, if it belongs to the process's user. */
static struct file *open_below(struct task_struct *task, const struct path *root, const char *name)
{
	struct file *file = compat_open_below(
		root, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_LARGEFILE | O_CLOEXEC);
	kuid_t user;

	if (IS_ERR(file))
		return file;
	rcu_read_lock();
	user = __task_cred(task)->euid;
	rcu_read_unlock();
	if (S_ISREG(file_inode(file)->i_mode) && uid_eq(file_inode(file)->i_uid, user))
		return file;
	fput(file);
	return ERR_PTR(-EPERM);
}

/* The name has the process's number in its own namespace. */
static struct file *open_map(struct gathered *g)
{
	struct task_struct *task = get_pid_task(g->pid, PIDTYPE_TGID);
	struct file *file = ERR_PTR(-ESRCH);
	struct path root;

	if (!task)
		return file;
	snprintf(g->path, sizeof(g->path), "/tmp/perf-%d.map",
		 pid_nr_ns(g->pid, ns_of_pid(g->pid)));
	if (root_of(task, &root)) {
		file = open_below(task, &root, g->path + 1);
		path_put(&root);
	}
	put_task_struct(task);
	return file;
}

/* Opens the file again, with the reader's rights. */
static struct file *open_again(struct gathered *g)
{
	struct file *file;

	if (g->pid)
		return open_map(g);
	file = dentry_open(&g->file->f_path, O_RDONLY | O_LARGEFILE | O_CLOEXEC, current_cred());

	fput(g->file);
	g->file = NULL;
	return file;
}

/* Gives a file to the reader; under lock. */
static long give(struct gathered *g, void __user *arg)
{
	struct stp_gather answer = { .ticket = g - gathering.files,
				     .is_map = !!g->pid,
				     .is_mangled = stp_script.is_mangled,
				     .near = g->near };
	struct file *file = open_again(g);

	if (IS_ERR(file))
		return PTR_ERR(file);
	answer.fd = get_unused_fd_flags(O_CLOEXEC);
	if (answer.fd < 0) {
		fput(file);
		return answer.fd;
	}
	strscpy(answer.path, g->path, sizeof(answer.path));
	if (copy_to_user(arg, &answer, sizeof(answer))) {
		put_unused_fd(answer.fd);
		fput(file);
		return -EFAULT;
	}
	fd_install(answer.fd, file);
	return 0;
}

static long ioctl_gather(void __user *arg)
{
	struct gathered *g;
	long ret;

	if (wait_event_interruptible(gathering.wait, READ_ONCE(gathering.is_over) || next_wanted()))
		return -ERESTARTSYS;
	if (READ_ONCE(gathering.is_over))
		return -ENODATA;
	if (mutex_lock_killable(&gathering.lock))
		return -EINTR;
	g = next_wanted();
	if (g) {
		g->state = GIVEN;
		ret = give(g, arg);
		if (ret)
			smp_store_release(&g->state, REFUSED);
	} else {
		ret = -EAGAIN;
	}
	mutex_unlock(&gathering.lock);
	return ret;
}

/* ---- the reader's table ---- */

static int copy_segments(struct stp_program_module *m, const struct stp_table *t)
{
	const struct stp_table_segment __user *from = u64_to_user_ptr(t->segments);
	struct stp_program_segment *segments;
	struct stp_table_segment segment;

	if (!t->nsegments || t->nsegments > STP_TABLE_SEGMENTS)
		return -EINVAL;
	segments = kvcalloc(t->nsegments, sizeof(*segments), GFP_KERNEL);
	if (!segments)
		return -ENOMEM;
	m->segments = segments;
	m->nsegments = t->nsegments;
	for (unsigned int i = 0; i < t->nsegments; i++) {
		if (copy_from_user(&segment, &from[i], sizeof(segment)))
			return -EFAULT;
		segments[i] = (struct stp_program_segment){ segment.address, segment.offset,
							    segment.size };
	}
	return 0;
}

static int copy_table(struct gathered *g, const struct stp_table *t)
{
	void *table = vmemdup_user(u64_to_user_ptr(t->table), t->size);

	if (IS_ERR(table))
		return PTR_ERR(table);
	g->module.table = table;
	g->module.table_size = t->size;
	return stp_program_table_open(table, t->size, &g->view) ? 0 : -EINVAL;
}

/* Checks a table and publishes it; under lock. */
static long install(struct gathered *g, const struct stp_table *t)
{
	int error;

	if (t->size > TABLE_MOST || t->size > gathering.room)
		return -ENOSPC;
	g->module.path = g->path;
	g->module.size = g->identity.size;
	g->module.base = t->base;
	error = copy_segments(&g->module, t);
	if (!error)
		error = copy_table(g, t);
	if (error) {
		table_free(&g->module);
		return error;
	}
	gathering.room -= t->size;
	smp_store_release(&g->state, SERVED);
	smp_store_release(&gathering.served, gathering.served + 1);
	return 0;
}

/* Takes the reader's answer, which may be that there is no table; under lock. */
static long answer(struct gathered *g, const struct stp_table *t)
{
	long error = t->size ? install(g, t) : 0;

	if (error || !t->size)
		smp_store_release(&g->state, REFUSED);
	return error;
}

static long ioctl_table(void __user *arg)
{
	struct stp_table t;
	long ret = -EBADF;

	if (copy_from_user(&t, arg, sizeof(t)))
		return -EFAULT;
	if (mutex_lock_killable(&gathering.lock))
		return -EINTR;
	if (t.ticket < FILES_MOST && gathering.files[t.ticket].state == GIVEN)
		ret = answer(&gathering.files[t.ticket], &t);
	mutex_unlock(&gathering.lock);
	return ret;
}

long program_gathering_control(unsigned int command, unsigned long arg)
{
	switch (command) {
	case STP_IOC_GATHER:
		return ioctl_gather((void __user *)arg);
	case STP_IOC_TABLE:
		return ioctl_table((void __user *)arg);
	default:
		return -ENOTTY;
	}
}
