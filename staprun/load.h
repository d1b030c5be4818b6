/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a module's file once, checks what was read, and loads that: no path is looked up
 * twice, so that what was checked is what is loaded.
 */
#ifndef STAPRUN_LOAD_H
#define STAPRUN_LOAD_H

#include <stdbool.h>

#include "staprun/image.h"
#include "staprun/modinfo.h"
#include "staprun/params.h"

#define MODULE_NAME_SIZE 56 /* the kernel's MODULE_NAME_LEN on 64 bits */

struct quota;

struct load {
	const char *path; /* for messages; path_buf or the caller's */
	char path_buf[512];
	bool is_renamed; /* -R: the image has another name than the file */
	bool is_placed;	 /* root has put it into the directory of installed modules */
	struct image image;
	char name[MODULE_NAME_SIZE]; /* as the kernel will call it */
	struct modinfo info;
	struct params params;
	const struct quota *quota; /* NULL: the caller has no bounds */
};

/* All print what is wrong and return false. */
bool load_open(struct load *l, const char *module);
/* Adds a parameter NAME=VALUE; a later one of the same name wins. */
bool load_add_param(struct load *l, const char *param);
/*
 * Adds a parameter that only staprun itself may set, one of the runtime, after all
 * parameters of the user.
 */
bool load_add_own_param(struct load *l, const char *param);
bool load_module(struct load *l);

/*
 * Makes a module's name of what the user wrote: the last part of a path, without .ko,
 * with '_' for '-'. False: the kernel has no such names.
 */
bool load_name(const char *module, char ret[MODULE_NAME_SIZE]);

#endif
