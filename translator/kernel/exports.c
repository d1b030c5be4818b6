/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/exports.h"

#include "base/session.h"
#include "base/writer.h"
#include "kernel/config.h"
#include "lib/arena.h"
#include "lib/word.h"

const char *exports_member(struct session *s, struct writer *w, const char *symbol)
{
	/* No other name can be exported, and a name in a script may contain any bytes. */
	if (symbol[word_length(symbol)] || kernel_config(s, "CONFIG_KALLSYMS_ALL"))
		return "";
	/* Uses another name, because a header may declare the symbol with its type. */
	writer_line(w, "extern const char exported_%s[] __asm__(\"%s\") __attribute__((weak));",
		    symbol, symbol);
	return arena_printf(s->arena, ", .exported = (unsigned long)exported_%s", symbol);
}
