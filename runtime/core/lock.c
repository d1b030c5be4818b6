/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks of globals: they are tried, with bounded waiting. A handler takes all it needs,
 * in order, or none.
 */
#include "core/shards.h"
#include "core/state.h"

/* True: some CPU is adding. */
static bool lock_is_added_under(const struct stp_lock *lock)
{
	for (unsigned i = 0; i <= stp_runtime.ncpus; i++) {
		const struct stp_cpu *cpu = stp_runtime.cpus[i];

		if (cpu && (smp_load_acquire(&cpu->adding) & lock->adders))
			return true;
	}
	return false;
}

bool stp_lock_wait(uint32_t *tries)
{
	if (!*tries)
		return false;
	--*tries;
	port_delay_us(stp_script.limits.trylock_delay);
	return true;
}

static const struct stp_shards_calls *lock_shards(const struct stp_lock *lock)
{
	return (*lock->array)->desc->shards;
}

bool stp_lock_take(struct stp_cpu *cpu, const struct stp_lock_use *use, uint32_t *tries)
{
	if (PORT_PARTS && use->mode == STP_LOCK_ALL)
		return lock_shards(use->lock)->take_all(cpu, use->lock, tries);
	while (!stp_lock_try(cpu, use))
		if (!stp_lock_wait(tries))
			return false;
	if (use->mode != STP_LOCK_ALONE)
		return true;
	/* From here on there are no new adders. */
	while (lock_is_added_under(use->lock)) {
		if (!stp_lock_wait(tries)) {
			stp_lock_give_back(cpu, use);
			return false;
		}
	}
	return true;
}

void stp_lock_release(struct stp_cpu *cpu, const struct stp_lock_use *use)
{
	if (PORT_PARTS && use->mode == STP_LOCK_ALL)
		lock_shards(use->lock)->release_all(use->lock);
	else
		stp_lock_give_back(cpu, use);
}

static void locks_release_first(struct stp_cpu *cpu, const struct stp_probe *p, unsigned n)
{
	while (n--)
		stp_lock_release(cpu, &p->locks[n]);
}

/*
 * The tries are for the whole set of locks: the worst wait does not grow with the number
 * of globals.
 */
bool stp_locks_take_all(struct stp_cpu *cpu, const struct stp_probe *p)
{
	uint32_t tries = stp_script.limits.trylock;

	for (unsigned i = 0; i < p->nlocks; i++) {
		if (!stp_lock_take(cpu, &p->locks[i], &tries)) {
			__atomic_add_fetch(&p->locks[i].lock->refused, 1, __ATOMIC_RELAXED);
			locks_release_first(cpu, p, i);
			return false;
		}
	}
	return true;
}

void stp_locks_release_all(struct stp_cpu *cpu, const struct stp_probe *p)
{
	locks_release_first(cpu, p, p->nlocks);
}
