/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that one output is written to, one after the other. FILE is always the one
 * being written. When it has reached its size or its time, it is renamed FILE.1, the next
 * one FILE.2 and so on (numbers continue after those that exist), and a new FILE is
 * created. If FILE contains conversions of the time and they now give another name, the
 * old file keeps its name.
 *
 * Failures are reported, and output continues in the open file: nothing is lost.
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
	uint64_t bytes;	  /* size of a file, 0: any */
	uint64_t seconds; /* between two files, 0: no limit */
	unsigned count;	  /* of files, including the one being written; 0: any */
	bool compress;	  /* finished files, with zstd */
};

/*
 * Parses "100", "100M" or "1h", each with an optional ",COUNT", or both: "1G,1h,24".
 * Returns NULL or an error text.
 */
const char *series_parse_rotation(const char *text, struct rotation *ret);

/*
 * A directory of files, held open, so that names in it stay valid even if its path
 * changes.
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
	/* its name in that directory: if `name` is a link, the name of the file itself */
	char base[NAME_MAX + 1];
	char why[256];	       /* why the file could not be opened */
	uint64_t number;       /* of the last finished file */
	time_t due;	       /* when the next one is to begin; 0: never */
	struct finished *kept; /* the oldest first */
	unsigned nkept;
	bool reported; /* a failure to remove old files was reported */
	pthread_t packer;
	struct finished packing; /* the file being compressed; base NULL: none */
};

/*
 * The operations by which an output uses its files. Programs that write one file do not
 * link them.
 */
struct series_ops {
	/*
	 * Opens the next file. Returns its descriptor, or -1: output continues in the old
	 * file, for a reason that was reported, or because the old file is empty and the
	 * new one would have the same name.
	 */
	int (*next)(struct series *s, bool empty);
	/* True, once, whenever a new file is due. */
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
