/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tracks.h. */
#include "trace/sink/tracks.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Threads and CPUs are found by numbers, the others by name. */
static int compare(const void *a, const void *b)
{
	const struct track *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->kind >= TRACK_NAMED)
		return strcmp(x->name, y->name);
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static struct track *find(struct tracks *t, const struct track *key)
{
	struct track **found = tfind(key, &t->tree, compare);

	return found ? *found : NULL;
}

static void free_track(void *track)
{
	struct track *k = track;

	free(k->name);
	free(k);
}

/* Adds a track. Becomes the owner of the key's name, even if it fails. */
static struct track *add(struct tracks *t, const struct track *key)
{
	bool room = t->count < TRACKS_MOST || key->kind == TRACK_CPU;
	struct track *made = room ? malloc(sizeof(*made)) : NULL;

	if (!made) {
		free(key->name);
		return NULL;
	}
	*made = *key;
	made->number = ++t->count;
	made->is_new = true;
	if (tsearch(made, &t->tree, compare))
		return made;
	free_track(made);
	return NULL;
}

static bool has_name(const struct track *k, const char *name, size_t len)
{
	return k->name && strlen(k->name) == len && !memcmp(k->name, name, len);
}

struct track *tracks_thread(struct tracks *t, uint32_t pid, uint32_t tid, const char *name,
			    size_t len)
{
	const struct track key = { .kind = TRACK_THREAD, .pid = pid, .tid = tid };
	struct track *k = find(t, &key);

	if (!k)
		k = add(t, &key);
	len = name ? strnlen(name, len) : 0;
	if (k && len && !has_name(k, name, len)) {
		free(k->name);
		k->name = strndup(name, len);
		k->is_new = true;
	}
	return k;
}

struct track *tracks_cpu(struct tracks *t, unsigned ring)
{
	const struct track key = { .kind = TRACK_CPU, .tid = ring };
	struct track *k = find(t, &key);

	return k ? k : add(t, &key);
}

struct track *tracks_named(struct tracks *t, enum track_kind kind, const char *name, size_t len)
{
	const struct track key = { .kind = kind, .name = strndup(name, len) };
	struct track *k = key.name ? find(t, &key) : NULL;

	if (!key.name || !k)
		return key.name ? add(t, &key) : NULL;
	free(key.name);
	return k;
}

void tracks_deinit(struct tracks *t)
{
	tdestroy(t->tree, free_track);
}
