/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See runjson.h. */
#include "stap/watch/runjson.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/session.h"
#include "stap/watch/runs.h"

static void set_sums(json_t *to, const struct run *r, const struct run_sums *now,
		     const struct run_sums *before)
{
	json_object_set_new(to, "hits", json_integer((json_int_t)now->hits));
	json_object_set_new(to, "delivered", json_integer((json_int_t)now->delivered));
	json_object_set_new(to, "dropped", json_integer((json_int_t)now->dropped));
	json_object_set_new(to, "skipped", json_integer((json_int_t)now->skipped));
	json_object_set_new(to, "handler_ns", json_integer((json_int_t)now->ns));
	if (!r->looked_before)
		return;
	json_object_set_new(to, "hits_per_second",
			    json_real(runs_rate(r, now->hits, before->hits)));
	json_object_set_new(to, "lost_per_second",
			    json_real(runs_rate(r, now->dropped + now->skipped,
						before->dropped + before->skipped)));
}

static json_t *counts_of(const struct run_count *c, size_t n)
{
	json_t *ret = json_object();

	for (size_t i = 0; i < n; i++)
		json_object_set_new(ret, c[i].name, json_integer((json_int_t)c[i].count));
	return ret;
}

static json_t *probes_of(const struct run *r)
{
	json_t *ret = json_array();

	vec_each(&r->probes, i) {
		const struct run_probe *p = &r->probes.data[i];
		json_t *o = json_object();

		json_object_set_new(o, "point", json_string(p->point));
		json_object_set_new(o, "off", json_boolean(p->is_off));
		set_sums(o, r, &p->sums, &p->before);
		json_array_append_new(ret, o);
	}
	return ret;
}

static json_t *object_of(struct session *s, const struct run *r, bool in_full)
{
	json_t *o = json_object();

	json_object_set_new(o, "name", json_string(r->shown));
	json_object_set_new(o, "runtime", json_string(r->address ? "user" : "kernel"));
	json_object_set_new(o, "script", json_string(r->script));
	json_object_set_new(o, "user", json_string(runs_user(s, r->owner)));
	json_object_set_new(o, "uid", json_integer(r->owner));
	json_object_set_new(o, "pid", r->pid ? json_integer(r->pid) : json_null());
	json_object_set_new(o, "state", json_string(runs_state(r)));
	if (!r->answers)
		return o;
	json_object_set_new(o, "since", r->started ? json_integer(r->started) : json_null());
	set_sums(o, r, &r->sums, &r->before);
	json_object_set_new(o, "skipped_for", counts_of(r->reasons.data, r->reasons.count));
	json_object_set_new(o, "contended", counts_of(r->contended.data, r->contended.count));
	if (in_full)
		json_object_set_new(o, "probes", probes_of(r));
	return o;
}

void runjson_print(struct session *s, const struct runs *runs, bool in_full)
{
	vec_each(&runs->list, i) {
		json_t *o = object_of(s, &runs->list.data[i], in_full);

		json_dumpf(o, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
		puts("");
		json_decref(o);
	}
}
