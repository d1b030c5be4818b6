/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands and packages that supply what is missing, for the reader's distribution. */
#ifndef STAP_REMEDY_H
#define STAP_REMEDY_H

struct arena;

enum remedy {
#define REMEDY(id, debian, fedora, suse, arch) REMEDY_##id,
#include "base/remedy.def"
#undef REMEDY
	REMEDY_COUNT
};

/*
 * Return the command that installs a thing, "apt-get install make", and the package
 * alone; "" where the distribution has none. `of` is the release of the kernel or the
 * name of the compiler that it is about, or NULL.
 */
const char *remedy_command(struct arena *a, enum remedy what, const char *of);
const char *remedy_package(struct arena *a, enum remedy what, const char *of);
/* The same with the text of an os-release file, for tests. */
const char *remedy_command_on(struct arena *a, const char *os_release, enum remedy what,
			      const char *of);

#endif
