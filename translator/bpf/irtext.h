/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rewrites the intermediate code that clang makes from C for BPF, as text, to work on an
 * arena: memory that BPF programs and a process share, at addresses below 4 GB, so that a
 * pointer is the same number for both. C has no notion of that. So every access goes
 * through addrspace(1); variables whose address is taken are in the arena, not on the
 * stack; arguments after the fifth, and those of `...`, go through memory; and functions
 * of the C library that the compiler calls by itself get the names of bpf/runtime.c.
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
 * Appends the module's text for arenas. For each function NAME it has a constant
 * "args.NAME" of two numbers of 32 bits: its registers for arguments; one for its types.
 * A call through a pointer calls stp_bpf_pointer.N with the pointer as its first
 * argument, where N is the number for the types. Instructions of the script have their
 * places (irplaces.h), if `lines` is not NULL.
 */
struct error *irtext_rewrite(struct session *s, const char *module, const struct clines *lines,
			     struct strbuf *ret);

#endif
