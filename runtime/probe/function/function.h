/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of the family of functions.
 *
 *   function.c   the family: finds the functions, attaches to them, and leaves them
 *   entries.c    the table of entries and ftrace's filter
 *   kprobes.c    kprobes and kretprobes, and who shares one
 *   handlers.c   hits
 *   wrappers.c   functions that are called by code of the script's
 *
 * The last one is a part of its own; the others are compiled as one unit
 * (objects/family_function.c), and the functions declared here are static in it: most are
 * called once, and need neither a symbol nor a call.
 */
#ifndef STP_FUNCTION_H
#define STP_FUNCTION_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>

#include "api.h"
#include "compat/ftrace.h"
#include "compat/kallsyms.h"
#include "core/state.h"

enum attachment { DETACHED, BY_KPROBE, BY_KRETPROBE };

/* The work of an entry besides, or instead of, running the handler. */
enum entry_work {
	ENTRY_RUNS,
	ENTRY_ASKS_CALLER,
	ENTRY_BEGINS_RETURN,
	ENTRY_BEGINS_WAITING, /* … and may wait for pages of the program that it reads */
};

struct function {
	const struct stp_probe *probe;
	struct function *next;	 /* another probe of this entry, which begins after this one */
	struct function *leader; /* owner of the kprobe at this place; NULL: ftrace calls */
	unsigned long address;	 /* 0: skipped */
	struct function *holder; /* for functions in a module: the one that holds the module */
	struct module *held;	 /* while it is being attached */
	enum attachment by;
	bool is_traced;	       /* ftrace calls at its entry; a kretprobe stays disabled */
	uint8_t entry_work;    /* enum entry_work */
	struct function *hub;  /* for the return probe of an entry: owner of its kretprobe */
	unsigned int nsharing; /* for a hub: functions that use its kretprobe */
	ftrace_func_t traced;  /* the hit as ftrace calls it, before a return; or NULL */
	unsigned long nmissed; /* for a return probe: misses counted here, not by the kernel */
	union {
		struct kprobe kp;
		struct kretprobe rp;
	};
};

static inline const struct stp_point_function *point_of(const struct stp_probe *p)
{
	return p->point;
}

static inline bool is_shared(const struct function *hub)
{
	return hub->nsharing > 1;
}

/*
 * Leaves a function out, with a warning: a function that cannot be probed does not stop
 * the script. But without memory, the script cannot run.
 */
static inline __cold int refuse(struct function *f, const char *why, int error)
{
	const struct stp_probe *p = f->probe;

	f->address = 0;
	if (error == -ENOMEM) {
		stp_setup_error("%s: %s: %s", p->pp, p->function ?: "", why);
		return error;
	}
	stp_setup_warning("%s: %s: %s; skipped", p->pp, p->function ?: "", why);
	return 0;
}

/* Symbols of the kernel that return probes need; NULL: the address is not known. */
static struct function_symbols {
	/*
	 * The kernel's current_kprobe: the kprobe handled on this CPU. Without it, return
	 * probes are armed as kretprobes are.
	 */
	struct kprobe *__percpu *running_kprobe;
	/*
	 * Checks that register_kretprobe() makes before it takes a function. Without
	 * them, no kretprobe is shared.
	 */
	bool (*within_kprobe_blacklist)(unsigned long address);
	const struct kretprobe_blackpoint *kretprobe_blacklist;
	/* pre_handler of registered kretprobes: begins an instance. */
	kprobe_pre_handler_t kretprobe_begins;
} function_symbols;

/* ---- entries.c ---- */

struct entry {
	unsigned long ip; /* 0: free; GONE: its module is gone; without OPEN: hits ignore it */
	struct function *first;
};

#define GONE 1ul
/* All kernel addresses have this bit. */
#define OPEN (1ul << (BITS_PER_LONG - 1))

/*
 * Up to this many entries have an ftrace_ops each: ftrace then calls the hit itself, or a
 * function that need not look the entry up. More of them share one, because ftrace takes
 * a tenth of a second to remove each.
 */
