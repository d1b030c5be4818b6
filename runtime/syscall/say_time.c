/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, timers and the use of resources. */
#include "syscall/syscall.h"

/*
 * Structures with kernel times have one layout; those of older calls of 32-bit programs
 * have another, and the names of their kinds end in 32.
 */
LAYOUT(timespec, 16, 16, false, { "tv_sec", &stp_kind_long, { 0, 0 }, { 8, 8 }, true },
       { "tv_nsec", &stp_kind_long, { 8, 8 }, { 8, 8 }, true });
LAYOUT(timespec32, 8, 8, false, { "tv_sec", &stp_kind_long, { 0, 0 }, { 4, 4 }, true },
       { "tv_nsec", &stp_kind_long, { 4, 4 }, { 4, 4 }, true });
LAYOUT(timeval, 16, 8, false, { "tv_sec", &stp_kind_long, { 0, 0 }, { 8, 4 }, true },
       { "tv_usec", &stp_kind_long, { 8, 4 }, { 8, 4 }, true });
LAYOUT(timezone, 8, 8, false, { "tz_minuteswest", &stp_kind_int, { 0, 0 }, { 4, 4 }, true },
       { "tz_dsttime", &stp_kind_int, { 4, 4 }, { 4, 4 }, true });

KIND(timespec, ULONG, show_struct, &timespec_layout);
KIND_OUT(timespec_out, show_struct, &timespec_layout);
KIND(timespec32, ULONG, show_struct, &timespec32_layout);
KIND_OUT(timespec32_out, show_struct, &timespec32_layout);
KIND(timeval, ULONG, show_struct, &timeval_layout);
KIND_OUT(timeval_out, show_struct, &timeval_layout);
KIND(timezone, ULONG, show_struct, &timezone_layout);
KIND_OUT(timezone_out, show_struct, &timezone_layout);

void say_timespec(struct stp_shown *s, uint64_t addr, bool is_32);
void say_timespec(struct stp_shown *s, uint64_t addr, bool is_32)
{
	say_struct(s, is_32 ? &timespec32_layout : &timespec_layout, addr);
}

/* The rest of a sleep is shown when a signal ended it. */
#define ERESTART_RESTARTBLOCK_ (-516)
#define EINTR_		       (-4)

static void show_left(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (s->is_return && v && (s->result == ERESTART_RESTARTBLOCK_ || s->result == EINTR_))
		say_struct(s, k->data, v);
	else
		say_pointer(s, v);
}
KIND(timespec_left, ULONG, show_left, &timespec_layout);
KIND(timespec32_left, ULONG, show_left, &timespec32_layout);

/* ---- pairs ---- */

#define UTIME_NOW_  0x3fffffff
#define UTIME_OMIT_ 0x3ffffffe

static void say_file_time(struct stp_shown *s, const struct stp_layout *layout,
			  const uint8_t *bytes)
{
	unsigned half = layout->size[0] / 2;
	uint64_t ns = 0;

	memcpy(&ns, bytes + half, half);
	if (ns == UTIME_NOW_)
		say(s, "UTIME_NOW");
	else if (ns == UTIME_OMIT_)
		say(s, "UTIME_OMIT");
	else
		say_members(s, layout, bytes);
}

/* Texts before, between and after two structures. */
struct two_words {
	const char *before, *between, *after;
};

/* Shows two consecutive structures, each with `one`. */
static void say_two(struct stp_shown *s, uint64_t addr, const struct stp_layout *layout,
		    const struct two_words *words,
		    void (*one)(struct stp_shown *s, const struct stp_layout *layout,
				const uint8_t *bytes))
{
	uint32_t size = layout->size[s->narrow];
	uint8_t bytes[32];

	if (!addr || !call_peek(addr, bytes, 2 * size)) {
		say_pointer(s, addr);
		return;
	}
	say_text(s, words->before);
	one(s, layout, bytes);
	say_text(s, words->between);
	one(s, layout, bytes + size);
	say_text(s, words->after);
}

static const struct two_words array_words = { "[", ", ", "]" };

static void show_file_times(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_two(s, v, k->data, &array_words, say_file_time);
}
KIND(file_times, ULONG, show_file_times, &timespec_layout);
KIND(file_times32, ULONG, show_file_times, &timespec32_layout);

static void show_timevals(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_two(s, v, &timeval_layout, &array_words, say_members);
}
KIND(timevals, ULONG, show_timevals, NULL);

