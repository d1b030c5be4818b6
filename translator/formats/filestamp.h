/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number for each state of a file, for the names of cached facts: tools such as dwz and
 * debugedit change a file and leave its build-id.
 */
#ifndef STAP_FORMATS_FILESTAMP_H
#define STAP_FORMATS_FILESTAMP_H

#include <stdint.h>

/*
 * Returns a number made of the file's size, its time of change and samples of its bytes;
 * small files are read whole. Copies of a file that keep its time have the same number.
 * 0: it cannot be read.
 */
uint64_t filestamp(const char *path);

#endif
