/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process("p").function and similar points: breakpoints that the kernel keeps in every
 * process that maps the file, now and later. Handlers run in the process, on its way
 * through the breakpoint.
 *
 * The values that a return probe saves at entry wait in a table of the point
 * (call_table.h).
 *
 * The breakpoint of such a probe has two consumers, one for the entry and one for the
 * return. In kernels from 6.13 on, a single consumer of both is a "session". With two
 * sessions at a place (of two scripts, for example), these kernels free the sessions'
 * data twice if the program forks in between: see extra_consumers in struct
 * return_instance.
 */
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "api.h"
#include "arch_call.h"
#include "arch_instruction.h"
#include "arch_nops.h"
#include "compat/pages.h"
#include "compat/uprobe.h"
#include "core/session.h"
#include "kernel/file.h"
#include "kernel/target.h"
#include "probe/call_table.h"
#include "probe/points.h"

#define ANCESTORS 64 /* generations */
#define CODE_SIZE 16 /* bytes; the longest instruction has 15, a marker 11 */

struct uprobe_point;

struct hook {
	struct uprobe_consumer consumer;
	uint64_t offset; /* in the file */
	compat_uprobe handle;
	struct uprobe_point *point;
};

struct uprobe_point {
	const struct stp_probe *probe;
	struct stp_file file;
	struct stp_file program; /* of the wanted processes; empty: all */
	struct hook hit;
	struct hook call; /* `hit` found it in `calls`, at the return */
	struct call_table calls;
	/* The return instructions of a function share the table of the first. */
	struct uprobe_point *keeper;
	uint64_t offset;	 /* of the breakpoint in the file */
	int64_t pid;		 /* stp_process_number() of the point's process */
	uint8_t code[CODE_SIZE]; /* of the file, at the breakpoint */
	unsigned int code_size;
	const struct task_struct *adder;     /* while breakpoints are put into processes */
	unsigned int nchanged;		     /* … number of processes with other code there, */
	pid_t changed;			     /* … one of them; 0: unknown */
	struct arch_instruction instruction; /* that handlers perform, if any */
	unsigned int behind;		     /* bytes from the marker to its breakpoint */
	bool is_plain;			     /* neither callers nor counters are named */
	bool is_prepared;		     /* only hooks are missing */
};

static const struct stp_point_uprobe *point_of(const struct stp_probe *p)
{
	return p->point;
}

/* ---- hits ---- */

/*
 * True: the process runs the program that the point names. Hits in a library's code count
 * only in such processes.
 */
static bool is_running(const struct uprobe_point *u, const struct mm_struct *mm)
{
	return !u->program.inode || u->program.inode == stp_program_of(mm);
}

static bool is_wanted(const struct uprobe_point *u)
{
	return is_running(u, current->mm) && stp_is_meant(current, u->pid);
}

static struct uprobe_point *point_by(struct uprobe_consumer *c)
{
	return container_of(c, struct hook, consumer)->point;
}

/* ---- code that is not the file's ---- */

/*
 * The kernel runs the file's instruction in place of the one that the breakpoint covers,
 * and puts the file's back when the probe is removed. A process that has changed its code
 * (a patch of a running program, relocations in code) would crash: it gets no breakpoint.
 *
 * Addresses at which files were last found mapped, by process and file: these are hints,
 * which are verified.
 */
#define HINTS 256 /* a power of 2 */
static unsigned long hints[HINTS];

static unsigned long *hint_of(const struct mm_struct *mm, const struct inode *inode)
{
	return &hints[hash_long((unsigned long)mm ^ (unsigned long)inode, ilog2(HINTS))];
}

/* Returns the address of the file's offset in that area; 0: not there, or not code. */
static unsigned long address_in(const struct vm_area_struct *vma, const struct inode *inode,
				uint64_t offset)
{
	uint64_t begin;

	if (!vma || !vma->vm_file || file_inode(vma->vm_file) != inode ||
	    !(vma->vm_flags & VM_EXEC))
		return 0;
	begin = (uint64_t)vma->vm_pgoff << PAGE_SHIFT;
	return offset >= begin && offset - begin < vma->vm_end - vma->vm_start
		       ? vma->vm_start + (offset - begin)
		       : 0;
}

