/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that one output is written to, one after the other. FILE is always the one
 * being written: when it has reached its size or its time, it becomes FILE.1, the next
 * one FILE.2 and so on (numbers start behind those that are there), and FILE is made
 * anew. When FILE has conversions of the time that give another name by then, the old
 * one keeps its name.
 *
 * Failures are reported, and output goes on in the file that is open: nothing is lost.
 */
#ifndef TRACE_SERIES_H
#define TRACE_SERIES_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/filename.h"
#include "lib/outfile.h"

/* -S */
struct rotation {
	uint64_t bytes;	  /* of a file, 0: any */
	uint64_t seconds; /* between two, 0: none */
	unsigned count;	  /* of files, with the one being written; 0: any */
	bool compress;	  /* finished files, with zstd */
};

/*
 * Parses "100", "100M", "1h", each with ",COUNT"; also both, "1G,1h,24". Returns NULL,
 * or what is wrong.
 */
const char *series_parse_rotation(const char *text, struct rotation *ret);

/*
 * A directory of files, held open: a name in it stays a name in it, whatever becomes of
 * the path that led there.
 */
struct directory {
	int fd;
	unsigned users;
};

/* A file that is finished. */
struct finished {
	struct directory *dir;
	char *base; /* its name there */
};

struct series {
	struct filename pattern;
	struct rotation rotation;
	char name[PATH_MAX]; /* of the file being written, as the user has it */
	struct directory *dir;
	/* its name in that directory: of the file itself, where `name` is a link's */
	char base[NAME_MAX + 1];
	char why[256];	       /* what is wrong with the file that could not be opened */
	uint64_t number;       /* of the last finished file */
	time_t due;	       /* when the next one is to begin; 0: never */
	struct finished *kept; /* the oldest first */
	unsigned nkept;
	bool reported; /* that old files cannot be removed */
	pthread_t packer;
	struct finished packing; /* what it compresses; base NULL: nothing */
};

/*
 * The operations by which an output uses its files. Programs whose output is one file
 * link none of it.
 */
struct series_ops {
	/*
	 * Opens the next file. Returns its descriptor, or -1: output goes on in the old
	 * one, for a reason that was reported, or because it is empty and would have the
	 * same name.
	 */
	int (*next)(struct series *s, bool empty);
	/* True once for each time that a new file is to begin. */
	bool (*is_due)(struct series *s);
	/* Waits for files that are being compressed. */
	void (*close)(struct series *s);
};

struct output;

/*
 * Opens the output with the first file; pattern NULL: stdout. Returns 0 or -errno;
 * o->name is then the file that could not be opened, and output_wrong() says why.
 */
int series_output(struct output *o, const struct filename *pattern,
		  const struct rotation *rotation);

#endif
