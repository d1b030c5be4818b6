/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks, symbols and variables of programs. A stack is walked by the tables in the
 * script's module, made from the compilers' unwind data (.eh_frame); without a table, by
 * frame pointers, and these frames are marked. Reading the stack never faults, every step
 * goes up, and MAXBACKTRACE ends the walk.
 */
#include <linux/hash.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>

#include "api.h"
#include "arch_call.h"
#include "arch_unwind.h"
#include "compat/uprobe.h"
#include "core/port.h"
#include "core/state.h"
#include "core/unwind.h"
#include "kernel/access.h"
#include "kernel/gate.h"
#include "kernel/program_cut.h"
#include "kernel/program_gathering.h"
#include "kernel/program_mapping.h"
#include "kernel/program_text.h"

/* Units of work (api/ctx.h): a step of a walk; a place, with its symbol and line. */
#define WALK_WORK  1024
#define PLACE_WORK 2048

/* A rule that was looked up: stacks are made of the same calls again and again. */
struct kept_rule {
	uint64_t place;			    /* program_mapping.h; 0: none */
	uint64_t lean_place;		    /* the same, if the rule is lean, or 0 */
	const struct stp_unwind_rule *rule; /* or NULL: there is none */
	struct stp_unwind_lean lean;
	struct stp_kept_address text; /* of the address that was looked up last */
};

#define KEPT_BITS 8

#define WINDOW_SIZE (64 << 20) /* of a stack that is read in one go */

/* The stack of a hit: scripts read it frame by frame, but it is walked only once. */
struct walked {
	uint64_t serial; /* of the hit */
	struct stp_program_stack stack;
	struct kept_rule kept[1 << KEPT_BITS]; /* by the place's hash */
	struct stp_program_frame frames[];     /* MAXBACKTRACE */
};

static struct walked **contexts_walked;

/* ---- setting up ---- */

static void part_destroy(void)
{
	for (unsigned int i = 0; contexts_walked && i <= stp_runtime.ncpus; i++)
		kvfree(contexts_walked[i]);
	kvfree(contexts_walked);
	contexts_walked = NULL;
	program_texts_destroy();
	program_mappings_destroy();
	program_gathering_destroy();
}

static int part_create(void)
{
	int error;

	contexts_walked = kvcalloc(stp_runtime.ncpus + 1, sizeof(*contexts_walked), GFP_KERNEL);
	if (!contexts_walked)
		return -ENOMEM;
	for (unsigned int i = 0; i <= stp_runtime.ncpus; i++) {
		if (!stp_runtime.cpus[i])
			continue;
		contexts_walked[i] = kvzalloc(
			struct_size(contexts_walked[i], frames, stp_script.limits.backtrace),
			GFP_KERNEL);
		if (!contexts_walked[i])
			return -ENOMEM;
	}
	error = program_texts_create();
	if (!error)
		error = program_gathering_create();
	return error ? error : program_mappings_create();
}

static void part_ended(void)
{
	program_gathering_end();
	program_cut_report();
}

const struct stp_part stp_program_stack_part = { .create = part_create,
						 .destroy = part_destroy,
						 .ended = part_ended,
						 .control = program_gathering_control };

/* ---- the first frame ---- */

static bool read_word(void *ctx, uint64_t address, uint64_t *ret)
{
	return stp_access_peek_word(ret, address);
}

static struct pt_regs *user_registers(struct stp_ctx *c)
{
	if (in_nmi() || !current->mm || current->flags & PF_KTHREAD || !stp_gate_process())
		return NULL;
	return c->regs && user_mode(c->regs) ? c->regs : task_pt_regs(current);
}

static void unwind_from_registers(struct stp_unwind *u, const struct pt_regs *r)
{
	u->known = 0;
#define REGISTER(number, name, member, when)                                                       \
	u->regs[ARCH_UNWIND_SLOT(number)] = r->member;                                             \
	u->known |= 1u << ARCH_UNWIND_SLOT(number);
#define HALF(number, name, member, when)
#define OTHER(name, member)
#include "arch_registers.def"
#undef OTHER
#undef HALF
#undef REGISTER
}

static void unwind_from(struct stp_unwind *u, const uint64_t start[3])
{
	static const uint8_t order[3] = { STP_UNWIND_RETURN, STP_UNWIND_SP, STP_UNWIND_BP };

	u->known = 0;
	for (unsigned int i = 0; i < 3; i++) {
		u->regs[order[i]] = start[i];
		u->known |= 1u << order[i];
	}
}

