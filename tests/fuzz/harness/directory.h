/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directory for the files of a target, which defines _GNU_SOURCE first, for nftw().
 */
#ifndef FUZZ_DIRECTORY_H
#define FUZZ_DIRECTORY_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char directory_name[] = "/tmp/fuzz.XXXXXX";

static int directory_remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	return at->level ? remove(path) : 0;
}

static inline void directory_empty(void)
{
	nftw(directory_name, directory_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void directory_remove(void)
{
	directory_empty();
	rmdir(directory_name);
}

/* Returns this process's directory, which goes at its end. */
static inline const char *directory_own(void)
{
	static int made;

	if (!made && (!mkdtemp(directory_name) || atexit(directory_remove)))
		abort();
	made = 1;
	return directory_name;
}

#endif
