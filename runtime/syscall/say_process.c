/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes: making, limiting and scheduling them; their questions to the system. */
#include "syscall/syscall.h"

#define CLONE_VM_            0x100
#define CLONE_SETTLS_        0x80000
#define CLONE_PARENT_SETTID_ 0x100000
#define CLONE_CHILD_CLEARTID_ 0x200000
#define CLONE_CHILD_SETTID_  0x1000000
#define CLONE_PIDFD_         0x1000
#define CLONE_CLEAR_SIGHAND_ 0x100000000ull
#define CLONE_INTO_CGROUP_   0x200000000ull

static void say_clone_flags(struct stp_shown *s, uint64_t flags)
{
	uint64_t high = flags & (CLONE_CLEAR_SIGHAND_ | CLONE_INTO_CGROUP_);

	if (flags & ~high || !high)
		say_flags(s, &stp_names_clone_flags, flags & ~high);
	if (high && flags & ~high)
		say(s, "|");
	if (high & CLONE_CLEAR_SIGHAND_)
		say(s, "CLONE_CLEAR_SIGHAND");
	if (high == (CLONE_CLEAR_SIGHAND_ | CLONE_INTO_CGROUP_))
		say(s, "|");
	if (high & CLONE_INTO_CGROUP_)
		say(s, "CLONE_INTO_CGROUP");
}

/* Shows clone's word: its lowest byte is the signal that tells the parent of the end. */
static void say_clone_word(struct stp_shown *s, uint64_t v)
{
	if (v & ~255ull)
		say_clone_flags(s, v & ~255ull);
	if (v & ~255ull && v & 255)
		say(s, "|");
	if (v & 255)
		say_signal(s, v & 255);
	else if (!v)
		say(s, "0");
}

/*
 * Shows all of clone(flags, stack, parent_tid, child_tid, tls) as one argument, since
 * unused ones are left out.
 */
static void show_clone(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	bool swapped = k->data != NULL; /* 32-bit programs' tls stands before child_tid */

	say(s, "child_stack=");
	say_pointer(s, s->args[1]);
	say(s, ", flags=");
	say_clone_word(s, v);
	if (v & (CLONE_PARENT_SETTID_ | CLONE_PIDFD_)) {
		say(s, ", parent_tid=");
		if (call_filled(s, s->args[2])) {
			int32_t tid = 0;

			call_peek(s->args[2], &tid, sizeof(tid));
			say(s, "[");
			stp_text_signed(&s->text, tid);
			say(s, "]");
		}
	}
	if (v & CLONE_SETTLS_) {
		say(s, ", tls=");
		say_pointer(s, s->args[swapped ? 3 : 4]);
	}
	if (v & (CLONE_CHILD_SETTID_ | CLONE_CHILD_CLEARTID_)) {
		say(s, ", child_tidptr=");
		say_pointer(s, s->args[swapped ? 4 : 3]);
	}
	s->ends = true;
}
KIND(clone, ULONG, show_clone, NULL);
KIND(clone32, ULONG, show_clone, "32");

static void show_clone3(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	/*
	 * In order: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size,
	 * tls.
	 */
	uint64_t a[8];

	if (!v || s->args[1] < sizeof(a) || !call_peek(v, a, sizeof(a))) {
		say_pointer(s, v);
		return;
	}
	say(s, "{flags=");
	say_clone_flags(s, a[0]);
	if (a[0] & CLONE_PIDFD_) {
		say(s, ", pidfd=");
		say_pointer(s, a[1]);
	}
	if (a[0] & (CLONE_CHILD_SETTID_ | CLONE_CHILD_CLEARTID_)) {
		say(s, ", child_tid=");
		say_pointer(s, a[2]);
	}
	if (a[0] & CLONE_PARENT_SETTID_) {
		say(s, ", parent_tid=");
		say_pointer(s, a[3]);
	}
	say(s, ", exit_signal=");
	say_signal(s, (int64_t)a[4]);
	say(s, ", stack=");
	say_pointer(s, a[5]);
	say(s, ", stack_size=");
	show_hex(s, k, a[6]);
	if (a[0] & CLONE_SETTLS_) {
		say(s, ", tls=");
		say_pointer(s, a[7]);
	}
	say(s, "}");
}
KIND(clone3, ULONG, show_clone3, NULL);

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

