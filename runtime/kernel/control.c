/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/stap-MODULE: ctl, ring.N, formats, probes, books, about, switch, owner, state;
 * uapi/msg.h describes them. procfs exists on every machine, and lockdown does not close
 * it.
 *
 * Locks: `lock` orders start and stop. Rings are read without it (ringfile.c), because
 * `end` waits for its output to be read while stop holds it. An open file holds the
 * module (procfile.h), so the files can go only when nobody has them open.
 *
 * The directory belongs to the module alone: procfs has no call that creates a shared
 * directory only if it does not exist.
 *
 * A running script holds its own module: rmmod by name cannot remove a module that
 * somebody has started.
 */
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "api.h"
#include "core/port.h"
#include "core/session.h"
#include "kernel/control.h"
#include "kernel/deferral.h"
#include "kernel/procfile.h"
#include "kernel/ringfile.h"
#include "kernel/target.h"
#include "kernel/throttle.h"

static struct control {
	struct proc_dir_entry *dir;
	struct mutex lock;
	atomic_t open;
	atomic_t seen_state; /* poll() reports a change */
	bool kept;	     /* the run continues without a reader */
	bool held;	     /* the script holds the module; under lock */
	struct pid *loader;  /* the process that has loaded the module, and removes it */
	wait_queue_head_t wait;
	struct work_struct abandon; /* ends the run after the reader has gone */
} control = {
	.lock = __MUTEX_INITIALIZER(control.lock),
	.wait = __WAIT_QUEUE_HEAD_INITIALIZER(control.wait),
};

static void reader_wake(struct irq_work *work)
{
	wake_up_interruptible(&control.wait);
}

static DEFINE_IRQ_WORK(wake_work, reader_wake);

/* wake_up() is not called here: the probed code may hold the scheduler's locks. */
void port_wake_reader(void)
{
	irq_work_queue(&wake_work);
}

bool stp_control_is_open(void)
{
	return atomic_read(&control.open);
}

/*
 * Sleeping handlers run in the reader's own process: if it is being killed, nobody will
 * read any more.
 */
bool port_reader_present(void)
{
	return atomic_read(&control.open) && !fatal_signal_pending(current);
}

static bool session_is_running(void)
{
	enum stp_state state = stp_session_state();

	return state != STP_LOADED && state != STP_STOPPED;
}

/* Ends a run after its probes are removed; under lock. */
static __cold void run_release(void)
{
	stp_throttle_end();
	if (control.held)
		module_put(THIS_MODULE);
	control.held = false;
}

static __cold void run_end(void)
{
	mutex_lock(&control.lock);
	if (session_is_running())
		stp_session_stop(false);
	run_release();
	mutex_unlock(&control.lock);
}

static void run_abandon(struct work_struct *work)
{
	run_end();
}

/* ---- ctl ---- */

static __cold int ctl_open(struct inode *inode, struct file *file)
{
	if (atomic_cmpxchg(&control.open, 0, 1))
		return -EBUSY;
	if (procfile_hold()) {
		atomic_set_release(&control.open, 0);
		return -ENODEV;
	}
	return nonseekable_open(inode, file);
}

static __cold int ctl_release(struct inode *inode, struct file *file)
{
	bool kept = READ_ONCE(control.kept);

	atomic_set_release(&control.open, 0);
	/*
	 * Removing many probes takes a long time; an exiting process should not wait for
	 * it.
	 */
	if (!kept && session_is_running())
		schedule_work(&control.abandon);
	procfile_let_go();
	return 0;
}

static bool some_ring_is_filling(void)
{
	for (unsigned int i = 0; i < stp_session_nrings(); i++) {
		struct stp_ring *r = stp_session_ring(i);

		if (r && r->wake_level && stp_ring_fill(r) >= r->wake_level)
			return true;
	}
	return false;
}

static __poll_t ctl_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &control.wait, table);
	if (stp_session_state() != atomic_read(&control.seen_state) || some_ring_is_filling())
		return EPOLLIN | EPOLLRDNORM;
	return 0;
}

static __cold long ioctl_hello(void __user *arg)
{
	struct stp_ring *ring = NULL;
	struct stp_hello hello = {
		.abi = STP_ABI,
		.nrings = stp_session_nrings(),
		.nformats = stp_script.nformats,
		.nprobes = stp_script.nprobes,
		.runs_commands = stp_script.runs_commands,
	};

	for (unsigned int i = 0; i < hello.nrings && !ring; i++)
		ring = stp_session_ring(i);
	if (ring)
		hello.ring_bytes = ring->size;
	return copy_to_user(arg, &hello, sizeof(hello)) ? -EFAULT : 0;
}