/* ---- the walk ---- */

static noinline const struct stp_unwind_rule *find_rule(const struct program_mapping *m,
							uint64_t address)
{
	uint64_t linked;

	if (!program_mapping_link_address(m, address, &linked))
		return NULL;
	return stp_program_table_rule(m->view, linked - m->module->base);
}

static noinline void keep_rule(struct kept_rule *kept, const struct program_mapping *m,
			       uint64_t place, uint64_t address)
{
	kept->place = place;
	kept->rule = find_rule(m, address);
	stp_unwind_lean_of(m->view, kept->rule, &kept->lean);
	kept->lean_place = kept->lean.is_lean ? place : 0;
}

/* NULL: the address is in none of the script's files. */
static __always_inline struct kept_rule *rule_of(struct walked *w, const struct program_mapping *m,
						 uint64_t address)
{
	uint64_t place;
	struct kept_rule *kept;

	if (!m || !m->view)
		return NULL;
	place = address + m->distance;
	kept = &w->kept[hash_64(place, KEPT_BITS)];
	if (unlikely(kept->place != place))
		keep_rule(kept, m, place, address);
	return kept;
}

/* A walk in progress. */
struct walk {
	struct stp_unwind u;
	/*
	 * The mapping in which the last step was looked up, and the one before: stacks go
	 * back and forth between a program and its libraries. They may be other mappings
	 * by now, but their contents are right.
	 */
	const struct program_mapping *last, *before;
	uint64_t bare; /* the first place from which a guess was used */
	bool guessed;  /* the last step was a guess */
	bool may_lean, has_leant;
	bool is_short; /* of registers that a rule needs */
};

static __always_inline bool is_in(const struct program_mapping *m, uint64_t address)
{
	return m && address - m->start < m->end - m->start;
}

/* Sets k->last to the mapping of an address, and returns it. */
static const struct program_mapping *mapping_of(struct stp_ctx *c, struct walk *k, uint64_t address)
{
	const struct program_mapping *last = k->last;

	if (is_in(last, address))
		return last;
	k->last = is_in(k->before, address) ? k->before : program_mapping_find(c, address);
	k->before = last;
	return k->last;
}

/*
 * An address found by a frame pointer belongs to a caller if it is in code, or if the
 * mapping cannot be determined.
 */
static bool is_code(struct stp_ctx *c, const struct program_mapping *last, uint64_t address)
{
	const struct program_mapping *m = last;

	if (!is_in(m, address - 1))
		m = program_mapping_find(c, address - 1);
	return !m || m->is_code;
}

/* False: a return probe may have replaced a return address, or reads are checked. */
static bool may_read_plainly(void)
{
	return !stp_script.own_only && port_user_space_usable() && !compat_uprobe_has_returns();
}

/* Memory in which single addresses need no check, between window_open() and _close(). */
struct window {
	uint64_t low, most; /* its last word is at low + most */
};

static __always_inline bool window_open(struct window *w, uint64_t low)
{
	uint64_t size;

	if (low >= TASK_SIZE_MAX - sizeof(uint64_t))
		return false;
	size = min_t(uint64_t, TASK_SIZE_MAX - low, WINDOW_SIZE);
	*w = (struct window){ low, size - sizeof(uint64_t) };
	pagefault_disable();
	if (user_access_begin((const void __user *)(unsigned long)low, size))
		return true;
	pagefault_enable();
	return false;
}

static __always_inline void window_close(void)
{
	user_access_end();
	pagefault_enable();
}

static __always_inline bool read_window(void *ctx, uint64_t address, uint64_t *ret)
{
	const struct window *w = ctx;
	unsigned long word;

	if (address - w->low > w->most)
		return false;
	unsafe_get_user(word, (const unsigned long __user *)(unsigned long)address, absent);
	*ret = word;
	return true;
absent:
	return false;
}

/*
 * Steps in a loop without calls as long as rules are lean, remembered and in one mapping,
 * as nearly all rules of a stack are.
 */
static __always_inline unsigned int steps_lean(const struct program_mapping *m, struct walked *w,
					       struct stp_unwind_three *at, struct window *window)
{
	struct stp_program_frame *begin = w->frames + w->stack.count, *frame = begin;
	const struct stp_program_frame *end = w->frames + stp_script.limits.backtrace;
	uint64_t start = m->start, size = m->end - start, distance = m->distance;

