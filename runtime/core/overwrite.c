/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings that keep the newest: the oldest hits make room, each as a whole, and their
 * counts in the books move from delivered to dropped. Runs in the hit that needs the
 * room, on the ring's own CPU, the only one that writes its books.
 */
#include "core/state.h"

static void count_evicted(struct stp_cpu *cpu, const struct stp_record *head)
{
	struct stp_book *book;

	if (head->kind == RECORD_WARNING || head->kind == RECORD_ERROR)
		WRITE_ONCE(cpu->notices_lost, cpu->notices_lost + 1);
	if (!(head->flags & RECORD_COUNTED))
		return;
	book = &cpu->books[head->probe];
	WRITE_ONCE(book->delivered, book->delivered - 1);
	WRITE_ONCE(book->dropped, book->dropped + 1);
}

/*
 * True: the oldest record is not the first of its hit. The reader may have taken the
 * hit's beginning; the rest must go as well.
 */
static bool begins_inside_hit(const struct stp_ring *r)
{
	struct stp_record head;

	return stp_ring_oldest(r, &head) && !(head.flags & RECORD_FIRST);
}

void stp_overwrite(struct stp_cpu *cpu, uint64_t need)
{
	struct stp_ring *r = &cpu->ring;
	struct stp_record head;
	uint64_t room;

	stp_ring_place(r, &room);
	if (room >= need)
		return;
	while (room < need && stp_ring_evict(r, &head)) {
		count_evicted(cpu, &head);
		stp_ring_place(r, &room);
	}
	while (begins_inside_hit(r) && stp_ring_evict(r, &head))
		count_evicted(cpu, &head);
}
