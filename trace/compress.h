/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compresses a finished file to FILE.zst. */
#ifndef TRACE_COMPRESS_H
#define TRACE_COMPRESS_H

#define COMPRESS_SUFFIX ".zst"

/*
 * Compresses a file of that directory, and removes it when FILE.zst is whole; it stays
 * when something fails. Returns NULL, or what failed. Any thread may call this.
 */
const char *compress_file(int dir, const char *name);

#endif