/* Finds the area with the file's offset. Called with mm's lock held. */
static struct vm_area_struct *find_area(struct mm_struct *mm, const struct inode *inode,
					uint64_t offset, unsigned long *address)
{
	unsigned long *hint = hint_of(mm, inode);
	struct vm_area_struct *vma = find_vma(mm, READ_ONCE(*hint) + offset);

	*address = address_in(vma, inode, offset);
	for (unsigned long at = 0; !*address; at = vma->vm_end) {
		vma = find_vma(mm, at);
		if (!vma)
			return NULL;
		*address = address_in(vma, inode, offset);
	}
	WRITE_ONCE(*hint, *address - offset);
	return vma;
}

/* Breakpoints and calls, whoever put them there, count as the file's code. */
static bool is_same_code(const uint8_t *file, const uint8_t *memory, unsigned int size)
{
	const uprobe_opcode_t breakpoint = UPROBE_SWBP_INSN;
	unsigned int step;

	for (unsigned int i = 0; i + sizeof(breakpoint) <= size; i += step) {
		step = arch_nop_rewritten(file + i, memory + i, size - i);
		if (step)
			continue;
		step = sizeof(breakpoint);
		if (memcmp(file + i, memory + i, step) && memcmp(&breakpoint, memory + i, step))
			return false;
	}
	return true;
}

/*
 * True: the process has the file's code where the point is. Called with mm's lock held.
 */
static bool has_code(const struct uprobe_point *u, struct mm_struct *mm)
{
	unsigned long address;
	const struct vm_area_struct *vma = find_area(mm, u->file.inode, u->offset, &address);
	struct page *page;
	bool is_same = true;

	if (!vma || !vma->anon_vma || compat_page_get(mm, address, &page) != 1)
		return true;
	if (PageAnon(page)) {
		const uint8_t *code = kmap_local_page(page);
		unsigned int at = offset_in_page(address);

		is_same = is_same_code(u->code, code + at,
				       min_t(unsigned int, u->code_size, PAGE_SIZE - at));
		kunmap_local(code);
	}
	put_page(page);
	return is_same;
}

/*
 * Keeps breakpoints out of unwanted processes, which would pay for each. mm->owner tells
 * the owner of the memory; without it, only the handler can decide.
 */
static bool is_meant(const struct uprobe_point *u, struct mm_struct *mm)
{
	bool wanted = true;

	if (mm == current->mm)
		return is_wanted(u);
	if (!is_running(u, mm))
		return false;
#ifdef CONFIG_MEMCG
	rcu_read_lock();
	if (rcu_dereference(mm->owner))
		wanted = stp_is_meant(rcu_dereference(mm->owner), u->pid);
	rcu_read_unlock();
#endif
	return wanted;
}

static pid_t pid_of(struct mm_struct *mm)
{
	pid_t pid = 0;

#ifdef CONFIG_MEMCG
	rcu_read_lock();
	if (rcu_dereference(mm->owner))
		pid = task_tgid_nr(rcu_dereference(mm->owner));
	rcu_read_unlock();
#endif
	return pid;
}

static bool filter(struct uprobe_consumer *c COMPAT_UPROBE_WHY, struct mm_struct *mm)
{
	struct uprobe_point *u = point_by(c);

	if (!is_meant(u, mm))
		return false;
	if (has_code(u, mm))
		return true;
	if (current == READ_ONCE(u->adder)) {
		u->nchanged++;
		u->changed = pid_of(mm);
	}
	return false;
}

static bool is_caller(const struct uprobe_point *u, unsigned long point, unsigned long address)
{
	const struct stp_point_uprobe *p = point_of(u->probe);

	for (unsigned int i = 0; i < p->ncallers; i++)
		if (address > point + p->callers[i].begin && address <= point + p->callers[i].end)
			return true;
	return false;
}

/*
 * At an entry the return address is known, unless a return probe has replaced it: then
 * the task's newest return instance has it.
 */
