/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of processes, and their scheduling. */
#include "syscall/syscall.h"

/* ---- limits ---- */

#define RLIM_UNIT 1024

static void say_limit(struct stp_shown *s, uint64_t v)
{
	bool infinite = v == ~0ull || (s->narrow && (uint32_t)v == ~0u);

	if (infinite) {
		say_text(s, s->call->args[1]->data ? "RLIM64_INFINITY" : "RLIM_INFINITY");
	} else if (v > RLIM_UNIT && v % RLIM_UNIT == 0) {
		stp_text_unsigned(&s->text, v / RLIM_UNIT);
		say(s, "*1024");
	} else {
		stp_text_unsigned(&s->text, v);
	}
}

static void show_rlimit(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	unsigned size = s->narrow && !k->data ? 4 : 8;
	uint64_t now = 0, max = 0;

	if (!v || !call_peek(v, &now, size) || !call_peek(v + size, &max, size)) {
		say_pointer(s, v);
		return;
	}
	say(s, "{rlim_cur=");
	say_limit(s, now);
	say(s, ", rlim_max=");
	say_limit(s, max);
	say(s, "}");
}
KIND(rlimits, ULONG, show_rlimit, NULL);
KIND_OUT(rlimits_out, show_rlimit, NULL);
KIND(rlimits64, ULONG, show_rlimit, "64");
KIND_OUT(rlimits64_out, show_rlimit, "64");

/* ---- scheduling ---- */

static void show_sched_policy(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_sched_policy_call, (uint32_t)v & ~0x40000000u);
	if (v & 0x40000000)
		say(s, "|SCHED_RESET_ON_FORK");
}
KIND(sched_policy, INT, show_sched_policy, NULL);

/* A structure of one number. */
AT(sched_param, stp_kind_int, 4, 4, true);
KIND(sched_param, ULONG, show_at, &sched_param_at);
KIND_OUT(sched_param_out, show_at, &sched_param_at);

static const struct stp_kind kind_policy = { show_name, &stp_names_sched_policy_call, STP_CALL_INT,
					     false };
static const struct stp_kind kind_sched_flags = { show_flags, &stp_names_sched_flags,
						  STP_CALL_ULONG, false };
LAYOUT(sched_attr, 48, 48, false, { "size", &stp_kind_uint, { 0, 0 }, { 4, 4 } },
       { "sched_policy", &kind_policy, { 4, 4 }, { 4, 4 } },
       { "sched_flags", &kind_sched_flags, { 8, 8 }, { 8, 8 } },
       { "sched_nice", &stp_kind_int, { 16, 16 }, { 4, 4 }, true },
       { "sched_priority", &stp_kind_uint, { 20, 20 }, { 4, 4 } },
       { "sched_runtime", &stp_kind_ulong, { 24, 24 }, { 8, 8 } },
       { "sched_deadline", &stp_kind_ulong, { 32, 32 }, { 8, 8 } },
       { "sched_period", &stp_kind_ulong, { 40, 40 }, { 8, 8 } });
KIND(sched_attr, ULONG, show_struct, &sched_attr_layout);
KIND_OUT(sched_attr_out, show_struct, &sched_attr_layout);

static void show_cpus(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint64_t word, bytes = k->is_out ? (uint64_t)s->result : (uint32_t)s->args[1];

	if (!v || !call_peek(v, &word, bytes < 8 ? bytes : 8))
		say_pointer(s, v);
	else
		say_bits(s, v, bytes * 8, bytes);
}
KIND(cpus, ULONG, show_cpus, NULL);
KIND_OUT(cpus_out, show_cpus, NULL);

static void show_ioprio(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say(s, "IOPRIO_PRIO_VALUE(");
	say_name(s, &stp_names_ioprio_class, (uint32_t)v >> 13);
	say(s, ", ");
	stp_text_unsigned(&s->text, v & 0x1fff);
	say(s, ")");
}
KIND(ioprio, INT, show_ioprio, NULL);
