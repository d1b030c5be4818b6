/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "target/bpfparts.h"

#include "arch/arch.h"
#include "ast/access.h"
#include "base/options.h"
#include "base/session.h"

/* Those without a row BPF programs have. */
static const char *const lacking[] = {
	[ACCESS_ANCHOR] = "addresses of the kernel's variables",
	[ACCESS_SYMBOL] = "addresses of the kernel's variables",
	[ACCESS_THREAD] = "variables of threads",
	[ACCESS_FILE] = "addresses of static variables of programs",
	[ACCESS_RETURN_ADDRESS] = "return addresses of programs",
};

static const char *lacking_of(struct session *s, const struct access_operation *op)
{
	const struct arch_registers *arch = arch_of(s)->registers;
	size_t kind = op->kind;

	if (op->kind == ACCESS_REGISTER && op->number >= (int64_t)arch->vectors &&
	    op->number - (int64_t)arch->vectors < (int64_t)arch->vector_count)
		return "vector registers";
	return kind < sizeof(lacking) / sizeof(lacking[0]) ? lacking[kind] : NULL;
}

const char *bpfparts_lacking(struct session *s, const struct access *a)
{
	if (s->options->runtime != RUNTIME_BPF || !a || a->base != ACCESS_EXPRESSION)
		return NULL;
	vec_each(&a->expression->operations, i) {
		const char *lacks = lacking_of(s, &a->expression->operations.data[i]);

		if (lacks)
			return lacks;
	}
	return NULL;
}
