/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bpfprogram.h. */
#include "staprun/bpfprogram.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/fullwrite.h"
#include "staprun/bpfargs.h"
#include "staprun/bpfruns.h"
#include "staprun/caller.h"
#include "staprun/cgroup.h"
#include "staprun/daemon.h"
#include "staprun/load.h"
#include "staprun/options.h"
#include "staprun/privileges.h"
#include "staprun/report.h"
#include "staprun/run.h"

/* Defined here because the headers of some distributions are too old. */
#ifndef MFD_EXEC
#define MFD_EXEC	0x10u /* since Linux 6.3 */
#define MFD_NOEXEC_SEAL 0x08u
#endif

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

enum { EXIT_FAILED = 1, EXIT_REFUSED = 4 };

/*
 * Makes a file in memory that nobody can change any more. Returns its descriptor; -1 with
 * a message.
 */
static int make_file(const struct load *l)
{
	int fd = memfd_create(l->name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);

	if (fd >= 0 && fullwrite(fd, l->image.data, l->image.size) && !fchmod(fd, 0555) &&
	    !fcntl(fd, F_ADD_SEALS, SEALS))
		return fd;
	report_error("a file in memory for %s: %s", l->path, strerror(errno));
	if (errno == EACCES)
		report_hint("this machine forbids executable ones: sysctl vm.memfd_noexec=1 allows "
			    "those that ask for it");
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Stores the user's environment for the commands that the program starts. */
static int make_environment(char **environment)
{
	int fd = memfd_create("environment", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
	bool ok = fd >= 0;

	for (char **e = environment; ok && *e; e++)
		ok = fullwrite(fd, *e, strlen(*e) + 1);
	if (ok)
		return fd;
	report_error("passing the environment on: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Leaves only the standard streams and the program's descriptors open. */
static bool keep_descriptors(const struct bpfargs_descriptors *d, int values)
{
	const int kept[] = { d->environment, d->ready, d->cgroup, values };

	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC))
		return false;
	for (unsigned i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (kept[i] > STDERR_FILENO && fcntl(kept[i], F_SETFD, 0))
			return false;
	return true;
}

/* Nothing of the user's environment reaches the program's libraries. */
static void execute(const struct bpfargs *a, const struct load *l, int file)
{
	static char *none[] = { NULL };

	report_verbose("executing %s as %s", l->path, l->name);
	syscall(SYS_execveat, file, "", a->words, none, AT_EMPTY_PATH);
	report_error("%s: %s", l->path, strerror(errno));
}

int bpfprogram_run(const struct options *o, struct load *l, const struct caller *c,
		   char **environment, const struct run_signals *signals)
{
	static struct bpfargs args;
	struct bpfargs_descriptors d = { .environment = make_environment(environment) };
	int file;

	if (d.environment < 0 || run_is_interrupted(signals))
		return EXIT_FAILED;
	d.cgroup = cgroup_of_options(o, environment);
	if (d.cgroup < 0)
		return EXIT_REFUSED;
	file = make_file(l);
	if (file < 0)
		return EXIT_FAILED;
	// The arguments are checked before a process goes to the background.
	if (!bpfargs_make(&args, o, l, &d))
		return EXIT_REFUSED;
	if (o->leave && bpfruns_is_left(l->name)) {
		report_error("program %s goes on without a reader already", l->name);
		report_hint("staprun -A %s attaches to it, staprun -d %s ends it", l->name,
			    l->name);
		return EXIT_REFUSED;
	}
	if ((o->background || o->leave) &&
	    (!daemon_start(&d.ready, &signals->caught, o->leave ? l->name : NULL) ||
	     !bpfargs_make(&args, o, l, &d)))
		return EXIT_FAILED;
	if (!keep_descriptors(&d, o->values) || !privileges_become_program(c->is_root) ||
	    !run_unblock_signals(signals))
		return EXIT_FAILED;
	execute(&args, l, file);
	return EXIT_FAILED;
}
