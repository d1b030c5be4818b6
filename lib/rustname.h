/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangles names of Rust, in both schemes, to the form that users write. Unlike C++,
 * this needs no library.
 *
 *   rustname.c  the older mangling, _ZN…17h<hash>E, which is C++'s with escapes
 *   rustv0.c    the newer one, _R…, by the grammar of RFC 2603
 */
#ifndef STAP_RUSTNAME_H
#define STAP_RUSTNAME_H

#include <stdbool.h>
#include <stddef.h>

/* The longest name, and the NUL; a symbol whose name is longer stays as it is. */
#define RUSTNAME_SIZE 4096

/*
 * Demangles a symbol: "r::generic::<u64>", "<r::A as r::Handler>::handle". Hashes of
 * crates and of instances are left out. False: it is not of Rust, or is damaged.
 */
bool rustname_demangle(const char *symbol, char ret[RUSTNAME_SIZE]);

/* ---- private to rustname.c and rustv0.c ---- */

/* A text that grows up to a limit. */
struct rust_text {
	char *s;
	size_t len;
	bool is_full; /* a piece had no room */
};

void rustname_put(struct rust_text *t, const char *s, size_t len);
/* Appends a character as UTF-8. False: there is no such character. */
bool rustname_put_char(struct rust_text *t, unsigned long c);

/*
 * Demangles the text after "_R"; *rest is the suffix that a compiler or linker has added.
 */
bool rustv0_demangle(const char *mangled, struct rust_text *ret, const char **rest);

#endif
