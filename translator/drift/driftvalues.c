/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of members that have another meaning today: values.def. */
#include <stdio.h>
#include <string.h>

#include "drift/drift.h"

#define LOW_BYTE 0xff /* the mask for a whole number in the low bits */

static const struct drift_values rows[] = {
#define ROW(of, member, since, changed, story) { of, member, since, changed, story },
#include "drift/values.def"
#undef ROW
};

/* Returns a version such as "4.14" as a number that sorts by version. */
static unsigned order_of(const char *version)
{
	unsigned major = 0, minor = 0, patch = 0;

	if (sscanf(version, "%u.%u.%u", &major, &minor, &patch) < 2)
		return 0;
	return major << 16 | minor << 8 | (major < 3 ? patch : 0);
}

const struct drift_values *drift_values(const char *type, const char *member, const char *release)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].member, member) && !strcmp(rows[i].of, type) &&
		    order_of(rows[i].since) <= order_of(release))
			return &rows[i];
	return NULL;
}

bool drift_values_mean_other(const struct drift_values *v, int64_t constant, bool by_size)
{
	if (by_size)
		return v->changed == DRIFT_ALL;
	return constant != LOW_BYTE && (uint64_t)constant & v->changed;
}
