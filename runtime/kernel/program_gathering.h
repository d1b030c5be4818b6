/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles files that stack walks have met and for which the script has no table:
 * libraries that were loaded, and programs that began, after the script was translated. A
 * hit notes the file, once. The reader opens it, makes its table and passes it to the
 * module (uapi/msg.h, STP_IOC_GATHER). From then on walks find it like one of the
 * script's own tables.
 *
 * A slot is taken once and never released, and a published table never changes, so walks
 * need no lock. Linked together with program_mapping.c.
 */
#ifndef STP_KERNEL_PROGRAM_GATHERING_H
#define STP_KERNEL_PROGRAM_GATHERING_H

#include "api.h"
#include "core/program_table.h"

int program_gathering_create(void);
void program_gathering_destroy(void);
/* Lets the reader know that no more files will come. */
void program_gathering_end(void);
long program_gathering_control(unsigned int command, unsigned long arg);

/* True: tables of the current process's files may be requested and used. */
bool program_gathering_serves(void);
/* Notes a file. Called in hits, while the process's mappings are held. */
void program_gathering_note(struct file *file);

/*
 * Notes the current process after the name of an address in its generated code was
 * requested. It may write such names to a map, /tmp/perf-PID.map as it sees /tmp. A map
 * that grows is read again, at ever longer intervals.
 */
void program_gathering_note_map(uint64_t address);

/* Counts the received tables. When the count has grown, hits look at mappings again. */
uint32_t program_gathering_count(void);
/* Finds the table of a file and its number; false: there is none. Called in hits. */
bool program_gathering_find(const struct file *file, unsigned int *number,
			    const struct stp_program_module **module,
			    const struct stp_program_view **view);
/* The same for the map of the current process. */
bool program_gathering_find_map(unsigned int *number, const struct stp_program_module **module,
				const struct stp_program_view **view);
/* True: a table for a file with that path was received. */
bool program_gathering_has(const char *path);

#endif
