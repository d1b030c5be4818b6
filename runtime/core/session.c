/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/key.h"
#include "core/state.h"

#define RING_DEFAULT (8ull << 20)
#define RING_LEAST   (256ull << 10)
#define RING_MOST    (1ull << 30)
#define RING_SLOW    (1ull << 20)

/*
 * The clocks of two CPUs, and the NMI-safe clock around an update of the timekeeper, may
 * differ by a little: the horizon lags by this much. Nobody notices a delay of 10 µs.
 */
#define CLOCK_SLACK_NS 10000
/* A hit reads its time between two stores: a reader need not check often. */
#define PENDING_TRIES 1000

struct stp_runtime stp_runtime;
struct stp_run stp_run;
uint32_t stp_buffer_mb, stp_memory_mb;
long stp_remote_id = -1;
char *stp_remote_uri = "";

uint64_t stp_key_factor __attribute__((aligned(64))) = 0x9e3779b97f4a7c15u;

/* An odd factor loses no bit of a key; a large one reaches the upper half. */
static void choose_key_factor(void)
{
	uint64_t factor;

	port_random(&factor, sizeof(factor));
	stp_key_factor = factor | 1ull << 63 | 1;
}

/* ---- memory ---- */

static struct {
	uint64_t bytes;
	bool counts, exceeded;
} session_memory;

bool stp_session_take(uint64_t bytes)
{
	uint64_t most = stp_memory_mb ? (uint64_t)stp_memory_mb << 20 : UINT64_MAX;

	if (!session_memory.counts)
		return true;
	session_memory.exceeded |= bytes > most - session_memory.bytes;
	if (!session_memory.exceeded)
		session_memory.bytes += bytes;
	return !session_memory.exceeded;
}

uint64_t stp_session_take_some(uint64_t most)
{
	uint64_t limit = stp_memory_mb ? (uint64_t)stp_memory_mb << 20 : UINT64_MAX;
	uint64_t share = (limit - session_memory.bytes) / 4;

	most = share < most ? share : most;
	return stp_session_take(most) ? most : 0;
}

uint64_t stp_session_memory(void)
{
	return session_memory.bytes;
}

static uint64_t ring_size(const struct stp_runtime *r)
{
	uint32_t mb = stp_buffer_mb ? stp_buffer_mb : stp_script.limits.buffer_mb;
	uint64_t want = mb ? (uint64_t)mb << 20 : RING_DEFAULT;
	uint64_t share = port_total_memory() / (mb ? 2 : 32);
	uint64_t size = RING_LEAST;

	while (size < want && size < RING_MOST)
		size *= 2;
	while (size > RING_LEAST && size * r->ncpus > share)
		size /= 2;
	return size;
}

static void cpu_destroy(struct stp_cpu *cpu)
{
	if (!cpu)
		return;
	stp_ring_free(&cpu->ring);
	port_free(cpu->stage);
	port_free(cpu->times);
	port_free(cpu->ctx.frame_base);
	port_free(cpu->ctx.matches);
	port_free(cpu);
}

static void set_in_place(struct stp_cpu *cpu, const struct stp_runtime *r)
{
	bool can = !cpu->ctx.sleepable && !cpu->ring.overwrite;

	cpu->in_place = can && !r->as_data;
	cpu->tells_task = can && r->as_data;
}

static struct stp_cpu *cpu_create(const struct stp_runtime *r, unsigned index, uint64_t ring_bytes)
{
	const struct stp_script *script = port_address(stp_script);
	const uint64_t nbooks = script->nprobes + 1ull;
	struct stp_cpu *cpu = port_alloc(sizeof(*cpu) + nbooks * sizeof(cpu->books[0]));

