/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of globals: tried, never waited for without end. A handler takes all it needs, in order, or none. */
#include "core/state.h"

static bool lock_try_use(const struct stp_lock_use *use)
{
	int32_t *state = &use->lock->state, old = READ_ONCE(*state);

	if (use->write)
		return old == 0 && try_cmpxchg32(state, &old, -1);
	return old >= 0 && old < INT32_MAX && try_cmpxchg32(state, &old, old + 1);
}

static void lock_give_back(const struct stp_lock_use *use)
{
	if (use->write)
		smp_store_release(&use->lock->state, 0);
	else
		__atomic_sub_fetch(&use->lock->state, 1, __ATOMIC_RELEASE);
}

static void locks_release_first(const struct stp_probe *p, unsigned n)
{
	while (n--)
		lock_give_back(&p->locks[n]);
}

/* The tries are those of the whole set: the worst wait does not grow with the number of globals. */
bool stp_locks_take(const struct stp_probe *p)
{
	uint32_t tries = stp_script.limits.trylock;

	for (unsigned i = 0; i < p->nlocks; i++) {
		while (!lock_try_use(&p->locks[i])) {
			if (!tries--) {
				locks_release_first(p, i);
				return false;
			}
			port_delay_us(stp_script.limits.trylock_delay);
		}
	}
	return true;
}

void stp_locks_release(const struct stp_probe *p)
{
	locks_release_first(p, p->nlocks);
}
