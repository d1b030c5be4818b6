/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kprobes and kretprobes of functions: registering them, opening them, removing them.
 */
#include <linux/uaccess.h>

#include "arch_code.h"
#include "core/port.h"
#include "probe/function/function.h"

#define MAXACTIVE_LEAST 64
/* Additional instances of a kretprobe for each function that shares it. */
#define MAXACTIVE_SHARED 16

/*
 * Up to this many return probes have their own kretprobes; more of them share this
 * number. Registering one takes the kernel 1.6 million instructions.
 */
#define KRETPROBES_MOST 512

/*
 * No function is longer. The last symbol of a section seems longer: it reaches to the
 * next section's first symbol.
 */
#define FUNCTION_BYTES_MOST 65536

/* The kernel unregisters this many in one go, without rescheduling. */
#define UNREGISTERED_AT_ONCE 512

/* ---- return probes that share a kretprobe ---- */

static bool is_entry_return(const struct function *f)
{
	return is_entry(f) && point_of(f->probe)->is_return;
}

/*
 * Functions for which the kernel accepts a return probe but does not survive it.
 *
 * __switch_to() returns in another task than the one that called it. The kernel's own
 * table has it, but with IBT the table is searched for the address after ENDBR.
 *
 * The others are called after each probed return, including their own. Some release the
 * return's instance: inline functions of rethook.c, of which the compiler may make copies
 * with names such as objpool_push.isra.0. The last ones end its part without preemption:
 * if a task should be preempted and interrupts are off, they are called, and do nothing.
 */
static const char *const deadly[] = {
	/*
	 * The kernel calls it at the end of each probe that is a jump, if another task
	 * must run. It refuses probes in preempt_schedule() for that, but not in this
	 * part of it, which clang does not inline: there one hit would call the next.
	 */
	[0] = "preempt_schedule_common",
	"__switch_to",
	"objpool_push",
	"__objpool_try_add_slot",
	"freelist_add",
	"__freelist_add",
	"preempt_schedule_notrace",
	"preempt_schedule_notrace_thunk",
	"dynamic_preempt_schedule_notrace",
};

/* Returns the function's place in deadly[], or the number of names there. */
static unsigned int deadly_place(const struct function *f)
{
	const char *name = point_of(f->probe)->symbol ?: "";
	size_t len = strcspn(name, ".");
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(deadly); i++)
		if (strlen(deadly[i]) == len && !strncmp(name, deadly[i], len))
			break;
	return i;
}

static bool is_deadly(const struct function *f)
{
	return deadly_place(f) < ARRAY_SIZE(deadly);
}

/* True: register_kretprobe() would refuse the function. */
static compat_calls_unchecked bool is_refused(const struct function *f)
{
	const struct kretprobe_blackpoint *b = function_symbols.kretprobe_blacklist;

	while (b->name && b->addr != (void *)f->address)
		b++;
	return b->name || function_symbols.within_kprobe_blacklist(f->address);
}

/*
 * Makes neighbours share a kretprobe. Return probes with their own number of instances
 * keep their own kretprobe.
 */
static void returns_share(void *const *states, unsigned int n)
{
	unsigned int nreturns = 0, each;
	struct function *hub = NULL;

	for (unsigned int i = 0; i < n; i++)
		nreturns += is_entry_return(states[i]);
	each = DIV_ROUND_UP(nreturns, KRETPROBES_MOST);
	if (!function_symbols.within_kprobe_blacklist || !function_symbols.kretprobe_blacklist)
		each = 1;
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		cond_resched();
		if (!is_entry_return(f))
			continue;
		f->hub = f;
		f->nsharing = 1;
		if (each == 1 || point_of(f->probe)->maxactive || is_deadly(f) || is_refused(f))
			continue; /* registering it reports the error */
		if (!hub || hub->nsharing == each)
			hub = f;
		else
			hub->nsharing++;
		f->hub = hub;
	}
}

/* ---- registering ---- */

