/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's symbol table. Its functions are not
 * exported: kernel/symbol.c finds their addresses.
 */
#ifndef STP_COMPAT_KALLSYMS_H
#define STP_COMPAT_KALLSYMS_H

#include <linux/module.h>

#include "stp_facts.h"

/*
 * For functions that call the kernel's own by an address of the symbol table. Where types
 * of such calls are checked (kCFI), the kernel has removed the types of functions that
 * are never called in this way.
 */
#ifdef __nocfi
#define compat_calls_unchecked __nocfi
#else
#define compat_calls_unchecked
#endif

typedef unsigned long compat_kallsyms_lookup_name(const char *name);

/*
 * With this many names or more, one pass over the table is less work than looking each
 * one up. Before names had an index, each look-up unpacked the whole table of some
 * hundred thousand names; with an index, a look-up unpacks 17 of them and counts its way
 * to each: 27,000 instructions.
 */
#ifdef STP_HAVE_KALLSYMS_INDEXED
#define COMPAT_KALLSYMS_MANY 4096
#else
#define COMPAT_KALLSYMS_MANY 2
#endif

/* Defines a function that kallsyms_on_each_symbol() calls, as fn(data, name, address). */
#ifdef STP_HAVE_KALLSYMS_EACH_WITH_MODULE
#define COMPAT_KALLSYMS_ONE_PASS 1
typedef int compat_kallsyms_note(void *data, const char *name, struct module *module,
				 unsigned long address);
#define COMPAT_KALLSYMS_NOTE(fn, note)                                                             \
	static int fn(void *data, const char *name, struct module *module, unsigned long address)  \
	{                                                                                          \
		if (!module)                                                                       \
			note(data, name, address);                                                 \
		return 0;                                                                          \
	}
#elif defined(STP_HAVE_KALLSYMS_EACH)
#define COMPAT_KALLSYMS_ONE_PASS 1
typedef int compat_kallsyms_note(void *data, const char *name, unsigned long address);
#define COMPAT_KALLSYMS_NOTE(fn, note)                                                             \
	static int fn(void *data, const char *name, unsigned long address)                         \
	{                                                                                          \
		note(data, name, address);                                                         \
		return 0;                                                                          \
	}
#endif
#ifdef COMPAT_KALLSYMS_ONE_PASS
typedef int compat_kallsyms_on_each_symbol(compat_kallsyms_note *fn, void *data);
#endif

#endif
