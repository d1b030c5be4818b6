/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run-time errors. They are raised with a message, get the place in the script as they
 * propagate, and are caught by the script or end the handler.
 */
#include "core/state.h"

void stp_error(struct stp_ctx *c, const char *fmt, ...)
{
	va_list args;

	if (c->error)
		return;
	va_start(args, fmt);
	vsnprintf(c->error_text, sizeof(c->error_text), fmt, args);
	va_end(args);
	stp_raise(c, c->error_text);
	c->where = NULL;
	c->ncallers = 0;
}

void stp_where(struct stp_ctx *c, const char *where)
{
	if (c->error && !c->where)
		c->where = where;
}

void stp_called_at(struct stp_ctx *c, const char *where)
{
	if (!c->error)
		return;
	if (!c->where) {
		c->where = where;
		return;
	}
	/* A function that calls itself counts as one caller. */
	if (c->ncallers && c->ncallers <= STP_CALLERS && c->callers[c->ncallers - 1] == where) {
		c->self_calls[c->ncallers - 1]++;
		return;
	}
	if (c->ncallers++ < STP_CALLERS) {
		c->callers[c->ncallers - 1] = where;
		c->self_calls[c->ncallers - 1] = 0;
	}
}

/* ---- the budget ---- */

/* Large budgets are given out piece by piece, and the time is checked in between. */
#define BUDGET_PIECE (STP_BUDGET_PIECE_ACTIONS * (int64_t)STP_ACTION)

int64_t stp_budget_actions(const struct stp_ctx *c)
{
	return c->sleepable ? stp_script.limits.action_slow : stp_script.limits.action;
}

void stp_budget_set(struct stp_ctx *c)
{
	int64_t all = STP_ACTION * stp_budget_actions(c);

	c->budget = all < BUDGET_PIECE ? all : BUDGET_PIECE;
	c->more = all - c->budget;
}

static void budget_refill(struct stp_ctx *c)
{
	int64_t piece = c->more < BUDGET_PIECE ? c->more : BUDGET_PIECE;

	c->work += piece;
	c->more -= piece;
}

bool stp_spent(struct stp_ctx *c)
{
	while (c->work < 0 && c->more && !stp_failed(c) && stp_hit_goes_on(stp_cpu_of(c)))
		budget_refill(c);
	if (c->work >= 0)
		return !stp_failed(c);
	if (!c->more)
		c->ending |= STP_ENDS_SPENT;
	stp_error(c, "MAXACTION exceeded (-DMAXACTION=N allows more than %lld)",
		  (long long)stp_budget_actions(c));
	return false;
}

bool stp_charge(struct stp_ctx *c, uint64_t work)
{
	c->work -= (int64_t)(c->sleepable ? work / STP_SLEEPABLE_SHARE : work);
	if (unlikely(c->work < 0))
		stp_spent(c);
	return !stp_failed(c);
}

const char stp_aborted[] = "aborted", stp_given_up[] = "given up", stp_absent[] = "absent";
const char stp_chain_spent[] = "MAXACTION exceeded (-DMAXACTION=N allows more)";

bool stp_pardon(struct stp_ctx *c)
{
	if (c->error == stp_aborted || c->error == stp_given_up || c->error == stp_absent ||
	    c->error == stp_chain_spent || c->ending & STP_ENDS_SPENT)
		return false;
	c->error = NULL;
	c->where = NULL;
	c->ncallers = 0;
	return true;
}

/* ---- the message ---- */

/*
 * Makes "MESSAGE near operator '/' at f.stp:2:9 (called from identifier 'f' at f.stp:7:3,
 * 4 more times) in probe begin". It is too long for a kernel stack, so it is composed in
 * the scratch area of sprintf.
 */
static size_t error_describe(struct stp_cpu *cpu, char **ret)
{
	const struct stp_ctx *c = &cpu->ctx;
	char *text = (char *)cpu->stage + STP_RECORD_MAX;
	size_t size = STP_SCRATCH_BYTES, n;

	n = (size_t)snprintf(text, size, "%s%s%.1024s", c->error, c->where ? " " : "",
			     c->where ? c->where : "");
	for (uint32_t i = 0; i < c->ncallers && i < STP_CALLERS && n < size / 2; i++) {
		const char *place = c->callers[i];

		if (!strncmp(place, "near ", 5))
			place += 5;
		n += (size_t)snprintf(text + n, size - n, " (called from %.512s", place);
		if (c->self_calls[i])
			n += (size_t)snprintf(text + n, size - n, ", %u more time%s",
					      c->self_calls[i], c->self_calls[i] == 1 ? "" : "s");
		n += (size_t)snprintf(text + n, size - n, ")");
	}
	if (c->ncallers > STP_CALLERS)
		n += (size_t)snprintf(text + n, size - n, " (and %u more calls)",
				      c->ncallers - STP_CALLERS);
	n += (size_t)snprintf(text + n, size - n, " in probe %.512s", c->probe->pn);
	*ret = text;
	return n;
}

/* Counts up to a limit; true if the limit is passed. */
static bool count_passes(int32_t *counter, uint32_t limit)
{
	return (uint32_t)__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED) > limit;
}

void stp_error_finish(struct stp_cpu *cpu)
{
	char *text;
	size_t n;

	WRITE_ONCE(cpu->errors, cpu->errors + 1);
	if (stp_script.limits.suppress_errors)
		return;
	n = error_describe(cpu, &text);
	stp_output_notice(cpu, RECORD_ERROR, text, n);
	if (count_passes(&stp_runtime.error_count, stp_script.limits.errors))
		stp_session_fail();
}

void stp_skip(struct stp_cpu *cpu, const struct stp_probe *p, enum stp_skip_reason reason)
{
	static const char text[] = "Skipped too many probes, check MAXSKIPPED or try again with "
				   "stap -t for more details.";
	uint32_t limit = stp_script.limits.skipped;

	stp_skip_count(cpu, p, reason);
	if (reason != STP_SKIP_LOCK || !limit || stp_script.limits.suppress_errors)
		return;
	if (count_passes(&stp_runtime.skip_count, limit) && stp_session_state() != STP_EXITING) {
		stp_output_notice(cpu, RECORD_ERROR, text, sizeof(text) - 1);
		stp_session_fail();
	}
}