	for (; frame < end && at->pc - 1 - start < size; frame++) {
		uint64_t place = at->pc - 1 + distance;
		struct kept_rule *kept = &w->kept[hash_64(place, KEPT_BITS)];
		uint64_t pc = at->pc;

		OPTIMIZER_HIDE_VAR(kept); /* computed once, not at each use */
		if (kept->lean_place != place ||
		    !stp_unwind_leave_lean(at, &kept->lean, read_window, window))
			break;
		*frame = (struct stp_program_frame){ pc, true, false, &kept->text };
	}
	return (unsigned int)(frame - begin);
}

/* Mappings are looked up while the window is closed. */
static __always_inline void steps_in_window(const struct program_mapping *m, struct walked *w,
					    struct stp_unwind_three *at)
{
	struct window window;
	unsigned int steps;

	if (!window_open(&window, at->sp))
		return;
	steps = steps_lean(m, w, at, &window);
	window_close();
	w->stack.count += steps;
}

/* Steps look up the address before `at.pc`, which is right for return addresses only. */
static void walk_lean(struct stp_ctx *c, struct walk *k, struct walked *w)
{
	const struct program_mapping *m, *done = NULL;
	struct stp_unwind_three at;
	bool is_exact = k->u.is_exact;
	unsigned int begin = w->stack.count;

	if (!stp_unwind_take(&k->u, &at))
		return;
	at.pc += is_exact;
	for (; (m = mapping_of(c, k, at.pc - 1)) && m != done && m->view; done = m)
		steps_in_window(m, w, &at);
	if (w->stack.count == begin)
		return;
	w->frames[begin].address -= is_exact;
	w->frames[begin].is_return = !is_exact;
	stp_charge_later(c, (uint64_t)(w->stack.count - begin) * WALK_WORK);
	stp_unwind_put(&k->u, &at);
	k->has_leant = true;
}

static enum stp_unwind_result step(struct stp_ctx *c, struct walk *k, struct walked *w)
{
	struct stp_unwind *u = &k->u;
	uint64_t place = stp_unwind_place_of(u);
	const struct program_mapping *m = mapping_of(c, k, place);
	struct kept_rule *kept = rule_of(w, m, place);
	enum stp_unwind_result result;

	if (m && unlikely(program_mapping_lacks_table(m)))
		program_mapping_ask(c, place);
	w->frames[w->stack.count - 1].kept = kept ? &kept->text : NULL;
	k->is_short = k->has_leant && kept && kept->lean.needs_others;
	result = stp_unwind_leave(u, m ? m->view : NULL, kept ? kept->rule : NULL, &k->guessed);
	/*
	 * A return probe on the function above has replaced its return address with one
	 * of the kernel's.
	 */
	if (result == STP_UNWIND_CALLER)
		compat_uprobe_return_address(u->slot, &u->regs[STP_UNWIND_RETURN]);
	if (result == STP_UNWIND_CALLER && k->guessed && !is_code(c, m, u->regs[STP_UNWIND_RETURN]))
		return STP_UNWIND_ASTRAY;
	return result;
}

static const enum stp_program_stack_end ends[] = {
	[STP_UNWIND_OUTERMOST] = STP_STACK_WHOLE,
	[STP_UNWIND_UNREADABLE] = STP_STACK_UNREADABLE,
	[STP_UNWIND_ASTRAY] = STP_STACK_ASTRAY,
};

/*
 * Returns the frame's place if it is not yet known that its file has no table; otherwise
 * 0.
 */
static uint64_t bare_place(const struct program_mapping *m, uint64_t place)
{
	return m && !m->module && m->is_code && !m->is_cut_noted ? place : 0;
}

/* Returns the result of the step after the last frame. */
static enum stp_unwind_result walk(struct stp_ctx *c, struct walk *k, struct walked *w)
{
	enum stp_unwind_result result = STP_UNWIND_CALLER;

	if (k->may_lean)
		walk_lean(c, k, w);
	while (result == STP_UNWIND_CALLER && w->stack.count < stp_script.limits.backtrace &&
	       !k->is_short) {
		uint64_t place = stp_unwind_place_of(&k->u);

		w->frames[w->stack.count++] =
			(struct stp_program_frame){ k->u.regs[STP_UNWIND_RETURN], !k->u.is_exact,
						    k->guessed };
		stp_charge_later(c, WALK_WORK);
		result = step(c, k, w);
		k->bare = k->bare ? k->bare : bare_place(k->last, place);
		if (k->may_lean && result == STP_UNWIND_CALLER && !k->guessed)
			walk_lean(c, k, w);
	}
	return result;
}

