/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds variables by their symbols: of modules, whose sections are wherever there was
 * room, and of the kernel if no debuginfo gives their distance from another symbol
 * (module NULL). Addresses become invalid when a module is unloaded, and are found again
 * when it is loaded.
 */
#include "api.h"

#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/mm.h>

#include "core/port.h"
#include "kernel/gate.h"
#include "kernel/symbol.h"

/* Functions may have been found after their landing pad (kernel/symbol.h). */
static unsigned long symbol_start(unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];
	unsigned long behind = 0;
	const char *plus;

	if (!address)
		return 0;
	sprint_symbol(text, address);
	plus = strchr(text, '+');
	if (plus && sscanf(plus, "+0x%lx/", &behind) == 1)
		address -= behind;
	return address;
}

static bool is_of(const struct stp_variable *v, const char *module)
{
	return v->module && !strcmp(v->module, module);
}

/* Finds the variables of one module; module NULL: of all. */
static int find(const char *module)
{
	unsigned int n = 0;
	struct stp_symbol *symbols = port_alloc(stp_script.nvariables * sizeof(*symbols));
	int ret;

	if (!symbols)
		return -ENOMEM;
	for (unsigned int i = 0; i < stp_script.nvariables; i++) {
		const struct stp_variable *v = stp_script.variables[i];

		if (!module || is_of(v, module))
			symbols[n++] =
				(struct stp_symbol){ .name = v->symbol, .module = v->module };
	}
	ret = n ? stp_symbols_resolve(symbols, n) : 0;
	n = 0;
	for (unsigned int i = 0; i < stp_script.nvariables; i++) {
		struct stp_variable *v = stp_script.variables[i];

		if (!module || is_of(v, module))
			WRITE_ONCE(v->address, symbol_start(symbols[n++].address) ?: v->exported);
	}
	port_free(symbols);
	return ret == -EOPNOTSUPP ? 0 : ret; /* each variable reports this when it is used */
}

static void forget(const char *module)
{
	for (unsigned int i = 0; i < stp_script.nvariables; i++)
		if (is_of(stp_script.variables[i], module))
			WRITE_ONCE(stp_script.variables[i]->address, 0);
}

static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *m = data;

	if (event == MODULE_STATE_COMING)
		find(m->name);
	else if (event == MODULE_STATE_GOING)
		forget(m->name);
	return NOTIFY_DONE;
}

static struct notifier_block notifier = { .notifier_call = module_event };

static int variables_create(void)
{
	return register_module_notifier(&notifier) ?: find(NULL);
}

/* Harmless if the registration has failed. */
static void variables_destroy(void)
{
	unregister_module_notifier(&notifier);
}

const struct stp_part stp_variables_part = { .create = variables_create,
					     .destroy = variables_destroy };

/* Without it the kernel keeps no symbols of modules' variables. */
#define WITHOUT_ALL (IS_ENABLED(CONFIG_KALLSYMS_ALL) ? "" : ", as CONFIG_KALLSYMS_ALL is not set")

int64_t stp_variable(struct stp_ctx *c, const struct stp_variable *v)
{
	unsigned long address = READ_ONCE(v->address);

	if (!stp_gate_kernel()) {
		stp_error(c, STP_GATE_KERNEL);
		return 0;
	}
	if (!address && !v->module)
		stp_error(c, "the variable '%s' is not among the kernel's symbols%s", v->symbol,
			  WITHOUT_ALL);
	else if (!address)
		stp_error(c,
			  "module '%s' is not loaded, or its variable '%s' is not among the "
			  "kernel's symbols%s",
			  v->module, v->symbol, WITHOUT_ALL);
	return (int64_t)address;
}