/*
 * Returns the words of an instance's data. A hub is followed by the functions that share
 * its kretprobe, among others.
 */
static unsigned int data_words(void *const *states, unsigned int n)
{
	const struct function *hub = states[0];
	unsigned int words = point_of(hub->probe)->nsaved;

	for (unsigned int i = 1, nfound = 1; i < n && nfound < hub->nsharing; i++) {
		const struct function *f = states[i];

		if (f->hub != hub)
			continue;
		words = max(words, point_of(f->probe)->nsaved);
		nfound++;
	}
	return words + is_shared(hub);
}

/* Registers the return probe states[0]; the probes that share its kretprobe follow it. */
static int return_add(void *const *states, unsigned int n)
{
	struct function *f = states[0];
	const struct stp_point_function *point = point_of(f->probe);
	int ret;

	if (is_deadly(f))
		return -EDEADLK;
	f->rp.kp.addr = (kprobe_opcode_t *)f->address;
	f->rp.kp.flags = KPROBE_FLAG_DISABLED;
	f->rp.handler = handler_return;
	f->rp.entry_handler =
		is_shared(f) || f->probe->enter || point->ncallers ? handler_call : NULL;
	f->rp.data_size = data_words(states, n) * sizeof(int64_t);
	f->rp.maxactive = point->maxactive ?: max_t(int, MAXACTIVE_LEAST, 4 * port_cpu_count());
	if (is_shared(f))
		f->rp.maxactive += MAXACTIVE_SHARED * (f->nsharing - 1);
	ret = register_kretprobe(&f->rp);
	if (ret)
		return ret;
	function_symbols.kretprobe_begins = f->rp.kp.pre_handler;
	f->rp.kp.pre_handler = NULL; /* until kprobes_open(), where it is enabled */
	return 0;
}

static int kprobe_add(struct function *f)
{
	if (!deadly_place(f)) /* also its entry, and everything within it */
		return -EINVAL;
	f->kp.addr = (kprobe_opcode_t *)f->address;
	f->kp.flags = KPROBE_FLAG_DISABLED; /* and without a handler until kprobes_open() */
	return register_kprobe(&f->kp);
}

static const char *refusal(int error)
{
	switch (error) {
	case -EINVAL:
		return "the kernel allows no probe there";
	case -EDEADLK:
		return "the kernel does not survive a return probe there";
	case -EILSEQ:
		return "no instruction begins there";
	case -ENOMEM:
		return "no memory for the probe";
	default:
		return "the kernel refuses a probe there";
	}
}

/*
 * Passes a refused hub's kretprobe on: the next function that shares it becomes the hub.
 */
static void hub_pass_on(void *const *states, unsigned int n)
{
	const struct function *from = states[0];
	struct function *to = NULL;

	for (unsigned int i = 1; i < n; i++) {
		struct function *f = states[i];

		if (f->hub != from)
			continue;
		to = to ?: f;
		f->hub = to;
	}
	if (to)
		to->nsharing = from->nsharing - 1;
}

/* Returns the place of a function from the kernel's symbol table. */
struct extent {
	unsigned long from, to;
	bool is_return_code; /* see arch_is_return_code() */
};

static bool extent_of(const struct function *f, struct extent *ret)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long at, size;
	const char *plus;

	sprint_symbol(text, f->address);
	plus = strrchr(text, '+');
	if (!plus || sscanf(plus, "+0x%lx/0x%lx", &at, &size) != 2)
		return false;
	ret->from = f->address - at;
	ret->to = ret->from + size;
	text[plus - text] = 0;
	ret->is_return_code = arch_is_return_code(text);
	return true;
}

/*
 * To find out whether a jump can replace a kprobe, the kernel decodes the whole function.
 * A module's last function seems to extend to the end of its pages. Two of the zeros
 * there form an instruction: if their number is odd, the second byte of the last one is
 * in the next page, which the kernel reads although it may not exist.
 */