static void walk_begin(struct walk *k, const struct pt_regs *regs, const uint64_t start[3])
{
	k->u.saved = 0;
	k->u.slot = 0;
	k->u.is_exact = true;
	k->u.read = read_word;
	k->u.ctx = NULL;
	k->last = k->before = NULL;
	k->bare = 0;
	k->guessed = k->has_leant = k->is_short = false;
	if (start)
		unwind_from(&k->u, start);
	else
		unwind_from_registers(&k->u, regs);
}

/*
 * Walks with two registers as long as rules allow that. If a rule needs another register,
 * the walk starts again with all of them.
 */
static void walk_whole(struct stp_ctx *c, struct walk *k, struct walked *w,
		       const struct pt_regs *regs, const uint64_t start[3])
{
	enum stp_unwind_result result = walk(c, k, w);

	if (k->is_short) {
		walk_begin(k, regs, start);
		k->may_lean = false;
		w->stack.count = 0;
		result = walk(c, k, w);
	}
	if (k->bare && (result == STP_UNWIND_UNREADABLE || result == STP_UNWIND_ASTRAY) &&
	    program_cut_note(c, k->bare))
		program_mapping_note_cut(c, k->bare);
	w->stack.end = result == STP_UNWIND_CALLER ? STP_STACK_LIMIT : ends[result];
}

/* ---- by frame pointers only ---- */

static void add_frame(struct walked *w, uint64_t address, bool is_return)
{
	w->frames[w->stack.count++] = (struct stp_program_frame){ address, is_return };
}

/* Reads word by word, and restores return addresses that return probes have replaced. */
static enum stp_unwind_result walk_records_checked(struct stp_unwind_three *at, struct walked *w)
{
	enum stp_unwind_result result = STP_UNWIND_CALLER;

	while (w->stack.count < stp_script.limits.backtrace) {
		uint64_t slot = at->bp + sizeof(uint64_t);

		result = stp_unwind_leave_record(at, read_word, NULL);
		if (result != STP_UNWIND_CALLER)
			break;
		compat_uprobe_return_address(slot, &at->pc);
		add_frame(w, at->pc, true);
	}
	return result;
}

static enum stp_unwind_result walk_records(struct stp_unwind_three *at, struct walked *w)
{
	struct stp_program_frame *frame = w->frames + w->stack.count;
	const struct stp_program_frame *end = w->frames + stp_script.limits.backtrace;
	enum stp_unwind_result result = STP_UNWIND_CALLER;
	struct window window;

	if (!may_read_plainly() || !window_open(&window, at->sp))
		return walk_records_checked(at, w);
	for (; frame < end; frame++) {
		result = stp_unwind_leave_record(at, read_window, &window);
		if (result != STP_UNWIND_CALLER)
			break;
		*frame = (struct stp_program_frame){ at->pc, true };
	}
	window_close();
	w->stack.count = (unsigned int)(frame - w->frames);
	return result;
}

/*
 * The innermost function may be at its beginning or its end, where the frame pointer is
 * its caller's: the return address is at the stack pointer.
 */
static void leave_frameless(struct stp_unwind_three *at, struct walked *w)
{
	uint64_t code, slot, pc;
	int distance;

	if (!read_word(NULL, at->pc, &code))
		return;
	distance = ARCH_UNWIND_FRAMELESS(code);
	slot = at->sp + (uint64_t)(int64_t)distance;
	if (distance < 0 || !read_word(NULL, slot, &pc))
		return;
	compat_uprobe_return_address(slot, &pc);
	at->pc = pc;
	at->sp = slot + sizeof(uint64_t);
	add_frame(w, at->pc, true);
}

/* Uses neither a table nor the mappings. */
static void find_records(struct stp_ctx *c, struct pt_regs *regs, const uint64_t start[3],
			 struct walked *w)
{
	struct stp_unwind_three at = { instruction_pointer(regs), user_stack_pointer(regs),
				       frame_pointer(regs) };
	enum stp_unwind_result result;

