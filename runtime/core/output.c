/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of a hit: records made in place in its CPU's ring, item by item. They are
 * published together at the end of the hit, or not at all if there was no room for some
 * of them.
 *
 * The first item that a hit prints takes its time, in two steps, BUSY first. So a reader
 * that computes the horizon either sees that output is being made, or has read its clock
 * before that hit does. Hits that print nothing have no time.
 *
 * The sleeping context differs: nothing else runs in parallel to begin and end, and a
 * begin probe may print more than any ring holds. Its records are published as soon as
 * they are full, each with a time of its own, and wait for room.
 */
#include "core/simpleoutput.h"

/* A reader that has taken nothing for this time is treated as gone. */
#define SLOW_PATIENCE_MS 5000

/* ---- records ---- */

static bool output_sleeps(const struct stp_cpu *cpu)
{
	return cpu->ctx.sleepable;
}

static bool slow_append(struct stp_cpu *cpu, const struct stp_record *head, const void *body)
{
	uint64_t tail = READ_ONCE(cpu->ring.tail);

	for (unsigned waited = 0; waited < SLOW_PATIENCE_MS; waited++) {
		if (stp_ring_append(&cpu->ring, head, body))
			return true;
		if (!port_reader_present())
			return false;
		port_wake_reader();
		port_sleep_ms(1);
		if (READ_ONCE(cpu->ring.tail) != tail)
			waited = 0;
		tail = READ_ONCE(cpu->ring.tail);
	}
	return false;
}

/*
 * Records that follow carry a later time: so the reader may write the records that are
 * already there.
 */
static void slow_publish(struct stp_cpu *cpu)
{
	if (stp_ring_publish(&cpu->ring))
		port_wake_reader();
	smp_store_release(&cpu->pending, port_monotonic_ns());
}

/*
 * Starts the output of the hit: from here on the hit has a time, which the horizon waits
 * for.
 */
static void output_begin(struct stp_cpu *cpu)
{
	WRITE_ONCE(cpu->pending, STP_PENDING_BUSY);
	smp_mb();
	smp_store_release(&cpu->pending, port_monotonic_ns());
	cpu->printing = true;
	cpu->counts = false;
	cpu->lost = false;
	cpu->ctx.ending |= STP_ENDS_OTHERWISE;
	cpu->notices = 0;
	cpu->body = NULL;
	cpu->ctx.out = NULL;
	cpu->ctx.out_end = NULL;
}

/*
 * The reader sees nothing of a hit before its end: the hit's first record is the first
 * one in the ring that is not published.
 */
static inline struct stp_record record_head(const struct stp_cpu *cpu, enum stp_record_kind kind,
					    uint8_t flags, size_t len)
{
	bool first = cpu->ring.reserved == cpu->ring.head;

	return (struct stp_record){ .time = cpu->pending,
				    .probe = cpu->ctx.probe ? cpu->ctx.probe->index : STP_NO_PROBE,
				    .len = (uint16_t)len,
				    .kind = (uint8_t)kind,
				    .flags = flags | (first ? RECORD_FIRST : 0) };
}

static bool output_append(struct stp_cpu *cpu, enum stp_record_kind kind, uint8_t flags,
			  const void *body, size_t len)
{
	struct stp_record head = record_head(cpu, kind, flags, len);

	if (cpu->lost)
		return false;
	if (cpu->ring.overwrite)
		stp_overwrite(cpu, sizeof(head) + STP_RECORD_ALIGN((uint64_t)len));
	if (!output_sleeps(cpu)) {
		cpu->lost = !stp_ring_append(&cpu->ring, &head, body);
	} else {
		/* The last record represents the hit. */
		head.flags = RECORD_FIRST | (cpu->counts ? RECORD_COUNTED : 0);
		cpu->lost = !slow_append(cpu, &head, body);
		slow_publish(cpu);
	}
	return !cpu->lost;
}

