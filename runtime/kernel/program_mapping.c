/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process's mappings are read under mmap_lock, which handlers only try. Unlocking may
 * wake a waiter, and waking takes the scheduler's locks, which the probed code may hold
 * if it runs with interrupts off. In that case, unless the process was in its own code,
 * the lock is released in an interrupt that comes as soon as interrupts are on again;
 * until then it is still ours, and the next look-up takes it over. An NMI may interrupt
 * anything, so nothing is looked up there. PREEMPT_RT's locks turn interrupts on when
 * they wake a waiter: there a thread releases the lock (irq works run in one), and the
 * process's memory is kept for it. For lockdep the lock is held during look-ups only: it
 * cannot handle an owner that is not a task.
 *
 * A file is one of the script's if it has the inode of the path, or the same size and, in
 * memory, the same build-id: this finds files in containers, after an upgrade, and
 * copies.
 */
#include "kernel/program_mapping.h"

#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "core/port.h"
#include "core/state.h"
#include "kernel/access.h"
#include "kernel/file.h"
#include "kernel/gate.h"
#include "kernel/map_changes.h"
#include "kernel/program_gathering.h"

#define MAPPINGS_KEPT	16   /* number of remembered mappings of a process */
#define SPACE_BITS	2    /* of this many processes */
#define MAPPINGS_SOUGHT 4096 /* areas examined for a file, in one go */

/* A place in a file as a number: the script's file, and the place. */
#define PLACE_BITS  48
#define PLACE_FILES 0xffff

/* Units of work (api/ctx.h): examining an area for a file; describing an area. */
#define SOUGHT_WORK    512
#define DESCRIBED_WORK 4096

/* One of the script's files. */
struct table_state {
	struct stp_file file; /* none: no such file here */
	struct stp_program_view view;
	bool has_view;
};

/* The mappings of a process that hits have used on a CPU. */
struct kept_space {
	struct mm_struct *mm;
	struct map_stamp stamp;
	uint32_t gathered; /* program_gathering_count() then */
	uint64_t hit;	   /* hit that has checked both */
	unsigned int count, next;
	struct program_mapping kept[MAPPINGS_KEPT];
};

struct mappings {
	struct kept_space spaces[1 << SPACE_BITS]; /* by mm */
	/*
	 * Address at which each of the script's files was last found mapped, in any
	 * process.
	 */
	unsigned long *code;
	struct mm_struct *held; /* owner of the lock that we hold */
	unsigned int holders;
	bool is_open, is_open_held, is_busy; /* program_mappings_open() */
	bool is_pending;		     /* the work will release it */
	struct irq_work unlock;
};

static struct table_state *states;
static struct mappings **contexts; /* same order as stp_runtime.cpus */

static const struct stp_program_modules *modules(void)
{
	return stp_script.program_modules;
}

/* ---- setting up ---- */

static void state_create(struct table_state *state, const struct stp_program_module *m)
{
	struct file *file = m->path ? stp_file_open(m->path) : NULL;

	state->has_view = stp_program_table_open(m->table, m->table_size, &state->view);
	if (IS_ERR_OR_NULL(file))
		return;
	if (stp_file_is(file, m->size, m->id_offset, m->id, m->id_size))
		stp_file_hold(&state->file, &file->f_path, d_real_inode(file->f_path.dentry));
	filp_close(file, NULL);
}

static void unlock_later(struct irq_work *work)
{
	struct mappings *ms = container_of(work, struct mappings, unlock);
	unsigned long flags = port_irq_save(); /* keeps hits out if this is a thread */
	struct mm_struct *mm = ms->held;

	ms->held = NULL;
	ms->is_pending = false;
	port_irq_restore(flags);
	up_read_non_owner(&mm->mmap_lock);
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		mmdrop(mm);
}

