/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls of a kernel whose linker may have inlined their entry points where they
 * are called: then nothing enters these functions, and nothing shows which they are. So
 * calls are observed where all of them pass, and the number tells the entry point.
 *
 *   ARCH_DISPATCHERS   entry; the values that a return probe saves. If these functions do
 *                      not exist, or ftrace does not know them: sys_enter
 *   sys_exit           return of a call whose beginning was seen
 *
 * A task may wait for its pages in a function, and at sys_enter since 6.13: earlier
 * kernels call the handlers of tracepoints without preemption.
 *
 * Points, registers and books are those of the entry points as functions: handlers see no
 * difference. A task is in one call at a time, so data for the return is kept for each
 * task, which alone touches it until the call returns.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <trace/events/syscalls.h>

#include "api.h"
#include "arch_call.h"
#include "arch_entries.h"
#include "arch_syscall.h"
#include "compat/ftrace.h"
#include "core/port.h"
#include "core/session.h"
#include "kernel/callregs.h"
#include "kernel/nametable.h"
#include "kernel/sleepers.h"
#include "kernel/symbol.h"
#include "probe/sources.h"

#define PLACES_LEAST 4096
#define PLACES_TRIED 16 /* places searched for one task */

/* State of a point. */
struct entry_point {
	const struct stp_probe *probe;
	unsigned long address; /* of the entry point; 0: not known */
	atomic64_t nmissed;
};

/* A point, under one of the numbers that lead to it. */
struct link {
	struct entry_point *point;
	struct link *next;
	unsigned int at; /* of a return: the place of its first word, see struct under_way */
};

/* The points of a number. */
struct call {
	struct link *entries, *returns;
	unsigned int nwords; /* words that its returns save */
};

/*
 * A call that has begun and whose return is probed. Each of its returns that saves values
 * has a word that shows whether they are valid, and then the values.
 */
struct under_way {
	const struct call *call;
	int64_t words[];
};

static struct {
	struct call *calls[ARCH_ABIS];
	struct link *links;
	unsigned int nlinks;
	/* Open hashing: the task of each place, NULL if it is free, and the places. */
	const struct task_struct **tasks;
	char *places;
	size_t place_size;
	unsigned int bits;
} entered;

static const struct stp_point_function *point_of(const struct entry_point *e)
{
	return e->probe->point;
}

/* ---- calls in progress ---- */

static struct under_way *place_at(unsigned int i)
{
	return (struct under_way *)(entered.places + i * entered.place_size);
}

static unsigned int place_number(unsigned int i)
{
	return (hash_ptr(current, entered.bits) + i) & ((1u << entered.bits) - 1);
}

/* Returns the place of the current task's call; NULL: there is none. */
static struct under_way *place_find(unsigned int *number)
{
	for (unsigned int i = 0; i < PLACES_TRIED; i++) {
		*number = place_number(i);
		if (READ_ONCE(entered.tasks[*number]) == current)
			return place_at(*number);
	}
	return NULL;
}

/* Takes a place for the current task, or the one that it has; NULL: all are taken. */
static struct under_way *place_take(void)
{
	unsigned int number;
	struct under_way *u = place_find(&number);

	for (unsigned int i = 0; i < PLACES_TRIED && !u; i++) {
		number = place_number(i);
		if (!READ_ONCE(entered.tasks[number]) &&
		    !cmpxchg(&entered.tasks[number], NULL, current))
			u = place_at(number);
	}
	return u;
}

static void place_leave(unsigned int number)
{
	smp_store_release(&entered.tasks[number], NULL);
}

/* ---- events ---- */

static const struct call *call_of(long id)
{
	enum arch_abi abi = arch_abi_of(id);
	uint64_t number = arch_syscall_plain((uint64_t)id);

	return number < arch_entries[abi].count ? &entered.calls[abi][number] : NULL;
}

static void count_missed(const struct call *call)
{
	for (const struct link *l = call->returns; l; l = l->next)
		atomic64_inc(&l->point->nmissed);
}

/*
 * An event that represents an entry point: the caller's registers, and the kind of
 * caller.
 */
struct event {
	struct pt_regs *user;
	const unsigned long *stack; /* place of the return address */
	unsigned long frame;
};

