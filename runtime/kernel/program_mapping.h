/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the file that an address of the current process belongs to, and the script's
 * table for it. Linked together with program_stack.c.
 */
#ifndef STP_KERNEL_PROGRAM_MAPPING_H
#define STP_KERNEL_PROGRAM_MAPPING_H

#include "api.h"
#include "core/program_table.h"

#define PROGRAM_PATH_MOST 160

/* A range of a process's memory, as it is in this hit. */
struct program_mapping {
	unsigned long start, end;
	uint64_t offset; /* of `start` in the file */
	uint64_t size;	 /* of the file */
	/*
	 * Added to an address of one of the script's files, it gives a number that is
	 * unique among all files.
	 */
	uint64_t distance;
	bool is_code;				 /* may be executed */
	bool is_lasting;			 /* later hits notice when it is unmapped */
	bool is_cut_noted;			 /* program_cut_note() has its file */
	bool is_asked;				 /* program_gathering_note() has it */
	bool is_made;				 /* code that the process has generated */
	uint64_t hit;				 /* that found it */
	const struct stp_program_module *module; /* NULL: not one of the script's */
	const struct stp_program_view *view;	 /* its table; NULL: damaged */
	uint64_t path_hit;			 /* the hit that set `path`; only for other files */
	char path[PROGRAM_PATH_MOST];		 /* or its end; "": not a file */
};

int program_mappings_create(void);
void program_mappings_destroy(void);

/*
 * Returns the mapping of an address. NULL: nothing is mapped there, or it cannot be
 * determined now.
 */
const struct program_mapping *program_mapping_find(struct stp_ctx *c, uint64_t address);
/*
 * Returns the path of the file that is mapped there, valid until the hit ends. "": no
 * file is mapped, or it cannot be determined now. Walks do not need it.
 */
const char *program_mapping_path(struct stp_ctx *c, uint64_t address);

/*
 * Finds the distance of the script's file number `module` in the current process from the
 * addresses in the file. -ENOENT: it is not mapped, -EBUSY: it cannot be determined now.
 */
int program_mapping_base(struct stp_ctx *c, unsigned int module, uint64_t *base);

/*
 * These enclose several look-ups. The lock is taken once for all, by the first that needs
 * it. False: the lock was not available; a hit that may be repeated is aborted.
 */
void program_mappings_open(struct stp_ctx *c);
bool program_mappings_close(struct stp_ctx *c);

/* Notes that program_cut_note() knows the file mapped there. */
void program_mapping_note_cut(struct stp_ctx *c, uint64_t address);

/* Requests a table for the file mapped there, which the script does not have. */
void program_mapping_ask(struct stp_ctx *c, uint64_t address);
/* True: such a table must be requested, unless the mapping's file is already known. */
static inline bool program_mapping_lacks_table(const struct program_mapping *m)
{
	return !m->module && m->is_code && !m->is_asked;
}

/*
 * Writes a file's path relative to the root of its file system, because following mount
 * points would need locks that the probed code may hold. Of a path that is too long, the
 * end is written after "...". A file without a directory, as from memfd_create(), has
 * only its name.
 */
void program_mapping_put_path(const struct file *file, char *dst, size_t size);

/*
 * Converts an address to one in the module's file. False: it is outside of the file's
 * segments.
 */
bool program_mapping_link_address(const struct program_mapping *m, uint64_t address, uint64_t *ret);

#endif