	if (!cpu)
		return NULL;
	cpu->ctx.cpu = index;
	cpu->ctx.sleepable = index == r->ncpus;
	cpu->asks = (uint32_t)READ_ONCE(r->state) > STP_RUNNING;
	set_in_place(cpu, r);
	stp_budget_set(&cpu->ctx);
	cpu->ctx.frame_base = port_alloc(script->frame_bytes + STP_FRAME_SLACK);
	cpu->stage = port_alloc(STP_RECORD_MAX + STP_SCRATCH_BYTES);
	cpu->times = port_alloc(nbooks * sizeof(cpu->times[0]));
	if (script->notes_matches)
		cpu->ctx.matches = port_alloc(stp_matches_bytes(script->limits.string));
	if (cpu->ctx.frame_base && cpu->stage && cpu->times &&
	    !!cpu->ctx.matches == script->notes_matches && !stp_ring_init(&cpu->ring, ring_bytes))
		return cpu;
	cpu_destroy(cpu);
	return NULL;
}

static bool cpus_create(struct stp_runtime *r)
{
	uint64_t bytes = ring_size(r);

	r->cpus = port_alloc((r->ncpus + 1) * sizeof(r->cpus[0]));
	if (!r->cpus)
		return false;
	for (unsigned i = 0; i <= r->ncpus; i++) {
		if (i < r->ncpus && !port_cpu_possible(i))
			continue;
		r->cpus[i] = cpu_create(r, i, i < r->ncpus ? bytes : RING_SLOW);
		if (!r->cpus[i])
			return false;
#ifdef __KERNEL__
		if (i < r->ncpus)
			per_cpu(stp_here, i) = r->cpus[i];
#endif
	}
	return true;
}

static size_t state_bytes(const struct stp_probe *p)
{
	return (p->family->state_size + 63u) & ~(size_t)63;
}

/*
 * Uses one block: there may be ten thousand states, and a page for each would be
 * wasteful.
 */
static bool states_create(struct stp_runtime *r)
{
	const struct stp_script *script = port_address(stp_script);
	size_t bytes = (script->nprobes + 1) * sizeof(r->states[0]),
	       at = (bytes + 63) & ~(size_t)63;

	bytes = at;
	for (uint32_t i = 0; i < script->nprobes; i++)
		bytes += state_bytes(&script->probes[i]);
	r->states = port_alloc(bytes);
	if (!r->states)
		return false;
	for (uint32_t i = 0; i < script->nprobes; i++) {
		r->states[i] = (uint8_t *)r->states + at;
		at += state_bytes(&script->probes[i]);
	}
	return true;
}

static int parts_create(void)
{
	const struct stp_script *script = port_address(stp_script);
	int err = 0;

	for (uint32_t i = 0; i < script->nparts && !err; i++)
		err = script->parts[i]->create();
	return err;
}

int stp_session_create(void)
{
	struct stp_runtime *r = port_address(stp_runtime);
	int err = -ENOMEM;

	memset(r, 0, sizeof(*r));
	choose_key_factor();
	session_memory.counts = true;
	r->state = STP_LOADED;
	r->ncpus = port_cpu_count();
	r->off = port_alloc(stp_script.nprobes + 1);
	if (!r->off || !cpus_create(r) || !states_create(r))
		goto fail;
	err = parts_create();
fail:
	session_memory.counts = false;
	if (err)
		stp_session_destroy();
	return err && session_memory.exceeded ? -EDQUOT : err;
}

void stp_session_destroy(void)
{
	struct stp_runtime *r = port_address(stp_runtime);
	const struct stp_script *script = port_address(stp_script);

	for (uint32_t i = 0; i < script->nparts; i++)
		script->parts[i]->destroy(); /* whether it was created or not */
	for (unsigned i = 0; r->cpus && i <= r->ncpus; i++)
		cpu_destroy(r->cpus[i]);
	port_free(r->states);
	port_free(r->cpus);
	port_free(r->off);
	memset(r, 0, sizeof(*r));
	stp_run = (struct stp_run){ 0 };
}

/* ---- state ---- */

