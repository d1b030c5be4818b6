/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See runform.h: the table of forms, and the code that they share. */
#include "stapio/runform.h"

#include <inttypes.h>
#include <string.h>
#include <sys/sdt.h>

#include "stapio/loop.h"
#include "trace/messages.h"

const struct runform_ops *runform_of(enum runform form)
{
	static const struct runform_ops *const rows[] = {
#define RUNFORM(name, what) &runform_##name,
#include "stapio/runforms.def"
	};

	return rows[form];
}

int runform_no_open(struct run *r, const struct options *o)
{
	return 0;
}

int runform_reserve(struct run *r)
{
	int rc = merge_reserve(&r->merge);

	if (rc)
		message_error("buffers: %s", strerror(-rc));
	return rc ? -1 : 0;
}

const char *runform_emit(struct run *r, unsigned ring, const struct stp_record *head,
			 const uint8_t *body)
{
	if (head->kind != RECORD_OUTPUT)
		STAP_PROBE3(stapio, receive__ctlmsg, head->kind, body, head->len);
	return records_emit(&r->records, ring, head, body);
}

long runform_merge(struct run *r, uint64_t horizon)
{
	const struct merge_error *e = &r->merge.error;
	long n = merge_round(&r->merge, horizon);

	output_flush(&r->output);
	if (n < 0)
		message_error("the module's output is damaged: ring %u, offset %" PRIu64 ": %s",
			      e->ring, e->offset, e->what);
	return n;
}

void runform_look_at_clock(struct run *r)
{
	output_look_at_clock(&r->output);
}

void runform_next_file(struct run *r)
{
	if (r->output.has_files)
		output_next_file(&r->output);
	else
		message_warning("SIGUSR2 ignored: no output file (-o)");
}

bool runform_no_child(pid_t pid, int status)
{
	return false;
}

void runform_no_stored(struct run *r, struct books *b)
{
}

bool runform_no_end(struct run *r, const struct options *o)
{
	return true;
}

bool runform_close(struct run *r)
{
	return output_close(&r->output);
}
