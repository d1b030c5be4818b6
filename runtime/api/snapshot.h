/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of globals, for programs that read them while the script runs. */
#ifndef STP_API_SNAPSHOT_H
#define STP_API_SNAPSHOT_H

#include "core/env.h"

/* Linked only to scripts of stap --globals. */
struct stp_snapshot_reader {
	/*
	 * Writes the text of uapi/globals.h in pieces. Must be called where it can sleep,
	 * outside of handlers. False: there is no memory for a copy of the values.
	 */
	bool (*write)(void (*put)(void *ctx, const char *text), void *ctx);
	/*
	 * Creates the file in the module's directory. Returns 0 or -errno. NULL: the back
	 * end has no such directory.
	 */
	int (*create_file)(void *dir);
};
extern const struct stp_snapshot_reader stp_snapshot_reader;

#endif
