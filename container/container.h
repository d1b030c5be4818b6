/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Containers: control groups whose names tell that an engine has made them. */
#ifndef CONTAINER_H
#define CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

struct container {
	char *group; /* path below the root of the hierarchy: "/system.slice/docker-….scope" */
	char *id;    /* 64 hexadecimal digits, or the name of a machine, or a pod's uid */
	const char *engine; /* "docker", "podman", "containerd", "cri-o", "kubernetes", … */
	char *name;	    /* as its engine calls it; NULL: not known, or not readable */
	char *pod;	    /* NAMESPACE/NAME of its Kubernetes pod; NULL: none */
};

struct containers {
	struct container *rows;
	size_t count;
};

/*
 * Finds all containers by their control groups, below the directory where the hierarchy
 * is mounted. Returns 0 or -errno.
 */
int container_find(const char *mount, struct containers *ret);
/*
 * Fills in names out of the state that engines keep below this root directory ("" on a
 * running machine). What the caller may not read stays unknown.
 */
void container_name(const char *root, struct containers *all);
void container_free(struct containers *all);

/*
 * True: the word means this container: its name, its id or the beginning of it, or a
 * pod.
 */
bool container_is_meant(const struct container *c, const char *word);

#endif
