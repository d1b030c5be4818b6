/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the records of a script that is a program as a stream (uapi/rawfile.h). */
#ifndef STP_USER_RAWOUT_H
#define STP_USER_RAWOUT_H

#include <stdio.h>

#include "uapi/record.h"

/* All write to `out`; who flushes it sees whether that went well. */
void rawout_begin(FILE *out, unsigned nrings);
void rawout_record(FILE *out, unsigned ring, const struct stp_record *head, const void *body);
void rawout_end(FILE *out);
/* Returns how many records have been written, each up to one without RECORD_MORE. */
uint64_t rawout_records(void);

#endif
