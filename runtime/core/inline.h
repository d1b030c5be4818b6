/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hot paths that are worth inlining in generated code. Their declarations and contracts
 * are in api/.
 */
#ifndef STP_INLINE_H
#define STP_INLINE_H

#include "api/arith.h"
#include "api/ctx.h"
#include "api/output.h"
#include "api/script.h"
#include "core/bytes.h"

/*
 * Frames start at multiples of 8. Contexts have this much more than frame_bytes, for the
 * rounding.
 */
#define STP_FRAME_SLACK 1024

static inline bool stp_spend(struct stp_ctx *c, int64_t n)
{
	c->work -= n * STP_ACTION;
	return likely(c->work >= 0) || stp_spent(c);
}

/*
 * Short forms for generated C, whose context is c: places of errors; go to the label of a
 * failure, after noting the place; call a function whose value is kept, once; begin a
 * function of the script.
 */
#define STP_NEAR(token, place)	       "near " token " at " place
#define STP_ID(name, line, column)     STP_NEAR("identifier '" name "'", STP_IN(line, column))
#define STP_OP(operator, line, column) STP_NEAR("operator '" operator"'", STP_IN(line, column))
#define STP_IN(line, column)	       STP_SCRIPT_FILE ":" #line ":" #column
#define STP_WRAP(a, operator, b)       ((int64_t)((uint64_t)(a) operator(uint64_t)(b)))
#define STP_FAIL(label, failed, note, place)                                                       \
	do {                                                                                       \
		if (failed) {                                                                      \
			note(c, place);                                                            \
			goto label;                                                                \
		}                                                                                  \
	} while (0)
#define STP_CHECK(label, note, place)  STP_FAIL(label, stp_failed(c), note, place)
#define STP_WHERE(label, place)	       STP_CHECK(label, stp_where, place)
#define STP_CALLED(label, place)       STP_CHECK(label, stp_called_at, place)
#define STP_SPEND(label, count, place) STP_FAIL(label, !stp_spend(c, count), stp_where, place)
#define STP_ENTER(result)                                                                          \
	do {                                                                                       \
		if (!stp_call_enter(c))                                                            \
			return result;                                                             \
	} while (0)
#define STP_ENTER_FRAME(result)                                                                    \
	do {                                                                                       \
		STP_ENTER(result);                                                                 \
		fr = stp_frame_push(c, sizeof(*fr));                                               \
		if (!fr) {                                                                         \
			stp_call_leave(c);                                                         \
			return result;                                                             \
		}                                                                                  \
	} while (0)
#define STP_ONCE(name, call)                                                                       \
	do {                                                                                       \
		if (!has_##name) {                                                                 \
			name = call;                                                               \
			has_##name = true;                                                         \
		}                                                                                  \
	} while (0)

static inline bool stp_call_enter(struct stp_ctx *c)
{
	if (likely(c->depth < stp_script.limits.nesting)) {
		c->depth++;
		return true;
	}
	/* A call that was not entered is not left: the caller skips stp_call_leave(). */
	stp_error(c, "MAXNESTING exceeded");
	return false;
}

static inline void stp_call_leave(struct stp_ctx *c)
{
	c->depth--;
}

static inline void *stp_frame_push(struct stp_ctx *c, uint32_t bytes)
{
	void *frame = c->frame_base + c->frame_used;
	uint32_t rounded = (bytes + 7) & ~7u;

	if (unlikely(rounded > stp_script.frame_bytes + STP_FRAME_SLACK - c->frame_used)) {
		stp_error(c, "string storage of nested calls exceeded");
		return NULL;
	}
	c->frame_used += rounded;
	return frame;
}

static inline void *stp_frame_root(struct stp_ctx *c, uint32_t bytes)
{
	c->frame_used = (bytes + 7) & ~7u;
	return c->frame_base;
}

static inline void stp_frame_pop(struct stp_ctx *c, uint32_t bytes)
{
	c->frame_used -= (bytes + 7) & ~7u;
}

static inline uint8_t *stp_item(struct stp_ctx *c, size_t bytes)
{
	uint8_t *p = c->out;

	if (unlikely((size_t)(c->out_end - p) < bytes))
		return stp_item_more(c, bytes);
	c->out = p + bytes;
	return p;
}

static inline uint32_t stp_item_string_len(struct stp_str s)
{
	return s.len < UINT16_MAX ? s.len : UINT16_MAX;
}

static inline size_t stp_item_string_bytes(struct stp_str s)
{
	return sizeof(uint16_t) + stp_item_string_len(s);
}

static inline uint8_t *stp_item_u16(uint8_t *p, unsigned v)
{
	uint16_t value = (uint16_t)v;

	memcpy(p, &value, sizeof(value));
	return p + sizeof(value);
}

static inline uint8_t *stp_item_format(uint8_t *p, unsigned format)
{
	return stp_item_u16(p, format);
}

static inline uint8_t *stp_item_long(uint8_t *p, int64_t v)
{
	memcpy(p, &v, sizeof(v));
	return p + sizeof(v);
}

static inline uint8_t *stp_item_string(uint8_t *p, struct stp_str s)
{
	uint32_t len = stp_item_string_len(s);

	p = stp_item_u16(p, len);
	stp_bytes_copy((char *)p, s.s, len);
	return p + len;
}

static inline void stp_text_char(struct stp_text *t, char c)
{
	if (likely(t->str.len < stp_script.limits.string - 1))
		((char *)t->str.s)[t->str.len++] = c;
	else
		t->cut = true;
}

static inline int64_t stp_shl(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a << (b & 63));
}

static inline int64_t stp_shr(int64_t a, int64_t b)
{
	return a >> (b & 63);
}

static inline int64_t stp_ushr(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a >> (b & 63));
}

#endif