static void show_timevals32(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	bool narrow = s->narrow;

	s->narrow = true;
	show_timevals(s, k, v);
	s->narrow = narrow;
}
KIND(timevals32, ULONG, show_timevals32, NULL);

LAYOUT(utimbuf, 16, 8, false, { "actime", &stp_kind_long, { 0, 0 }, { 8, 4 }, true },
       { "modtime", &stp_kind_long, { 8, 4 }, { 8, 4 }, true });
KIND(utimbuf, ULONG, show_struct, &utimbuf_layout);
LAYOUT(utimbuf32, 8, 8, false, { "actime", &stp_kind_long, { 0, 0 }, { 4, 4 }, true },
       { "modtime", &stp_kind_long, { 4, 4 }, { 4, 4 }, true });
KIND(utimbuf32, ULONG, show_struct, &utimbuf32_layout);

/* ---- timers ---- */

static void show_interval(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	static const struct two_words words = { "{it_interval=", ", it_value=", "}" };

	say_two(s, v, k->data, &words, say_members);
}
KIND(itimerspec, ULONG, show_interval, &timespec_layout);
KIND_OUT(itimerspec_out, show_interval, &timespec_layout);
KIND(itimerspec32, ULONG, show_interval, &timespec32_layout);
KIND_OUT(itimerspec32_out, show_interval, &timespec32_layout);
KIND(itimerval, ULONG, show_interval, &timeval_layout);
KIND_OUT(itimerval_out, show_interval, &timeval_layout);

static void show_sigevent(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	uint64_t value = 0;
	uint8_t bytes[24];
	int32_t signal, how, tid;
	unsigned wide = s->narrow ? 4 : 8;

	if (!v || !call_peek(v, bytes, sizeof(bytes))) {
		say_pointer(s, v);
		return;
	}
	memcpy(&value, bytes, wide);
	memcpy(&signal, bytes + wide, 4);
	memcpy(&how, bytes + wide + 4, 4);
	memcpy(&tid, bytes + wide + 8, 4);
	say(s, "{");
	if (value) {
		say(s, "sigev_value={sival_int=");
		stp_text_signed(&s->text, (int32_t)value);
		say(s, ", sival_ptr=");
		say_pointer(s, value);
		say(s, "}, ");
	}
	say(s, "sigev_signo=");
	if (how == 1 || how == 2)
		stp_text_signed(&s->text, signal);
	else
		say_signal(s, signal);
	say(s, ", sigev_notify=");
	say_name(s, &stp_names_sigev, (uint32_t)how);
	if (how == 4) {
		say(s, ", sigev_notify_thread_id=");
		stp_text_signed(&s->text, tid);
	}
	say(s, "}");
}
KIND(sigevent, ULONG, show_sigevent, NULL);

/* ---- the clock's discipline, uses ---- */

static const struct stp_kind kind_adjtimex = { show_flags, &stp_names_adjtimex, STP_CALL_UINT,
					       false };
LAYOUT(timex, 72, 72, true, { "modes", &kind_adjtimex, { 0, 0 }, { 4, 4 } },
       { "offset", &stp_kind_long, { 8, 8 }, { 8, 8 }, true },
       { "freq", &stp_kind_long, { 16, 16 }, { 8, 8 }, true },
       { "maxerror", &stp_kind_long, { 24, 24 }, { 8, 8 }, true });
KIND(timex, ULONG, show_struct, &timex_layout);

LAYOUT(tms, 32, 16, false, { "tms_utime", &stp_kind_long, { 0, 0 }, { 8, 4 }, true },
       { "tms_stime", &stp_kind_long, { 8, 4 }, { 8, 4 }, true },
       { "tms_cutime", &stp_kind_long, { 16, 8 }, { 8, 4 }, true },
       { "tms_cstime", &stp_kind_long, { 24, 12 }, { 8, 4 }, true });
KIND_OUT(tms_out, show_struct, &tms_layout);

static void show_rusage_out(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	static const struct two_words words = { "{ru_utime=", ", ru_stime=", ", ...}" };

	say_two(s, v, &timeval_layout, &words, say_members);
}
KIND_OUT(rusage_out, show_rusage_out, NULL);

AT(time, stp_kind_ulong, 8, 4, false);
KIND_OUT(time_out, show_at, &time_at);