int program_mappings_create(void)
{
	states = kvcalloc(modules()->count + 1, sizeof(*states), GFP_KERNEL);
	contexts = kvcalloc(stp_runtime.ncpus + 1, sizeof(*contexts), GFP_KERNEL);
	if (!states || !contexts)
		return -ENOMEM;
	for (unsigned int i = 0; i <= stp_runtime.ncpus; i++) {
		if (!stp_runtime.cpus[i])
			continue;
		contexts[i] = kvzalloc(sizeof(*contexts[i]), GFP_KERNEL);
		if (!contexts[i])
			return -ENOMEM;
		init_irq_work(&contexts[i]->unlock, unlock_later);
		contexts[i]->code =
			kvcalloc(modules()->count + 1, sizeof(*contexts[i]->code), GFP_KERNEL);
		if (!contexts[i]->code)
			return -ENOMEM;
	}
	for (unsigned int i = 0; i < modules()->count; i++)
		state_create(&states[i], &modules()->modules[i]);
	map_changes_create();
	return 0;
}

void program_mappings_destroy(void)
{
	map_changes_destroy();
	for (unsigned int i = 0; contexts && i <= stp_runtime.ncpus; i++) {
		if (contexts[i]) {
			irq_work_sync(&contexts[i]->unlock);
			kvfree(contexts[i]->code);
		}
		kvfree(contexts[i]);
	}
	for (unsigned int i = 0; states && i < modules()->count; i++)
		stp_file_release(&states[i].file);
	kvfree(contexts);
	kvfree(states);
	contexts = NULL;
	states = NULL;
}

/* ---- the lock ---- */

/*
 * Takes over a lock that is about to be released: no writer can have taken it meanwhile.
 */
static bool take_over(struct mm_struct *mm)
{
	if (mm != current->mm)
		return false;
	rwsem_acquire_read(&mm->mmap_lock.dep_map, 0, 1, _RET_IP_);
	return true;
}

static bool lock(const struct stp_ctx *c, struct mappings *ms)
{
	if (c->has_mappings)
		return true;
	if (ms->held)
		return take_over(ms->held);
	if (!down_read_trylock(&current->mm->mmap_lock))
		return false;
	ms->held = current->mm;
	return true;
}

/*
 * True: waking a waiter of the lock is possible here. The locks that this takes are only
 * held with interrupts off, and never by a process that was in its own code: a hit that
 * is repeated finds them off there, too.
 */
static bool may_wake(const struct stp_ctx *c)
{
	return c->sleepable || (!IS_ENABLED(CONFIG_PREEMPT_RT) &&
				((c->regs && user_mode(c->regs)) ||
				 !irqs_disabled_flags(stp_runtime.cpus[c->cpu]->irq_flags)));
}

static void unlock(struct stp_ctx *c, struct mappings *ms)
{
	struct mm_struct *mm = ms->held;

	if (c->has_mappings)
		return;
	if (!ms->is_pending && may_wake(c)) {
		ms->held = NULL;
		up_read(&mm->mmap_lock);
		return;
	}
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	if (ms->is_pending)
		return;
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		mmgrab(mm); /* its last task may end before the thread runs */
	ms->is_pending = true;
	irq_work_queue(&ms->unlock);
}

static struct mappings *context_of(struct stp_ctx *c)
{
	return current->mm && !(current->flags & PF_KTHREAD) && !in_nmi() && stp_gate_process()
		       ? contexts[c->cpu]
		       : NULL;
}

/* False: the lock is not available, and there is nothing to release. */
static bool hold(struct stp_ctx *c, struct mappings *ms)
{
	if (!ms->holders && !lock(c, ms)) {
		stp_access_put_off();
		ms->is_busy = true;
		return false;
	}
	ms->holders++;
	if (ms->is_open && !ms->is_open_held) {
		ms->is_open_held = true;
		ms->holders++;
	}
	return true;
}

static void release(struct stp_ctx *c, struct mappings *ms)
{
	if (!--ms->holders)
		unlock(c, ms);
}

void program_mappings_open(struct stp_ctx *c)
{
	struct mappings *ms = contexts[c->cpu];

	ms->is_open = true;
	ms->is_open_held = ms->is_busy = false;
}

bool program_mappings_close(struct stp_ctx *c)
{
	struct mappings *ms = contexts[c->cpu];

	ms->is_open = false;
	if (ms->is_open_held)
		release(c, ms);
	return !ms->is_busy;
}

