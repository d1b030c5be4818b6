/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines in which a variable can be read, for the message that it is missing at the
 * requested place.
 */
#include "dwarf/livelines.h"

#include "base/session.h"
#include "lib/strbuf.h"

#define MAX_SHOWN 6

/* Returns the end of the run of live lines that begins at i. */
static size_t last_alive(const line_lives *list, size_t i)
{
	while (i + 1 < list->count && list->data[i + 1].is_live)
		i++;
	return i;
}

const char *livelines_at(struct session *s, const line_lives *list)
{
	struct strbuf b;
	unsigned shown = 0;

	strbuf_init(&b, s->arena);
	for (size_t i = 0; i < list->count; i++) {
		size_t last = list->data[i].is_live ? last_alive(list, i) : i;

		if (!list->data[i].is_live)
			continue;
		if (shown == MAX_SHOWN) {
			strbuf_adds(&b, " …");
			break;
		}
		strbuf_addf(&b, shown++ ? ", %u" : "%u", list->data[i].line);
		if (list->data[last].line != list->data[i].line)
			strbuf_addf(&b, "-%u", list->data[last].line);
		i = last;
	}
	return b.len ? b.s : NULL;
}