/* Saves the values that returns of the call need. */
static void returns_begin(const struct call *call, const struct event *e)
{
	struct under_way *u = place_take();
	struct pt_regs regs;

	if (!u) {
		count_missed(call);
		return;
	}
	u->call = call;
	for (const struct link *l = call->returns; l; l = l->next) {
		const struct stp_probe *p = l->point->probe;
		int64_t *words = u->words + l->at;

		if (!p->enter)
			continue;
		arch_entry_regs(&regs, e->stack, e->frame, e->user, l->point->address);
		words[0] = p->enter(p, &regs, NULL, words + 1);
	}
}

static void begin(long id, const struct event *e)
{
	const struct call *call = call_of(id);
	struct pt_regs regs;

	if (!call)
		return;
	for (const struct link *l = call->entries; l; l = l->next) {
		arch_entry_regs(&regs, e->stack, e->frame, e->user, l->point->address);
		l->point->probe->hit(l->point->probe, &regs, NULL, NULL);
	}
	if (call->returns)
		returns_begin(call, e);
}

static void on_enter(void *data, struct pt_regs *user, long id)
{
	begin(id, &(struct event){ user, ARCH_STACK_HERE, ARCH_FRAME_HERE });
}

static notrace void on_dispatch(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				compat_ftrace_regs *fregs)
{
	struct arch_ftrace_room room;
	struct pt_regs *regs = arch_ftrace_begin(fregs, &room);
	struct pt_regs *user = (struct pt_regs *)reg_read(regs, function_args[0]);

	begin(syscall_get_nr(current, user),
	      &(struct event){ user, (unsigned long *)kernel_stack_pointer(regs),
			       frame_pointer(regs) });
	arch_ftrace_end(fregs, &room);
}

/*
 * A new task also leaves its parent's call, which it did not begin: an entry for this
 * task belongs to an earlier task that died in the kernel.
 */
static bool is_child(const struct pt_regs *user, long ret)
{
	return !ret && arch_syscall_clones(user);
}

/* Runs the handlers of the returns; they may set the result. */
static void returns_end(struct under_way *u, const struct event *e, long ret)
{
	struct pt_regs regs;

	for (const struct link *l = u->call->returns; l; l = l->next) {
		const struct stp_probe *p = l->point->probe;
		int64_t *words = u->words + l->at;

		if (p->enter && !words[0])
			continue;
		arch_entry_regs(&regs, e->stack, e->frame, e->user, 0);
		regs_set_return_value(&regs, ret);
		p->hit(p, &regs, NULL, words + 1);
		if (regs_return_value(&regs) == ret)
			continue;
		ret = regs_return_value(&regs);
		syscall_set_return_value(current, e->user, 0, ret);
	}
}

static void on_exit(void *data, struct pt_regs *user, long ret)
{
	unsigned int number;
	struct under_way *u = place_find(&number);

	if (!u)
		return;
	if (!is_child(user, ret))
		returns_end(u, &(struct event){ user, ARCH_STACK_HERE, ARCH_FRAME_HERE }, ret);
	place_leave(number);
}

enum { SYS_EXIT, SYS_ENTER };

static struct source heard[] = {
	[SYS_EXIT] = { SOURCE(sys_exit, on_exit) },
	[SYS_ENTER] = { SOURCE(sys_enter, on_enter) },
};

static struct sources sources = { heard, ARRAY_SIZE(heard) };

/* ---- the functions that call entry points ---- */

static struct {
	struct ftrace_ops ops;
	bool prepared, registered;
} dispatch = {
	.ops = {
		.func = on_dispatch,
		.flags = COMPAT_FTRACE_FLAGS | FTRACE_OPS_FL_PERMANENT,
	},
};

static int dispatch_find(unsigned long *addresses, unsigned int n)
{
	static const char *const names[] = { ARCH_DISPATCHERS };
	struct stp_symbol symbols[ARRAY_SIZE(names)] = { 0 };
	int ret;

	for (unsigned int i = 0; i < n; i++)
		symbols[i].name = names[i];
	ret = stp_symbols_resolve(symbols, n);
	for (unsigned int i = 0; i < n && !ret; i++) {
		addresses[i] = symbols[i].address;
		ret = addresses[i] ? 0 : -ENOENT;
	}
	return ret;
}

