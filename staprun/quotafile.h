/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of limits, /etc/stap/limits.conf. It limits the modules that each user without
 * full rights may have loaded at a time. It has lines NAME=VALUE; comments begin with '#'
 * or ';':
 *
 *   RUNS=32        modules
 *   MEMORY=25%     of the machine's memory; or megabytes: MEMORY=512
 *
 * "unlimited" is a valid value of both. The values above are the defaults; that of memory
 * is at least 128 megabytes.
 */
#ifndef STAPRUN_QUOTAFILE_H
#define STAPRUN_QUOTAFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUOTAFILE_DIR  "/etc/stap"
#define QUOTAFILE_NAME "limits.conf"
#define QUOTAFILE_PATH QUOTAFILE_DIR "/" QUOTAFILE_NAME

#define QUOTA_UNLIMITED UINT64_MAX

struct quota_limits {
	uint64_t runs, bytes; /* QUOTA_UNLIMITED: no limit */
};

/* Reads the file. If there is none, the defaults apply. False: the error was printed. */
bool quotafile_read(struct quota_limits *ret);

#endif