enum stp_state stp_session_state(void)
{
	return (enum stp_state)(READ_ONCE(stp_runtime.state) & ~STP_STATE_FLAGS);
}

/*
 * Makes hits look at the state, on all CPUs, once it no longer lets all of them run. They
 * never stop looking: who said so first might still need it.
 */
static __attribute__((__noinline__, cold)) void state_announce(void)
{
	const struct stp_runtime *r = port_address(stp_runtime);

	for (unsigned i = 0; r->cpus && i < r->ncpus; i++)
		if (r->cpus[i])
			WRITE_ONCE(r->cpus[i]->asks, 1);
	port_hits_ask();
}

static bool state_change(enum stp_state from, enum stp_state to)
{
	int32_t old = READ_ONCE(stp_runtime.state);

	do {
		if ((old & ~STP_STATE_FLAGS) != (int32_t)from)
			return false;
	} while (!try_cmpxchg32(&stp_runtime.state, &old, (old & STP_STATE_FLAGS) | to));
	if (to > STP_RUNNING)
		state_announce();
	return true;
}

void stp_session_request_exit(void)
{
	if (state_change(STP_RUNNING, STP_EXITING) || state_change(STP_STARTING, STP_EXITING))
		port_wake_reader();
}

void stp_session_fail(void)
{
	WRITE_ONCE(stp_runtime.failed, 1);
	stp_session_request_exit();
}

void stp_session_set_filtered(void)
{
	stp_runtime.state |= STP_STATE_FILTERED;
	state_announce();
}

bool stp_session_is_off(uint32_t index)
{
	return READ_ONCE(stp_runtime.off[index]);
}

/* Makes hits check the switches of their probes as long as one is off. */
static void switches_note(const struct stp_runtime *r)
{
	int32_t old = READ_ONCE(stp_runtime.state), flag = 0;

	for (uint32_t i = 0; i < stp_script.nprobes; i++)
		if (r->off[i])
			flag = STP_STATE_SWITCHED;
	do {
		if ((old & ~STP_STATE_FLAGS) > STP_RUNNING)
			return;
	} while (!try_cmpxchg32(&stp_runtime.state, &old, (old & ~STP_STATE_SWITCHED) | flag));
	state_announce();
}

bool stp_session_switch(const char *request)
{
	struct stp_runtime *r = port_address(stp_runtime);
	const struct stp_script *script = port_address(stp_script);
	uint32_t first = 0, last = script->nprobes, index = 0;
	const char *at = request;
	bool on;

	for (; *at >= '0' && *at <= '9' && index < script->nprobes; at++)
		index = 10 * index + (uint32_t)(*at - '0');
	if (at > request) {
		first = index;
		last = index + 1;
	} else if (!strncmp(at, "all", 3)) {
		at += 3;
	}
	on = !strcmp(at, ":on");
	if (at == request || last > script->nprobes || (!on && strcmp(at, ":off")))
		return false;
	for (uint32_t i = first; i < last; i++)
		if (script->probes[i].hit)
			WRITE_ONCE(r->off[i], !on);
	switches_note(r);
	return true;
}

bool stp_session_failed(void)
{
	return READ_ONCE(stp_runtime.failed);
}

bool stp_session_overloaded(void)
{
	return READ_ONCE(stp_runtime.overloaded);
}

bool stp_session_end_wanted(void)
{
	return stp_runtime.run_end;
}

const struct stp_zone *stp_zone(void)
{
	return &stp_runtime.zone;
}

void stp_session_set_reader(void)
{
	struct stp_runtime *r = port_address(stp_runtime);
	int64_t starters[STP_STARTERS];

	if (stp_reader() == port_process())
		return;
	port_starters(starters);
	WRITE_ONCE(stp_run.reader, port_process());
	for (unsigned i = 0; i < STP_STARTERS; i++)
		WRITE_ONCE(r->starters[i], starters[i]);
}