/* Prepares entries from these functions. False: the kernel does not have them. */
static bool dispatch_prepare(void)
{
	unsigned long addresses[ARRAY_SIZE(((const char *[]){ ARCH_DISPATCHERS }))];

	if (dispatch_find(addresses, ARRAY_SIZE(addresses)))
		return false;
	dispatch.prepared = !compat_ftrace_set(&dispatch.ops, addresses, ARRAY_SIZE(addresses));
	if (!dispatch.prepared)
		compat_ftrace_forget(&dispatch.ops);
	return dispatch.prepared;
}

static int dispatch_add(void)
{
	int ret = dispatch.prepared ? register_ftrace_function(&dispatch.ops) : 0;

	dispatch.registered = dispatch.prepared && !ret;
	if (ret)
		stp_setup_error("system calls: the kernel's function tracer refuses their entries "
				"(error %d)",
				-ret);
	return ret;
}

/* No task may be sleeping in a handler when ftrace frees the code that calls it. */
static void dispatch_remove(void)
{
	stp_sleepers_close();
	if (dispatch.registered)
		unregister_ftrace_function(&dispatch.ops);
	if (dispatch.prepared)
		compat_ftrace_forget(&dispatch.ops);
	dispatch.registered = dispatch.prepared = false;
}

/* ---- points by number ---- */

/*
 * Returns "sys_read" from the entry point's name, which begins with a prefix of the
 * machine.
 */
static const char *plain_name(const char *entry)
{
	return strstr(entry, "sys_") ?: entry;
}

/* True: a task never returns from the call, and would keep its place. */
static bool is_last(const char *entry)
{
	const char *name = plain_name(entry);

	return !strcmp(name, "sys_exit") || !strcmp(name, "sys_exit_group");
}

/* Makes a table from the names of the points' entry points to the points. */
static int names_make(struct stp_nametable *t, void *const *states, unsigned int n)
{
	int ret = stp_nametable_init(t, n);

	for (unsigned int i = 0; i < n && !ret; i++) {
		const struct stp_point_function *point = point_of(states[i]);

		stp_nametable_add(t, point->is_of_all ? plain_name(point->symbol) : point->symbol,
				  i);
	}
	return ret;
}

static unsigned int words_of(const struct entry_point *e)
{
	return e->probe->enter ? 1 + point_of(e)->nsaved : 0;
}

/* Adds a point to those of a number, which are in the script's order. */
static void point_add(struct call *call, struct entry_point *e, const char *entry)
{
	bool is_return = point_of(e)->is_return;
	struct link **at = is_return ? &call->returns : &call->entries;
	struct link *l = &entered.links[entered.nlinks++];

	if (is_return && is_last(entry))
		return;
	while (*at && (*at)->point->probe->index < e->probe->index)
		at = &(*at)->next;
	*l = (struct link){ e, *at, call->nwords };
	*at = l;
	if (is_return)
		call->nwords += words_of(e);
	heard[SYS_EXIT].wanted |= is_return;
}

/* A number, and the name of the entry point that it leads to. */
struct number {
	struct call *call;
	const char *entry;
};

/* Adds the points of that name, if there is room for them; returns how many there are. */
static unsigned int points_add(const struct number *n, const struct stp_nametable *t,
			       const char *name, void *const *states)
{
	unsigned int found = 0, at = stp_nametable_find(t, name);

	for (; at != STP_NO_NAME; at = stp_nametable_next(t, at), found++)
		if (entered.links)
			point_add(n->call, states[t->names[at].number], n->entry);
	return found;
}

/* Adds the points of all numbers, or counts them, as points_add() does. */
static unsigned int points_walk(const struct stp_nametable *t, void *const *states)
{
	unsigned int found = 0;

	for (unsigned int abi = 0; abi < ARCH_ABIS; abi++)
		for (unsigned int i = 0; i < arch_entries[abi].count; i++) {
			struct number n = { entered.calls[abi] + i, arch_entries[abi].names[i] };

			if (!n.entry)
				continue;
			found += points_add(&n, t, n.entry, states);
			found += points_add(&n, t, plain_name(n.entry), states);
			cond_resched();
		}
	return found;
}

