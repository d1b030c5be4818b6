/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer and AFL++ into stap-merge --to: the input is a stream as stapio
 * sends it, behind a byte that chooses the sink. What sinks write goes below /tmp and is
 * removed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/directory.h"
#include "trace/form/json.h"
#include "trace/messages.h"
#include "trace/sink/sink.h"
#include "trace/source/join.h"
#include "trace/source/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const kinds[] = { "text", "json", "ctf", "flame", "lket", "pcap", "perfetto" };

#define KINDS	   (sizeof(kinds) / sizeof(kinds[0]))
#define FIRST_SINK 2

static void run(struct join *j, unsigned kind)
{
	struct sink_trace t = sink_trace_of(j);
	struct json json = { .form.over = false };
	struct sink s;
	char to[96];
	bool opened = false;

	if (kind >= FIRST_SINK) {
		snprintf(to, sizeof(to), "%s:%s/out", kinds[kind], directory_own());
		opened = sink_open(&s, to, &t);
		if (!opened)
			return;
		sink_start(&s, &j->records);
	} else if (!strcmp(kinds[kind], "json")) {
		json_start(&json, &j->records, j->nrings, j->module, j->host, &j->parts[0].header);
	}
	join_run(j);
	join_check(j);
	if (opened)
		sink_close(&s, j->has_books ? &j->books : NULL);
	json_deinit(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct rotation none;
	struct filename null = { .pattern = "/dev/null", .module = "m", .host = "h", .cpu = -1 };
	FILE *kept = stdin;
	struct output out;
	struct join j;

	if (size < 2)
		return 0;
	message_setup(0, true);
	stdin = fmemopen((void *)(uintptr_t)(data + 1), size - 1, "r");
	if (!stdin || series_output(&out, &null, &none))
		abort();
	if (stream_open(&j, stdin, &out))
		run(&j, data[0] % KINDS);
	join_close(&j);
	output_close(&out);
	fclose(stdin);
	stdin = kept;
	directory_empty();
	return 0;
}