static bool is_called_from(const struct uprobe_point *u, struct pt_regs *regs)
{
	unsigned long address, sp = user_stack_pointer(regs), point = instruction_pointer(regs);
	const struct uprobe_task *task = current->utask;

	if (!point_of(u->probe)->ncallers)
		return true;
	if (!arch_user_return_address(regs, &address))
		return false;
	return is_caller(u, point, address) ||
	       (task && task->return_instances && task->return_instances->stack == sp &&
		is_caller(u, point, task->return_instances->orig_ret_vaddr));
}

/*
 * Reads the counters; NULL: the script uses none. Handlers cannot wait for the kernel's
 * counters; here a task can.
 */
static const int64_t *counters_read(const struct uprobe_point *u, int64_t *values)
{
	const struct stp_point_uprobe *p = point_of(u->probe);

	for (unsigned int i = 0; i < p->ncounters; i++)
		values[i] = p->counters[i].read(p->counters[i].number);
	return p->ncounters ? values : NULL;
}

/*
 * Performs the instruction below the breakpoint and moves past it: the kernel need not
 * single-step over it. Other consumers of the place would see the new registers, so this
 * is not done if there are any.
 */
static void do_instruction(const struct uprobe_point *u, const struct hook *hook,
			   struct pt_regs *regs)
{
	const struct hook *second = hook == &u->hit ? &u->call : &u->hit;

	if (u->instruction.length && compat_uprobe_alone(&hook->consumer, &second->consumer))
		arch_instruction_do(&u->instruction, regs);
}

/*
 * Out of line: an array on the stack would cost every hit, even if nobody reads counters.
 */
static noinline void entry_hit_counted(struct uprobe_point *u, struct pt_regs *regs)
{
	int64_t values[STP_COUNTERS];

	if (is_called_from(u, regs))
		u->probe->hit(u->probe, regs, counters_read(u, values), NULL);
}

static int entry_hit(struct uprobe_consumer *c, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uprobe_point *u = point_by(c);
	bool wanted = is_wanted(u);

	/* A marker's arguments may be at a distance from the marker. */
	if (u->behind)
		instruction_pointer_set(regs, instruction_pointer(regs) - u->behind);
	if (wanted && likely(u->is_plain))
		u->probe->hit(u->probe, regs, NULL, NULL);
	else if (wanted)
		entry_hit_counted(u, regs);
	if (u->behind)
		instruction_pointer_set(regs, instruction_pointer(regs) + u->behind);
	do_instruction(u, &u->hit, regs);
	return 0;
}

/* Begins a call, or counts one whose return the kernel will miss. */
static int call_hit(struct uprobe_consumer *c, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uprobe_point *u = point_by(c);
	bool is_too_deep = compat_uprobe_is_too_deep();
	struct call *call = NULL;
	int64_t values[STP_COUNTERS];

	if ((is_too_deep || u->calls.places) && is_wanted(u) && is_called_from(u, regs)) {
		if (is_too_deep)
			atomic64_inc(&u->calls.nmissed);
		else
			call = call_begin(&u->calls, user_stack_pointer(regs));
	}
	if (call && u->probe->enter &&
	    !u->probe->enter(u->probe, regs, counters_read(u, values), call->saved))
		call_end(call);
	do_instruction(u, &u->call, regs);
	return 0;
}

/* Finds the call that returns. */
static struct call *call_returned(struct uprobe_point *u, struct pt_regs *regs)
{
	unsigned long stacks[2];
	unsigned int n = arch_entry_stacks(regs, stacks);
	struct call *call = call_find(&u->calls, stacks[0]);

	return call || n == 1 ? call : call_find(&u->calls, stacks[1]);
}

/* Runs the handler of a return; call: it has no place in the table if NULL. */
static int return_handle(struct uprobe_point *u, struct call_table *table, struct pt_regs *regs,
			 struct call *call)
{
	int64_t values[STP_COUNTERS];

	if (!call) {
		call_return_unknown(table);
		return 0;
	}
	u->probe->hit(u->probe, regs, counters_read(u, values), call->saved);
	call_end(call);
	return 0;
}

