/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hits of functions: ftrace calls for entries, kprobes for places and for entries that
 * ftrace does not know, kretprobes for returns.
 */
#include "arch_call.h"
#include "compat/kretprobe.h"
#include "core/port.h"
#include "core/state.h"
#include "probe/function/function.h"

/*
 * Function for which a shared kretprobe begins on this CPU; NULL: the handler has noted
 * it.
 */
static DEFINE_PER_CPU(struct function *, beginning);

static bool is_caller(const void *ctx, unsigned long address)
{
	const struct function *f = ctx;
	const struct stp_point_function *point = point_of(f->probe);

	for (unsigned int i = 0; i < point->ncallers; i++)
		if (address > f->address + point->callers[i].begin &&
		    address <= f->address + point->callers[i].end)
			return true;
	return false;
}

/*
 * At an entry the return address of the function is known, unless a return probe has
 * replaced it already.
 */
static bool is_called_by_one(const struct function *f, const struct pt_regs *regs)
{
	return is_caller(f, arch_return_address(regs)) ||
	       compat_kretprobe_returns(arch_call_frame(regs), is_caller, f);
}

static bool is_called_from(const struct function *f, const struct pt_regs *regs)
{
	return !point_of(f->probe)->ncallers || is_called_by_one(f, regs);
}

/*
 * Begins an instance. The kernel counts calls that find no free instance, but not per
 * function. Such a call is recognised because its handler has not run.
 */
static void instance_begin(struct function *f, struct function *hub, struct pt_regs *regs)
{
	if (likely(!is_shared(hub))) {
		function_symbols.kretprobe_begins(&hub->rp.kp, regs);
		return;
	}
	__this_cpu_write(beginning, f);
	function_symbols.kretprobe_begins(&hub->rp.kp, regs);
	if (unlikely(__this_cpu_read(beginning)))
		f->nmissed++;
}

/* True: a kprobe other than that of the function's entry is being handled on this CPU. */
static __always_inline bool is_in_kprobe(const struct function *f)
{
	return unlikely(*this_cpu_ptr(function_symbols.running_kprobe)) && f->is_traced;
}

/*
 * Does the work of kprobes at the entry of a return probe. The return probe must not
 * begin while any kprobe, even of others, is being handled: the code at the return ends
 * that kprobe's claim to the CPU. Nor must it begin while another return probe begins,
 * because functions called by that may also have a return probe.
 */
static noinline void return_begin(struct function *f, struct pt_regs *regs)
{
	unsigned long flags = port_irq_save();
	struct stp_cpu *cpu = stp_cpu_here();

	if (is_in_kprobe(f) || unlikely(cpu->hooking)) {
		f->nmissed++;
	} else {
		WRITE_ONCE(cpu->hooking, 1);
		barrier();
		instance_begin(f, f->hub, regs);
		barrier();
		WRITE_ONCE(cpu->hooking, 0);
	}
	port_irq_restore(flags);
}

/* In the form of a hit; `args` is the function. */
static bool return_begins(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,
			  int64_t *saved)
{
	return_begin((struct function *)args, regs);
	return true;
}

/* The values saved here may be on missing pages of the program. */
static noinline void return_begin_waiting(struct function *f, struct pt_regs *regs)
{
	struct stp_repeat r = {
		.p = f->probe,
		.hit = return_begins,
		.regs = regs,
		.args = (const int64_t *)f,
	};

	r.p->repeat(&r);
}

/* Handles an entry that does not, or not only, run the handler. */
static noinline void special_hit(struct function *f, struct pt_regs *regs, enum entry_work work)
{
	const struct stp_probe *p = f->probe;

	if (work == ENTRY_BEGINS_RETURN)
		return_begin(f, regs);
	else if (work == ENTRY_BEGINS_WAITING)
		return_begin_waiting(f, regs);
	else if (is_called_from(f, regs))
		p->hit(p, regs, NULL, NULL);
}

/*
 * Runs the handler. ftrace and kprobes set the address where execution continues; the
 * handler gets the address of the point.
 */
static __always_inline void hit(struct function *f, struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs);

	instruction_pointer_set(regs, f->address);
	if (unlikely(f->entry_work))
		special_hit(f, regs, f->entry_work);
	else
		f->probe->hit(f->probe, regs, NULL, NULL);
	instruction_pointer_set(regs, ip);
}

/*
 * Out of line: the loop would need registers, which would have to be saved in all hits.
 */
static noinline notrace const struct entry *entry_elsewhere(unsigned long ip)
{
	return entry_place(ip);
}

static notrace void handler_entry(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				  compat_ftrace_regs *fregs)
{
	struct arch_ftrace_room room;
	struct pt_regs *regs = arch_ftrace_begin(fregs, &room);
	const struct entry *e = entry_at(entry_offset(ip));
	struct function *f;

	if (unlikely(READ_ONCE(e->ip) != ip) && !(e = entry_elsewhere(ip))->ip)
		return;
	f = e->first;
	do
		hit(f, regs);
	while ((f = f->next));
	arch_ftrace_end(fregs, &room);
}

/* The hits of an entry are shown or hidden together with its ftrace_ops. */
static notrace void handler_own(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				compat_ftrace_regs *fregs)
{
	struct arch_ftrace_room room;
	struct pt_regs *regs = arch_ftrace_begin(fregs, &room);
	struct function *f = ops->private;

	do
		hit(f, regs);
	while ((f = f->next));
	arch_ftrace_end(fregs, &room);
}

static notrace void handler_return_begins(unsigned long ip, unsigned long parent,
					  struct ftrace_ops *ops, compat_ftrace_regs *fregs)
{
	struct function *f = ops->private;
	struct arch_ftrace_room room;
	struct pt_regs *regs;

	if (f->traced) {
		f->traced(ip, parent, ops, fregs);
		f = f->next;
	}
	regs = arch_ftrace_begin(fregs, &room);
	ip = instruction_pointer(regs);
	instruction_pointer_set(regs, f->address);
	return_begin(f, regs);
	instruction_pointer_set(regs, ip);
	arch_ftrace_end(fregs, &room);
}

/* ---- kprobes and kretprobes ---- */

/* Its kprobe may be that of a kretprobe. */
static int handler_kprobe(struct kprobe *kp, struct pt_regs *regs)
{
	struct function *f = container_of(kp, struct function, kp);

	do
		hit(f, regs);
	while ((f = f->next));
	return 0;
}

/*
 * Data of an instance: its function, when it shares a kretprobe, then the saved values.
 */
static struct function **instance_function(struct kretprobe_instance *ri)
{
	return (struct function **)ri->data;
}

static int64_t *instance_saved(struct kretprobe_instance *ri, const struct function *hub)
{
	return (int64_t *)ri->data + is_shared(hub);
}

static int handler_call(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe_of(ri);
	struct function *hub, *f;

	if (!rp)
		return 1;
	f = hub = container_of(rp, struct function, rp);
	if (is_shared(hub)) {
		*instance_function(ri) = f = __this_cpu_read(beginning);
		__this_cpu_write(beginning, NULL);
	}
	if (!is_called_from(f, regs))
		return 1;
	return f->probe->enter && !f->probe->enter(f->probe, regs, NULL, instance_saved(ri, hub));
}

static int handler_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe_of(ri);
	const struct function *hub;
	const struct stp_probe *p;

	if (!rp)
		return 0;
	hub = container_of(rp, struct function, rp);
	p = is_shared(hub) ? (*instance_function(ri))->probe : hub->probe;
	p->hit(p, regs, NULL, instance_saved(ri, hub));
	return 0;
}