static bool ends_with_memory(const struct extent *function)
{
	const char *end = (const char *)function->to;
	char last, next;

	if (!PAGE_ALIGNED(function->to))
		return false;
	return copy_from_kernel_nofault(&last, end - 1, 1) ||
	       (!last && copy_from_kernel_nofault(&next, end, 1));
}

/* Returns the reason not to ask the kernel for a kprobe. NULL: there is none. */
static const char *objection(const struct function *f)
{
	struct extent function;

	if (f->is_traced || !extent_of(f, &function))
		return NULL;
	if (function.is_return_code)
		return "all functions return by way of it: it is not called as functions are";
	if (point_of(f->probe)->is_matched && function.to - function.from > FUNCTION_BYTES_MOST)
		return "its code goes on to the end of a section: "
		       "it is not called as functions are";
	if (ends_with_memory(&function))
		return "the kernel would read past the end of its module's code";
	return NULL;
}

/* True: of the probes at its place, this is the one whose kprobe serves all. */
static bool is_leader(const struct function *f)
{
	return !f->is_traced && (!is_entry(f) || entry_place(f->address)->first == f);
}

/* True: a kretprobe is registered for it, which other return probes may use. */
static bool has_kretprobe(const struct function *f)
{
	return point_of(f->probe)->is_return && (f->hub == f || !is_entry(f));
}

/* Refuses the first of the states; the next probe at its place leads now. */
static int refuse_one(void *const *states, unsigned int n, const char *why, int error)
{
	struct function *f = states[0];

	if (is_entry(f))
		entries_take_out(f);
	if (f->hub == f && is_shared(f))
		hub_pass_on(states, n);
	return refuse(f, why, error);
}

/* Registers the first of the states. */
static int register_one(void *const *states, unsigned int n)
{
	struct function *f = states[0];
	const char *why = objection(f);
	int ret;

	if (why)
		return refuse_one(states, n, why, -ENOENT);
	ret = has_kretprobe(f) ? return_add(states, n) : kprobe_add(f);
	if (ret)
		return refuse_one(states, n, refusal(ret), ret);
	f->by = has_kretprobe(f) ? BY_KRETPROBE : BY_KPROBE;
	return 0;
}

/*
 * True: this probe needs a kprobe of its own. Entries that ftrace calls need none, nor do
 * further probes at a place that has one; returns may use that of another probe.
 */
static bool is_left_to_kprobes(const struct function *f)
{
	return f->address && f->by == DETACHED && (is_leader(f) || has_kretprobe(f));
}

/*
 * Registers the kretprobes that are shared, before anything else: one that is refused is
 * passed on to a return probe that has no kprobe either.
 */
static int hubs_add(void *const *states, unsigned int n)
{
	int ret = 0;

	for (unsigned int i = 0; i < n && !ret; i++) {
		struct function *f = states[i];

		if (f->address && f->hub == f && is_shared(f))
			ret = register_one(states + i, n - i);
		cond_resched();
	}
	return ret;
}

/* The kprobe of a place runs its probes in the order of the table of entries. */
static void places_note(void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		cond_resched();
		if (!f->address || f->is_traced)
			continue;
		f->leader = is_entry(f) ? entry_place(f->address)->first : f;
		if (f->entry_work == ENTRY_BEGINS_WAITING)
			f->entry_work = ENTRY_BEGINS_RETURN; /* kprobes cannot wait */
	}
}

/*
 * Registers what is_left_to_kprobes(). The kernel runs kprobes at one place in reverse
 * order, so they are registered in reverse, so that handlers run in the script's order.
 * Kretprobes follow in order: one that is refused passes its place on to the next.
 * *refused: some were, and others may have to be registered in their place.
 */
static int kprobes_pass(void *const *states, unsigned int n, bool is_traced, bool *refused)
{
	int ret = 0;

	*refused = false;
	for (unsigned int i = 0; i < 2 * n && !ret; i++) {
		unsigned int at = i < n ? n - 1 - i : i - n;
		struct function *f = states[at];

		cond_resched();
		if (f->is_traced != is_traced || !is_left_to_kprobes(f) ||
		    has_kretprobe(f) != (i >= n))
			continue;
		ret = register_one(states + at, n - at);
		*refused |= f->by == DETACHED;
	}
	return ret;
}

