/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See uapi/packed.h. The tables are writable until the module's init function returns:
 * the build has made them a part of .data..ro_after_init.
 */
#include "api.h"
#include "core/state.h"
#include "kernel/packed.h"
#include "uapi/packed.h"

/*
 * The kernel relocates this structure; the build replaces it with one that lists the
 * places.
 */
static const struct stp_packed packed __used __section(STP_PACKED_SECTION) = {
	.anchors = {
		[STP_ANCHOR_TABLES] = &stp_script,
		[STP_ANCHOR_CODE] = stp_packed_apply,
		[STP_ANCHOR_STATE] = &stp_runtime,
	},
};
static bool applied;

static void apply(const struct stp_packed *p, u64 *place)
{
	*place = (u64)p->anchors[*place >> 32] + (s32)*place;
}

void stp_packed_apply(void)
{
	const struct stp_packed *p = &packed;
	u64 *tables;

	OPTIMIZER_HIDE_VAR(p); /* its contents are not those written above */
	tables = (u64 *)((char *)p->anchors[STP_ANCHOR_TABLES] - p->before);
	for (u32 i = 0; !applied && i < p->count; i++)
		for (u64 left = p->places[i]; left; left &= left - 1)
			apply(p, &tables[i * 64 + __ffs64(left)]);
	applied = true;
}
