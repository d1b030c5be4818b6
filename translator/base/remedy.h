/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands and packages that supply missing things, for the user's distribution. */
#ifndef STAP_REMEDY_H
#define STAP_REMEDY_H

#include <stdbool.h>

struct arena;

enum remedy {
#define REMEDY(id, ...) REMEDY_##id,
#include "base/remedy.def"
#undef REMEDY
	REMEDY_COUNT
};

/*
 * Return the command that installs a thing, such as "apt-get install make", and the
 * package alone; "" if the distribution has none. `of` is the release of the kernel or
 * the name of the compiler concerned, or NULL.
 */
const char *remedy_command(struct arena *a, enum remedy what, const char *of);
const char *remedy_package(struct arena *a, enum remedy what, const char *of);
/*
 * Returns the command that downloads a package of a kernel without installing it; "" if
 * stap-fetch-kernel, which is in bin_dir, does not support the distribution.
 */
const char *remedy_fetch(struct arena *a, const char *bin_dir, enum remedy what,
			 const char *release);
/*
 * Returns the package alone, as stap-fetch-kernel takes it: with the release even where
 * the packages of all releases have one name.
 */
const char *remedy_fetched(struct arena *a, enum remedy what, const char *release);
/*
 * From now on, packages of kernels are those for another machine, whose os-release file
 * has this text. Other things are still for this machine. NULL: all are for this one.
 */
void remedy_target(const char *os_release);
/*
 * Returns the advice for a kernel whose machine has a different distribution, for which
 * no package here helps. "": the distribution is the same.
 */
const char *remedy_elsewhere(struct arena *a, enum remedy what, const char *release);
/*
 * Returns stap-fetch-kernel's name for the package manager that has the kernel; NULL:
 * that of this machine.
 */
const char *remedy_manager(struct arena *a);
/* The first with the text of an os-release file. */
const char *remedy_command_on(struct arena *a, const char *os_release, enum remedy what,
			      const char *of);

/*
 * Finds a thing by its name, such as "cpio". False: it is unknown, or depends on a
 * kernel.
 */
bool remedy_find(const char *name, enum remedy *ret);
/* Returns the names that remedy_find() knows, as a list. */
const char *remedy_names(struct arena *a);

#endif
