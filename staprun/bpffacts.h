/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the file of a program of --runtime=bpf: an executable whose last bytes are
 * uapi/bpfimage.h's. Every offset is compared with the size.
 */
#ifndef STAPRUN_BPFFACTS_H
#define STAPRUN_BPFFACTS_H

#include <stdbool.h>

#include "staprun/image.h"
#include "staprun/modinfo.h"

/* True: the file is an executable, so it is not a module. */
bool bpffacts_is_program(const struct image *i);
/* Finds the facts. Returns NULL or an error text. */
const char *bpffacts_find(const struct image *i, struct modinfo_section *ret);
/*
 * Reads the first of the facts, among which are all that modules have as well. Returns
 * NULL or an error text.
 */
const char *bpffacts_read(const struct image *i, struct modinfo *ret);

#endif
