/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up symbols. The kernel does not export its symbol table, but kprobes look symbols
 * up: a kprobe that is registered as disabled, and never armed, gives the address of
 * kallsyms_lookup_name(). With indirect branch tracking, that function must not be called
 * by address (nothing in the kernel does, so its landing pad is gone): then every symbol
 * is looked up by a kprobe. Symbols of modules that are held: module_symbols.c.
 */
#include <linux/delay.h>
#include <linux/kobject.h>
#include <linux/kprobes.h>
#include <linux/module.h>

#include "api.h"
#include "arch_code.h"
#include "compat/kallsyms.h"
#include "core/port.h"
#include "core/state.h"
#include "kernel/symbolpass.h"

#define FULL_NAME_BYTES (MODULE_NAME_LEN + KSYM_NAME_LEN + 2)

static void full_name(const struct stp_symbol *s, char *ret)
{
	snprintf(ret, FULL_NAME_BYTES, "%s%s%s", s->module ?: "", s->module ? ":" : "", s->name);
}

/*
 * Removes the number that clang's linker appends to a function that it moves out of its
 * file: the kernel's table contains it, but look-ups before 6.11 compare without it.
 */
static bool without_number(char *name)
{
#ifdef CONFIG_LTO_CLANG
	char *dot = strchr(name, '.');

	while (dot && strncmp(dot, ".llvm.", strlen(".llvm.")))
		dot = strchr(dot + 1, '.');
	if (dot)
		*dot = 0;
	return dot;
#else
	return false;
#endif
}

static bool is_open(const struct stp_symbol *s)
{
	return !s->address && !s->held;
}

/* ---- by kprobes ---- */

struct named_probe {
	struct kprobe kp;
	char name[FULL_NAME_BYTES];
};

/* Removing a kprobe costs the kernel a grace period, so they are all removed together. */
static int resolve_by_kprobes(struct stp_symbol *symbols, unsigned int n)
{
	struct named_probe *probes = port_alloc(n * sizeof(*probes));
	struct kprobe **registered = port_alloc(n * sizeof(*registered));
	unsigned int nregistered = 0;
	int ret = -ENOMEM;

	if (!probes || !registered)
		goto out;
	ret = 0;
	for (unsigned int i = 0; i < n; i++) {
		struct named_probe *p = &probes[i];

		if (!is_open(&symbols[i]))
			continue;
		full_name(&symbols[i], p->name);
		p->kp.symbol_name = p->name;
		p->kp.flags = KPROBE_FLAG_DISABLED;
		if (register_kprobe(&p->kp) < 0 &&
		    (!without_number(p->name) || register_kprobe(&p->kp) < 0))
			continue;
		symbols[i].address = (unsigned long)p->kp.addr;
		registered[nregistered++] = &p->kp;
	}
	unregister_kprobes(registered, nregistered);
out:
	port_free(registered);
	port_free(probes);
	return ret;
}

/* ---- by the symbol table ---- */

#ifdef COMPAT_KALLSYMS_ONE_PASS
COMPAT_KALLSYMS_NOTE(note_kernel_symbol, stp_symbolpass_note)

static compat_calls_unchecked int resolve_in_one_pass(compat_kallsyms_lookup_name *lookup_name,
						      struct stp_symbol *symbols, unsigned int n)
{
	compat_kallsyms_on_each_symbol *on_each = (void *)lookup_name("kallsyms_on_each_symbol");
	struct stp_symbolpass pass = { .symbols = symbols };
	int ret = stp_nametable_init(&pass.wanted, n);

	if (ret)
		return ret;
	for (unsigned int i = 0; i < n; i++)
		if (!symbols[i].module)
			stp_nametable_add(&pass.wanted, symbols[i].name, i);
	if (on_each)
		on_each(note_kernel_symbol, &pass);
	stp_nametable_free(&pass.wanted);
	return 0;
}
#else
static int resolve_in_one_pass(compat_kallsyms_lookup_name *lookup_name, struct stp_symbol *symbols,
			       unsigned int n)
{
	return 0;
}
#endif

static compat_calls_unchecked int resolve_by_table(compat_kallsyms_lookup_name *lookup_name,
						   struct stp_symbol *symbols, unsigned int n)
{
	char *name = port_alloc(FULL_NAME_BYTES);
	int ret = -ENOMEM;

	if (name)
		ret = n >= COMPAT_KALLSYMS_MANY ? resolve_in_one_pass(lookup_name, symbols, n) : 0;
	for (unsigned int i = 0; i < n && !ret; i++) {
		if (!is_open(&symbols[i]))
			continue;
		full_name(&symbols[i], name);
		symbols[i].address = lookup_name(name);
		if (!symbols[i].address && without_number(name))
			symbols[i].address = lookup_name(name);
		cond_resched();
	}
	port_free(name);
	return ret;
}

/* ---- modules ---- */

#define HOLD_PATIENCE_MS 1000
#define HOLD_PAUSE_MS	 10

/*
 * The kernel exports no look-up of modules by name, but our own module is in the kset
 * that /sys/module shows, and the kset can be searched. A reference from the kset keeps
 * the module's struct, not its code. An entry without a module is built in.
 */
static struct module *hold_live(const char *name, bool *is_coming)
{
	struct kobject *kobj = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, name);
	struct module *m = kobj ? container_of(kobj, struct module_kobject, kobj)->mod : NULL;

	*is_coming = m && READ_ONCE(m->state) == MODULE_STATE_COMING;
	if (m && (READ_ONCE(m->state) != MODULE_STATE_LIVE || !try_module_get(m)))
		m = NULL;
	kobject_put(kobj);
	return m;
}

/*
 * A reference does not keep a module whose start fails: the module must have started.
 */
struct module *stp_symbols_hold(const char *module)
{
	bool is_coming;
	struct module *m = hold_live(module, &is_coming);

	for (unsigned int ms = 0; is_coming && ms < HOLD_PATIENCE_MS; ms += HOLD_PAUSE_MS) {
		msleep(HOLD_PAUSE_MS);
		m = hold_live(module, &is_coming);
	}
	return m;
}

int stp_symbols_resolve(struct stp_symbol *symbols, unsigned int n)
{
	struct stp_symbol table = { .name = "kallsyms_lookup_name" };
	int ret;

	for (unsigned int i = 0; i < n; i++)
		symbols[i].address = 0;
	ret = stp_script.module_symbols ? stp_script.module_symbols(symbols, n) : 0;
	if (ret)
		return ret;
	if (arch_calls_need_landing_pads())
		return resolve_by_kprobes(symbols, n);
	ret = resolve_by_kprobes(&table, 1);
	if (ret || !table.address)
		return ret ?: -EOPNOTSUPP;
	return resolve_by_table((compat_kallsyms_lookup_name *)table.address, symbols, n);
}
