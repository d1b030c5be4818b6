/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simple output: one record, made in its CPU's ring. Nearly all hits that print anything
 * print that. It begins with the first item (output.c) and ends with the hit (hit.h);
 * what comes in between that is more than items makes it output like any other.
 */
#ifndef STP_SIMPLEOUTPUT_H
#define STP_SIMPLEOUTPUT_H

#include "core/state.h"

/* False also where the ring has room, but not for any record. */
static __always_inline bool stp_simpleoutput_can(struct stp_cpu *cpu, size_t bytes)
{
	return !cpu->printing && bytes <= STP_RECORD_MAX &&
	       stp_ring_room(&cpu->ring) >= sizeof(struct stp_record) + STP_RECORD_MAX;
}

/* Begins it with an item: from here on the hit has a time, in two steps: output.c. */
static __always_inline uint8_t *stp_simpleoutput_begin(struct stp_cpu *cpu, size_t bytes)
{
	uint8_t *body;

	WRITE_ONCE(cpu->pending, STP_PENDING_BUSY);
	smp_mb();
	smp_store_release(&cpu->pending, port_monotonic_ns());
	cpu->printing = true;
	cpu->simple = true;
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
	cpu->simple = false;
	cpu->counts = false;
	cpu->lost = false;
	smp_store_release(&cpu->pending, 0);
}

/*
 * Publishes it. The record's places are cleared when other output begins. Neither inline
 * nor with a call inside: hits that print nothing would have to save registers for the
 * one, and this for the other.
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
