/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the file that an address of the current process belongs to, and the script's
 * table of it. Linked together with program_stack.c.
 */
#ifndef STP_KERNEL_PROGRAM_MAPPING_H
#define STP_KERNEL_PROGRAM_MAPPING_H

#include "api.h"
#include "core/program_table.h"

#define PROGRAM_PATH_MOST 160

/* A stretch of a process's memory, as it is in this hit. */
struct program_mapping {
	unsigned long start, end;
	uint64_t offset; /* of `start` in the file */
	uint64_t size;	 /* of the file */
	/*
	 * Added to an address of one of the script's files, it makes a number of the
	 * place that no other file has.
	 */
	uint64_t distance;
	bool is_code;				 /* may be executed */
	bool is_lasting;			 /* later hits are told when it has gone */
	bool is_cut_noted;			 /* program_cut_note() has its file */
	bool is_asked;				 /* program_gathering_note() has it */
	bool is_made;				 /* code of the process's own making */
	uint64_t hit;				 /* that found it */
	const struct stp_program_module *module; /* NULL: not one of the script's */
	const struct stp_program_view *view;	 /* its table; NULL: damaged */
	uint64_t path_hit;			 /* that set the next one; of other files alone */
	char path[PROGRAM_PATH_MOST];		 /* or its end; "": not a file */
};

int program_mappings_create(void);
void program_mappings_destroy(void);

/*
 * Returns the mapping of an address; NULL: nothing is mapped there, or it cannot be found
 * out now.
 */
const struct program_mapping *program_mapping_find(struct stp_ctx *c, uint64_t address);
/*
 * Returns the path of the file that is mapped there, until the hit ends; "": none is, or
 * it cannot be found out now. Walks do not ask for it.
 */
const char *program_mapping_path(struct stp_ctx *c, uint64_t address);

/*
 * Finds the distance of the script's file number `module` in the current process from the
 * addresses in the file. -ENOENT: not mapped, -EBUSY: cannot be found out now.
 */
int program_mapping_base(struct stp_ctx *c, unsigned int module, uint64_t *base);

/*
 * Stand around several look-ups: the lock is taken once for them, by the first that needs
 * it. False: it was not to be had; a hit that may be repeated is broken off.
 */
void program_mappings_open(struct stp_ctx *c);
bool program_mappings_close(struct stp_ctx *c);

/* Notes that program_cut_note() has the file that is mapped there. */
void program_mapping_note_cut(struct stp_ctx *c, uint64_t address);

/* Asks for a table of the file that is mapped there, which the script does not have. */
void program_mapping_ask(struct stp_ctx *c, uint64_t address);
/* True: such a table is to be asked for, if the mapping's file is not known already. */
static inline bool program_mapping_lacks_table(const struct program_mapping *m)
{
	return !m->module && m->is_code && !m->is_asked;
}

/*
 * Writes a file's path from the root of its file system on: following mount points would
 * need locks, which the probed code may hold. A path that is too long is cut to its end,
 * behind "...". A file without a directory, as memfd_create() makes, has its name alone.
 */
void program_mapping_put_path(const struct file *file, char *dst, size_t size);

/*
 * Converts an address to the module's file; false: it is outside of the segments that the
 * file describes.
 */
bool program_mapping_link_address(const struct program_mapping *m, uint64_t address, uint64_t *ret);

#endif