/* ---- looking up ---- */

static bool id_in_memory(const struct stp_program_module *m, uint64_t bias)
{
	uint8_t id[STP_BUILD_ID_MAX];

	return m->id_size && m->id_size <= sizeof(id) &&
	       stp_access_peek(id, bias + m->id_address, m->id_size) &&
	       !memcmp(id, m->id, m->id_size);
}

static bool link_address(const struct stp_program_module *m, uint64_t offset, uint64_t *ret)
{
	for (uint32_t i = 0; i < m->nsegments; i++) {
		const struct stp_program_segment *g = &m->segments[i];

		if (offset >= g->offset && offset - g->offset < g->size) {
			*ret = offset - g->offset + g->address;
			return true;
		}
	}
	return false;
}

bool program_mapping_link_address(const struct program_mapping *m, uint64_t address, uint64_t *ret)
{
	return m->module && link_address(m->module, address - m->start + m->offset, ret);
}

static bool is_module(const struct stp_program_module *m, const struct table_state *state,
		      const struct vm_area_struct *vma, uint64_t address)
{
	uint64_t linked;

	if (!m->path) /* the vdso, mapped from its first byte on */
		return !vma->vm_file && (unsigned long)vma->vm_mm->context.vdso == vma->vm_start &&
		       id_in_memory(m, vma->vm_start);
	if (!vma->vm_file)
		return false;
	if (state->file.inode == file_inode(vma->vm_file))
		return true;
	return i_size_read(file_inode(vma->vm_file)) == m->size &&
	       link_address(m, address - vma->vm_start + ((uint64_t)vma->vm_pgoff << PAGE_SHIFT),
			    &linked) &&
	       id_in_memory(m, address - linked);
}

/* Puts sign and text before the text at `at`; NULL: there is no room. */
static char *put_before(const char *begin, char *at, char sign, const char *text)
{
	size_t len = strnlen(text, NAME_MAX);

	if ((size_t)(at - begin) < len + 1)
		return NULL;
	memcpy(at - len, text, len);
	at[-len - 1] = sign;
	return at - len - 1;
}

void program_mapping_put_path(const struct file *file, char *dst, size_t size)
{
	const struct dentry *d = file->f_path.dentry;
	char *at = dst + size - 1, *before = at;

	*at = 0;
	rcu_read_lock();
	if (IS_ROOT(d)) {
		at = before = put_before(dst, at, 0, READ_ONCE(d->d_name.name));
		at = at ? at + 1 : dst + size - 1;
	}
	while (before && !IS_ROOT(d)) {
		before = put_before(dst + 3, at, '/', READ_ONCE(d->d_name.name));
		at = before ? before : memcpy(at - 3, "...", 3);
		d = READ_ONCE(d->d_parent);
	}
	rcu_read_unlock();
	memmove(dst, at, dst + size - at);
}

/*
 * Notes the table of the file, which is number `file` of all. Numbers of places have 48
 * bits; no file is mapped farther from its beginning.
 */
static void set_view(struct program_mapping *m, unsigned int file,
		     const struct stp_program_view *view)
{
	if (file >= PLACE_FILES || m->offset + (m->end - m->start) > 1ULL << PLACE_BITS)
		return;
	m->view = view;
	m->distance = m->offset - m->start + ((file + 1ULL) << PLACE_BITS);
}

/* Finds the file among those whose tables arrived while the script was running. */
static void describe_gathered(struct program_mapping *m, const struct vm_area_struct *vma)
{
	const struct stp_program_view *view;
	unsigned int number;

	if (vma->vm_file && program_gathering_serves() &&
	    program_gathering_find(vma->vm_file, &number, &m->module, &view))
		set_view(m, modules()->count + number, view);
}

/*
 * Finds the names of code that the process has generated. Their addresses are those of
 * the process: the map has one segment, the whole memory.
 */
static void describe_made(struct program_mapping *m)
{
	const struct stp_program_view *view;
	unsigned int number;

	if (!program_gathering_serves() || !program_gathering_find_map(&number, &m->module, &view))
		return;
	m->offset = m->start;
	set_view(m, modules()->count + number, view);
}

