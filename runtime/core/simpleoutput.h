/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simple output is one record that is made in its CPU's ring. Nearly all hits that print
 * print only that. It begins with the first item (output.c) and ends with the hit
 * (hit.h). Anything in between that is not an item turns it into normal output.
 */
#ifndef STP_SIMPLEOUTPUT_H
#define STP_SIMPLEOUTPUT_H

#include "core/state.h"

/* False also if the ring has some room, but not for every possible record. */
static __always_inline STP_BPF_INLINE bool stp_simpleoutput_can(struct stp_cpu *cpu, size_t bytes)
{
	return !cpu->printing && bytes <= STP_RECORD_MAX &&
	       stp_ring_room(&cpu->ring) >= sizeof(struct stp_record) + STP_RECORD_MAX;
}

/*
 * Begins it with an item. From here on the hit has a time, which is set in two steps:
 * output.c.
 */
static __always_inline STP_BPF_INLINE uint8_t *stp_simpleoutput_begin(struct stp_cpu *cpu,
								      size_t bytes)
{
	uint8_t *body;

	WRITE_ONCE(cpu->pending, STP_PENDING_BUSY);
	smp_mb();
	smp_store_release(&cpu->pending, port_monotonic_ns());
	cpu->printing = true;
	cpu->ctx.ending |= STP_ENDS_SIMPLY;
	cpu->counts = false;
	cpu->lost = false;
	cpu->notices = 0;
	body = stp_ring_end(&cpu->ring) + sizeof(struct stp_record);
	cpu->body = body;
	cpu->ctx.out = body + bytes;
	cpu->ctx.out_end = body + STP_RECORD_MAX;
	return body;
}

static __always_inline void stp_simpleoutput_reset(struct stp_cpu *cpu)
{
	cpu->printing = false;
	cpu->counts = false;
	cpu->lost = false;
	smp_store_release(&cpu->pending, 0);
}

/*
 * Publishes it. The pointers to the record are cleared when other output begins. It is
 * not inline, because hits that print nothing would have to save registers. It calls
 * nothing, because it would have to save registers itself.
 */
static __attribute__((__noinline__, __unused__)) void stp_simpleoutput_end(struct stp_cpu *cpu,
									   uint32_t probe)
{
	struct stp_record *head = (struct stp_record *)(void *)cpu->body - 1;
	uint8_t *end = cpu->ctx.out;
	size_t len = (size_t)(end - cpu->body);
	uint64_t bytes = sizeof(*head) + STP_RECORD_ALIGN((uint64_t)len);

	head->time = READ_ONCE(cpu->pending);
	head->probe = probe;
	head->len = (uint16_t)len;
	head->kind = RECORD_OUTPUT;
	head->flags = RECORD_FIRST;
	cpu->ctx.out_end = end;
	if (unlikely(!stp_ring_write_little(&cpu->ring, bytes))) {
		stp_output_simple_end(cpu, bytes);
		return;
	}
	stp_simpleoutput_reset(cpu);
}

#endif