/* ---- the record being made ---- */

/*
 * Makes the record in the staging area, because it does not fit into the ring, for now or
 * for ever.
 */
static void record_open_aside(struct stp_cpu *cpu)
{
	cpu->body = cpu->stage;
	cpu->ctx.out = cpu->stage;
	cpu->ctx.out_end = cpu->stage + STP_RECORD_MAX;
}

/* Opens the record for `bytes`, or finds out how far it may grow by now. */
static void record_open(struct stp_cpu *cpu, size_t bytes)
{
	const uint64_t head = sizeof(struct stp_record);
	uint64_t room;
	uint8_t *place;

	if (output_sleeps(cpu) || cpu->lost) {
		record_open_aside(cpu);
		return;
	}
	if (cpu->ring.overwrite)
		stp_overwrite(cpu,
			      head + STP_RECORD_ALIGN(
					     (uint64_t)(cpu->body ? cpu->ctx.out - cpu->body : 0) +
					     bytes));
	place = stp_ring_place(&cpu->ring, &room);
	if (!cpu->body)
		cpu->ctx.out = cpu->body = place + head;
	room = room < head ? 0 : room - head;
	cpu->ctx.out_end = cpu->body + (room < STP_RECORD_MAX ? room : STP_RECORD_MAX);
}

static void record_close(struct stp_cpu *cpu, uint8_t flags)
{
	uint32_t len = (uint32_t)(cpu->ctx.out - cpu->body);

	cpu->ctx.ending |= STP_ENDS_OTHERWISE;
	if (len && cpu->body == cpu->stage) {
		output_append(cpu, RECORD_OUTPUT, flags, cpu->stage, len);
	} else if (len) {
		/* Records lie at multiples of 8. */
		struct stp_record *head = (struct stp_record *)(void *)cpu->body - 1;

		*head = record_head(cpu, RECORD_OUTPUT, flags, len);
		stp_ring_take(&cpu->ring, sizeof(*head) + STP_RECORD_ALIGN((uint64_t)len));
	}
	cpu->body = NULL;
	cpu->ctx.out = NULL;
	cpu->ctx.out_end = NULL;
}

#define TASK_ITEM (sizeof(uint16_t) + STP_TASK_BYTES)

/* Puts the task that was hit before a record's items. Returns where they begin. */
static uint8_t *put_task(uint8_t *to)
{
	uint8_t *p = stp_item_u16(to, STP_FORMAT_TASK);
	uint32_t task[2];

	port_current_task(&task[0], &task[1]);
	memcpy(p, task, STP_TASK_BYTES);
	return p + STP_TASK_BYTES;
}

/* Makes room in output that is not simple, or no longer simple. */
static __attribute__((__noinline__)) uint8_t *item_next(struct stp_cpu *cpu, size_t bytes)
{
	size_t task = stp_runtime.as_data ? TASK_ITEM : 0;
	struct stp_ctx *c = &cpu->ctx;
	uint8_t *place;

	cpu->ctx.ending |= STP_ENDS_OTHERWISE;
	if (unlikely(bytes > STP_RECORD_MAX)) {
		stp_error(c, "printf of more than %d bytes", STP_RECORD_MAX);
		return NULL;
	}
	if (!cpu->printing)
		output_begin(cpu);
	if (cpu->body && (size_t)(c->out - cpu->body) + bytes > STP_RECORD_MAX)
		record_close(cpu, RECORD_MORE);
	if (cpu->body || bytes + task > STP_RECORD_MAX)
		task = 0;
	record_open(cpu, bytes + task);
	if (unlikely((size_t)(c->out_end - c->out) < bytes + task)) {
		cpu->lost = true;
		record_open_aside(cpu);
	}
	if (task)
		c->out = put_task(c->out);
	place = c->out;
	c->out += bytes;
	return place;
}

/*
 * The same if readers need the task that was hit; a separate function, so that it costs
 * others nothing.
 */
