/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A finished file becomes FILE.zst. */
#ifndef STAPIO_COMPRESS_H
#define STAPIO_COMPRESS_H

#define COMPRESS_SUFFIX ".zst"

/* FILE goes when FILE.zst is whole, and stays when something fails: NULL, or what. Any thread. */
const char *compress_file(const char *name);

#endif
