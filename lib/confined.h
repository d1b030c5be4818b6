/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits that programs meet in containers. */
#ifndef LIB_CONFINED_H
#define LIB_CONFINED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True: a container engine's mark was found. The list of marks is systemd's. */
static inline bool confined_by_engine(void)
{
	return !access("/.dockerenv", F_OK) || !access("/run/.containerenv", F_OK) ||
	       getenv("container") || getenv("KUBERNETES_SERVICE_HOST");
}

/* The first namespace of a kind always has the same number. */
#define CONFINED_CGROUP "cgroup:[4026531835]"
#define CONFINED_PID	"pid:[4026531836]"
#define CONFINED_USER	"user:[4026531837]"

/* True: this process is not in the first namespace of that kind. */
static inline bool confined_in(const char *first)
{
	char path[64], text[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/ns/%.*s", (int)strcspn(first, ":"), first);
	n = readlink(path, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = 0;
	return n > 0 && strcmp(text, first);
}

#define CONFINED_CGROUP_HINT                                                                       \
	"this process is in a cgroup namespace, and sees the groups of its own container only: "   \
	"--cgroupns=host"
#define CONFINED_PID_HINT                                                                          \
	"this process is in a pid namespace, where processes outside of the container have no "    \
	"numbers: --pid=host; Kubernetes: hostPID: true"

#endif
