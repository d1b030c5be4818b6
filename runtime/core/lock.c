/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of globals: tried, never waited for without end. A handler takes all it needs, in order, or none. */
#include "core/state.h"

static void locks_release_first(const struct stp_probe *p, unsigned n)
{
	while (n--)
		stp_lock_give_back(&p->locks[n]);
}

/* The tries are those of the whole set: the worst wait does not grow with the number of globals. */
bool stp_locks_take_all(const struct stp_probe *p)
{
	uint32_t tries = stp_script.limits.trylock;

	for (unsigned i = 0; i < p->nlocks; i++) {
		while (!stp_lock_try(&p->locks[i])) {
			if (!tries--) {
				locks_release_first(p, i);
				return false;
			}
			port_delay_us(stp_script.limits.trylock_delay);
		}
	}
	return true;
}

void stp_locks_release_all(const struct stp_probe *p)
{
	locks_release_first(p, p->nlocks);
}
