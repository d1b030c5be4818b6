/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .gnu_debugdata, which Fedora and similar distributions leave in a stripped file: an ELF
 * file compressed with xz, with the symbols that .dynsym lacks.
 */
#ifndef STAP_FORMATS_HIDDENSYMBOLS_H
#define STAP_FORMATS_HIDDENSYMBOLS_H

#include <libelf.h>

struct arena;

/*
 * Opens the ELF file in the section; its bytes are in the arena. NULL: it is malformed or
 * too large. `path` is for messages.
 */
Elf *hiddensymbols_open(struct arena *a, const char *path, Elf_Scn *section);

#endif
