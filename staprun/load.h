/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a module's file once, checks the bytes, and loads them. No path is resolved
 * twice, so the checked bytes are the loaded ones.
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
	bool is_placed;	 /* root has installed it in the directory of modules */
	bool is_program; /* it is not a module, but a program of --runtime=bpf */
	struct image image;
	char name[MODULE_NAME_SIZE]; /* its name in the kernel */
	struct modinfo info;
	struct params params;
	const struct quota *quota; /* NULL: the caller has no bounds */
};

/* All functions print errors and return false. */
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
 * Makes a module's name from the user's text: the last part of a path, without .ko, with
 * '_' for '-'. False: this is not a valid name in the kernel.
 */
bool load_name(const char *module, char ret[MODULE_NAME_SIZE]);

#endif