static int calls_create(unsigned int nlinks)
{
	for (unsigned int abi = 0; abi < ARCH_ABIS; abi++) {
		entered.calls[abi] =
			port_alloc((arch_entries[abi].count + 1) * sizeof(struct call));
		if (!entered.calls[abi])
			return -ENOMEM;
	}
	entered.links = port_alloc((nlinks + 1) * sizeof(*entered.links));
	return entered.links ? 0 : -ENOMEM;
}

static int points_by_number(void *const *states, unsigned int n)
{
	struct stp_nametable names;
	int ret = names_make(&names, states, n);

	if (ret)
		return ret;
	ret = calls_create(points_walk(&names, states));
	if (!ret)
		points_walk(&names, states);
	stp_nametable_free(&names);
	return ret;
}

/* Makes places for four times the tasks that are there now. */
static int places_create(void)
{
	const struct task_struct *process, *task;
	unsigned int n = 0, nwords = 0;

	for (unsigned int abi = 0; abi < ARCH_ABIS; abi++)
		for (unsigned int i = 0; i < arch_entries[abi].count; i++)
			nwords = max(nwords, entered.calls[abi][i].nwords);
	rcu_read_lock();
	for_each_process_thread(process, task)
		n++;
	rcu_read_unlock();
	entered.bits = order_base_2(max_t(unsigned int, PLACES_LEAST, 4 * n));
	entered.place_size = sizeof(struct under_way) + nwords * sizeof(int64_t);
	entered.tasks = port_alloc(sizeof(*entered.tasks) << entered.bits);
	entered.places = port_alloc(entered.place_size << entered.bits);
	return entered.tasks && entered.places ? 0 : -ENOMEM;
}

/* Handlers are told the addresses of the entry points, which nothing else needs. */
static int addresses_find(void *const *states, unsigned int n)
{
	struct stp_symbol *symbols = port_alloc(n * sizeof(*symbols));
	int ret;

	if (!symbols)
		return -ENOMEM;
	for (unsigned int i = 0; i < n; i++)
		symbols[i].name = point_of(states[i])->symbol;
	ret = stp_symbols_resolve(symbols, n);
	for (unsigned int i = 0; i < n; i++)
		((struct entry_point *)states[i])->address = symbols[i].address;
	port_free(symbols);
	return ret == -EOPNOTSUPP ? 0 : ret;
}

/* ---- the family ---- */

static __cold void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	dispatch_remove();
	sources_remove(&sources);
	for (unsigned int abi = 0; abi < ARCH_ABIS; abi++)
		port_free(entered.calls[abi]);
	port_free(entered.links);
	port_free(entered.tasks);
	port_free(entered.places);
	memset(&entered, 0, sizeof(entered));
}

static __cold int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret;

	for (unsigned int i = 0; i < n; i++)
		((struct entry_point *)states[i])->probe = probes[i];
	ret = addresses_find(states, n);
	if (!ret)
		ret = points_by_number(states, n);
	if (!ret)
		ret = places_create();
	/* A call that is seen to begin must be seen to return. */
	heard[SYS_ENTER].wanted = !ret && !dispatch_prepare();
	if (!ret)
		ret = sources_add(&sources, "system calls");
	if (!ret)
		ret = dispatch_add();
	if (ret)
		remove(probes, states, n);
	return ret;
}

static __cold uint64_t missed(const struct stp_probe *p, void *state)
{
	return atomic64_read(&((struct entry_point *)state)->nmissed);
}

/* The other registers belong to the code that calls the entry point, or are unused. */
static bool lacks_registers(const struct stp_probe *p)
{
	return true;
}

/* As in the entry point's own function, because scripts compare it. */
static const char *type(const struct stp_probe *p)
{
	const struct stp_point_function *point = p->point;

	return point->is_return ? "kretprobe" : "kprobe";
}

const struct stp_family stp_family_syscall = {
	.name = "syscall",
	.state_size = sizeof(struct entry_point),
	.add = add,
	.remove = remove,
	.missed = missed,
	.lacks_registers = lacks_registers,
	.type = type,
};
