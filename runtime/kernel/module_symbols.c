/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up symbols of modules that are held, in one pass over each module's own table.
 * For each symbol, the kernel would search all modules by name, and then the table.
 */
#include <linux/module.h>

#include "api.h"
#include "kernel/symbolpass.h"

/*
 * RCU protects the table: while the module starts, it has a table that is freed
 * afterwards.
 */
static void note_symbols(struct stp_symbolpass *pass, const struct module *m)
{
	const struct mod_kallsyms *table;

	rcu_read_lock();
	table = rcu_dereference(m->kallsyms);
	for (unsigned int i = 0; i < table->num_symtab; i++) {
		const Elf_Sym *s = &table->symtab[i];

		if (s->st_shndx != SHN_UNDEF)
			stp_symbolpass_note(pass, table->strtab + s->st_name,
					    kallsyms_symbol_value(s));
	}
	rcu_read_unlock();
}

static int resolve(struct stp_symbol *symbols, unsigned int n)
{
	struct stp_symbolpass pass = { .symbols = symbols };
	int ret = stp_nametable_init(&pass.wanted, n);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < n; i++)
		stp_nametable_add(&pass.wanted, symbols[i].name, i);
	note_symbols(&pass, symbols->held);
	stp_nametable_free(&pass.wanted);
	cond_resched();
	return 0;
}

int stp_module_symbols(struct stp_symbol *symbols, unsigned int n)
{
	unsigned int end;
	int ret = 0;

	for (unsigned int i = 0; i < n && !ret; i = end) {
		for (end = i + 1; end < n && symbols[end].held == symbols[i].held; end++)
			;
		if (symbols[i].held)
			ret = resolve(symbols + i, end - i);
	}
	return ret;
}
