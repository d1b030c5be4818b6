/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links objects for BPF to an image of runtime/uapi/bpfimage.h: the functions that the
 * entry stp_bpf_run() reaches, and all data. Data that the process has too, by the same
 * name and of the same size, is the process's.
 *
 * The code becomes such as the kernel's verifier comes to an end with, whatever loops and
 * calls it has: constants, and what loops change, are hidden from it, so that it does not
 * count loops through; each loop may be ended (may_goto).
 */
#ifndef BPF_IMAGELINK_H
#define BPF_IMAGELINK_H

#include <stddef.h>

struct error;
struct session;
struct strbuf;

/*
 * Appends the image of the objects (paths) for the program that loads it. A script that
 * cannot be linked is an ERROR_SCRIPT with its reason.
 */
struct error *imagelink_link(struct session *s, const char *const *objects, size_t n,
			     const char *program, struct strbuf *ret);

#endif
