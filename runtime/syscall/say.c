/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of a call's text: numbers, names, quoted bytes, members of structures. */
#include "syscall/syscall.h"

#include "core/port.h"

#define ARRAY_SHOWN 32
#define STRUCT_MAX  256

bool call_peek(uint64_t addr, void *dst, size_t size)
{
	return port_memory_read(STP_USER, dst, addr, size);
}

void say_text(struct stp_shown *s, const char *text)
{
	stp_text_put(&s->text, text, strlen(text));
}

void say_hex(struct stp_shown *s, uint64_t v)
{
	stp_text_hex(&s->text, v, true);
}

void say_octal(struct stp_shown *s, uint64_t v)
{
	char digits[24], *p = digits + sizeof(digits);

	for (; v; v >>= 3)
		*--p = '0' + (v & 7);
	*--p = '0';
	stp_text_put(&s->text, p, digits + sizeof(digits) - p);
}

void say_pointer(struct stp_shown *s, uint64_t v)
{
	if (v)
		say_hex(s, v);
	else
		say(s, "NULL");
}

uint64_t call_behind(const struct stp_shown *s, const struct stp_kind *k)
{
	for (unsigned i = 0; i + 1 < s->call->nargs; i++)
		if (s->call->args[i] == k)
			return s->args[i + 1];
	return 0;
}

/* ---- names ---- */

bool say_name(struct stp_shown *s, const struct stp_names *set, uint64_t v)
{
	const char *name = set->names;

	for (uint32_t i = 0; i < set->count; i++, name += strlen(name) + 1) {
		if (set->values[i] != v)
			continue;
		say_text(s, name);
		return true;
	}
	say_hex(s, v);
	return false;
}

void say_flags(struct stp_shown *s, const struct stp_names *set, uint64_t v)
{
	const char *name = set->names;
	uint64_t left = v;
	bool any = false;

	for (uint32_t i = 0; i < set->count; i++, name += strlen(name) + 1) {
		uint32_t value = set->values[i];

		if (value ? (left & value) != value : v != 0)
			continue;
		if (any)
			say(s, "|");
		say_text(s, name);
		left &= ~(uint64_t)value;
		any = true;
		if (!left)
			return;
	}
	if (any)
		say(s, "|");
	if (left)
		say_hex(s, left);
	else if (!any)
		say(s, "0");
}

/* ---- bytes ---- */

static void say_escape(struct stp_shown *s, uint8_t byte, int next)
{
	static const char letters[] = "\aa\bb\tt\nn\vv\ff\rr\"\"\\\\";
	bool digit_follows = next >= '0' && next <= '9';

	stp_text_char(&s->text, '\\');
	for (const char *l = byte ? letters : ""; *l; l += 2) {
		if (*l != (char)byte)
			continue;
		stp_text_char(&s->text, l[1]);
		return;
	}
	/* The octal number is as short as the next character allows. */
	if (byte >= 0100 || digit_follows)
		stp_text_char(&s->text, '0' + (byte >> 6));
	if (byte >= 010 || digit_follows)
		stp_text_char(&s->text, '0' + (byte >> 3 & 7));
	stp_text_char(&s->text, '0' + (byte & 7));
}

static void say_escaped(struct stp_shown *s, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		uint8_t byte = bytes[i];

		if (byte >= 32 && byte < 127 && byte != '"' && byte != '\\')
			stp_text_char(&s->text, bytes[i]);
		else
			say_escape(s, byte, i + 1 < len ? (uint8_t)bytes[i + 1] : -1);
	}
}

void say_quoted(struct stp_shown *s, const char *bytes, size_t len)
{
	say(s, "\"");
	say_escaped(s, bytes, len);
	say(s, "\"");
}

void say_bytes(struct stp_shown *s, uint64_t addr, uint64_t len, uint32_t max)
{
	char bytes[64] STP_UNSET;
	uint32_t n = len < max ? (uint32_t)len : max;

	if (!addr) {
		say(s, "NULL");
		return;
	}
	if (n > sizeof(bytes))
		n = sizeof(bytes);
	if (!call_peek(addr, bytes, n)) {
		say_hex(s, addr);
		return;
	}
	say_quoted(s, bytes, n);
	if (n < len)
		say(s, "...");
}

