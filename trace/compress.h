/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses a finished file to FILE.zst. */
#ifndef TRACE_COMPRESS_H
#define TRACE_COMPRESS_H

#define COMPRESS_SUFFIX ".zst"

/*
 * Compresses a file of that directory and removes it once FILE.zst is complete. If
 * something fails, the file stays. Returns NULL or an error text. Any thread may call
 * this.
 */
const char *compress_file(int dir, const char *name);

#endif
