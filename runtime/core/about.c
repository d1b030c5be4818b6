/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run as text, for programs that watch it: uapi/status.h has the lines. */
#include "core/state.h"

char *stp_script_text = "";

static void about_point(void (*line)(void *ctx, const char *text), void *ctx,
			const struct stp_probe *p)
{
	char text[448];

	snprintf(text, sizeof(text), "point\t%u\t%.400s\n", p->index, p->pp);
	line(ctx, text);
}

static void about_switch(void (*line)(void *ctx, const char *text), void *ctx,
			 const struct stp_probe *p)
{
	char text[32];

	if (!stp_session_is_off(p->index))
		return;
	snprintf(text, sizeof(text), "off\t%u\n", p->index);
	line(ctx, text);
}

void stp_about_write(void (*line)(void *ctx, const char *text), void *ctx)
{
	const struct stp_script *script = port_address(stp_script);
	char text[320];

	snprintf(text, sizeof(text), "state\t%d\n", (int)stp_session_state());
	line(ctx, text);
	snprintf(text, sizeof(text), "started\t%llu\n",
		 (unsigned long long)(READ_ONCE(stp_runtime.started) / 1000000000u));
	line(ctx, text);
	snprintf(text, sizeof(text), "script\t%.250s\n", stp_script_text);
	line(ctx, text);
	for (uint32_t i = 0; i < script->nprobes; i++)
		about_point(line, ctx, &script->probes[i]);
	for (uint32_t i = 0; i < script->nprobes; i++)
		about_switch(line, ctx, &script->probes[i]);
}