static __attribute__((__noinline__)) uint8_t *item_with_task(struct stp_cpu *cpu, size_t bytes)
{
	if (!cpu->tells_task || !stp_simpleoutput_can(cpu, bytes + TASK_ITEM))
		return item_next(cpu, bytes);
	return put_task(stp_simpleoutput_begin(cpu, bytes + TASK_ITEM));
}

/* Called at the end of the record being made, or if there is none. */
uint8_t *stp_item_more(struct stp_ctx *c, size_t bytes)
{
	struct stp_cpu *cpu = stp_cpu_of(c);

	if (likely(cpu->in_place && stp_simpleoutput_can(cpu, bytes)))
		return stp_simpleoutput_begin(cpu, bytes);
	return item_with_task(cpu, bytes);
}

/* Drops the output of a hit that is repeated: nothing is lost by that. */
static void output_forget(struct stp_cpu *cpu)
{
	cpu->lost = true;
	cpu->notices = 0;
}

/*
 * Publishes the appended records. If the ring is full enough, wakes the reader and holds
 * the task.
 */
static __attribute__((__noinline__, cold)) void output_publish(struct stp_cpu *cpu)
{
	if (stp_ring_publish(&cpu->ring))
		port_wake_reader();
	if (unlikely(stp_ring_fill(&cpu->ring) >= cpu->ring.hold_level))
		port_hold_task();
}

void stp_output_simple_end(struct stp_cpu *cpu, uint64_t bytes)
{
	stp_ring_take(&cpu->ring, bytes);
	output_publish(cpu);
	stp_simpleoutput_reset(cpu);
}

bool stp_output_end(struct stp_cpu *cpu, bool counts)
{
	bool whole;

	cpu->counts = counts && (!stp_failed(&cpu->ctx) || cpu->ctx.error == stp_aborted);
	if (unlikely(cpu->ctx.error == stp_absent))
		output_forget(cpu);
	record_close(cpu, 0);
	whole = !cpu->lost;
	if (unlikely(!whole)) {
		stp_ring_abandon(&cpu->ring);
		WRITE_ONCE(cpu->notices_lost, cpu->notices_lost + cpu->notices);
	} else {
		if (cpu->ring.overwrite && cpu->counts && cpu->ring.reserved != cpu->ring.head)
			stp_ring_mark(&cpu->ring, RECORD_COUNTED);
		output_publish(cpu);
	}
	cpu->counts = false;
	cpu->printing = false;
	smp_store_release(&cpu->pending, 0);
	return whole;
}

void stp_output_notice(struct stp_cpu *cpu, enum stp_record_kind kind, const char *text, size_t len)
{
	output_begin(cpu);
	cpu->notices = 1;
	output_append(cpu, kind, 0, text, len < STP_RECORD_MAX ? len : STP_RECORD_MAX);
	stp_output_end(cpu, false);
}

/* ---- text for stderr, and commands ---- */

/* Writes a message at its place within the hit's output. */
static void output_text(struct stp_ctx *c, enum stp_record_kind kind, struct stp_str text)
{
	struct stp_cpu *cpu = stp_cpu_of(c);

	if (!cpu->printing)
		output_begin(cpu);
	record_close(cpu, 0);
	cpu->notices++;
	output_append(cpu, kind, 0, text.s, text.len < STP_RECORD_MAX ? text.len : STP_RECORD_MAX);
}

void stp_warn(struct stp_ctx *c, struct stp_str text)
{
	output_text(c, RECORD_WARNING, text);
}

void stp_log_error(struct stp_ctx *c, struct stp_str text)
{
	output_text(c, RECORD_ERROR, text);
}

void stp_log(struct stp_ctx *c, struct stp_str text)
{
	output_text(c, RECORD_LOG, text);
}

void stp_command(struct stp_ctx *c, struct stp_str text)
{
	output_text(c, RECORD_COMMAND, text);
}
