/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups and capabilities of processes. */
#include "syscall/syscall.h"

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
