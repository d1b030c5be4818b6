/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links objects for BPF into an image (runtime/uapi/bpfimage.h): the functions that the
 * entry stp_bpf_run() reaches, and all data. Data that the process also has, with the
 * same name and size, is that of the process.
 *
 * The code is changed so that the kernel's verifier terminates, whatever loops and calls
 * it has. Constants, and values that loops change, are hidden from the verifier, so that
 * it does not follow every iteration of a loop. Each loop has a way out (may_goto).
 */
#ifndef BPF_IMAGELINK_H
#define BPF_IMAGELINK_H

#include <stddef.h>

struct clines;
struct error;
struct session;
struct strbuf;

/*
 * Appends the image of the objects (paths) for the program that loads it; `lines` are
 * those of the script's C. A script that cannot be linked is an ERROR_SCRIPT with its
 * reason.
 */
struct error *imagelink_link(struct session *s, const char *const *objects, size_t n,
			     const char *program, const struct clines *lines, struct strbuf *ret);

#endif
