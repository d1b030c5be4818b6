/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds names of containers in the files in which engines keep their state. Does not ask
 * a daemon: it may hang, and often it is the very process being examined.
 */
#include "container/container.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One file for each storage driver. */
static const char *const storages[] = {
	"storage/overlay-containers/containers.json",
	"storage/vfs-containers/containers.json",
	"storage/btrfs-containers/containers.json",
	"storage/zfs-containers/containers.json",
};

/* Sets a text once: the first source that knows it is right. */
static void set(char **to, const char *text)
{
	if (!*to && text && *text)
		*to = strdup(text);
}

static json_t *load(const char *root, const char *fmt, const char *id)
{
	char *below, *path;
	json_t *ret = NULL;

	if (asprintf(&below, fmt, id) < 0)
		return NULL;
	if (asprintf(&path, "%s%s", root, below) >= 0) {
		ret = json_load_file(path, 0, NULL);
		free(path);
	}
	free(below);
	return ret;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* Docker: {"Name": "/web"} */
static void name_docker(const char *root, struct container *c)
{
	json_t *config = load(root, "/var/lib/docker/containers/%s/config.v2.json", c->id);
	const char *name = text_of(config, "Name");

	set(&c->name, name && *name == '/' ? name + 1 : name);
	json_decref(config);
}

static void set_pod(struct container *c, const char *space, const char *name)
{
	if (!c->pod && space && name && asprintf(&c->pod, "%s/%s", space, name) < 0)
		c->pod = NULL;
}

/*
 * containerd and CRI-O: annotations of the OCI configuration that the runtime was
 * started with.
 */
static void name_annotated(struct container *c, const json_t *config)
{
	const json_t *notes = json_object_get(config, "annotations");

	set(&c->name, text_of(notes, "io.kubernetes.cri.container-name"));
	set(&c->name, text_of(notes, "io.kubernetes.container.name"));
	set_pod(c, text_of(notes, "io.kubernetes.cri.sandbox-namespace"),
		text_of(notes, "io.kubernetes.cri.sandbox-name"));
	set_pod(c, text_of(notes, "io.kubernetes.pod.namespace"),
		text_of(notes, "io.kubernetes.pod.name"));
}

static void name_containerd(const char *root, struct container *c)
{
	static const char *const places[] = {
		"/run/containerd/io.containerd.runtime.v2.task/k8s.io/%s/config.json",
		"/run/containerd/io.containerd.runtime.v2.task/moby/%s/config.json",
		"/run/containerd/io.containerd.runtime.v2.task/default/%s/config.json",
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		json_t *config = load(root, places[i], c->id);

		name_annotated(c, config);
		json_decref(config);
	}
}

static void name_crio(const char *root, struct container *c)
{
	json_t *config = load(
		root, "/run/containers/storage/overlay-containers/%s/userdata/config.json", c->id);

	name_annotated(c, config);
	json_decref(config);
}

/* Podman's list of all containers: [{"id": …, "names": ["web"]}] */
static void name_listed(struct containers *all, const json_t *list)
{
	size_t index;
	const json_t *entry;

	json_array_foreach(list, index, entry) {
		const char *id = text_of(entry, "id");
		const json_t *names = json_object_get(entry, "names");

		for (size_t i = 0; id && i < all->count; i++)
			if (!strcmp(all->rows[i].engine, "podman") && !strcmp(all->rows[i].id, id))
				set(&all->rows[i].name,
				    json_string_value(json_array_get(names, 0)));
	}
}

static void name_stored(struct containers *all, const char *root, const char *fmt)
{
	for (size_t i = 0; i < sizeof(storages) / sizeof(storages[0]); i++) {
		json_t *list = load(root, fmt, storages[i]);

		name_listed(all, list);
		json_decref(list);
	}
}

static void name_podman(const char *root, struct containers *all)
{
	const char *home = getenv("HOME");

	name_stored(all, root, "/var/lib/containers/%s");
	if (home)
		name_stored(all, home, "/.local/share/containers/%s");
}

/* The containers of a pod are in groups below it: they know the name of their pod. */
static void name_pods(struct containers *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct container *pod = &all->rows[i];
		size_t len = strlen(pod->group);

		if (strcmp(pod->engine, "pod"))
			continue;
		for (size_t k = 0; k < all->count; k++) {
			const struct container *c = &all->rows[k];

			if (c->pod && !strncmp(c->group, pod->group, len) && c->group[len] == '/')
				set(&pod->pod, c->pod);
		}
		set(&pod->name, pod->pod);
	}
}

void container_name(const char *root, struct containers *all)
{
	static const struct {
		const char *engine;
		void (*name)(const char *root, struct container *c);
	} engines[] = {
		{ "docker", name_docker },
		{ "containerd", name_containerd },
		{ "cri-o", name_crio },
		{ "kubernetes", name_containerd }, /* one or the other */
		{ "kubernetes", name_crio },
	};

	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < sizeof(engines) / sizeof(engines[0]); k++)
			if (!strcmp(all->rows[i].engine, engines[k].engine))
				engines[k].name(root, &all->rows[i]);
	name_podman(root, all);
	name_pods(all);
}
