/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A finished file becomes FILE.zst. */
#ifndef STAPIO_COMPRESS_H
#define STAPIO_COMPRESS_H

#define COMPRESS_SUFFIX ".zst"

/*
 * A file of that directory goes when FILE.zst is whole, and stays when something fails:
 * NULL, or what. Any thread.
 */
const char *compress_file(int dir, const char *name);

#endif
