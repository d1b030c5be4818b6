/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers the tapset's questions about a call. Its arguments are in the registers with
 * which the task entered the kernel, and stay there until it leaves; nothing must be
 * saved for a return probe.
 */
#include "syscall/syscall.h"

#define TEXT_WORK 8192 /* api/ctx.h: of a text of any length: it is made once in a hit */

static const struct stp_point_function *point_of(struct stp_ctx *c)
{
	return c->probe->point;
}

static bool has_arg(struct stp_ctx *c, int64_t n)
{
	const struct stp_call *call = stp_call_row(c);

	return call && n >= 0 && n < call->nargs;
}

/*
 * Sets member by member: an initializer would make the kernel's compiler clear the whole
 * twice.
 */
static void begin(struct stp_shown *s, struct stp_ctx *c, char *dst)
{
	const struct stp_point_function *p = point_of(c);
	const struct stp_call *call = stp_call_row(c);
	const struct pt_regs *regs = stp_call_regs(c);
	bool is_compat = stp_call_is_32(p);

	s->c = c;
	s->text = (struct stp_text){ { dst, 0 }, false };
	s->call = call;
	s->is_return = p->is_return;
	s->narrow = p->is_narrow;
	s->ends = false;
	for (unsigned i = 0; i < STP_CALL_ARGS; i++)
		s->args[i] =
			i < call->nargs ? stp_call_number(regs, call->types[i], is_compat, i) : 0;
	s->result = s->is_return ? stp_retval(c) : 0;
	s->failed = s->result < 0 && s->result >= -4095;
}

size_t stp_shown_name(struct stp_ctx *c, char *dst)
{
	const struct stp_call *call = stp_call_row(c);

	return call ? stp_str_copy(c, dst, (struct stp_str){ call->name, call->name_len }).len : 0;
}

size_t stp_shown_args(struct stp_ctx *c, char *dst)
{
	const struct stp_call *call = stp_call_row(c);
	struct stp_shown s STP_UNSET;

	dst[0] = 0;
	if (!call)
		return 0;
	begin(&s, c, dst);
	for (unsigned i = 0; i < call->nargs && !s.ends; i++) {
		uint32_t before = s.text.str.len, behind;

		if (before)
			say(&s, ", ");
		behind = s.text.str.len;
		show_kind(&s, call->args[i], s.args[i]);
		/* An argument without a meaning here shows nothing. */
		if (s.text.str.len == behind && !s.text.cut)
			s.text.str.len = before;
	}
	stp_charge_later(c, TEXT_WORK);
	return stp_text_end(c, &s.text).len;
}

size_t stp_shown_text(struct stp_ctx *c, int64_t n, char *dst)
{
	struct stp_shown s STP_UNSET;

	dst[0] = 0;
	if (!has_arg(c, n))
		return 0;
	begin(&s, c, dst);
	show_kind(&s, s.call->args[n], s.args[n]);
	stp_charge_later(c, TEXT_WORK);
	return stp_text_end(c, &s.text).len;
}

size_t stp_shown_string(struct stp_ctx *c, int64_t n, char *dst)
{
	bool ok;

	dst[0] = 0;
	return has_arg(c, n) ? stp_load_string(c, STP_USER, stp_shown_number(c, n), 0, dst, &ok).len
			     : 0;
}