static void show_sched_param(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	int32_t priority;

	if (!v || !call_peek(v, &priority, sizeof(priority))) {
		say_pointer(s, v);
		return;
	}
	say(s, "[");
	stp_text_signed(&s->text, priority);
	say(s, "]");
}
KIND(sched_param, ULONG, show_sched_param, NULL);
KIND_OUT(sched_param_out, show_sched_param, NULL);

static const struct stp_kind kind_policy = { show_name, &stp_names_sched_policy_call,
					     STP_CALL_INT, false };
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

/* ---- identity ---- */

static void say_groups(struct stp_shown *s, uint64_t addr, int64_t n, unsigned size)
{
	uint32_t id;

	if (!addr || n < 0) {
		say_pointer(s, addr);
		return;
	}
	say(s, "[");
	for (int64_t i = 0; i < n; i++) {
		if (i)
			say(s, ", ");
		id = 0;
		if (i == 32 || !call_peek(addr + i * size, &id, size)) {
			say(s, "...");
			break;
		}
		stp_text_unsigned(&s->text, id);
	}
	say(s, "]");
}

static void show_groups(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_groups(s, v, (int32_t)s->args[0], k->data ? 2 : 4);
}
KIND(groups, ULONG, show_groups, NULL);
KIND(groups16, ULONG, show_groups, "16");

/* Shows the groups; a caller that asks only for their number gives no room for them. */
static void show_groups_out(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_groups(s, v, s->args[0] ? s->result : -1, k->data ? 2 : 4);
}
KIND_OUT(groups_out, show_groups_out, NULL);
KIND_OUT(groups16_out, show_groups_out, "16");

static void show_capability_header(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	int32_t h[2];

	if (!v || !call_peek(v, h, sizeof(h))) {
		say_pointer(s, v);
		return;
	}
	say(s, "{version=");
	say_name(s, &stp_names_cap_version, (uint32_t)h[0]);
	say(s, ", pid=");
	stp_text_signed(&s->text, h[1]);
	say(s, "}");
}
KIND(cap_header, ULONG, show_capability_header, NULL);

static void say_capabilities(struct stp_shown *s, uint64_t set)
{
	const char *name = stp_names_cap.names;
	bool any = false;

	if (!set) {
		say(s, "0");
		return;
	}
	for (uint32_t i = 0; i < stp_names_cap.count; i++, name += strlen(name) + 1) {
		if (!(set >> stp_names_cap.values[i] & 1))
			continue;
		if (any)
			say(s, "|");
		any = true;
		say(s, "1<<");
		say_text(s, name);
	}
}

static void show_capability_data(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint32_t d[6] = { 0 };

	if (!v || !call_peek(v, d, sizeof(d))) {
		say_pointer(s, v);
		return;
	}
	say(s, "{effective=");
	say_capabilities(s, d[0] | (uint64_t)d[3] << 32);
	say(s, ", permitted=");
	say_capabilities(s, d[1] | (uint64_t)d[4] << 32);
	say(s, ", inheritable=");
	say_capabilities(s, d[2] | (uint64_t)d[5] << 32);
	say(s, "}");
}
KIND(cap_data, ULONG, show_capability_data, NULL);
KIND_OUT(cap_data_out, show_capability_data, NULL);

/* ---- prctl and its like ---- */

enum {
	SET_PDEATHSIG = 1,
	GET_PDEATHSIG,
	GET_DUMPABLE,
	SET_DUMPABLE,
	GET_KEEPCAPS = 7,
	SET_KEEPCAPS,
	SET_NAME = 15,
	GET_NAME,
	GET_SECCOMP = 21,
	SET_SECCOMP,
	CAPBSET_READ,
	CAPBSET_DROP,
	SET_TIMERSLACK = 29,
	GET_TIMERSLACK,
	GET_SUBREAPER = 37,
	SET_SUBREAPER = 36,
	SET_NNP = 38
};

