/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/function/callers.h"

#include <inttypes.h>

#include "ast/program.h"
#include "base/session.h"
#include "base/writer.h"
#include "lib/strbuf.h"

void callers_emit_table(struct session *s, const struct derived *d, const struct dwarf_call *call,
			uint64_t address, struct writer *w)
{
	struct strbuf b;

	if (!call || !call->caller.count)
		return;
	strbuf_init(&b, s->arena);
	vec_each(&call->caller, i)
		strbuf_addf(&b, "%s{ %" PRId64 ", %" PRId64 " }", i ? ", " : "",
			    (int64_t)(call->caller.data[i].begin - address),
			    (int64_t)(call->caller.data[i].end - address));
	writer_line(w, "static const struct stp_code callers_%u[] = { %s };", d->index, b.s);
}

void callers_emit(const struct derived *d, const struct dwarf_call *call, struct strbuf *b)
{
	if (call && call->caller.count)
		strbuf_addf(b, ", .callers = callers_%u, .ncallers = %zu", d->index,
			    call->caller.count);
}
