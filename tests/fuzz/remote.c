/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into stap --remote: what a machine answers when it is asked for its
 * kernel, and what its run prints. The first byte is the exit status and how output is
 * shown; the rest is the answer, and then comes as output in two pieces.
 */
#include <stdint.h>

#include "harness/stap.h"
#include "remote/remote.c" /* its output, by lines */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t size;
	uint8_t how;
};

static void hear(struct session *s, void *ctx)
{
	const struct input *in = ctx;
	struct host hosts[2];
	struct remote r = { .s = s, .hosts = hosts, .count = 1 + (in->how & 1) };
	const char *text = arena_strndup(s->arena, (const char *)in->data, in->size);
	size_t half = in->size / 2;

	if (host_parse(s, "ssh://user@host:22", &hosts[0]) || host_parse(s, "direct:", &hosts[1]))
		abort();
	if (host_parse(s, text, &hosts[1]) || !host_answered(s, &hosts[1], in->how & 2, text))
		host_parse(s, "direct:", &hosts[1]);
	put_output(&r, r.count - 1, text, half);
	put_output(&r, 0, text + half, in->size - half);
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
