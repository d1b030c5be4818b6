/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that walks of stacks met and that the script has no table of: libraries that a
 * program has loaded, and programs that began, after the script was translated. A hit
 * notes the file, once; the reader opens it, makes its table and hands that in
 * (uapi/msg.h, STP_IOC_GATHER). From then on walks find it like one of the script's own.
 *
 * A place is taken once and never given back, and a table that is published never
 * changes: walks need no lock. Linked together with program_mapping.c.
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

/* True: files of the current process may be asked for, and tables of them be used. */
bool program_gathering_serves(void);
/* Notes a file. Called in hits, while the process's mappings are held. */
void program_gathering_note(struct file *file);

/*
 * Notes the current process, where a name of code that it has made was asked for: it may
 * write them to a map, /tmp/perf-PID.map as it sees /tmp. A map that grows is read again,
 * at ever longer intervals.
 */
void program_gathering_note_map(void);

/* Counts the tables that have come: hits look at mappings anew when it has grown. */
uint32_t program_gathering_count(void);
/* Finds the table of a file and its number; false: there is none. Called in hits. */
bool program_gathering_find(const struct file *file, unsigned int *number,
			    const struct stp_program_module **module,
			    const struct stp_program_view **view);
/* The same for the map of the current process. */
bool program_gathering_find_map(unsigned int *number, const struct stp_program_module **module,
				const struct stp_program_view **view);
/* True: a table of a file of that path has come. */
bool program_gathering_has(const char *path);

#endif
