/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rewrites the intermediate code that clang makes from C for BPF, as text, for the linker
 * (imagelink.h): arguments after the fifth, and those of `...`, go through memory; atomic
 * accesses become those that BPF has; static variables become global ones; and functions
 * of the C library that the compiler calls by itself get the names of bpf/clib.c.
 */
#ifndef BPF_IRTEXT_H
#define BPF_IRTEXT_H

struct clines;
struct error;
struct session;
struct strbuf;

/*
 * Appends the module's text with its variables only declared: they belong to the process,
 * so the compiler must not assume that only the module writes them.
 */
void irtext_declare_data(struct session *s, const char *module, struct strbuf *ret);
/*
 * Appends the module's text. For each function NAME it has a constant
 * "args.NAME" of two numbers of 32 bits: its registers for arguments; one for its types.
 * A call through a pointer calls stp_bpf_pointer.N with the pointer as its first
 * argument, where N is the number for the types. Instructions of the script have their
 * places (irplaces.h), if `lines` is not NULL.
 */
struct error *irtext_rewrite(struct session *s, const char *module, const struct clines *lines,
			     struct strbuf *ret);

#endif