static int return_hit(struct uprobe_consumer *c, unsigned long function,
		      struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uprobe_point *u = point_by(c);
	int64_t values[STP_COUNTERS];

	if (!is_wanted(u))
		return 0;
	if (!u->calls.places) {
		u->probe->hit(u->probe, regs, counters_read(u, values), NULL);
		return 0;
	}
	return return_handle(u, &u->calls, regs, call_returned(u, regs));
}

/* ---- return instructions of functions that exceptions may leave ---- */

/* Exceptions and longjmp() leave calls behind: see call_table.h. */
static int site_call_hit(struct uprobe_consumer *c, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uprobe_point *u = point_by(c);
	struct call *call = is_wanted(u) ? call_begin(&u->calls, user_stack_pointer(regs)) : NULL;
	int64_t values[STP_COUNTERS];

	if (call && !u->probe->enter(u->probe, regs, counters_read(u, values), call->saved))
		call_end(call);
	do_instruction(u, &u->call, regs);
	return 0;
}

/* Returns the address that the instruction is about to return to. */
static unsigned long site_return_address(struct pt_regs *regs)
{
	unsigned long address, sp = user_stack_pointer(regs);
	const struct uprobe_task *task = current->utask;
	const struct return_instance *r = task ? task->return_instances : NULL;

	if (r && r->stack == sp)
		return r->orig_ret_vaddr;
	return arch_user_return_address(regs, &address) ? address : instruction_pointer(regs);
}

/* The handler sees the registers as they are after the return. */
static int site_hit(struct uprobe_consumer *c, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uprobe_point *u = point_by(c);
	unsigned long sp = user_stack_pointer(regs), address = instruction_pointer(regs);
	struct call *call = NULL;
	int64_t values[STP_COUNTERS];

	if (!is_wanted(u))
		return 0;
	if (u->keeper)
		call = call_find(&u->keeper->calls, sp);
	if ((call || !u->keeper) && is_called_from(u, regs)) {
		arch_user_return(regs, site_return_address(regs));
		u->probe->hit(u->probe, regs, counters_read(u, values), call ? call->saved : NULL);
		arch_user_return_undo(regs, address);
	}
	if (call)
		call_end(call);
	else if (u->keeper)
		call_return_unknown(&u->keeper->calls);
	return 0;
}

/* ---- returns of Go, with values of the entry ---- */

static int go_call_hit(struct uprobe_consumer *c, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uprobe_point *u = point_by(c);
	int64_t values[STP_COUNTERS];
	struct goroutine go;
	struct call *call;

	if (!is_wanted(u))
		return 0;
	if (!goroutine_find(regs, &go)) {
		atomic64_inc(&u->calls.nlost);
		return 0;
	}
	call = call_begin_in_go(&u->calls, &go);
	if (!u->probe->enter(u->probe, regs, counters_read(u, values), call->saved))
		call_end(call);
	return 0;
}

static int go_return_hit(struct uprobe_consumer *c, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uprobe_point *u = point_by(c);
	struct call_table *table = &u->keeper->calls;
	struct goroutine go;

	if (!is_wanted(u))
		return 0;
	return return_handle(u, table, regs,
			     goroutine_find(regs, &go) ? call_find_in_go(table, &go) : NULL);
}

/* ---- the family ---- */

static int refuse(struct uprobe_point *u, const char *why, int error)
{
	if (!point_of(u->probe)->optional) {
		stp_setup_error("%s: %s: %s", u->probe->pp, point_of(u->probe)->path, why);
		return error;
	}
	stp_setup_warning("%s: %s: %s; skipped", u->probe->pp, point_of(u->probe)->path, why);
	return 0;
}

/*
 * True: the file is the one that the script was made for. In another file, a breakpoint
 * may be in the middle of an instruction.
 */
static bool is_same_file(struct file *file, const struct stp_point_uprobe *p)
{
	return stp_file_is(file, p->size, p->id_offset, p->id, p->id_size);
}

/*
 * Finds the file of a point. Points of one file are consecutive, so it is opened once.
 * The inode is the one that programs map: for an overlay, that of the file below.
 */
