/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic that can fail, and random numbers. */
#include "core/port.h"

int64_t stp_div(struct stp_ctx *c, int64_t a, int64_t b)
{
	if (unlikely(b == 0)) {
		stp_error(c, "division by 0");
		return 0;
	}
	/* The processor traps on INT64_MIN / -1. */
	return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

int64_t stp_mod(struct stp_ctx *c, int64_t a, int64_t b)
{
	if (unlikely(b == 0)) {
		stp_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}

/* splitmix64 over a counter and the clock: works in any context, without a lock. */
static uint64_t random_counter;

int64_t stp_random(uint64_t n)
{
	uint64_t x = __atomic_add_fetch(&random_counter, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED) ^
		     port_cycles();

	if (n == 0)
		return 0;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return (int64_t)((x ^ (x >> 31)) % n);
}