static void set_all_in_place(const struct stp_runtime *r)
{
	for (unsigned i = 0; r->cpus && i <= r->ncpus; i++)
		if (r->cpus[i])
			set_in_place(r->cpus[i], r);
}

/*
 * Half of a ring is reserved for the output of tasks until they reach the place where
 * they are held.
 */
static void set_on_full(struct stp_runtime *r, enum stp_on_full mode)
{
	r->on_full = mode;
	for (unsigned i = 0; i <= r->ncpus; i++) {
		struct stp_ring *ring = stp_session_ring(i);

		if (!ring)
			continue;
		ring->overwrite = mode == STP_OVERWRITE;
		ring->hold_level =
			mode == STP_THROTTLE && i < r->ncpus ? ring->size / 2 : UINT64_MAX;
	}
}

void stp_session_prepare(const struct stp_start *start)
{
	struct stp_runtime *r = port_address(stp_runtime);

	r->zone = start->zone;
	r->zone.name[sizeof(r->zone.name) - 1] = 0;
	r->as_data = start->as_data;
	r->verbose = start->verbose;
	set_on_full(r, start->on_full);
	set_all_in_place(r);
}

bool stp_is_of_run(int64_t pid)
{
	bool is_starter = false;

	for (unsigned i = 0; i < STP_STARTERS; i++)
		is_starter |= pid == stp_runtime.starters[i];
	return pid && (is_starter || pid == stp_reader());
}

/* ---- setting up families ---- */

static void setup_note(const char *fmt, va_list args)
{
	if (!stp_runtime.setup_error[0])
		vsnprintf(stp_runtime.setup_error, sizeof(stp_runtime.setup_error), fmt, args);
}

void stp_setup_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	setup_note(fmt, args);
	va_end(args);
}

/* One missing probe point is not a reason to stop, but the user should know about it. */
static void setup_warn(const char *what)
{
	char text[320];

	snprintf(text, sizeof(text), "%s [man warning::pass5]", what);
	stp_slow_notice(RECORD_WARNING, text);
}

void stp_setup_warning(const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	setup_warn(text);
}

/*
 * Families are found by name, not by address: only families that the script uses are
 * linked in.
 */
static const char *const family_names[] = {
#define FAMILY(name) #name,
#include "probe/families.def"
#undef FAMILY
};
#define NFAMILIES ((int)(sizeof(family_names) / sizeof(family_names[0])))

struct family_use {
	const struct stp_family *family;
	const struct stp_probe **probes;
	void **states;
	unsigned n;
};

/* Returns the family of that name, if the script has probes of it. */
static const struct stp_family *family_named(const char *name)
{
	const struct stp_family *seen = NULL;

	/*
	 * Skips the comparison for further rows of the same family: strcmp() may be
	 * probed.
	 */
	for (uint32_t i = 0; i < stp_script.nprobes; i++) {
		const struct stp_family *family = stp_script.probes[i].family;

		if (family != seen && !strcmp(family->name, name))
			return family;
		seen = family;
	}
	return NULL;
}

/* Collects the script's probes of one family; n may become 0. False: no memory. */
static bool family_collect(const char *name, struct family_use *ret)
{
	const struct stp_family *family = family_named(name);

	memset(ret, 0, sizeof(*ret));
	for (uint32_t i = 0; i < stp_script.nprobes; i++)
		ret->n += stp_script.probes[i].family == family;
	if (!ret->n)
		return true;
	ret->probes = port_alloc(ret->n * sizeof(ret->probes[0]));
	ret->states = port_alloc(ret->n * sizeof(ret->states[0]));
	ret->family = family;
	if (!ret->probes || !ret->states)
		return false;
	for (uint32_t i = 0, n = 0; i < stp_script.nprobes; i++) {
		const struct stp_probe *p = &stp_script.probes[i];

		if (p->family != family)
			continue;
		ret->probes[n] = p;
		ret->states[n++] = stp_runtime.states[i];
	}
	return true;
}

static void family_release(struct family_use *u)
{
	port_free(u->probes);
	port_free(u->states);
}

