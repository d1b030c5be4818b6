/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/outputlines.h"

#include <stdlib.h>
#include <string.h>

#include "exporter/text.h"

static void end_line(struct outputlines *o)
{
	char **at = &o->lines[o->count % OUTPUTLINES_MOST];

	free(*at);
	*at = text_memory(o->rest_len + 1);
	for (size_t i = 0; i < o->rest_len; i++)
		(*at)[i] = o->rest[i] ? o->rest[i] : ' ';
	o->count++;
	o->rest_len = 0;
}

void outputlines_add(struct outputlines *o, const char *s, size_t len)
{
	for (const char *end = s + len; s < end; s++) {
		if (*s == '\n') {
			end_line(o);
			continue;
		}
		if (o->rest_len == OUTPUTLINES_LONGEST)
			end_line(o);
		o->rest[o->rest_len++] = *s;
	}
}

void outputlines_end(struct outputlines *o)
{
	if (o->rest_len)
		end_line(o);
}

uint64_t outputlines_first(const struct outputlines *o)
{
	return o->count > OUTPUTLINES_MOST ? o->count - OUTPUTLINES_MOST : 0;
}

const char *outputlines_get(const struct outputlines *o, uint64_t n)
{
	return o->lines[n % OUTPUTLINES_MOST];
}
