/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals, and waiting for processes. */
#include "syscall/syscall.h"

#define SIGNAL_RT_MIN 32
#define SIGNALS	      64

/* Writes "RTMIN" or "RT_2" after a prefix. */
static void say_rt(struct stp_shown *s, int64_t number)
{
	if (number == SIGNAL_RT_MIN) {
		say(s, "RTMIN");
	} else {
		say(s, "RT_");
		stp_text_signed(&s->text, number - SIGNAL_RT_MIN);
	}
}

void say_signal(struct stp_shown *s, int64_t number)
{
	if (number == 0 || number > SIGNALS || number < 0) {
		stp_text_signed(&s->text, number);
	} else if (number >= SIGNAL_RT_MIN) {
		say(s, "SIG");
		say_rt(s, number);
	} else {
		say_name(s, &stp_names_signal, (uint64_t)number);
	}
}

static void show_signal(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_signal(s, (int32_t)v);
}
KIND(signal, INT, show_signal, NULL);

/* Shows the set or its complement, whichever is shorter. */
static void say_sigset(struct stp_shown *s, uint64_t set)
{
	bool any = false;
	uint32_t before;

	if (hweight64(set) * 3 >= SIGNALS * 2) {
		set = ~set;
		say(s, "~");
	}
	say(s, "[");
	for (int i = 1; i <= SIGNALS; i++) {
		if (!(set >> (i - 1) & 1))
			continue;
		if (any)
			say(s, " ");
		any = true;
		if (i >= SIGNAL_RT_MIN) {
			say_rt(s, i);
			continue;
		}
		/* Writes the name without its SIG. */
		before = s->text.str.len;
		say_signal(s, i);
		if (s->text.str.len < before + 3)
			break;
		memmove((char *)s->text.str.s + before, s->text.str.s + before + 3,
			s->text.str.len - before - 3);
		s->text.str.len -= 3;
	}
	say(s, "]");
}

static void say_sigset_at(struct stp_shown *s, uint64_t addr)
{
	uint64_t set;

	if (addr && call_peek(addr, &set, sizeof(set)))
		say_sigset(s, set);
	else
		say_pointer(s, addr);
}

static void show_sigset(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_sigset_at(s, v);
}
KIND(sigset, ULONG, show_sigset, NULL);
KIND_OUT(sigset_out, show_sigset, NULL);

/* Shows a set of 32 signals, as in older calls of 32-bit programs. */
static void show_sigset32(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint32_t set;

	if (v && call_peek(v, &set, sizeof(set)))
		say_sigset(s, set);
	else
		say_pointer(s, v);
}
KIND(sigset32, ULONG, show_sigset32, NULL);

static void show_sigmask(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_sigset(s, (uint32_t)v);
}
KIND(sigmask, UINT, show_sigmask, NULL);

/* Shows the last argument of pselect6: a pointer and a size. */
static void show_sigmask_argument(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	unsigned size = s->narrow ? 4 : 8;
	uint64_t set = 0, len = 0;

	if (!v || !call_peek(v, &set, size) || !call_peek(v + size, &len, size)) {
		say_pointer(s, v);
		return;
	}
	say(s, "{sigmask=");
	say_sigset_at(s, set);
	say(s, ", sigsetsize=");
	stp_text_unsigned(&s->text, len);
	say(s, "}");
}
KIND(sigmask_argument, ULONG, show_sigmask_argument, NULL);

/* ---- actions ---- */

static void say_handler(struct stp_shown *s, uint64_t handler)
{
	if (handler == 0)
		say(s, "SIG_DFL");
	else if (handler == 1)
		say(s, "SIG_IGN");
	else
		say_hex(s, handler);
}

static void show_handler(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_handler(s, v);
}
KIND(handler, ULONG, show_handler, NULL);

static uint64_t word_of(const uint8_t *bytes, unsigned at, unsigned size)
{
	uint64_t v = 0;

	memcpy(&v, bytes + at, size);
	return v;
}

