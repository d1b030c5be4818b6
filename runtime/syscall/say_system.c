/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system: its name and load, counters, rings. */
#include "syscall/syscall.h"

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

/* sysfs(1, "proc"), sysfs(2, 3, 0x7f…), sysfs(3) */
static void show_sysfs_option(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	stp_text_signed(&s->text, (int32_t)v);
	s->ends = (int32_t)v == 3;
}
KIND(sysfs_option, INT, show_sysfs_option, NULL);

static void show_sysfs_type(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if ((int32_t)s->args[0] != 1) {
		stp_text_unsigned(&s->text, v);
		return;
	}
	say_string(s, v, 32);
	s->ends = true;
}
KIND(sysfs_type, ULONG, show_sysfs_type, NULL);

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
