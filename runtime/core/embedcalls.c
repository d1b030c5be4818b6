/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for C code of scripts that has no context: api/embedcalls.h. */
#include "api/embedcalls.h"
#include "core/port.h"
#include "core/state.h"

/*
 * Returns the context of the handler that runs here; NULL: there is none. Interrupts are
 * off during hits, so if this processor is busy, it is busy with the caller.
 */
static struct stp_ctx *caller_context(void)
{
	unsigned long flags = port_irq_save();
	struct stp_cpu *cpu = stp_cpu_here(), *slow = stp_runtime.cpus[stp_runtime.ncpus];
	bool runs = READ_ONCE(cpu->busy);

	port_irq_restore(flags);
	if (runs)
		return &cpu->ctx;
	return READ_ONCE(slow->process) == port_process() ? &slow->ctx : NULL;
}

/* Formats into the context's scratch area. */
static struct stp_str caller_text(struct stp_ctx *c, const char *fmt, va_list args)
{
	char *text = (char *)stp_cpu_of(c)->stage + STP_RECORD_MAX;
	int len = vsnprintf(text, STP_SCRATCH_BYTES, fmt, args);

	return (struct stp_str){ text, len < 0			 ? 0
				       : len < STP_SCRATCH_BYTES ? (uint32_t)len
								 : STP_SCRATCH_BYTES - 1 };
}

void _stp_print(const char *text)
{
	struct stp_ctx *c = caller_context();

	if (c)
		stp_print_text(c, text, strlen(text));
}

void _stp_printf(const char *fmt, ...)
{
	struct stp_ctx *c = caller_context();
	struct stp_str text;
	va_list args;

	if (!c)
		return;
	va_start(args, fmt);
	text = caller_text(c, fmt, args);
	va_end(args);
	stp_print_text(c, text.s, text.len);
}

void _stp_warn(const char *fmt, ...)
{
	struct stp_ctx *c = caller_context();
	va_list args;

	if (!c)
		return;
	va_start(args, fmt);
	stp_warn(c, caller_text(c, fmt, args));
	va_end(args);
}

void _stp_softerror(const char *fmt, ...)
{
	struct stp_ctx *c = caller_context();
	va_list args;

	if (!c)
		return;
	va_start(args, fmt);
	stp_log_error(c, caller_text(c, fmt, args));
	va_end(args);
}

void _stp_error(const char *fmt, ...)
{
	struct stp_ctx *c = caller_context();
	va_list args;

	if (!c)
		return;
	va_start(args, fmt);
	stp_error(c, "%s", caller_text(c, fmt, args).s);
	va_end(args);
}

void _stp_exit(void)
{
	stp_exit(NULL);
}

/*
 * True: the caller may take memory and give it back. A hit must not: it may have
 * interrupted the allocator itself.
 */
static bool caller_may_allocate(void)
{
	struct stp_ctx *c = caller_context();

	if (c && !c->sleepable)
		stp_error(c, "memory is taken and given back in begin and end probes only: here "
			     "nothing may wait; use a global of the script or a static array");
	return c && c->sleepable;
}

void *_stp_vzalloc(size_t size)
{
	return caller_may_allocate() ? port_alloc(size) : NULL;
}

void _stp_vfree(const void *mem)
{
	if (mem && caller_may_allocate())
		port_free((void *)mem);
}

int _stp_snprintf(char *to, size_t size, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(to, size, fmt, args);
	va_end(args);
	return len;
}