static void say_prctl(struct stp_shown *s, uint32_t option, const uint64_t *a)
{
	switch (option) {
	case GET_DUMPABLE:
	case GET_KEEPCAPS:
	case GET_SECCOMP:
	case GET_TIMERSLACK:
		return;
	case SET_PDEATHSIG:
		say(s, ", ");
		say_signal(s, (int64_t)a[0]);
		return;
	case SET_NAME:
		say(s, ", ");
		say_string(s, a[0], 15);
		return;
	case GET_NAME:
		say(s, ", ");
		if (call_filled(s, a[0]))
			say_string(s, a[0], 15);
		return;
	case GET_PDEATHSIG:
	case GET_SUBREAPER:
		say(s, ", ");
		if (call_filled(s, a[0])) {
			int32_t v = 0;

			call_peek(a[0], &v, 4);
			say(s, "[");
			if (option == GET_PDEATHSIG)
				say_signal(s, v);
			else
				stp_text_signed(&s->text, v);
			say(s, "]");
		}
		return;
	case CAPBSET_READ:
	case CAPBSET_DROP:
		say(s, ", ");
		say_name(s, &stp_names_cap, a[0]);
		return;
	case SET_SECCOMP:
		say(s, ", ");
		say_name(s, &stp_names_seccomp_mode, a[0]);
		if (a[0] == 2) {
			say(s, ", ");
			say_pointer(s, a[1]);
		}
		return;
	case SET_DUMPABLE:
		say(s, ", ");
		say_name(s, &stp_names_dumpable, a[0]);
		return;
	case SET_KEEPCAPS:
	case SET_TIMERSLACK:
	case SET_SUBREAPER:
		say(s, ", ");
		stp_text_unsigned(&s->text, a[0]);
		return;
	}
	for (unsigned i = 0; i < 4; i++) {
		say(s, ", ");
		if (i == 0 && option == SET_NNP)
			stp_text_unsigned(&s->text, a[0]);
		else
			show_hex(s, NULL, a[i]);
	}
}

static void show_prctl(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_prctl, (uint32_t)v);
	if (s->call->args[1]->type == STP_CALL_ULONG)
		say_prctl(s, (uint32_t)v, s->args + 1);
	s->ends = true;
}
KIND(prctl, INT, show_prctl, NULL);

static void show_arch_prctl_arg(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	bool gets = s->args[0] == 0x1003 || s->args[0] == 0x1004;
	uint64_t base = 0;

	if (s->args[0] == 0x1011)
		return;
	if (!gets) {
		say_hex(s, v);
	} else if (call_filled(s, v) && call_peek(v, &base, 8)) {
		say(s, "[");
		show_hex(s, k, base);
		say(s, "]");
	}
}
KIND(arch_prctl_arg, ULONG, show_arch_prctl_arg, NULL);

static void show_personality(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if ((uint32_t)v == 0xffffffff) {
		say(s, "0xffffffff");
		return;
	}
	say_name(s, &stp_names_personality, v & 255);
	if (v & ~255ull) {
		say(s, "|");
		say_flags(s, &stp_names_personality_flags, (uint32_t)v & ~255u);
	}
}
KIND(personality, UINT, show_personality, NULL);

enum {
	PT_TRACEME = 0,
	PT_PEEKTEXT,
	PT_PEEKDATA,
	PT_PEEKUSER,
	PT_POKETEXT,
	PT_POKEDATA,
	PT_POKEUSER,
	PT_CONT,
	PT_KILL,
	PT_SINGLESTEP,
	PT_ATTACH = 16,
	PT_DETACH = 17,
	PT_SYSCALL = 24,
	PT_SETOPTIONS = 0x4200,
	PT_SEIZE = 0x4206,
	PT_INTERRUPT,
	PT_LISTEN
};

