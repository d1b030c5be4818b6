/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See storedlines.h. */
#include "trace/sink/storedlines.h"

#include "trace/sink/sink.h"
#include "trace/sink/stored.h"

#define WRITE_EVERY 1 /* s, while records keep coming */

void storedlines_settle(struct storedlines *l)
{
	for (; l->from < l->to; l->from++) {
		if (l->waiting[l->from % OUTPUT_ENDS].line > l->output->written)
			break;
		stored_some(l->stored, l->waiting[l->from % OUTPUT_ENDS].probe, 1);
	}
}

void storedlines_record(struct storedlines *l, uint32_t probe)
{
	struct output *o = l->output;

	stored_give(l->stored, probe);
	if (l->to - l->from == OUTPUT_ENDS || sink_now() - l->since >= WRITE_EVERY) {
		output_flush(o);
		l->since = sink_now();
	}
	storedlines_settle(l);
	if (o->error || l->to - l->from == OUTPUT_ENDS)
		return;
	l->waiting[l->to % OUTPUT_ENDS].line = o->written + o->nends;
	l->waiting[l->to % OUTPUT_ENDS].probe = probe;
	l->to++;
	storedlines_settle(l);
}
