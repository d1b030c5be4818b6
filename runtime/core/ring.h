/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring of committed bytes with one producer (its CPU, interrupts off), one consumer
 * (stapio through read()) and no lock. Positions only grow. The producer publishes `head`
 * with release after it has written the bytes; the consumer publishes `tail` after it has
 * taken them. It was preferred to the kernel's relay channels for these reasons: readers
 * get single records without sub-buffer padding or flushes, a lack of room is known
 * exactly at the moment of writing, the same code runs under ThreadSanitizer in user
 * space, and it does not depend on a kernel interface that may change.
 */
#ifndef STP_RING_H
#define STP_RING_H

#include "api.h"

struct stp_ring {
	/* `size` bytes, followed by room for a record that begins near their end. */
	uint8_t *data;
	uint64_t size;	     /* a power of two */
	uint64_t head;	     /* written by the producer */
	uint64_t reserved;   /* the producer's own: end of appended bytes, published or not */
	uint64_t wake_level; /* fill level that wakes the reader */
	uint64_t hold_level; /* fill level at which printing tasks are held; UINT64_MAX: never */
	/*
	 * True: the producer removes the oldest records. Both sides then write tail, and
	 * only by compare-and-exchange.
	 */
	bool overwrite;
	uint8_t apart[64]; /* each side writes to its own cache lines */
	uint64_t tail;	   /* written by the consumer */
};

int stp_ring_init(struct stp_ring *r, uint64_t size) __attribute__((cold));
void stp_ring_free(struct stp_ring *r) __attribute__((cold));
/*
 * Appends a complete record, or nothing (false): head, then body, padded to 8. All
 * records of a hit are appended, and then published or dropped together. Publishing
 * returns true if the fill level has just reached the wake-up level.
 */
bool stp_ring_append(struct stp_ring *r, const struct stp_record *head, const void *body);
/*
 * These append in place: stp_ring_place() returns where the next record begins, and the
 * free bytes there, including the header. stp_ring_take() gets the number of bytes used,
 * a multiple of 8.
 */
static inline uint64_t stp_ring_room(const struct stp_ring *r)
{
	/* Acquire: the consumer has read the old bytes here before its tail moved on. */
	return r->size - (r->reserved - smp_load_acquire(&r->tail));
}

static inline uint8_t *stp_ring_end(const struct stp_ring *r)
{
	return r->data + (r->reserved & (r->size - 1));
}

static inline uint8_t *stp_ring_place(struct stp_ring *r, uint64_t *room)
{
	*room = stp_ring_room(r);
	return stp_ring_end(r);
}

/* Moves the bytes after the ring's end to its beginning. */
void stp_ring_wrap(struct stp_ring *r, uint64_t bytes) __attribute__((cold));
static inline void stp_ring_take(struct stp_ring *r, uint64_t bytes)
{
	uint64_t end = (r->reserved & (r->size - 1)) + bytes;

	if (unlikely(end > r->size))
		stp_ring_wrap(r, end - r->size);
	r->reserved += bytes;
}

bool stp_ring_publish(struct stp_ring *r);
/*
 * stp_ring_take() and stp_ring_publish() for a single record that does not wrap, if no
 * reader must be woken and no task held (hold_level is above wake_level). False: nothing
 * was done.
 */
static inline bool stp_ring_write_little(struct stp_ring *r, uint64_t bytes)
{
	uint64_t reserved = r->reserved;

	if (unlikely((reserved & (r->size - 1)) + bytes > r->size ||
		     reserved + bytes - READ_ONCE(r->tail) >= r->wake_level))
		return false;
	r->reserved = reserved + bytes;
	smp_store_release(&r->head, reserved + bytes);
	return true;
}

void stp_ring_abandon(struct stp_ring *r);
/*
 * Copies up to `size` committed bytes, only complete records. 0: the ring is empty, or
 * `size` is less than the next record.
 */
size_t stp_ring_read(struct stp_ring *r, void *buf, size_t size);
/* Removes the oldest published record, if overwrite is set. False: there is none. */
bool stp_ring_evict(struct stp_ring *r, struct stp_record *ret);
/* Reads the head of the oldest published record. */
bool stp_ring_oldest(const struct stp_ring *r, struct stp_record *ret);
/* Adds flags to the first record that is not yet published. */
void stp_ring_mark(struct stp_ring *r, uint8_t flags);
/*
 * stp_ring_read() in steps, if overwrite is not set: get the number of readable bytes;
 * get n of them in up to two pieces, to copy them; release them.
 */
struct stp_ring_piece {
	const uint8_t *at;
	size_t len;
};
size_t stp_ring_readable(const struct stp_ring *r, size_t size);
void stp_ring_pieces(const struct stp_ring *r, size_t n, struct stp_ring_piece pieces[2]);
void stp_ring_consume(struct stp_ring *r, size_t n);
uint64_t stp_ring_fill(const struct stp_ring *r);

#endif