static void say_ptrace_rest(struct stp_shown *s, uint32_t request)
{
	say(s, ", ");
	stp_text_signed(&s->text, (int64_t)s->args[1]);
	if (request == PT_KILL || request == PT_ATTACH || request == PT_INTERRUPT ||
	    request == PT_LISTEN)
		return;
	say(s, ", ");
	say_pointer(s, s->args[2]);
	say(s, ", ");
	if (request == PT_SETOPTIONS || request == PT_SEIZE)
		say_flags(s, &stp_names_ptrace_options, s->args[3]);
	else if (request == PT_CONT || request == PT_DETACH || request == PT_SYSCALL ||
		 request == PT_SINGLESTEP)
		say_signal(s, (int64_t)s->args[3]);
	else
		say_pointer(s, s->args[3]);
}

static void show_ptrace(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, &stp_names_ptrace, v);
	if (v != PT_TRACEME)
		say_ptrace_rest(s, (uint32_t)v);
	s->ends = true;
}
KIND(ptrace, LONG, show_ptrace, NULL);

/* ---- the system ---- */

#define UTS_FIELD 65

static void show_utsname(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	static const char *const names[] = { "sysname", "nodename" };

	say(s, "{");
	for (unsigned i = 0; i < 2; i++) {
		if (i)
			say(s, ", ");
		say_text(s, names[i]);
		say(s, "=");
		say_string(s, v + i * UTS_FIELD, UTS_FIELD);
	}
	say(s, ", ...}");
}
KIND_OUT(utsname_out, show_utsname, NULL);

static void show_sysinfo(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	static const char *const names[] = { "totalram",  "freeram",   "sharedram",
					     "bufferram", "totalswap", "freeswap" };
	unsigned word = s->narrow ? 4 : 8;
	uint64_t values[10] = { 0 };
	uint8_t bytes[112];
	uint16_t procs;

	if (!call_peek(v, bytes, s->narrow ? 64 : 112)) {
		say_hex(s, v);
		return;
	}
	for (unsigned i = 0; i < 10; i++)
		memcpy(&values[i], bytes + i * word, word);
	memcpy(&procs, bytes + 10 * word, 2);
	say(s, "{uptime=");
	stp_text_unsigned(&s->text, values[0]);
	say(s, ", loads=[");
	for (unsigned i = 1; i < 4; i++) {
		if (i > 1)
			say(s, ", ");
		stp_text_unsigned(&s->text, values[i]);
	}
	say(s, "]");
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		say(s, ", ");
		say_text(s, names[i]);
		say(s, "=");
		stp_text_unsigned(&s->text, values[4 + i]);
	}
	say(s, ", procs=");
	stp_text_unsigned(&s->text, procs);
	say(s, ", ...}");
}
KIND_OUT(sysinfo_out, show_sysinfo, NULL);

static void show_perf_attr(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint32_t head[2];
	uint64_t config;

	if (!v || !call_peek(v, head, 8) || !call_peek(v + 8, &config, 8)) {
		say_pointer(s, v);
		return;
	}
	say(s, "{type=");
	say_name(s, &stp_names_perf_type, head[0]);
	say(s, ", size=");
	show_hex(s, k, head[1]);
	say(s, ", config=");
	show_hex(s, k, config);
	say(s, ", ...}");
}
KIND(perf_attr, ULONG, show_perf_attr, NULL);

static void show_uring_params(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint32_t p[5];

	if (!v || !call_peek(v, p, sizeof(p))) {
		say_pointer(s, v);
		return;
	}
	say(s, "{flags=");
	say_flags(s, &stp_names_uring_setup, p[2]);
	say(s, ", sq_thread_cpu=");
	stp_text_unsigned(&s->text, p[3]);
	say(s, ", sq_thread_idle=");
	stp_text_unsigned(&s->text, p[4]);
	say(s, ", ...}");
}
KIND(uring_params, ULONG, show_uring_params, NULL);
