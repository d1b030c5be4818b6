/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls as text. A probe point of a call has a row, struct stp_call, with the kind
 * of each argument; a kind defines how the argument's number is read and shown.
 * Kinds that no row of a script names are not linked.
 *
 * To add a kind: a function show_NAME() in the file of its topic if no present one fits,
 * and a KIND() line. To add a name of a flag: a row in names.def.
 */
#ifndef STP_SYSCALL_H
#define STP_SYSCALL_H

#include "api.h"
#include "arch_syscall_uapi.h"
#include "probe/points.h"

/* Names of one set, each ended by NUL, and their values in the same order. */
struct stp_names {
	const char *names;
	const uint32_t *values;
	uint32_t count;
};

/* A call that is being shown. */
struct stp_shown {
	struct stp_ctx *c;
	struct stp_text text;
	const struct stp_call *call;
	uint64_t args[STP_CALL_ARGS];
	int64_t result;
	bool is_return;
	bool failed; /* the call returned an error */
	bool narrow; /* structures have the layout of 32-bit programs */
	bool ends;   /* later arguments have no meaning */
};

/*
 * In BPF programs everything is one unit (bpf/callshown.h), whose tables are static: the
 * compiler leaves out those that no row leads to.
 */
#ifdef __bpf__
#define STP_SHOWN_TABLE	 static const
#define STP_SHOWN_EXTERN static const
#else
#define STP_SHOWN_TABLE	 const
#define STP_SHOWN_EXTERN extern const
#endif

#define KIND(name, type, show, data)                                                               \
	STP_SHOWN_TABLE struct stp_kind stp_kind_##name = { show, data, STP_CALL_##type, false }
#define KIND_OUT(name, show, data)                                                                 \
	STP_SHOWN_TABLE struct stp_kind stp_kind_##name = { show, data, STP_CALL_ULONG, true }

/* ---- say.c: pieces of text ---- */

/* Most of the text is punctuation: it is written without a call. */
static __always_inline void say_literal(struct stp_shown *s, const char *literal, size_t len)
{
	if (len > 2) {
		stp_text_put(&s->text, literal, len);
		return;
	}
	stp_text_char(&s->text, literal[0]);
	if (len == 2)
		stp_text_char(&s->text, literal[1]);
}
#define say(s, literal) say_literal(s, "" literal, sizeof(literal) - 1)
void say_text(struct stp_shown *s, const char *text);
void say_hex(struct stp_shown *s, uint64_t v);
void say_octal(struct stp_shown *s, uint64_t v);   /* 0644 */
void say_pointer(struct stp_shown *s, uint64_t v); /* NULL or hexadecimal */
/* Writes the name, or the number in hexadecimal. False: there is no name. */
bool say_name(struct stp_shown *s, const struct stp_names *set, uint64_t v);
/* Writes names joined by '|', the rest in hexadecimal; 0 as "0", unless it has a name. */
void say_flags(struct stp_shown *s, const struct stp_names *set, uint64_t v);
/*
 * Write bytes in quotes, and "..." after `max` bytes. Memory that cannot be read is shown
 * as an address.
 */
void say_bytes(struct stp_shown *s, uint64_t addr, uint64_t len, uint32_t max);
void say_string(struct stp_shown *s, uint64_t addr, uint32_t max);
void say_quoted(struct stp_shown *s, const char *bytes, size_t len);
/* Reads the caller's memory; false: it cannot be read. */
bool call_peek(uint64_t addr, void *dst, size_t size);
/*
 * Memory that a call fills in is shown after a successful call. Otherwise only the
 * address is shown, and the result is false.
 */
static __always_inline bool call_filled(struct stp_shown *s, uint64_t addr)
{
	if (addr && s->is_return && !s->failed)
		return true;
	say_pointer(s, addr);
	return false;
}
/*
 * Shows a value of the kind; until the call has filled it in, only its address. Inline,
 * because it is called for each argument of each call.
 */
static __always_inline void show_kind(struct stp_shown *s, const struct stp_kind *k, uint64_t v)
{
	if (!k->is_out || call_filled(s, v))
		k->show(s, k, v);
}
/* Returns the argument after the one of this kind: a number of elements, or a length. */
uint64_t call_behind(const struct stp_shown *s, const struct stp_kind *k);
/*
 * Writes the numbers of the set bits, among the first n and at most 1024, in brackets and
 * separated by blanks. The set has that many bytes.
 */
void say_bits(struct stp_shown *s, uint64_t addr, uint64_t n, uint64_t bytes);

/* ---- members of structures, by tables ---- */

struct stp_member {
	const char *name;
	const struct stp_kind *kind;
	uint16_t at[2]; /* in 64-bit and in 32-bit programs */
	uint8_t size[2];
	bool is_signed;
};
struct stp_layout {
	uint16_t size[2];
	uint8_t count;
	bool more; /* members left out are shown as ", ..." */
	const struct stp_member *members;
};

#define LAYOUT(name, size64, size32, more, ...)                                                    \
	static const struct stp_member name##_members[] = { __VA_ARGS__ };                         \
	static const struct stp_layout name##_layout = {                                           \
		{ size64, size32 }, ARRAY_SIZE(name##_members), more, name##_members               \
	}
/* NAME_at: the number at an address, for show_at(). */
#define AT(name, kind, size64, size32, is_signed)                                                  \
	static const struct stp_member name##_at = {                                               \
		NULL, &kind, { 0, 0 }, { size64, size32 }, is_signed                               \
	}
void say_members(struct stp_shown *s, const struct stp_layout *layout, const uint8_t *bytes);
/* Writes the structure at an address, NULL, or the address itself. */
void say_struct(struct stp_shown *s, const struct stp_layout *layout, uint64_t addr);
/* Shows a structure; data: struct stp_layout. */
void show_struct(struct stp_shown *s, const struct stp_kind *k, uint64_t v);
/* Shows the number at an address, in brackets; data: struct stp_member. */
void show_at(struct stp_shown *s, const struct stp_kind *k, uint64_t v);

/* Shows n elements of `size` bytes, in brackets, at most 32; each from a copy. */
void say_array(struct stp_shown *s, uint64_t addr, uint64_t n, uint32_t size,
	       void (*one)(struct stp_shown *s, const uint8_t *bytes, const void *data),
	       const void *data);

/* ---- say_basic.c, and pieces of the other files ---- */

void show_hex(struct stp_shown *s, const struct stp_kind *k, uint64_t v);
/* data: struct stp_names */
void show_name(struct stp_shown *s, const struct stp_kind *k, uint64_t v);
void show_flags(struct stp_shown *s, const struct stp_kind *k, uint64_t v);
void say_signal(struct stp_shown *s, int64_t number);
void say_iovec(struct stp_shown *s, uint64_t addr, uint64_t n, int64_t filled);

STP_SHOWN_EXTERN struct stp_kind stp_kind_int, stp_kind_uint, stp_kind_long, stp_kind_ulong,
	stp_kind_hex, stp_kind_pointer, stp_kind_octal, stp_kind_int_at, stp_kind_int_out,
	stp_kind_signal;

#define NAMES(set, ...) STP_SHOWN_EXTERN struct stp_names stp_names_##set;
#include "syscall/names.def"
#include "syscall/ioctl.def"
#undef NAMES

#endif
