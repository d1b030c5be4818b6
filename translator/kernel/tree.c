/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches the trees that hold kernels. */
#include "kernel/tree.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/userdir.h"
#include "lib/vec.h"

/* Possible places of a file; the first one that exists counts. */
struct place {
	const char *before, *after; /* the release comes between them */
};
#define PLACES_MOST 2

static const struct place places[][PLACES_MOST] = {
#define IMAGE(before, after) { before, after },
	[TREE_IMAGE] = {
#include "../vm/images.def"
	},
#undef IMAGE
	[TREE_CONFIG] = { { "/boot/config-", "" }, { "/lib/modules/", "/config" } },
	[TREE_MODULES] = { { "/lib/modules/", "" } },
	[TREE_BUILD] = { { "/lib/modules/", "/build" } },
	[TREE_SOURCE] = { { "/lib/modules/", "/source" } },
	[TREE_DEBUG_IMAGE] = { { "/usr/lib/debug/boot/vmlinux-", "" } },
	[TREE_DEBUG_MODULES] = { { "/usr/lib/debug/lib/modules/", "" } },
};
_Static_assert(sizeof(places) / sizeof(places[0]) == TREE_PLACES, "a place is missing");

const char *tree_place(struct arena *a, const char *root, const char *release,
		       enum tree_place place)
{
	const char *first = NULL;

	for (const struct place *p = places[place]; p < places[place] + PLACES_MOST; p++) {
		const char *path =
			p->before ? arena_printf(a, "%s%s%s%s", root, p->before, release, p->after)
				  : NULL;

		if (path && path_exists(path))
			return path;
		first = first ? first : path;
	}
	return first;
}

const char *kernel_place(struct session *s, enum tree_place place)
{
	return tree_place(s->arena, s->kernel->root, s->kernel->release, place);
}

/* ---- the trees ---- */

typedef VEC(const char *) trees;

/*
 * Makes the paths absolute, however they were written: the build directory is part of the
 * cache's key.
 */
static void add_named(struct session *s, trees *ret)
{
	const char *list = getenv("STAP_KERNELS");

	for (const char *at = list ? list : "", *end; *at; at = end + (*end == ':')) {
		end = strchrnul(at, ':');
		if (end == at)
			continue;

		const char *dir = arena_strndup(s->arena, at, (size_t)(end - at));
		const char *real = path_canonical(s->arena, dir);

		dir = real ? real : dir;
		vec_push(s->arena, ret, strcmp(dir, "/") ? dir : "");
	}
}

/*
 * Adds the machine's own tree, and those into which stap-fetch-kernel unpacks: one for
 * all users, and this user's own.
 */
static void add_usual(struct session *s, trees *ret)
{
	bool is_built = path_exists(arena_printf(s->arena, "%s/tools/fetch-kernel", s->data_dir));
	const char *own = userdir_find(s->arena);

	vec_push(s->arena, ret, "");
	vec_push(s->arena, ret,
		 is_built ? arena_printf(s->arena, "%s/build/kernels", s->data_dir)
			  : "/var/lib/stap/kernels");
	own = own ? path_canonical(s->arena, arena_printf(s->arena, "%s/kernels", own)) : NULL;
	if (own)
		vec_push(s->arena, ret, own);
}

static void all_trees(struct session *s, trees *ret)
{
	add_named(s, ret);
	add_usual(s, ret);
}

static bool has(struct session *s, const char *root, const char *release, enum tree_place place)
{
	return path_exists(tree_place(s->arena, root, release, place));
}

bool tree_has_headers(struct session *s, const char *root, const char *release)
{
	const char *build = tree_place(s->arena, root, release, TREE_BUILD);

	return path_exists(arena_printf(s->arena, "%s/include/config/auto.conf", build));
}

/*
 * Returns the first tree with headers and image, or else the first with headers, or NULL.
 */