/* Starts the run; under lock. */
static __cold int run_start(struct control *c, struct stp_start *start)
{
	int64_t target = stp_process_number(start->target);
	int ret;

	if (target < 0) {
		snprintf(start->error, sizeof(start->error), "process %lld has ended",
			 start->target);
		return -ESRCH;
	}
	if (stp_session_state() == STP_LOADED) /* otherwise handlers may be reading it */
		stp_session_prepare(start);
	ret = stp_session_start(target, start->error, sizeof(start->error));
	if (ret)
		return ret;
	atomic_set(&c->seen_state, STP_RUNNING);
	WRITE_ONCE(c->kept, start->keep);
	__module_get(THIS_MODULE); /* ctl is open */
	c->held = true;
	return 0;
}

static __cold long ioctl_start(void __user *arg)
{
	struct stp_start start;
	struct control *c = port_address(control);
	int ret;

	if (copy_from_user(&start, arg, sizeof(start)))
		return -EFAULT;
	if (start.on_full >= STP_ON_FULL_COUNT)
		return -EINVAL;
	start.error[0] = 0;
	if (mutex_lock_killable(&c->lock))
		return -EINTR;
	ret = run_start(c, &start);
	mutex_unlock(&c->lock);
	if (!ret)
		return 0;
	if (!start.error[0])
		snprintf(start.error, sizeof(start.error), "the module could not start (error %d)",
			 -ret);
	return copy_to_user(arg, &start, sizeof(start)) ? -EFAULT : -ECANCELED;
}

static __cold long ioctl_stop(void __user *arg)
{
	if (mutex_lock_killable(&control.lock))
		return -EINTR;
	stp_session_stop(true);
	run_release();
	mutex_unlock(&control.lock);
	return 0;
}

static __cold long ioctl_detach(void __user *arg)
{
	if (!session_is_running())
		return -ENOENT;
	WRITE_ONCE(control.kept, true);
	return 0;
}

static __cold long ioctl_status(void __user *arg)
{
	struct stp_status status = { 0 };

	stp_books_status(&status);
	status.kept = READ_ONCE(control.kept);
	atomic_set(&control.seen_state, status.state);
	return copy_to_user(arg, &status, sizeof(status)) ? -EFAULT : 0;
}

/* The requesting process becomes the reader: after an attach it is another one. */
static long ioctl_horizon(void __user *arg)
{
	uint64_t horizon = stp_session_horizon();

	stp_session_set_reader();
	return copy_to_user(arg, &horizon, sizeof(horizon)) ? -EFAULT : 0;
}

static const struct {
	unsigned int command;
	long (*run)(void __user *arg);
} ioctls[] = {
	{ STP_IOC_HELLO, ioctl_hello },	    { STP_IOC_START, ioctl_start },
	{ STP_IOC_STOP, ioctl_stop },	    { STP_IOC_STATUS, ioctl_status },
	{ STP_IOC_HORIZON, ioctl_horizon }, { STP_IOC_DETACH, ioctl_detach },
};

/* Passes a request to the parts that the script uses. */
static long parts_ioctl(unsigned int command, unsigned long arg)
{
	long ret = -ENOTTY;

	for (unsigned int i = 0; i < stp_script.nparts && ret == -ENOTTY; i++)
		if (stp_script.parts[i]->control)
			ret = stp_script.parts[i]->control(command, arg);
	return ret;
}

static long ctl_ioctl(struct file *file, unsigned int command, unsigned long arg)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(ioctls); i++)
		if (ioctls[i].command == command)
			return ioctls[i].run((void __user *)arg);
	return parts_ioctl(command, arg);
}

static const struct proc_ops ctl_ops = {
	.proc_open = ctl_open,
	.proc_release = ctl_release,
	.proc_poll = ctl_poll,
	.proc_ioctl = ctl_ioctl,
	.proc_lseek = noop_llseek,
};

/* ---- formats, probes, books, about, owner, state ---- */

/* A text needs no more than this for most probes. */
#define TEXT_PROBE_BYTES 96

static __cold int formats_show(struct seq_file *m, void *unused)
{
	for (unsigned int i = 0; i < stp_script.nformats; i++) {
		const struct stp_format *f = &stp_script.formats[i];

		seq_write(m, &f->len, sizeof(f->len));
		seq_write(m, f->text, f->len);
	}
	for (unsigned int i = 0; i < stp_script.nformats; i++) {
		const char *fields = stp_script.formats[i].fields ?: "";
		u32 len = strlen(fields);

		seq_write(m, &len, sizeof(len));
		seq_write(m, fields, len);
	}
	return 0;
}

static __cold int probes_show(struct seq_file *m, void *unused)
{
	for (unsigned int i = 0; i < stp_script.nprobes; i++) {
		u32 len = strlen(stp_script.probes[i].pp);

		seq_write(m, &len, sizeof(len));
		seq_write(m, stp_script.probes[i].pp, len);
	}
	return 0;
}

static __cold void text_line(void *m, const char *text)
{
	size_t len = strlen(text);

	seq_write(m, text, len);
	if (!len || text[len - 1] != '\n')
		seq_write(m, "\n", 1);
}

