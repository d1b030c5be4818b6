/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's symbol table. Its functions are not
 * exported: kernel/symbol.c finds their addresses.
 */
#ifndef STP_COMPAT_KALLSYMS_H
#define STP_COMPAT_KALLSYMS_H

#include <linux/module.h>

#include "stp_facts.h"

typedef unsigned long compat_kallsyms_lookup_name(const char *name);

/*
 * Before names had an index, each look-up unpacked the whole table of some hundred
 * thousand names. On such kernels one pass over the table looks up all names.
 */
#if defined(STP_HAVE_KALLSYMS_EACH_WITH_MODULE) && !defined(STP_HAVE_KALLSYMS_INDEXED)
#define COMPAT_KALLSYMS_ONE_PASS 1
typedef int compat_kallsyms_on_each_symbol(int (*fn)(void *data, const char *name,
						     struct module *module, unsigned long address),
					   void *data);
#endif

#endif
