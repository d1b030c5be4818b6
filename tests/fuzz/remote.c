/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into stap --remote: what a machine says before its run, what the run
 * prints, as text and as a stream of records, and its messages. The first byte is how
 * output is shown; the rest is the answer, and then comes as output.
 */
#include <stdint.h>

#include "harness/stap.h"
#include "stap/remote/remote.c" /* the conversation */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t size;
	uint8_t how;
};

static void hear(struct session *s, void *ctx)
{
	static const struct host_ssh ssh = { .timeout = 30 };
	const struct input *in = ctx;
	struct host hosts[2];
	int inputs[2] = { -1, -1 };
	struct remote r = { .s = s, .hosts = hosts, .count = 1 + (in->how & 1) };
	const char *text = arena_strndup(s->arena, (const char *)in->data, in->size);
	size_t half = in->size / 2;

	listening = inputs;
	if (host_parse(s, "ssh://user@host:22", &ssh, &hosts[0]) ||
	    host_parse(s, "direct:", &ssh, &hosts[1]))
		abort();
	if (host_parse(s, text, &ssh, &hosts[1]))
		host_parse(s, "direct:", &ssh, &hosts[1]);
	for (size_t i = 0; i < r.count; i++)
		hosts[i].state = HOST_ASKED;
	take_answers(&r, &hosts[0], text, in->size);
	for (size_t i = 0; i < r.count; i++)
		hosts[i].state = HOST_RUNS;
	hosts[r.count - 1].release = "6.1";
	r.streams = in->how & 2;
	r.has_text = true;
	r.user_json = r.streams && in->how & 8;
	r.on_terminal = in->how & 32;
	if (r.streams && hostrecords_init(&r))
		abort();
	if (r.streams)
		hostrecords_open(&r, &hosts[r.count - 1]);
	take_run(&r, &hosts[r.count - 1], (const char *)in->data, in->how & 16 ? in->size : half);
	take_run(&r, &hosts[0], (const char *)in->data + half, in->size - half);
	hostlines_say(&r, &hosts[0], (const char *)in->data, in->size);
	for (size_t i = 0; i < r.count; i++)
		hosts[i].state = HOST_ENDED;
	for (size_t i = 0; r.streams && i < r.count; i++)
		hostrecords_end(&r, &hosts[i]);
	if (r.streams)
		hostrecords_write(&r);
	summary_print(&r);
	if (r.streams)
		hostrecords_deinit(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *args[] = { "-p5", "--remote=direct:", "-e", "", NULL, NULL };
	struct input in = { data + 1, size - 1, size ? data[0] : 0 };

	if (!size)
		return 0;
	if (in.how & 4)
		args[4] = "--remote-prefix";
	harness_session(args, hear, &in);
	return 0;
}
