/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Control groups that are containers. Each engine names them in its own way:
 *
 *   docker-ID.scope, /docker/ID                     Docker, by systemd or by itself
 *   libpod-ID.scope, libpod_parent/libpod-ID        Podman
 *   cri-containerd-ID.scope, crio-ID.scope          Kubernetes, by systemd
 *   kubepods/…/podUID/ID                            Kubernetes, by itself
 *   kubepods-…-podUID.slice, podUID                 a pod, its containers are below
 *   nerdctl-ID.scope                                nerdctl
 *   lxc.payload.NAME, lxc/NAME                      LXC
 *   machine-NAME.scope, systemd-nspawn@NAME.service systemd-machined
 */
#include "container/container.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_DIGITS 64

static const struct form {
	const char *before, *after, *engine;
	bool is_id; /* the part between them is an id, otherwise a name */
} forms[] = {
	{ "docker-", ".scope", "docker", true },
	{ "libpod-", ".scope", "podman", true },
	{ "libpod-", "", "podman", true },
	{ "cri-containerd-", ".scope", "containerd", true },
	{ "nerdctl-", ".scope", "containerd", true },
	{ "crio-", ".scope", "cri-o", true },
	{ "lxc.payload.", "", "lxc", false },
	{ "machine-", ".scope", "machine", false },
	{ "systemd-nspawn@", ".service", "machine", false },
};

/* Engines whose groups are named by the id alone, found by the directory above. */
static const struct above {
	const char *directory, *engine;
	bool is_beginning; /* of the directory's name */
	bool is_id;
} aboves[] = {
	{ "docker", "docker", false, true },
	{ "pod", "kubernetes", true, true }, /* podUID */
	{ "lxc", "lxc", false, false },
};

static bool is_id(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isdigit((unsigned char)s[i]) && (s[i] < 'a' || s[i] > 'f'))
			return false;
	return len == ID_DIGITS;
}

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Returns the part between prefix and suffix. NULL: the name is not of this form. */
static char *match_form(const struct form *f, const char *name)
{
	size_t len = strlen(name), before = strlen(f->before), after = strlen(f->after);

	if (len <= before + after || !begins(name, f->before) ||
	    strcmp(name + len - after, f->after) ||
	    (f->is_id && !is_id(name + before, len - before - after)))
		return NULL;
	return strndup(name + before, len - before - after);
}

/* Decodes systemd's escapes in names: "\x2d" is '-'. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		unsigned byte;

		if (begins(s, "\\x") && sscanf(s + 2, "%2x", &byte) == 1 && byte > ' ' &&
		    byte < 0x7f) {
			*to++ = (char)byte;
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

/* Returns the uid of the pod that a group is: podUID, kubepods-…-podUID.slice. */
static char *match_pod(const char *name)
{
	const char *uid = begins(name, "kubepods-") ? strstr(name, "-pod") : NULL;
	char *ret;

	uid = uid ? uid + strlen("-pod") : begins(name, "pod") ? name + strlen("pod") : NULL;
	if (!uid || strspn(uid, "0123456789abcdef_-") < 32)
		return NULL;
	ret = strndup(uid, strspn(uid, "0123456789abcdef_-"));
	for (char *s = ret; s && *s; s++)
		if (*s == '_') // in systemd's slices, '-' means a step down
			*s = '-';
	return ret;
}

static char *match_above(const struct above *a, const char *above, const char *name)
{
	bool is_meant =
		a->is_beginning ? begins(above, a->directory) : !strcmp(above, a->directory);

	return is_meant && (!a->is_id || is_id(name, strlen(name))) ? strdup(name) : NULL;
}

/* Tells whether the group is a container's. */
static bool identify(const char *above, const char *name, struct container *ret)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !ret->id; i++) {
		ret->id = match_form(&forms[i], name);
		ret->engine = forms[i].engine;
		if (ret->id && !forms[i].is_id)
			unescape(ret->id);
	}
	for (size_t i = 0; i < sizeof(aboves) / sizeof(aboves[0]) && !ret->id; i++) {
		ret->id = match_above(&aboves[i], above, name);
		ret->engine = aboves[i].engine;
	}
	if (!ret->id) {
		ret->id = match_pod(name);
		ret->engine = "pod";
	}
	return ret->id;
}

static bool add(struct containers *all, const struct container *c)
{
	struct container *rows = realloc(all->rows, (all->count + 1) * sizeof(*rows));

	if (!rows)
		return false;
	all->rows = rows;
	rows[all->count++] = *c;
	return true;
}

/* Users make control groups, too: a name may contain anything but '/'. */
static bool is_plain(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return false;
	return true;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

int container_find(const char *mount, struct containers *ret)
{
	char *roots[] = { (char *)mount, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	FTSENT *e;
	int error = 0;

	*ret = (struct containers){ 0 };
	if (!tree)
		return -errno;
	while (!error && (e = fts_read(tree))) {
		struct container c = { 0 };

		if (e->fts_info == FTS_NS && !e->fts_level)
			error = -e->fts_errno;
		if (e->fts_info != FTS_D || !e->fts_level)
			continue;
		if (!is_plain(e->fts_name)) {
			fts_set(tree, e, FTS_SKIP);
			continue;
		}
		if (identify(e->fts_parent->fts_name, e->fts_name, &c)) {
			c.group = strdup(e->fts_path + strlen(mount));
			if (!c.group || !add(ret, &c))
				error = -ENOMEM;
		}
	}
	fts_close(tree);
	return error;
}

void container_free(struct containers *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct container *c = &all->rows[i];

		free(c->group);
		free(c->id);
		free(c->name);
		free(c->pod);
	}
	free(all->rows);
}

/* "pod/NAME", "pod/NAMESPACE/NAME", or a pod's uid; the group of the pod itself. */
static bool is_pod_meant(const struct container *c, const char *word)
{
	const char *slash = c->pod ? strchr(c->pod, '/') : NULL;

	if (strcmp(c->engine, "pod"))
		return false;
	if (!begins(word, "pod/"))
		return !strcmp(word, c->id);
	word += strlen("pod/");
	return slash && (!strcmp(word, c->pod) || !strcmp(word, slash + 1));
}

bool container_is_meant(const struct container *c, const char *word)
{
	size_t len = strlen(word);

	if (is_pod_meant(c, word) || (c->name && !strcmp(c->name, word)) || !strcmp(c->id, word))
		return true;
	return len >= 4 && is_id(c->id, strlen(c->id)) && begins(c->id, word);
}
