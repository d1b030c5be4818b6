/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files in which the kernel describes the machine and this process. */
#ifndef STAPRUN_SMALLFILE_H
#define STAPRUN_SMALLFILE_H

#include <stddef.h>

/* Reads the beginning of a file. The text is empty if there is no file. */
void smallfile_read(const char *path, char *text, size_t size);
/* Reads the first line, without its end. */
void smallfile_read_line(const char *path, char *text, size_t size);

#endif
