/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * =~ and !~ whose match matched() can return. The string is copied, because the script
 * may change it.
 */
#include "core/lastmatch.h"

#include "api.h"

static uint16_t *matches_states(struct stp_matches *m)
{
	return (uint16_t *)(m + 1);
}

static char *matches_text(struct stp_matches *m)
{
	return (char *)(matches_states(m) + stp_script.limits.string);
}

bool stp_regex_match(struct stp_ctx *c, const struct stp_regex *r, struct stp_str s)
{
	struct stp_matches *m = c->matches;
	uint64_t tries;
	bool found = stp_regex_find(r, s.s, s.len, matches_states(m), m->bounds, &tries);

	/* Up to four passes, and a copy. */
	stp_charge(c, 4 * STP_REGEX_BYTE_WORK * (uint64_t)s.len + STP_REGEX_ARC_WORK * tries);
	m->regex = found ? r : NULL;
	m->serial = c->serial;
	if (found)
		memcpy(matches_text(m), s.s, s.len);
	return found;
}

/*
 * Returns the expression of the last match in this hit; NULL: it did not match, or there
 * was none.
 */
static const struct stp_regex *matches_regex(const struct stp_ctx *c)
{
	return c->matches->serial == c->serial ? c->matches->regex : NULL;
}

int64_t stp_matched_groups(struct stp_ctx *c)
{
	const struct stp_regex *r = matches_regex(c);

	if (!r)
		stp_error(c,
			  "ngroups: no =~ matched before in this probe, or the last one did not");
	return r ? r->ngroups : 0;
}

void stp_matched(struct stp_ctx *c, int64_t n, char *dst)
{
	struct stp_matches *m = c->matches;
	const struct stp_regex *r = matches_regex(c);
	uint32_t from, to;

	dst[0] = 0;
	if (!r) {
		stp_error(c,
			  "matched: no =~ matched before in this probe, or the last one did not");
		return;
	}
	if (n < 0 || n >= r->ngroups) {
		stp_error(c, "matched: there is no group %lld; the last pattern has groups 0 to %u",
			  (long long)n, r->ngroups - 1u);
		return;
	}
	from = m->bounds[2 * n];
	to = m->bounds[2 * n + 1];
	if (from == STP_REGEX_UNSET || to == STP_REGEX_UNSET || to < from)
		return;
	memcpy(dst, matches_text(m) + from, to - from);
	dst[to - from] = 0;
}