/* Shows handler, flags, restorer, mask: words, and a mask of 8 bytes. */
static void show_sigaction(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	unsigned word = s->narrow ? 4 : 8;
	uint8_t bytes[32];
	uint64_t flags;

	if (!v || !call_peek(v, bytes, 3 * word + 8)) {
		say_pointer(s, v);
		return;
	}
	flags = word_of(bytes, word, word);
	say(s, "{sa_handler=");
	say_handler(s, word_of(bytes, 0, word));
	say(s, ", sa_mask=");
	say_sigset(s, word_of(bytes, 3 * word, 8));
	say(s, ", sa_flags=");
	say_flags(s, &stp_names_sa_flags, (uint32_t)flags);
	if (flags & 0x04000000) {
		say(s, ", sa_restorer=");
		say_hex(s, word_of(bytes, 2 * word, word));
	}
	say(s, "}");
}
KIND(sigaction, ULONG, show_sigaction, NULL);
KIND_OUT(sigaction_out, show_sigaction, NULL);

static void show_stack(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	unsigned word = s->narrow ? 4 : 8;
	uint8_t bytes[24];

	if (!v || !call_peek(v, bytes, 3 * word)) {
		say_pointer(s, v);
		return;
	}
	say(s, "{ss_sp=");
	say_pointer(s, word_of(bytes, 0, word));
	say(s, ", ss_flags=");
	say_flags(s, &stp_names_ss_flags, word_of(bytes, word, 4));
	say(s, ", ss_size=");
	stp_text_unsigned(&s->text, word_of(bytes, 2 * word, word));
	say(s, "}");
}
KIND(stack, ULONG, show_stack, NULL);
KIND_OUT(stack_out, show_stack, NULL);

/* ---- siginfo ---- */

#define SIGCHLD_ 17

static void show_siginfo(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	int32_t info[8]; /* signal, error, code, padding; the rest depends on the code */
	unsigned at = s->narrow ? 3 : 4;

	if (!v || !call_peek(v, info, sizeof(info))) {
		say_pointer(s, v);
		return;
	}
	say(s, "{");
	if (!info[0] && !info[2]) {
		say(s, "}");
		return;
	}
	say(s, "si_signo=");
	say_signal(s, info[0]);
	say(s, ", si_code=");
	if (info[0] == SIGCHLD_ && info[2] > 0)
		say_name(s, &stp_names_cld_code, (uint32_t)info[2]);
	else
		say_name(s, &stp_names_sig_code, (uint32_t)info[2]);
	if (info[1]) {
		say(s, ", si_errno=");
		stp_text_signed(&s->text, info[1]);
	}
	say(s, ", si_pid=");
	stp_text_signed(&s->text, info[at]);
	say(s, ", si_uid=");
	stp_text_unsigned(&s->text, (uint32_t)info[at + 1]);
	if (info[0] == SIGCHLD_ && info[2] > 0) {
		say(s, ", si_status=");
		if (info[2] == 1)
			stp_text_signed(&s->text, info[at + 2]);
		else
			say_signal(s, info[at + 2]);
		say(s, ", ...");
	}
	say(s, "}");
}
KIND(siginfo, ULONG, show_siginfo, NULL);
KIND_OUT(siginfo_out, show_siginfo, NULL);

/* ---- the status of a child ---- */

static void say_status(struct stp_shown *s, uint32_t status)
{
	uint32_t signal = status & 0x7f;

	if (status == 0xffff) {
		say(s, "WIFCONTINUED(s)");
	} else if ((status & 0xff) == 0x7f) {
		say(s, "WIFSTOPPED(s) && WSTOPSIG(s) == ");
		say_signal(s, status >> 8 & 0xff);
		if (status >> 16) {
			say(s, " | ");
			say_hex(s, status >> 16 << 8);
		}
	} else if (signal) {
		say(s, "WIFSIGNALED(s) && WTERMSIG(s) == ");
		say_signal(s, signal);
		if (status & 0x80)
			say(s, " && WCOREDUMP(s)");
	} else {
		say(s, "WIFEXITED(s) && WEXITSTATUS(s) == ");
		stp_text_unsigned(&s->text, status >> 8 & 0xff);
	}
}

/* Shows the status; with WNOHANG there may be none. */
static void show_status_out(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint32_t status;

	if (!s->result) {
		say_pointer(s, v);
		return;
	}
	if (!call_peek(v, &status, sizeof(status)))
		return;
	say(s, "[{");
	say_status(s, status);
	say(s, "}]");
}
KIND_OUT(status_out, show_status_out, NULL);
