/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints that a probe family needs itself, whatever the script probes: those of
 * process.c and perftask.c.
 */
#ifndef STP_PROBE_SOURCES_H
#define STP_PROBE_SOURCES_H

#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

struct source {
	const char *name;
	void *probe;
	bool wanted;
	struct tracepoint *tracepoint;
	bool added;
};

/*
 * Names a tracepoint and its callback. Registering accepts any pointer, but a kernel that
 * checks the types of called functions would not, so the compiler compares them here.
 */
#define SOURCE(event, callback)                                                                    \
	.name = &#event[BUILD_BUG_ON_ZERO(                                                         \
		!__same_type(check_trace_callback_type_##event, void(typeof(callback) *)))],       \
	.probe = (callback)

struct sources {
	struct source *data;
	unsigned int count;
};

static void note_source(struct tracepoint *tp, void *data)
{
	const struct sources *s = data;

	for (unsigned int i = 0; i < s->count; i++)
		if (!strcmp(tp->name, s->data[i].name))
			s->data[i].tracepoint = tp;
}

/*
 * Adds the tracepoints; `who` names the family for messages. After an error,
 * sources_remove() removes those already added.
 */
static inline int sources_add(struct sources *s, const char *who)
{
	for_each_kernel_tracepoint(note_source, s);
	for (struct source *at = s->data; at < s->data + s->count; at++) {
		int error;

		if (!at->wanted)
			continue;
		error = at->tracepoint ? tracepoint_probe_register(at->tracepoint, at->probe, NULL)
				       : -ENOENT;
		if (error) {
			stp_setup_error("%s need the kernel's tracepoint %s (error %d)", who,
					at->name, -error);
			return error;
		}
		at->added = true;
	}
	return 0;
}

/* Removes the tracepoints; afterwards no CPU is in their callbacks. */
static inline void sources_remove(struct sources *s)
{
	for (struct source *at = s->data; at < s->data + s->count; at++) {
		if (at->added)
			tracepoint_probe_unregister(at->tracepoint, at->probe, NULL);
		at->added = false;
	}
	tracepoint_synchronize_unregister();
}

#endif