	if (start)
		at = (struct stp_unwind_three){ start[0], start[1], start[2] };
	add_frame(w, at.pc, false);
	if (stp_script.limits.backtrace > 1)
		leave_frameless(&at, w);
	result = walk_records(&at, w);
	stp_charge_later(c, (uint64_t)w->stack.count * WALK_WORK);
	w->stack.end = result == STP_UNWIND_CALLER ? STP_STACK_LIMIT : ends[result];
}

static void find_stack(struct stp_ctx *c, const uint64_t start[3], struct walked *w)
{
	struct pt_regs *regs = user_registers(c);
	struct walk k STP_UNSET;

	w->stack = (struct stp_program_stack){ .frames = w->frames, .end = STP_STACK_NONE };
	if (!regs)
		return;
	if (stp_script.frame_pointers && !arch_is_32(regs)) {
		find_records(c, regs, start, w);
		return;
	}
	walk_begin(&k, regs, start);
	k.may_lean = may_read_plainly();
	if (arch_is_32(regs)) {
		add_frame(w, k.u.regs[STP_UNWIND_RETURN], false);
		w->stack.end = STP_STACK_32;
		return;
	}
	program_mappings_open(c);
	walk_whole(c, &k, w, regs, start);
	if (!program_mappings_close(c))
		w->stack.end = STP_STACK_BUSY;
}

void stp_program_stack(struct stp_ctx *c, const uint64_t start[3], struct stp_program_stack *ret)
{
	struct walked *w = contexts_walked[c->cpu];

	if (start || w->serial != c->serial)
		find_stack(c, start, w);
	w->serial = start ? 0 : c->serial;
	*ret = w->stack;
}

/* ---- symbols ---- */

static void find_symbol(const struct program_mapping *m, uint64_t address, bool is_return,
			struct stp_program_place *ret)
{
	const struct stp_program_symbol *symbol;
	struct stp_program_line line;
	uint64_t linked;

	if (!program_mapping_link_address(m, address - is_return, &linked))
		return;
	linked -= m->module->base;
	ret->offset = linked + is_return;
	if (!m->view || linked > UINT32_MAX)
		return;
	symbol = stp_program_table_symbol(m->view, linked);
	if (symbol) {
		ret->symbol = m->view->names + symbol->name;
		ret->symbol_offset = ret->offset - symbol->at;
		ret->symbol_size = symbol->size;
	}
	if (stp_program_table_line(m->view, linked, &line)) {
		ret->file = m->view->names + line.file;
		ret->line = line.line;
	}
}

/* Requests the map of the process, unless the present map has a name for the address. */
static void note_made(const struct program_mapping *m, uint64_t address)
{
	uint64_t at = m->view ? address - m->module->base : UINT64_MAX;

	if (program_gathering_serves() &&
	    (at > UINT32_MAX || !stp_program_table_symbol(m->view, at)))
		program_gathering_note_map(address);
}

bool stp_program_place(struct stp_ctx *c, uint64_t address, bool is_return,
		       struct stp_program_place *ret)
{
	const struct program_mapping *m = program_mapping_find(c, address - is_return);
	const char *path = program_mapping_path(c, address - is_return);

	stp_charge(c, PLACE_WORK);
	*ret = (struct stp_program_place){ 0 };
	if (m && m->is_made)
		note_made(m, address - is_return);
	if (!m || !path[0])
		return false;
	ret->module = path;
	ret->offset = address - m->start + m->offset;
	ret->size = m->size;
	if (program_mapping_lacks_table(m))
		program_mapping_ask(c, address - is_return);
	if (m->module)
		find_symbol(m, address, is_return, ret);
	return true;
}

/* ---- variables ---- */

int64_t stp_program_base(struct stp_ctx *c, uint32_t module)
{
	const char *path = stp_script.program_modules->modules[module].path;
	uint64_t base = 0;

	if (!stp_gate_process()) {
		stp_error(c, STP_GATE_OTHERS);
		return 0;
	}
	switch (program_mapping_base(c, module, &base)) {
	case -EBUSY:
		stp_error(c,
			  "read fault [man error::fault]: what process %d (%s) has mapped cannot "
			  "be read now",
			  current->tgid, current->comm);
		break;
	case -ENOENT:
		stp_error(c, "read fault [man error::fault]: process %d (%s) has not mapped %s",
			  current->tgid, current->comm, path);
		break;
	}
	return (int64_t)base;
}
