/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which symbols name places of a file, and which of several symbols is shown. */
#ifndef CFI_SYMBOLRANK_H
#define CFI_SYMBOLRANK_H

#include <elf.h>
#include <stdbool.h>

/* True: the symbol names a function or data of the file. */
bool symbolrank_names_place(const Elf64_Sym *sym);
/*
 * Ranks a symbol among several at one address: functions before objects, external ones
 * before internal ones, plain names before reserved ones.
 */
unsigned symbolrank_of(const Elf64_Sym *sym, const char *name);

#endif