/* Reads in chunks that never cross a page: a string may end just before a missing one. */
void say_string(struct stp_shown *s, uint64_t addr, uint32_t max)
{
	struct stp_str before = s->text.str;
	char bytes[32] STP_UNSET;

	if (!addr) {
		say(s, "NULL");
		return;
	}
	say(s, "\"");
	for (uint32_t at = 0; at < max;) {
		uint32_t chunk = sizeof(bytes) - ((addr + at) & (sizeof(bytes) - 1)), len;

		chunk = chunk < max - at ? chunk : max - at;
		if (!call_peek(addr + at, bytes, chunk)) {
			s->text.str = before;
			say_hex(s, addr);
			return;
		}
		len = strnlen(bytes, chunk);
		say_escaped(s, bytes, len);
		if (len < chunk || s->text.cut) {
			say(s, "\"");
			return;
		}
		at += chunk;
	}
	say(s, "\"");
	if (!call_peek(addr + max, bytes, 1) || bytes[0])
		say(s, "...");
}

/* ---- structures ---- */

static uint64_t member_value(const struct stp_member *m, const uint8_t *bytes, bool narrow)
{
	uint8_t size = m->size[narrow];
	uint64_t v = 0;

	memcpy(&v, bytes + m->at[narrow], size);
	if (m->is_signed && size < 8)
		v = (uint64_t)((int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size));
	return v;
}

void say_members(struct stp_shown *s, const struct stp_layout *layout, const uint8_t *bytes)
{
	say(s, "{");
	for (unsigned i = 0; i < layout->count; i++) {
		const struct stp_member *m = &layout->members[i];

		if (!m->size[s->narrow])
			continue;
		if (i)
			say(s, ", ");
		say_text(s, m->name);
		say(s, "=");
		show_kind(s, m->kind, member_value(m, bytes, s->narrow));
	}
	if (layout->more)
		say(s, ", ...");
	say(s, "}");
}

void say_struct(struct stp_shown *s, const struct stp_layout *layout, uint64_t addr)
{
	uint8_t bytes[STRUCT_MAX];
	uint32_t size = layout->size[s->narrow];

	if (size <= sizeof(bytes) && addr && call_peek(addr, bytes, size))
		say_members(s, layout, bytes);
	else
		say_pointer(s, addr);
}

void show_struct(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	say_struct(s, k->data, v);
}

void show_at(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	const struct stp_member *m = k->data;
	uint8_t bytes[8];

	if (!v || !call_peek(v, bytes, m->size[s->narrow])) {
		say_pointer(s, v);
		return;
	}
	say(s, "[");
	show_kind(s, m->kind, member_value(m, bytes, s->narrow));
	say(s, "]");
}

void say_bits(struct stp_shown *s, uint64_t addr, uint64_t n, uint64_t bytes)
{
	uint64_t word = 0;
	bool any = false;

	say(s, "[");
	for (uint64_t i = 0; i < n && i < 1024; i++) {
		if (i % 64 == 0 &&
		    !call_peek(addr + i / 8, &word, bytes - i / 8 < 8 ? bytes - i / 8 : 8))
			break;
		if (!(word >> (i % 64) & 1))
			continue;
		if (any)
			say(s, " ");
		stp_text_unsigned(&s->text, i);
		any = true;
	}
	say(s, "]");
}

void say_array(struct stp_shown *s, uint64_t addr, uint64_t n, uint32_t size,
	       void (*one)(struct stp_shown *s, const uint8_t *bytes, const void *data),
	       const void *data)
{
	uint8_t bytes[STRUCT_MAX];

	if (!addr || size > sizeof(bytes) || (n && !call_peek(addr, bytes, size))) {
		say_pointer(s, addr);
		return;
	}
	say(s, "[");
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			say(s, ", ");
		if (i == ARRAY_SHOWN) {
			say(s, "...");
			break;
		}
		if (!call_peek(addr + i * size, bytes, size)) {
			say(s, "...");
			say(s, " /* ");
			say_hex(s, addr + i * size);
			say(s, " */");
			break;
		}
		one(s, bytes, data);
	}
	say(s, "]");
}