/* Finds which of the script's files it is. */
static void describe_module(struct program_mapping *m, const struct vm_area_struct *vma,
			    uint64_t address)
{
	for (unsigned int i = 0; i < modules()->count; i++) {
		if (!is_module(&modules()->modules[i], &states[i], vma, address))
			continue;
		m->module = &modules()->modules[i];
		if (states[i].has_view)
			set_view(m, i, &states[i].view);
		return;
	}
	if (m->is_made)
		describe_made(m);
	else
		describe_gathered(m, vma);
}

static void describe(struct program_mapping *m, const struct vm_area_struct *vma, uint64_t address)
{
	m->start = vma->vm_start;
	m->end = vma->vm_end;
	m->offset = m->size = m->distance = 0;
	m->module = NULL;
	m->view = NULL;
	m->path[0] = 0;
	m->path_hit = 0;
	m->is_code = vma->vm_flags & VM_EXEC;
	m->is_made = m->is_code && !vma->vm_file &&
		     (unsigned long)vma->vm_mm->context.vdso != vma->vm_start;
	m->is_cut_noted = m->is_asked = false;
	if (vma->vm_file) {
		m->offset = (uint64_t)vma->vm_pgoff << PAGE_SHIFT;
		m->size = i_size_read(file_inode(vma->vm_file));
	}
	describe_module(m, vma, address);
	m->is_lasting = vma->vm_file || MAP_CHANGES_TELL_ALL;
}

/* Returns the remembered mappings of the current process, valid for this hit. */
static struct kept_space *space_of(struct mappings *ms, uint64_t hit)
{
	struct kept_space *s = &ms->spaces[hash_ptr(current->mm, SPACE_BITS)];
	uint32_t gathered = program_gathering_count();
	struct map_stamp now;

	if (s->mm == current->mm && s->hit == hit)
		return s;
	if (!map_changes_stamp(&now) || s->mm != current->mm ||
	    !map_changes_none(&s->stamp, &now) || s->gathered != gathered)
		s->count = s->next = 0;
	s->mm = current->mm;
	s->stamp = now;
	s->gathered = gathered;
	s->hit = hit;
	return s;
}

static struct program_mapping *find_kept(struct kept_space *s, uint64_t address)
{
	for (unsigned int i = 0; i < s->count; i++) {
		struct program_mapping *m = &s->kept[i];

		if (address - m->start < m->end - m->start && (m->is_lasting || m->hit == s->hit))
			return m;
	}
	return NULL;
}

/* Takes a place that was used only by an earlier hit, or the next one. */
static struct program_mapping *place_for_next(struct kept_space *s)
{
	struct program_mapping *next;

	for (unsigned int i = 0; i < s->count; i++)
		if (!s->kept[i].is_lasting && s->kept[i].hit != s->hit)
			return &s->kept[i];
	next = &s->kept[s->next];
	s->next = (s->next + 1) % MAPPINGS_KEPT;
	s->count = min(s->count + 1, (unsigned int)MAPPINGS_KEPT);
	return next;
}

static struct program_mapping *keep(struct stp_ctx *c, struct kept_space *s,
				    const struct vm_area_struct *vma, uint64_t address)
{
	struct program_mapping *m = place_for_next(s);

	stp_charge_later(c, DESCRIBED_WORK + SOUGHT_WORK * (u64)(modules()->count +
								 program_gathering_count()));
	describe(m, vma, address);
	m->hit = s->hit;
	return m;
}

static const struct vm_area_struct *area_at(uint64_t address)
{
	const struct vm_area_struct *vma = find_vma(current->mm, address);

	return vma && vma->vm_start <= address ? vma : NULL;
}

static noinline struct program_mapping *look_up(struct stp_ctx *c, struct mappings *ms,
						struct kept_space *s, uint64_t address)
{
	struct program_mapping *m = NULL;
	const struct vm_area_struct *vma;

	if (!hold(c, ms))
		return NULL;
	vma = area_at(address);
	if (vma)
		m = keep(c, s, vma, address);
	release(c, ms);
	return m;
}

