/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of the kernel's and its modules' symbols. */
#ifndef STP_KERNEL_SYMBOL_H
#define STP_KERNEL_SYMBOL_H

struct module;

struct stp_symbol {
	const char *name;
	const char *module; /* NULL: the kernel itself */
	/* Module that the caller holds; NULL: the module is looked for by name. */
	struct module *held;
	/*
	 * Result; 0: there is no such symbol. May lie behind the ENDBR at a function's
	 * start.
	 */
	unsigned long address;
};

/*
 * Looks up the symbols: those that are `held` only in scripts that are linked with
 * stp_module_symbols(). May sleep. Fails only for lack of memory.
 */
int stp_symbols_resolve(struct stp_symbol *symbols, unsigned int n) __cold;

/*
 * Holds a module, so that its symbols stay at their addresses until module_put(). May
 * sleep: a module that is just being loaded is waited for, for a second. NULL: it is not
 * loaded, or on its way out.
 */
struct module *stp_symbols_hold(const char *module) __cold;

#endif