#define OWN_OPS_MOST STP_WRAPPERS_MOST

static struct ftrace_ops own_ops[OWN_OPS_MOST];

static struct entries {
	struct ftrace_ops ops; /* of all entries, unless they have their own */
	unsigned int nown;     /* of own_ops, registered */
	struct entry *table;
	unsigned long mask; /* of offsets */
	unsigned long *ips; /* of the filter, until it is armed */
	unsigned int nips;
	bool registered, watching;
} entries;

/*
 * Functions begin at multiples of 16, the size of an entry: so an address's own bits give
 * the offset, and neighbours do not collide. Multiplied by five, the place after a
 * landing pad, 4 bytes further, is one entry further: a look-up there does not find the
 * function's beginning first.
 */
static_assert(sizeof(struct entry) == 16, "entries are found by addresses as offsets");

static __always_inline unsigned long entry_offset(unsigned long ip)
{
	return ip * 5;
}

static __always_inline struct entry *entry_at(unsigned long offset)
{
	return (struct entry *)((char *)entries.table + (offset & entries.mask));
}

/* Returns the place of ip in the table, or the free place for it. */
static __always_inline struct entry *entry_place(unsigned long ip)
{
	unsigned long offset = entry_offset(ip);
	struct entry *e = entry_at(offset);

	while (unlikely(READ_ONCE(e->ip) != ip) && e->ip)
		e = entry_at(offset += sizeof(*e));
	return e;
}

/* True: the function is in the table. Other places have a kprobe each. */
static bool is_entry(const struct function *f);
/*
 * Makes the table and the filter. Entries that are not in the filter are left to kprobes.
 */
static __cold int entries_add(struct entries *e, void *const *states, unsigned int n);
/* Removes a refused probe from the table; the entries are not armed yet. */
static __cold void entries_take_out(struct function *f);
/*
 * Arms the entries; hits still ignore them. If ftrace refuses, they are not registered,
 * but are open and not traced. From here on, entries are marked when their modules are
 * unloaded.
 */
static __cold int entries_arm(struct entries *e, const struct stp_probe *const *probes,
			      unsigned int n);
/*
 * OPEN lets hits find the probes, even while ftrace calls; 0 hides the probes, so that
 * hits cost next to nothing.
 */
static __cold void entries_show(struct entries *e, unsigned long open);
static __cold void entries_remove(struct entries *e);

/* ---- kprobes.c ---- */

/* Makes return probes of entries share kretprobes, if there are many. */
static __cold void returns_share(void *const *states, unsigned int n);
static __cold int hubs_add(void *const *states, unsigned int n);
/*
 * Registers the kprobes of probes that ftrace calls, or of the others; none is enabled
 * yet.
 */
static __cold int kprobes_add(void *const *states, unsigned int n, bool is_traced);
/*
 * Enables and opens the kprobes after all functions of the script are attached: from here
 * on, handlers run and misses are counted.
 */
static __cold int kprobes_open(void *const *states, unsigned int n);
/* Stops running handlers; the kprobes stay registered. */
static __cold void kprobes_close(void *const *states, unsigned int n);
static __cold void kprobes_remove(void *const *states, unsigned int n);

/* ---- handlers.c: called by ftrace, kprobes and kretprobes ---- */

static notrace void handler_entry(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				  compat_ftrace_regs *fregs);
/* The same for one entry; ops->private is its first probe. */
static notrace void handler_own(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
				compat_ftrace_regs *fregs);
/*
 * The same for one entry at which a return probe begins, and before it at most one hit.
 */
static notrace void handler_return_begins(unsigned long ip, unsigned long parent,
					  struct ftrace_ops *ops, compat_ftrace_regs *fregs);
static int handler_kprobe(struct kprobe *kp, struct pt_regs *regs);
/* Handlers of a kretprobe: at the entry and at the return. */
static int handler_call(struct kretprobe_instance *ri, struct pt_regs *regs);
static int handler_return(struct kretprobe_instance *ri, struct pt_regs *regs);
#endif