static struct program_mapping *mapping_at(struct stp_ctx *c, uint64_t address)
{
	struct mappings *ms = context_of(c);
	struct kept_space *s = ms ? space_of(ms, c->serial) : NULL;
	struct program_mapping *m = s ? find_kept(s, address) : NULL;

	return m || !s ? m : look_up(c, ms, s, address);
}

const struct program_mapping *program_mapping_find(struct stp_ctx *c, uint64_t address)
{
	return mapping_at(c, address);
}

void program_mapping_note_cut(struct stp_ctx *c, uint64_t address)
{
	struct program_mapping *m = mapping_at(c, address);

	if (m)
		m->is_cut_noted = true;
}

void program_mapping_ask(struct stp_ctx *c, uint64_t address)
{
	struct mappings *ms = context_of(c);
	struct program_mapping *m = mapping_at(c, address);
	const struct vm_area_struct *vma;

	if (!m || !program_mapping_lacks_table(m) || !hold(c, ms))
		return;
	vma = area_at(address);
	if (vma && vma->vm_file && program_gathering_serves())
		program_gathering_note(vma->vm_file);
	m->is_asked = true;
	release(c, ms);
}

const char *program_mapping_path(struct stp_ctx *c, uint64_t address)
{
	struct mappings *ms = context_of(c);
	struct program_mapping *m = mapping_at(c, address);
	const struct vm_area_struct *vma;

	if (!m)
		return "";
	if (m->module) /* the script gives its path */
		return m->module->path ? m->module->path : "vdso";
	if (m->path_hit == c->serial)
		return m->path;
	m->path[0] = 0;
	if (!hold(c, ms))
		return m->path;
	vma = area_at(address);
	if (vma && vma->vm_file)
		program_mapping_put_path(vma->vm_file, m->path, sizeof(m->path));
	m->path_hit = c->serial;
	release(c, ms);
	return m->path;
}

/*
 * ---- the reverse: the place where a process has mapped one of the script's files ----
 */

/*
 * True: the area is code of the module (a file may also be mapped as data, to be read).
 * Pages begin before the segments in them do.
 */
static bool is_code_of(unsigned int module, const struct vm_area_struct *vma, uint64_t *base)
{
	const struct stp_program_module *m = &modules()->modules[module];
	uint64_t offset = (uint64_t)vma->vm_pgoff << PAGE_SHIFT;

	if (!vma->vm_file || !(vma->vm_flags & VM_EXEC))
		return false;
	for (uint32_t i = 0; i < m->nsegments; i++) {
		const struct stp_program_segment *g = &m->segments[i];
		uint64_t skipped = g->offset > offset ? g->offset - offset : 0;

		if (!g->is_code || skipped >= PAGE_SIZE || offset >= g->offset + g->size)
			continue;
		*base = vma->vm_start - offset + g->offset - g->address;
		return is_module(m, &states[module], vma, vma->vm_start + skipped);
	}
	return false;
}

static int find_code(struct stp_ctx *c, struct mappings *ms, unsigned int module, uint64_t *base)
{
	const struct vm_area_struct *vma = find_vma(current->mm, ms->code[module]);
	unsigned long address = 0;

	if (vma && is_code_of(module, vma, base))
		return 0;
	for (unsigned int i = 0; i < MAPPINGS_SOUGHT; i++) {
		vma = find_vma(current->mm, address);
		if (!vma || !stp_charge(c, SOUGHT_WORK))
			return -ENOENT;
		if (is_code_of(module, vma, base)) {
			ms->code[module] = vma->vm_start;
			return 0;
		}
		address = vma->vm_end;
	}
	return -ENOENT;
}

int program_mapping_base(struct stp_ctx *c, unsigned int module, uint64_t *base)
{
	struct mappings *ms = context_of(c);
	int ret = -EBUSY;

	if (!ms)
		return in_nmi() ? -EBUSY : -ENOENT;
	if (hold(c, ms)) {
		ret = find_code(c, ms, module, base);
		release(c, ms);
	}
	return ret;
}
