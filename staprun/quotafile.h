/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of limits, /etc/stap/limits.conf: what each user who may not load everything
 * may have loaded at a time. Lines NAME=VALUE, comments begin with '#' or ';':
 *
 *   RUNS=32        modules
 *   MEMORY=25%     of the machine's memory; or megabytes: MEMORY=512
 *
 * "unlimited" is a value of both. What is not there has the values above, of memory 128
 * megabytes at least.
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

/* Reads the file. Without one the defaults count. False: the error has been printed. */
bool quotafile_read(struct quota_limits *ret);

#endif