static int family_add(const char *name)
{
	struct family_use u;
	int err = family_collect(name, &u) ? 0 : -ENOMEM;

	if (!err && u.n)
		err = u.family->add(u.probes, u.states, u.n);
	family_release(&u);
	if (!err && stp_runtime.setup_error[0]) {
		setup_warn(stp_runtime.setup_error);
		stp_runtime.setup_error[0] = 0;
	}
	return err;
}

/*
 * Removes a family's probes. If there is no memory for the lists, waits for some: no
 * handlers may remain in a module that is removed.
 */
static void family_remove(const char *name)
{
	struct family_use u;

	while (!family_collect(name, &u)) {
		family_release(&u);
		port_sleep_ms(10);
	}
	if (u.n)
		u.family->remove(u.probes, u.states, u.n);
	family_release(&u);
}

static void families_remove(void)
{
	while (stp_runtime.families_added > 0)
		family_remove(family_names[--stp_runtime.families_added]);
}

int stp_session_start(int64_t target, char *error, size_t size)
{
	struct stp_runtime *r = port_address(stp_runtime);
	int err = 0;

	if (!state_change(STP_LOADED, STP_STARTING)) {
		snprintf(error, size, "the script has been started already");
		return -EBUSY;
	}
	WRITE_ONCE(r->started, port_realtime_ns());
	stp_run.target = target;
	stp_session_set_reader();
	/*
	 * The family of begin and end comes first: if begin calls exit() or fails,
	 * nothing else is registered.
	 */
	while (!err && r->families_added < NFAMILIES && stp_session_state() == STP_STARTING) {
		err = family_add(family_names[r->families_added]);
		if (!err)
			r->families_added++;
	}
	if (!err) {
		state_change(STP_STARTING, STP_RUNNING);
		return 0;
	}
	snprintf(error, size, "%s", r->setup_error[0] ? r->setup_error : "out of memory");
	stp_session_fail();
	families_remove();
	WRITE_ONCE(r->state, STP_STOPPED);
	return err;
}

static void parts_ended(void)
{
	const struct stp_script *script = port_address(stp_script);

	for (uint32_t i = 0; i < script->nparts; i++)
		if (script->parts[i]->ended)
			script->parts[i]->ended();
}

void stp_session_stop(bool run_end_probes)
{
	if (stp_session_state() == STP_STOPPED)
		return;
	/* From here on, hits are skipped. */
	WRITE_ONCE(stp_runtime.state, STP_EXITING);
	state_announce();
	stp_runtime.run_end = run_end_probes;
	families_remove();
	parts_ended();
	stp_overload_tell();
	WRITE_ONCE(stp_runtime.state, STP_STOPPED);
	port_wake_reader();
}

/* ---- functions for the reader ---- */

unsigned stp_session_nrings(void)
{
	return stp_runtime.ncpus + 1;
}

struct stp_ring *stp_session_ring(unsigned n)
{
	return n <= stp_runtime.ncpus && stp_runtime.cpus[n] ? &stp_runtime.cpus[n]->ring : NULL;
}

uint64_t stp_session_horizon(void)
{
	uint64_t horizon = port_monotonic_ns() - CLOCK_SLACK_NS;

	smp_mb();
	for (unsigned i = 0; i <= stp_runtime.ncpus; i++) {
		const struct stp_cpu *cpu = stp_runtime.cpus[i];
		uint64_t pending = cpu ? smp_load_acquire(&cpu->pending) : 0;

		for (int tries = 0; pending == STP_PENDING_BUSY; tries++) {
			/*
			 * A hit has stopped in the middle: this time there is no horizon.
			 */
			if (tries == PENDING_TRIES)
				return 0;
			port_delay_us(1);
			pending = smp_load_acquire(&cpu->pending);
		}
		if (pending && pending - 1 < horizon)
			horizon = pending - 1;
	}
	return horizon;
}