static __cold int books_show(struct seq_file *m, void *unused)
{
	stp_books_write(text_line, m);
	return 0;
}

static __cold int about_show(struct seq_file *m, void *unused)
{
	stp_about_write(text_line, m);
	return 0;
}

/*
 * An ended process will not remove anything, even if its parent has not waited for it
 * yet.
 */
static __cold bool loader_is_there(void)
{
	const struct task_struct *task;
	bool there;

	rcu_read_lock();
	task = pid_task(control.loader, PIDTYPE_TGID);
	there = task && !READ_ONCE(task->exit_state);
	rcu_read_unlock();
	return there;
}

static __cold int state_show(struct seq_file *m, void *unused)
{
	enum stp_state state = stp_session_state();
	bool is_read = atomic_read(&control.open);
	bool is_kept = READ_ONCE(control.kept);
	bool is_left = !is_read && !(is_kept && session_is_running()) && !loader_is_there();

	seq_printf(m, "%d %d %d %d\n", state, is_kept, is_read, is_left);
	return 0;
}

static __cold int owner_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%u %llu\n", stp_owner, stp_session_memory());
	return 0;
}

/*
 * The file's data is the function that writes the text. A text that does not fit is
 * written again, into a buffer of twice the size; a script with many probes gets a large
 * buffer from the beginning.
 */
static __cold int text_open(struct inode *inode, struct file *file)
{
	size_t room = PAGE_SIZE + TEXT_PROBE_BYTES * (size_t)stp_script.nprobes;
	int ret = procfile_hold();

	if (ret)
		return ret;
	ret = single_open_size(file, compat_pde_data(inode), NULL, room);
	if (ret)
		procfile_let_go();
	return ret;
}

static __cold int text_release(struct inode *inode, struct file *file)
{
	single_release(inode, file);
	procfile_let_go();
	return 0;
}

static const struct proc_ops text_ops = {
	.proc_open = text_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = text_release,
};

static const struct {
	const char *name;
	int (*show)(struct seq_file *m, void *unused);
} texts[] = {
	{ "formats", formats_show }, { "probes", probes_show }, { "books", books_show },
	{ "about", about_show },     { "owner", owner_show },	{ "state", state_show },
};

/* ---- switch ---- */

static __cold ssize_t switch_write(struct file *file, const char __user *buf, size_t size,
				   loff_t *at)
{
	char request[24] = "";
	bool ok;

	if (size >= sizeof(request))
		return -EINVAL;
	if (copy_from_user(request, buf, size))
		return -EFAULT;
	if (mutex_lock_killable(&control.lock))
		return -EINTR;
	ok = session_is_running() && stp_session_switch(request);
	mutex_unlock(&control.lock);
	return ok ? (ssize_t)size : -EINVAL;
}

static __cold int switch_open(struct inode *inode, struct file *file)
{
	return procfile_hold() ?: nonseekable_open(inode, file);
}

static __cold int switch_release(struct inode *inode, struct file *file)
{
	procfile_let_go();
	return 0;
}

static const struct proc_ops switch_ops = {
	.proc_open = switch_open,
	.proc_release = switch_release,
	.proc_write = switch_write,
	.proc_lseek = noop_llseek,
};

/* ---- the directory ---- */

static int create_files(struct control *c)
{
	int ret = stp_ringfile_create(c->dir);

	for (unsigned int i = 0; i < ARRAY_SIZE(texts) && !ret; i++)
		if (!proc_create_data(texts[i].name, 0400, c->dir, &text_ops, texts[i].show))
			ret = -ENOMEM;
	if (!ret && stp_script.snapshot_reader)
		ret = stp_script.snapshot_reader->create_file(c->dir);
	if (!ret && (!proc_create("ctl", 0600, c->dir, &ctl_ops) ||
		     !proc_create("switch", 0200, c->dir, &switch_ops)))
		ret = -ENOMEM;
	return ret;
}

int stp_control_create(void)
{
	struct control *c = port_address(control);
	char *name = kasprintf(GFP_KERNEL, STP_PROC_PREFIX "%s", THIS_MODULE->name);
	int ret;

	INIT_WORK(&c->abandon, run_abandon);
	if (name)
		c->dir = proc_mkdir_mode(name, 0500, NULL);
	kfree(name);
	if (!c->dir)
		return -ENOMEM;
	c->loader = get_pid(task_tgid(current));
	ret = create_files(c);
	if (!ret)
		return 0;
	proc_remove(c->dir);
	stp_ringfile_destroy();
	put_pid(c->loader);
	return ret;
}

void stp_control_destroy(void)
{
	proc_remove(control.dir);
	cancel_work_sync(&control.abandon);
	run_end();
	irq_work_sync(&wake_work);
	stp_deferral_flush();
	put_pid(control.loader);
	stp_ringfile_destroy();
}