static int find_file(struct uprobe_point *u, const struct uprobe_point *before)
{
	const struct stp_point_uprobe *p = point_of(u->probe);
	struct file *file;

	if (before && before->file.inode && !strcmp(point_of(before->probe)->path, p->path)) {
		stp_file_hold(&u->file, &before->file.path, before->file.inode);
		return u->file.inode ? 0 : -ENOENT;
	}
	file = stp_file_open(p->path);
	if (IS_ERR(file))
		return PTR_ERR(file);
	if (is_same_file(file, p))
		stp_file_hold(&u->file, &file->f_path, d_real_inode(file->f_path.dentry));
	filp_close(file, NULL);
	return u->file.inode ? 0 : -ESTALE;
}

/* Reads the file's bytes at the offset. Without them, processes are not checked. */
static void read_code_at(struct uprobe_point *u, uint64_t offset, struct file *file)
{
	loff_t at = offset;
	ssize_t n = kernel_read(file, u->code, sizeof(u->code), &at);

	u->offset = offset;
	u->code_size = n > 0 ? n : 0;
}

/*
 * Returns the instruction that handlers perform. At an entry whose return is probed, the
 * kernel looks for the return address after the handlers: the stack pointer stays.
 */
static struct arch_instruction instruction_of(const struct uprobe_point *u)
{
	struct arch_instruction ret = arch_instruction_read(u->code, u->code_size);

	if (point_of(u->probe)->is_return && arch_instruction_moves_stack(&ret))
		ret.length = 0;
	return ret;
}

/* Finds the place of the breakpoint, and the code there. */
static void read_code(struct uprobe_point *u)
{
	const struct stp_point_uprobe *p = point_of(u->probe);
	struct file *file = dentry_open(&u->file.path, O_RDONLY, current_cred());

	u->offset = p->offset;
	u->behind = 0;
	if (IS_ERR(file))
		return;
	read_code_at(u, p->offset, file);
	if (p->is_marker && compat_uprobe_calls_at_nop10())
		u->behind = arch_nop_behind(u->code, u->code_size);
	if (u->behind)
		read_code_at(u, p->offset + u->behind, file);
	if (compat_uprobe_moves())
		u->instruction = instruction_of(u);
	filp_close(file, NULL);
}

static int find_program(struct uprobe_point *u, const struct uprobe_point *before)
{
	const char *path = point_of(u->probe)->program;

	if (!path)
		return 0;
	if (before && before->program.inode && !strcmp(point_of(before->probe)->program, path))
		stp_file_hold(&u->program, &before->program.path, before->program.inode);
	else
		stp_program_find(path, &u->program);
	return u->program.inode ? 0 : -ENOENT;
}

static int hook_add(struct uprobe_point *u, struct hook *hook)
{
	const struct stp_point_uprobe *p = point_of(u->probe);

	hook->point = u;
	hook->consumer.filter = filter;
	hook->offset = p->entry && hook == &u->call ? p->entry : u->offset;
	return compat_uprobe_add(u->file.inode, hook->offset, p->semaphore, &hook->consumer,
				 &hook->handle);
}

static void hook_remove(struct uprobe_point *u, struct hook *hook)
{
	compat_uprobe_remove(u->file.inode, hook->offset, &hook->consumer, &hook->handle);
}

static int hooks_add(struct uprobe_point *u)
{
	bool is_return = point_of(u->probe)->is_return;
	int error;

	u->is_plain = !point_of(u->probe)->ncallers && !point_of(u->probe)->ncounters;
	u->hit.consumer.handler = is_return ? NULL : entry_hit;
	u->hit.consumer.ret_handler = is_return ? return_hit : NULL;
	u->call.consumer.handler = call_hit;
	if (point_of(u->probe)->at_site) {
		u->hit.consumer.handler = site_hit;
		u->call.consumer.handler = site_call_hit;
	} else if (u->keeper) {
		u->hit.consumer.handler = go_return_hit;
		u->call.consumer.handler = go_call_hit;
	}
	if (is_return && !u->calls.places && !compat_uprobe_has_sessions()) {
		u->hit.consumer.handler = call_hit;
		is_return = false; /* one consumer does both */
	}
	WRITE_ONCE(u->adder, current);
	error = hook_add(u, &u->hit);
	WRITE_ONCE(u->adder, NULL);
	if (error || !(u->calls.places || is_return))
		return error;
	error = hook_add(u, &u->call);
	if (error)
		hook_remove(u, &u->hit);
	return error;
}

