/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracks of a timeline: one for each thread, each CPU, each name that a script gives,
 * each counter. A track has a number, and is described before its first event. Apart from
 * those of CPUs, there are never more tracks than a screen can show.
 */
#ifndef TRACE_SINK_TRACKS_H
#define TRACE_SINK_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACKS_MOST 200000

enum track_kind { TRACK_THREAD, TRACK_CPU, TRACK_NAMED, TRACK_COUNTER };

struct track {
	enum track_kind kind;
	uint32_t pid, tid; /* TRACK_THREAD; tid: TRACK_CPU's ring */
	char *name;	   /* NULL: none yet */
	uint64_t number;   /* from 1 */
	bool is_new;	   /* it, or its name, must be described */
};

struct tracks {
	void *tree; /* of tsearch(3) */
	uint64_t count;
};

/*
 * Finds or creates a thread's track. name NULL: the name stays as it is. Returns NULL if
 * there is no room for another track.
 */
struct track *tracks_thread(struct tracks *t, uint32_t pid, uint32_t tid, const char *name,
			    size_t len);
struct track *tracks_cpu(struct tracks *t, unsigned ring);
struct track *tracks_named(struct tracks *t, enum track_kind kind, const char *name, size_t len);
void tracks_deinit(struct tracks *t);

#endif
