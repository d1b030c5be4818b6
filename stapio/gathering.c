/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See gathering.h. */
#include "stapio/gathering.h"

#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "arch_unwind.h"
#include "cfi/programfile.h"
#include "cfi/registers.h"
#include "cfi/symbolmap.h"
#include "lib/demangle.h"
#include "lib/printable.h"
#include "trace/messages.h"
#include "trace/source/module.h"

#define STACK	   (2u << 20) /* a demangler's recursion is deep */
#define FAILS_MOST 256 /* after so many failures in a row to open a file, something is wrong */

extern const struct arch_unwind ARCH_UNWIND_TABLES;

/* Loaded before the sandbox forbids that; used by one thread. */
static struct demangler demangler;

void gathering_prepare(void)
{
	demangle_load(&demangler);
}

/* Passes on the table of a file, or an empty answer. */
static void answer(struct module *m, struct stp_gather *file)
{
	struct arena *arena = arena_create();
	struct stp_table t = { .ticket = file->ticket };
	struct programfile p;
	int rc;

	if (file->is_map ? symbolmap_read(file->fd, file->near, &ARCH_UNWIND_TABLES, arena, &p)
			 : programfile_read(file->fd, ARCH_UNWIND_MACHINE, &ARCH_UNWIND_TABLES,
					    file->is_mangled ? NULL : &demangler, arena, &p)) {
		t.size = p.table_size;
		t.base = p.base;
		t.nsegments = (uint32_t)p.segments.count;
		t.segments = (uintptr_t)p.segments.data;
		t.table = (uintptr_t)p.table;
	}
	rc = module_table(m, &t);
	message_verbose("%s: unwind table of %u bytes%s", printable_line(file->path), t.size,
			rc ? ", which the module has refused" : "");
	arena_destroy(arena);
}

_Static_assert(sizeof(struct programfile_segment) == sizeof(struct stp_table_segment),
	       "one is given as the other");

static void *run(void *arg)
{
	struct module *m = arg;
	struct stp_gather file;

	for (unsigned fails = 0; fails < FAILS_MOST; fails++) {
		int rc = module_gather(m, &file);

		if (rc == -ENODATA || rc == -ENOTTY)
			break;
		if (rc)
			continue;
		fails = 0;
		answer(m, &file);
		close(file.fd);
	}
	return NULL;
}

void gathering_start(struct module *m)
{
	pthread_attr_t attr;
	pthread_t thread;

	if (pthread_attr_init(&attr))
		return;
	if (pthread_attr_setstacksize(&attr, STACK) ||
	    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) ||
	    pthread_create(&thread, &attr, run, m))
		message_verbose("no thread that makes unwind tables");
	pthread_attr_destroy(&attr);
}
