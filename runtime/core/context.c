/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run-time errors: raised with a message, given a place on the way out, caught by the script or ending the
 * handler. */
#include "core/state.h"

void stp_error(struct stp_ctx *c, const char *fmt, ...)
{
	va_list args;

	if (c->error)
		return;
	va_start(args, fmt);
	vsnprintf(c->error_text, sizeof(c->error_text), fmt, args);
	va_end(args);
	c->error = c->error_text;
	c->where = NULL;
}

void stp_where(struct stp_ctx *c, const char *where)
{
	if (c->error && !c->where)
		c->where = where;
}

static struct stp_str error_append(char *dst, uint32_t size, struct stp_str to, const char *text)
{
	while (*text && to.len + 1 < size)
		dst[to.len++] = *text++;
	dst[to.len] = 0;
	return to;
}

struct stp_str stp_catch(struct stp_ctx *c, char *dst)
{
	uint32_t size = stp_script.limits.string;
	struct stp_str r = error_append(dst, size, (struct stp_str){ dst, 0 }, c->error ? c->error : "");

	if (c->where) {
		r = error_append(dst, size, r, " at ");
		r = error_append(dst, size, r, c->where);
	}
	c->error = NULL;
	c->where = NULL;
	return r;
}

/* Counts up to a limit; true when it is passed. */
static bool count_passes(int32_t *counter, uint32_t limit)
{
	return (uint32_t)__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED) > limit;
}

void stp_error_finish(struct stp_cpu *cpu)
{
	const struct stp_ctx *c = &cpu->ctx;
	char text[512];
	int n;

	WRITE_ONCE(cpu->errors, cpu->errors + 1);
	if (stp_script.limits.suppress_errors)
		return;
	n = snprintf(text, sizeof(text), "%s%s%s in probe %s", c->error, c->where ? " at " : "",
		     c->where ? c->where : "", c->probe->pn);
	if (n >= (int)sizeof(text))
		n = sizeof(text) - 1;
	stp_output_notice(cpu, RECORD_ERROR, text, (size_t)n);
	if (count_passes(&stp_runtime.error_count, stp_script.limits.errors))
		stp_session_fail();
}

void stp_skip(struct stp_cpu *cpu, const struct stp_probe *p, enum stp_skip_reason reason)
{
	static const char text[] =
		"Skipped too many probes, check MAXSKIPPED or try again with stap -t for more details.";
	uint32_t limit = stp_script.limits.skipped;

	/* Atomic: the skipped hit may have interrupted one that is being skipped. */
	__atomic_add_fetch(&cpu->books[p->index].skipped[reason], 1, __ATOMIC_RELAXED);
	if (reason != STP_SKIP_LOCK || !limit || stp_script.limits.suppress_errors)
		return;
	if (count_passes(&stp_runtime.skip_count, limit) && stp_session_state() != STP_EXITING) {
		stp_output_notice(cpu, RECORD_ERROR, text, sizeof(text) - 1);
		stp_session_fail();
	}
}