/*
 * Registers the kprobes of probes that ftrace calls, or of the others: one at each place,
 * since the kernel searches and decodes all its jump labels, 4,600, for each.
 *
 * All are registered disabled, and then enabled. The kernel soon turns an armed kprobe
 * into a jump, and meanwhile nobody can register another one until all tasks have been
 * seen outside the place. Registering hundreds takes longer than the kernel's pause
 * before that work, enabling them does not.
 */
static int kprobes_add(void *const *states, unsigned int n, bool is_traced)
{
	bool refused;
	int ret;

	do
		ret = kprobes_pass(states, n, is_traced, &refused);
	while (!ret && refused);
	if (!ret && !is_traced)
		places_note(states, n);
	return ret;
}

/* ---- opening and removing ---- */

/* Refuses all probes of a place. */
static int place_refuse(struct function *leader, int error)
{
	int ret = 0;

	for (struct function *f = leader; f && !ret; f = f->next)
		ret = refuse(f, refusal(error), error);
	return ret;
}

static int kprobes_enable(void *const *states, unsigned int n)
{
	int ret = 0;

	for (unsigned int i = 0; i < n && !ret; i++) {
		struct function *f = states[i];

		cond_resched();
		if (f->leader != f)
			continue;
		ret = f->by == BY_KPROBE ? enable_kprobe(&f->kp) : enable_kretprobe(&f->rp);
		if (ret)
			ret = place_refuse(f, ret);
	}
	return ret;
}

static int kprobes_open(void *const *states, unsigned int n)
{
	int ret = kprobes_enable(states, n);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		cond_resched();
		f->kp.nmissed = 0;
		if (!f->address || f->leader != f)
			continue;
		if (is_entry(f) || f->by == BY_KPROBE)
			WRITE_ONCE(f->kp.pre_handler, handler_kprobe);
		else
			WRITE_ONCE(f->kp.pre_handler, function_symbols.kretprobe_begins);
	}
	return 0;
}

/*
 * The kernel tests the handler, and then reads it again to call it: it must not become
 * NULL.
 */
static int handle_nothing(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}

static void kprobes_close(void *const *states, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct function *f = states[i];

		if (f->leader == f && f->by != DETACHED)
			WRITE_ONCE(f->kp.pre_handler, handle_nothing);
		cond_resched();
	}
}

/* Probes to be unregistered. */
struct leaving {
	struct kprobe **kps;
	struct kretprobe **rps;
	unsigned int nkps, nrps;
};

static void leaving_unregister(struct leaving *l)
{
	unregister_kprobes(l->kps, l->nkps);
	unregister_kretprobes(l->rps, l->nrps);
	l->nkps = l->nrps = 0;
	cond_resched();
}

static void leaving_add(struct leaving *l, struct function *f)
{
	if (f->by == BY_KPROBE)
		l->kps[l->nkps++] = &f->kp;
	else if (f->by == BY_KRETPROBE)
		l->rps[l->nrps++] = &f->rp;
	f->by = DETACHED;
	if (l->nkps + l->nrps == UNREGISTERED_AT_ONCE)
		leaving_unregister(l);
}

/*
 * Removes many at once: unregistering waits for a grace period each time. The last
 * registered goes first, as the kernel looks for each in a list that begins with the
 * last.
 */
static void kprobes_remove(void *const *states, unsigned int n)
{
	static struct kprobe *kps[UNREGISTERED_AT_ONCE];
	static struct kretprobe *rps[UNREGISTERED_AT_ONCE];
	struct leaving l = { .kps = kps, .rps = rps };

	for (unsigned int i = n; i-- > 0;)
		leaving_add(&l, states[i]);
	leaving_unregister(&l);
}
