/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of the kernel's and its modules' symbols. */
#ifndef STP_KERNEL_SYMBOL_H
#define STP_KERNEL_SYMBOL_H

struct module;

struct stp_symbol {
	const char *name;
	const char *module; /* NULL: the kernel itself */
	/* The module, which the caller holds; NULL: the module is found by its name. */
	struct module *held;
	/*
	 * The result; 0: there is no such symbol. May be the address after the ENDBR at
	 * the start of a function.
	 */
	unsigned long address;
};

/*
 * Looks up the symbols. Symbols of `held` modules are looked up only in scripts that are
 * linked with stp_module_symbols(). May sleep. Fails only if there is no memory.
 */
int stp_symbols_resolve(struct stp_symbol *symbols, unsigned int n) __cold;

/*
 * Holds a module, so that its symbols keep their addresses until module_put(). May sleep:
 * it waits up to a second for a module that is being loaded. NULL: the module is not
 * loaded, or is being unloaded.
 */
struct module *stp_symbols_hold(const char *module) __cold;

#endif
