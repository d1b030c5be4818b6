/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the targets that call the translator: a directory of the process's own for
 * files, and stap's first passes in this process.
 */
#ifndef FUZZ_STAP_H
#define FUZZ_STAP_H

#include <stddef.h>
#include <stdint.h>

struct session;

/* Returns the path of a file of that name there; it stays valid for two calls. */
const char *harness_path(const char *name);
/* Writes the file, for its owner to read, write and run. Its directory must be there. */
void harness_write(const char *name, const void *data, size_t size);
void harness_make_dirs(const char *name);

/* Closes descriptors and handles of libelf and libdwfl that an input has left open. */
void harness_release(void);

/*
 * Makes a kernel's build tree without BTF, HARNESS_RELEASE, below harness_path("tree"),
 * and lets stap look for kernels there alone.
 */
#define HARNESS_RELEASE "6.1.0-fuzz"
#define HARNESS_BUILD	"tree/lib/modules/" HARNESS_RELEASE "/build/"
void harness_make_tree(void);

/* Runs stap with these arguments behind "stap", up to NULL, and releases all. */
void harness_stap(const char *const *args);
/* Calls back with a session of these options instead of running passes. */
void harness_session(const char *const *args, void (*callback)(struct session *s, void *ctx),
		     void *ctx);

#endif
