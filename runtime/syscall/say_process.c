/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes: creating them, their attributes, tracing them. */
#include "syscall/syscall.h"

#define CLONE_VM_	      0x100
#define CLONE_SETTLS_	      0x80000
#define CLONE_PARENT_SETTID_  0x100000
#define CLONE_CHILD_CLEARTID_ 0x200000
#define CLONE_CHILD_SETTID_   0x1000000
#define CLONE_PIDFD_	      0x1000
#define CLONE_CLEAR_SIGHAND_  0x100000000ull
#define CLONE_INTO_CGROUP_    0x200000000ull

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

/*
 * Shows clone's word: its lowest byte is the signal that reports the end to the parent.
 */
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
 * Shows all of clone(flags, stack, parent_tid, child_tid, tls) as one argument, because
 * unused ones are left out.
 */
static void show_clone(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	bool swapped = k->data != NULL; /* tls comes before child_tid */

	say(s, "child_stack=");
	say_pointer(s, s->args[1]);
	say(s, ", flags=");
	say_clone_word(s, v);
	if (v & (CLONE_PARENT_SETTID_ | CLONE_PIDFD_)) {
		say(s, ", parent_tid=");
		show_kind(s, &stp_kind_int_out, s->args[2]);
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
KIND(clone_backwards, ULONG, show_clone, "swapped");

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

/* ---- prctl and similar calls ---- */

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

#define SECCOMP_FILTER 2 /* with the address of a program */

static void show_long_name(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_name(s, k->data, v);
}

static void show_long_signal(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_signal(s, (int64_t)v);
}

static void show_task_name(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_string(s, v, 15);
}

AT(signal_number, stp_kind_signal, 4, 4, true);

static const struct stp_kind kind_task_name = { show_task_name, NULL, STP_CALL_ULONG, false };
static const struct stp_kind kind_task_name_out = { show_task_name, NULL, STP_CALL_ULONG, true };
static const struct stp_kind kind_signal_out = { show_at, &signal_number_at, STP_CALL_ULONG, true };
static const struct stp_kind kind_long_signal = { show_long_signal, NULL, STP_CALL_ULONG, false };
static const struct stp_kind kind_cap = { show_long_name, &stp_names_cap, STP_CALL_ULONG, false };
static const struct stp_kind kind_dumpable = { show_long_name, &stp_names_dumpable, STP_CALL_ULONG,
					       false };
static const struct stp_kind kind_seccomp_mode = { show_long_name, &stp_names_seccomp_mode,
						   STP_CALL_ULONG, false };

/*
 * Arguments of an option: the kind of the first one, and their number; the others are
 * shown in hex.
 */
static const struct prctl_option {
	uint8_t option, nargs;
	const struct stp_kind *first;
} prctl_options[] = {
	{ SET_PDEATHSIG, 1, &kind_long_signal },
	{ GET_PDEATHSIG, 1, &kind_signal_out },
	{ GET_DUMPABLE, 0 },
	{ SET_DUMPABLE, 1, &kind_dumpable },
	{ GET_KEEPCAPS, 0 },
	{ SET_KEEPCAPS, 1, &stp_kind_ulong },
	{ SET_NAME, 1, &kind_task_name },
	{ GET_NAME, 1, &kind_task_name_out },
	{ GET_SECCOMP, 0 },
	{ SET_SECCOMP, 1, &kind_seccomp_mode },
	{ CAPBSET_READ, 1, &kind_cap },
	{ CAPBSET_DROP, 1, &kind_cap },
	{ SET_TIMERSLACK, 1, &stp_kind_ulong },
	{ GET_TIMERSLACK, 0 },
	{ SET_SUBREAPER, 1, &stp_kind_ulong },
	{ GET_SUBREAPER, 1, &stp_kind_int_out },
	{ SET_NNP, 4, &stp_kind_ulong },
};

static void say_prctl(struct stp_shown *s, uint32_t option, const uint64_t *a)
{
	struct prctl_option o = { .nargs = 4, .first = &stp_kind_hex };

	for (unsigned i = 0; i < ARRAY_SIZE(prctl_options); i++)
		if (prctl_options[i].option == option)
			o = prctl_options[i];
	for (unsigned i = 0; i < o.nargs; i++) {
		say(s, ", ");
		show_kind(s, i ? &stp_kind_hex : o.first, a[i]);
	}
	if (option == SET_SECCOMP && a[0] == SECCOMP_FILTER) {
		say(s, ", ");
		say_pointer(s, a[1]);
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
