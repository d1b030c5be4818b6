/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timer.*: high-resolution timers, whose handlers run in the timer interrupt; and for
 * intervals in jiffies the timer wheel, whose handlers run in a soft interrupt. Each
 * expires on the CPU that the kernel chooses.
 */
#include <linux/jiffies.h>
#include <linux/random.h>
#include <asm/irq_regs.h>

#include "api.h"
#include "compat/timer.h"
#include "core/session.h"

struct timer {
	const struct stp_probe *probe;
	bool added;
	uint64_t random;
	union {
		struct hrtimer fine;
		struct timer_list wheel;
	};
};

static const struct stp_point_timer *point_of(const struct stp_probe *p)
{
	return p->point;
}

/* xorshift64: the kernel's generator takes locks. */
static uint64_t random_next(struct timer *t)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	return t->random;
}

static uint64_t interval_next(struct timer *t)
{
	const struct stp_point_timer *point = point_of(t->probe);
	uint64_t interval = point->interval;

	if (point->random) {
		uint64_t shift = random_next(t) % (2 * point->random + 1);

		interval = interval + shift > point->random ? interval + shift - point->random : 1;
	}
	return max_t(uint64_t, interval, 1);
}

static enum hrtimer_restart fine_fired(struct hrtimer *timer)
{
	struct timer *t = container_of(timer, struct timer, fine);

	t->probe->hit(t->probe, get_irq_regs(), NULL, NULL);
	hrtimer_forward_now(timer, ns_to_ktime(interval_next(t)));
	return HRTIMER_RESTART;
}

static void wheel_fired(struct timer_list *timer)
{
	struct timer *t = container_of(timer, struct timer, wheel);

	t->probe->hit(t->probe, get_irq_regs(), NULL, NULL);
	mod_timer(timer, jiffies + interval_next(t));
}

static void timer_add(struct timer *t, const struct stp_probe *p)
{
	t->probe = p;
	t->random = get_random_u64() | 1;
	t->added = true;
	if (point_of(p)->jiffies) {
		timer_setup(&t->wheel, wheel_fired, 0);
		mod_timer(&t->wheel, jiffies + interval_next(t));
	} else {
		compat_hrtimer_setup(&t->fine, fine_fired, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
		hrtimer_start(&t->fine, ns_to_ktime(interval_next(t)), HRTIMER_MODE_REL_HARD);
	}
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	for (unsigned int i = 0; i < n; i++)
		timer_add(states[i], probes[i]);
	return 0;
}

static void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	for (unsigned int i = 0; i < n; i++) {
		struct timer *t = states[i];

		if (!t->added)
			continue;
		if (point_of(probes[i])->jiffies)
			compat_timer_delete_sync(&t->wheel);
		else
			hrtimer_cancel(&t->fine);
		t->added = false;
	}
}

static const char *type(const struct stp_probe *p)
{
	return point_of(p)->jiffies ? "timer" : "hrtimer";
}

const struct stp_family stp_family_timer = {
	.name = "timer",
	.state_size = sizeof(struct timer),
	.is_of_script = true,
	.add = add,
	.remove = remove,
	.type = type,
};