static const char *find_built(struct session *s, const trees *list, const char *release)
{
	const char *ret = NULL;

	vec_each(list, i) {
		if (!tree_has_headers(s, list->data[i], release))
			continue;
		if (has(s, list->data[i], release, TREE_IMAGE))
			return list->data[i];
		if (!ret)
			ret = list->data[i];
	}
	return ret;
}

const char *tree_of(struct session *s, const char *release)
{
	trees named = { 0 }, usual = { 0 };
	const char *ret;

	add_named(s, &named);
	ret = find_built(s, &named, release);
	if (ret)
		return ret;
	add_usual(s, &usual);
	return find_built(s, &usual, release);
}

const char *tree_of_guest(struct session *s, const char *release)
{
	trees list = { 0 };

	all_trees(s, &list);
	return find_built(s, &list, release);
}

const char *tree_with_types(struct session *s, const char *release)
{
	static const enum tree_place types[] = { TREE_IMAGE, TREE_DEBUG_IMAGE };
	trees list = { 0 };

	all_trees(s, &list);
	vec_each(&list, i)
		for (size_t j = 0; j < sizeof(types) / sizeof(types[0]); j++)
			if (has(s, list.data[i], release, types[j]))
				return list.data[i];
	return NULL;
}

const char *tree_with(struct session *s, const char *release, enum tree_place place)
{
	trees list = { 0 };

	all_trees(s, &list);
	vec_each(&list, i)
		if (has(s, list.data[i], release, place))
			return list.data[i];
	return "";
}

typedef void (*release_callback)(struct session *s, const char *root, const char *release,
				 void *ctx);

/* Calls back for each kernel with headers. */
static void each_release(struct session *s, const trees *list, release_callback callback, void *ctx)
{
	vec_each(list, i) {
		DIR *d = opendir(arena_printf(s->arena, "%s/lib/modules", list->data[i]));

		for (struct dirent *e; d && (e = readdir(d));)
			if (e->d_name[0] != '.' && tree_has_headers(s, list->data[i], e->d_name))
				callback(s, list->data[i], arena_strdup(s->arena, e->d_name), ctx);
		if (d)
			closedir(d);
	}
}

struct choice {
	const char *root, *release;
};

/* Keeps the newer kernel. If a kernel is in two trees, keeps the first. */
static void choose_newer(struct session *s, const char *root, const char *release, void *ctx)
{
	struct choice *best = ctx;

	if (has(s, root, release, TREE_IMAGE) &&
	    (!best->release || strverscmp(release, best->release) > 0))
		*best = (struct choice){ root, release };
}

bool tree_newest(struct session *s, const char **root, const char **release)
{
	struct choice best = { 0 };
	trees named = { 0 }, usual = { 0 };

	add_named(s, &named);
	each_release(s, &named, choose_newer, &best);
	if (!best.release) {
		add_usual(s, &usual);
		each_release(s, &usual, choose_newer, &best);
	}
	*root = best.root;
	*release = best.release;
	return best.release != NULL;
}

/* ---- for messages ---- */

/* Adds a release once, even if several trees contain it. */
static void add_release(struct session *s, const char *root, const char *release, void *ctx)
{
	trees *ret = ctx;

	vec_each(ret, i)
		if (!strcmp(ret->data[i], release))
			return;
	vec_push(s->arena, ret, release);
}

const char *tree_releases(struct session *s)
{
	struct strbuf b;
	trees list = { 0 }, releases = { 0 };

	strbuf_init(&b, s->arena);
	all_trees(s, &list);
	each_release(s, &list, add_release, &releases);
	vec_each(&releases, i)
		strbuf_addf(&b, "%s%s", i ? ", " : "", releases.data[i]);
	return b.len ? b.s : "";
}

const char *tree_names(struct session *s)
{
	struct strbuf b;
	trees list = { 0 };

	strbuf_init(&b, s->arena);
	all_trees(s, &list);
	vec_each(&list, i)
		strbuf_addf(&b, "%s%s", i ? i + 1 < list.count ? ", " : " or " : "",
			    *list.data[i] ? list.data[i] : "/");
	return b.s;
}