/* Return probes with nothing to find at the return have no table. */
static int calls_create(struct uprobe_point *u, const struct uprobe_point *before)
{
	const struct stp_point_uprobe *p = point_of(u->probe);

	if (p->entry && u->probe->enter) {
		bool is_same = before && before->keeper &&
			       point_of(before->probe)->function == p->function;

		u->keeper = is_same ? before->keeper : u;
		if (is_same)
			return 0;
		u->calls.sees_returns = true;
		return call_table_create(&u->calls,
					 p->maxactive || p->at_site ? p->maxactive : CALLS_OF_GO,
					 p->nsaved, p->switches_stacks);
	}
	if (!p->is_return || !(u->probe->enter || p->ncallers))
		return 0;
	return call_table_create(&u->calls, p->maxactive, p->nsaved, p->switches_stacks);
}

/* Prepares the point for its breakpoint. A file that is not held was refused. */
static int point_prepare(struct uprobe_point *u, const struct uprobe_point *before)
{
	int error = find_file(u, before);

	if (error)
		return refuse(u,
			      error == -ESTALE ? "this is not the file that the script was "
						 "translated for; translate it again"
					       : "the file cannot be opened",
			      error);
	read_code(u);
	if (find_program(u, before))
		return refuse(u, "the program that uses it cannot be opened", -ENOENT);
	if (calls_create(u, before))
		return refuse(u, "no memory for the probe", -ENOMEM);
	u->pid = stp_process_number(point_of(u->probe)->pid);
	u->is_prepared = true;
	return 0;
}

static int point_add(struct uprobe_point *u)
{
	int error = u->is_prepared ? hooks_add(u) : 0;

	if (u->nchanged)
		stp_setup_warning("%s: process %d%s changed its code there, and would crash; "
				  "it is not probed",
				  u->probe->pp, u->changed,
				  u->nchanged > 1 ? " (and others) has" : " has");
	if (!error)
		return 0;
	return refuse(u,
		      error == -EINVAL ? "the kernel allows no probe there"
				       : "the kernel refuses a probe there",
		      error);
}

static void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct uprobe_point *u = states[i];

		if (!u->file.inode)
			continue;
		hook_remove(u, &u->call);
		hook_remove(u, &u->hit);
	}
	compat_uprobe_sync();
	for (unsigned int i = 0; i < n; i++) {
		struct uprobe_point *u = states[i];

		stp_file_release(&u->file);
		stp_file_release(&u->program);
		call_table_free(&u->calls);
	}
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret = 0;

	for (unsigned int i = 0; i < n; i++)
		((struct uprobe_point *)states[i])->probe = probes[i];
	for (unsigned int i = 0; i < n && !ret; i++)
		ret = point_prepare(states[i], i ? states[i - 1] : NULL);
	/*
	 * The kernel runs the consumers at one place from the last registered to the
	 * first.
	 */
	for (unsigned int i = n; i-- && !ret;)
		ret = point_add(states[i]);
	if (ret)
		remove(probes, states, n);
	return ret;
}

static uint64_t missed(const struct stp_probe *p, void *state)
{
	return atomic64_read(&((struct uprobe_point *)state)->calls.nmissed);
}

static uint64_t unreturned(const struct stp_probe *p, void *state)
{
	return call_table_unreturned(&((struct uprobe_point *)state)->calls);
}

static const char *type(const struct stp_probe *p)
{
	return point_of(p)->is_return ? "uretprobe" : "uprobe";
}

const struct stp_family stp_family_uprobe = {
	.name = "uprobe",
	.state_size = sizeof(struct uprobe_point),
	.add = add,
	.remove = remove,
	.missed = missed,
	.unreturned = unreturned,
	.type = type,
};
