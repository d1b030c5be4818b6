/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of arrays. Handlers never allocate: they take entries from existing
 * segments. When little is left, a handler wakes the worker (port_wake_worker). The
 * worker allocates more, outside any handler and without a lock: it writes after the part
 * that is ready, and then moves the end of that part.
 *
 *   segments  of entries; a class of entries of one size takes a whole one at a time
 *   slots     values of maps with parts: the same number of them in each part
 *   tables    of buckets, each as large as all before it
 *
 * An array with a limit gets all its memory at once, for entries of its longest keys.
 */
#include "core/shards.h"
#include "core/state.h"

#define SEGMENT_BYTES	(16u << 10)
#define SEGMENTS_WISHED 8192u /* largest number, if larger segments are possible */
#define SEGMENT_ENTRIES 4     /* at least */
#define START_ENTRIES	2048u /* initial room: for so many of the longest keys, within limits */
#define START_MOST	(2u << 20)
/* Least and most initial memory. */
#define START_LEAST	  (512u << 10)
#define START_SLOTS_LEAST 64u
#define START_SLOTS_MOST  (8u << 20) /* bytes */
#define START_BUCKETS	  4096u
#define SPARE_MOST	  (4u << 20) /* bytes kept in reserve; large arrays keep an eighth */
/*
 * In arrays whose elements are set by many processors, so many of the first ones have
 * room for another between them. So elements that processors have for themselves do not
 * share a line of the cache.
 */
#define SPREAD_ENTRIES 256u

/* ---- classes: every size up to 256 bytes, then 16 for each doubling ---- */

static uint32_t class_of(uint32_t bytes)
{
	uint32_t units = bytes / 8, shift;

	if (units < 32)
		return units;
	shift = 31 - (uint32_t)__builtin_clz(units) - 4;
	return 32 + (shift - 1) * 16 + ((units + (1u << shift) - 1) >> shift) - 16;
}

static uint32_t class_units(uint32_t class)
{
	return class < 32 ? class : (16 + (class - 32) % 16) << ((class - 32) / 16 + 1);
}

/* ---- layout ---- */

static uint32_t value_bytes(const struct stp_map *m)
{
	switch (m->desc->value_type) {
	case STP_STRING:
		return (uint32_t)(sizeof(uint32_t) + stp_script.limits.string + 7) & ~7u;
	case STP_STATS:
		return (uint32_t)stp_stat_data_bytes(m->hist_buckets);
	default:
		return sizeof(int64_t);
	}
}

static enum stp_map_keys keys_kind(const struct stp_map *m)
{
	if (m->nkeys == 1)
		return m->string_keys ? STP_MAP_STRING : STP_MAP_LONG;
	return m->string_keys ? STP_MAP_MANY : STP_MAP_LONGS;
}

static void layout_entry(struct stp_map *m)
{
	const struct stp_map_desc *desc = m->desc;
	uint32_t at = sizeof(struct stp_map_entry), strings = 0;

	m->nkeys = desc->nkeys;
	for (unsigned k = 0; k < desc->nkeys; k++) {
		bool is_string = desc->key_types[k] == STP_STRING;

		m->string_keys |= (uint32_t)is_string << k;
		m->key_at[k] = (uint8_t)(is_string ? strings++ : at);
		at += is_string ? 0 : sizeof(int64_t);
	}
	m->keys = keys_kind(m);
	m->value_at = at;
	at += stp_map_has_parts(m) ? sizeof(uint32_t) : value_bytes(m);
	m->stamp_at = at;
	at += desc->shards ? sizeof(uint64_t) : 0;
	m->links_at = at;
	m->strings_at = at + desc->sorts * (uint32_t)sizeof(uint32_t);
	m->entry_most = m->strings_at +
			strings * (uint32_t)(sizeof(uint16_t) + stp_script.limits.string - 1);
	m->entry_most = (m->entry_most + 7) & ~7u;
}

static uint64_t store_limit(void)
{
	return (uint64_t)stp_script.limits.map_memory << 20;
}

static bool store_grows(const struct stp_map *m)
{
	return m->max == UINT32_MAX;
}

static uint32_t spread_entries(const struct stp_map *m)
{
	return m->desc->sets ? SPREAD_ENTRIES : 0;
}

/*
 * Chooses the size of segments, and their largest number. False: there are more entries
 * than numbers.
 */
static bool layout_segments(struct stp_map *m)
{
	uint32_t per, bytes = SEGMENT_BYTES;
	uint64_t most;

	m->fixed_class = store_grows(m) && m->entry_most > ((m->strings_at + 7) & ~7u)
				 ? 0
				 : class_of(m->entry_most);
	m->nclasses = class_of(m->entry_most) + 1;
	while (bytes < SEGMENT_ENTRIES * 8 * class_units(class_of(m->entry_most)))
		bytes *= 2;
	for (;; bytes *= 2) {
		per = bytes / (8 * class_units(class_of(m->entry_most)));
		most = store_grows(m) ? store_limit() / bytes + START_MOST / bytes + 1
				      : ((uint64_t)m->max + spread_entries(m)) / per + 1;
		if (most <= SEGMENTS_WISHED || bytes >= 1u << 26)
			break;
	}
	m->unit_bits = (uint32_t)__builtin_ctz(bytes / 8);
	m->unit_mask = bytes / 8 - 1;
	m->segments_most = (uint32_t)most;
	m->segments_start = m->segments_most;
	if (store_grows(m)) {
		uint64_t start = (uint64_t)START_ENTRIES * m->entry_most;

		start = start > START_MOST ? START_MOST : start < START_LEAST ? START_LEAST : start;
		m->segments_start = (uint32_t)(start / bytes) + 1;
	}
	return (most + 1) << m->unit_bits <= UINT32_MAX;
}

static uint32_t parts_real(const struct stp_map *m)
{
	uint32_t n = 1;

	for (uint32_t i = 0; i + 1 < m->nparts; i++)
		n += port_cpu_possible(i);
	return n;
}

static void layout_slots(struct stp_map *m)
{
	uint64_t most, all;

	m->slot_bytes = value_bytes(m);
	all = (uint64_t)m->slot_bytes * parts_real(m);
	while ((uint64_t)m->slot_bytes << (m->slot_bits + 1) <= SEGMENT_BYTES)
		m->slot_bits++;
	m->slot_mask = (1u << m->slot_bits) - 1;
	m->slots_start = m->max;
	most = m->max;
	if (store_grows(m)) {
		uint64_t many = START_SLOTS_MOST / all, small = START_LEAST / all;

		many = many > START_ENTRIES	  ? START_ENTRIES
		       : many < START_SLOTS_LEAST ? START_SLOTS_LEAST
						  : many;
		m->slots_start = (uint32_t)(small > many ? small : many);
		most = m->slots_start + store_limit() / all;
	}
	m->slot_segments_most = (uint32_t)(most >> m->slot_bits) + 2;
}

/* ---- memory ---- */

/*
 * Allocates and counts a block for all arrays together. The limit does not apply to
 * arrays that do not grow.
 */
static void *block_alloc(uint64_t bytes)
{
	void *block = port_alloc(bytes);

	if (block)
		__atomic_add_fetch(&stp_runtime.map_bytes, bytes, __ATOMIC_RELAXED);
	return block;
}

static void block_free(void *block, uint64_t bytes)
{
	__atomic_sub_fetch(&stp_runtime.map_bytes, bytes, __ATOMIC_RELAXED);
	port_free(block);
}

static bool blocks_left(const struct stp_map *m)
{
	return READ_ONCE(m->nblocks) < STP_MAP_BLOCKS;
}

/* Returns the bytes that growing arrays may still take. */
static uint64_t store_room(void)
{
	uint64_t used = __atomic_load_n(&stp_runtime.map_bytes, __ATOMIC_RELAXED);

	return used < store_limit() ? store_limit() - used : 0;
}

static uint32_t spare_wanted(uint32_t used, uint32_t start, uint32_t most)
{
	uint32_t spare = used / 2;

	most = used / 8 > most ? used / 8 : most;
	spare = spare > most ? most : spare;
	return spare < start ? start : spare;
}

/*
 * Returns how many units of `bytes` each the memory is sufficient for, at most `wanted`.
 */
static uint32_t store_afford(uint32_t wanted, uint64_t bytes)
{
	uint64_t most = store_room() / bytes;

	return wanted < most ? wanted : (uint32_t)most;
}

/* ---- kinds of memory ---- */

/*
 * missing() returns how many units of bytes() each must be added now, room() how many
 * more are possible; publish() gives the handlers n units, which are in `block`.
 */
struct store_kind {
	uint32_t (*missing)(struct stp_map *m);
	uint32_t (*room)(const struct stp_map *m);
	uint64_t (*bytes)(const struct stp_map *m);
	void (*publish)(struct stp_map *m, uint8_t *block, uint32_t n);
};

/*
 * The worker is woken early, because its processor may be a virtual one that is
 * suspended.
 */
static uint32_t low_mark(uint32_t spare)
{
	return spare - spare / 4;
}

static uint64_t segment_bytes(const struct stp_map *m)
{
	return 8u << m->unit_bits;
}

static uint32_t segments_missing(struct stp_map *m)
{
	uint32_t used = READ_ONCE(m->segments_used);
	uint32_t spare =
		spare_wanted(used, m->segments_start, SPARE_MOST / (uint32_t)segment_bytes(m));
	int32_t n = (int32_t)(used + spare - m->segments_ready);

	WRITE_ONCE(m->segments_low, low_mark(spare));
	return n > 0 ? (uint32_t)n : 0;
}

static uint32_t segments_room(const struct stp_map *m)
{
	return m->segments_most - m->segments_ready;
}

static void segments_publish(struct stp_map *m, uint8_t *block, uint32_t n)
{
	for (uint32_t i = 1; i <= n; i++, block += segment_bytes(m))
		m->segments[m->segments_ready + i] = block;
	smp_store_release(&m->segments_ready, m->segments_ready + n);
}

/* A unit of slots is one segment for each part. */
static uint64_t slots_bytes(const struct stp_map *m)
{
	return ((uint64_t)m->slot_bytes << m->slot_bits) * parts_real(m);
}

static uint32_t slots_missing(struct stp_map *m)
{
	uint32_t used = READ_ONCE(m->slots_used);
	uint64_t all = (uint64_t)m->slot_bytes * parts_real(m);
	uint32_t spare = spare_wanted(used, m->slots_start, (uint32_t)(SPARE_MOST / all));
	int32_t n = (int32_t)(used + spare - m->slots_ready) >> m->slot_bits;

	WRITE_ONCE(m->slots_low, low_mark(spare));
	return n > 0 ? (uint32_t)n : 0;
}

static uint32_t slots_room(const struct stp_map *m)
{
	return m->slot_segments_most - (m->slots_ready >> m->slot_bits);
}

static void slots_publish(struct stp_map *m, uint8_t *block, uint32_t n)
{
	uint32_t first = m->slots_ready >> m->slot_bits;

	for (uint32_t p = 0; p < m->nparts; p++)
		for (uint32_t i = 0; m->parts[p] && i < n; i++) {
			m->parts[p][first + i] = block;
			block += (size_t)m->slot_bytes << m->slot_bits;
		}
	smp_store_release(&m->slots_ready, m->slots_ready + (n << m->slot_bits));
}

static uint64_t table_bytes(const struct stp_map *m)
{
	return (uint64_t)(m->ntables ? m->buckets_ready : m->base) * sizeof(uint32_t);
}

static bool buckets_few(const struct stp_map *m)
{
	uint32_t count = stp_map_has_shards(m) ? READ_ONCE(m->handed) : READ_ONCE(m->count);

	return (uint64_t)count * 8 > (uint64_t)READ_ONCE(m->buckets_ready) * 9;
}

static uint32_t tables_missing(struct stp_map *m)
{
	return buckets_few(m);
}

static uint32_t tables_room(const struct stp_map *m)
{
	return m->ntables < STP_MAP_TABLES;
}

static void tables_publish(struct stp_map *m, uint8_t *block, uint32_t n)
{
	uint32_t buckets = (uint32_t)(table_bytes(m) / sizeof(uint32_t));

	m->tables[m->ntables++] = (uint32_t *)block;
	smp_store_release(&m->buckets_ready, m->buckets_ready + buckets);
}

static const struct store_kind store_segments = { segments_missing, segments_room, segment_bytes,
						  segments_publish };
static const struct store_kind store_slots = { slots_missing, slots_room, slots_bytes,
					       slots_publish };
static const struct store_kind store_tables = { tables_missing, tables_room, table_bytes,
						tables_publish };

static void note_block(struct stp_map *m, void *block, uint64_t bytes)
{
	m->blocks[m->nblocks] = block;
	WRITE_ONCE(m->nblocks, m->nblocks + 1);
	m->bytes += bytes;
}

static void store_publish(struct stp_map *m, const struct store_kind *k, void *block, uint32_t n)
{
	note_block(m, block, n * k->bytes(m));
	k->publish(m, block, n);
}

/* Adds n units while nobody else uses the array. */
static bool store_add(struct stp_map *m, const struct store_kind *k, uint32_t n)
{
	void *block = n && blocks_left(m) ? block_alloc(n * k->bytes(m)) : NULL;

	if (block)
		store_publish(m, k, block, n);
	return block != NULL;
}

/* ---- growing ---- */

struct brought {
	void *block;
	uint64_t each; /* bytes of a unit, when it was allocated */
	uint32_t n;
};

static bool is_wanted_still(struct stp_map *m, const struct store_kind *k, const struct brought *b)
{
	return k->bytes(m) == b->each && k->missing(m) >= b->n && k->room(m) >= b->n &&
	       blocks_left(m);
}

/*
 * Publishes the memory unless another worker does. False: another one is about to, or has
 * added the missing memory.
 */
static bool publish_alone(struct stp_map *m, const struct store_kind *k, const struct brought *b)
{
	int32_t no = 0;
	bool ret;

	if (!try_cmpxchg32(&m->growing, &no, 1))
		return false;
	ret = is_wanted_still(m, k, b);
	if (ret)
		store_publish(m, k, b->block, b->n);
	smp_store_release(&m->growing, 0);
	return ret;
}

/*
 * Adds the missing memory. False: there is none, or the limit forbids it. Several workers
 * may try at the same time, because the processor of one may be suspended; the first one
 * that has the memory adds it.
 */
static bool store_bring(struct stp_map *m, const struct store_kind *k)
{
	uint32_t missing = k->missing(m), room = k->room(m);
	struct brought b = { .each = k->bytes(m) };

	if (!missing)
		return true;
	b.n = store_afford(missing < room ? missing : room, b.each);
	b.block = b.n && blocks_left(m) ? block_alloc(b.n * b.each) : NULL;
	if (b.block && !publish_alone(m, k, &b))
		block_free(b.block, b.n * b.each);
	return b.block != NULL;
}

static void store_grow(struct stp_map *m)
{
	bool whole;

	WRITE_ONCE(m->wanted, 0);
	whole = store_bring(m, &store_segments);
	if (stp_map_has_parts(m))
		whole &= store_bring(m, &store_slots);
	store_bring(m, &store_tables); /* too few buckets only make an array slower */
	if (!whole)
		WRITE_ONCE(m->capped, true);
}

void stp_store_grow(void)
{
	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];
		struct stp_map *m = g->is_array ? *(struct stp_map **)g->place : NULL;

		if (m && READ_ONCE(m->wanted))
			store_grow(m);
	}
}

/* Warns once for each array. */
static void say_full(struct stp_ctx *c, struct stp_map *m)
{
	bool is_limit = !store_afford(1, (uint64_t)8 << m->unit_bits);
	char text[200];
	int n;

	if (m->said_full)
		return;
	m->said_full = true;
	n = snprintf(
		text, sizeof(text), "array '%.80s' grows no further: %s %u MB; it has %u elements",
		m->desc->name,
		is_limit ? "arrays have reached MAXMAPMEMORY," : "there is no memory; arrays have",
		is_limit ? stp_script.limits.map_memory : (unsigned)(stp_runtime.map_bytes >> 20),
		stp_shards_total(m));
	stp_warn(c, (struct stp_str){ text, (uint32_t)n });
}

/* True: fewer than 1 / parts of the low mark are unused. */
static bool store_low(const struct stp_map *m, uint32_t parts)
{
	if (READ_ONCE(m->segments_ready) - m->segments_used < READ_ONCE(m->segments_low) / parts)
		return true;
	return stp_map_has_parts(m) &&
	       READ_ONCE(m->slots_ready) - m->slots_used < READ_ONCE(m->slots_low) / parts;
}

/* Returns for how many segments a spare block is to serve. */
static uint32_t spare_segments(struct stp_map *m)
{
	uint32_t n = store_afford(PORT_SPARE_BYTES / (uint32_t)segment_bytes(m), segment_bytes(m));
	uint32_t missing = segments_missing(m), room = segments_room(m);

	n = n < missing ? n : missing;
	return n < room ? n : room;
}

/*
 * Adds a spare block, unless the worker is adding memory just now. Half of the blocks
 * that an array can have are left to the worker, whose blocks are larger.
 */
static void store_rescue(struct stp_map *m)
{
	uint32_t n;
	int32_t no = 0;
	void *block;

	if (READ_ONCE(m->nblocks) >= STP_MAP_BLOCKS / 2 || !try_cmpxchg32(&m->growing, &no, 1))
		return;
	n = spare_segments(m);
	block = n ? port_spare_take() : NULL;
	if (block) {
		uint64_t bytes = n * segment_bytes(m);

		__atomic_add_fetch(&stp_runtime.map_bytes, bytes, __ATOMIC_RELAXED);
		note_block(m, block, bytes);
		segments_publish(m, block, n);
	}
	smp_store_release(&m->growing, 0);
}

/*
 * The processor that fills the array is running, but that of the first worker may not be.
 * So when half of the rest is used, a second worker is woken here, or a spare block
 * added.
 */
static void store_ask(struct stp_map *m)
{
	int32_t workers = store_low(m, 2) ? 2 : 1;

	if (READ_ONCE(m->wanted) < workers) {
		WRITE_ONCE(m->wanted, workers);
		port_wake_worker((unsigned)workers - 1);
	}
	if (PORT_SPARES && store_low(m, 2))
		store_rescue(m);
}

/*
 * Wakes a worker when little is left. A handler that may sleep adds the memory itself.
 */
static void store_watch(struct stp_ctx *c, struct stp_map *m)
{
	if (!store_grows(m) || likely(!store_low(m, 1) && !buckets_few(m)))
		return;
	if (READ_ONCE(m->capped)) {
		say_full(c, m);
	} else if (c->sleepable && PORT_ALLOCATES) {
		store_grow(m);
	} else {
		store_ask(m);
	}
}

/* ---- entries ---- */

struct stp_map_class *stp_store_class(struct stp_map *m, uint32_t bytes)
{
	return &m->classes[m->fixed_class ? m->fixed_class : class_of(bytes)];
}

/* The entry gets its slot for good. */
uint32_t stp_store_take_new(struct stp_ctx *c, struct stp_map *m, struct stp_map_class *class)
{
	uint32_t n;

	store_watch(c, m);
	if (stp_map_has_parts(m) && m->slots_used == smp_load_acquire(&m->slots_ready))
		return 0;
	if (!class->left) {
		if (m->segments_used == smp_load_acquire(&m->segments_ready))
			return 0;
		class->next = ++m->segments_used << m->unit_bits;
		class->left = (1u << m->unit_bits) / class->units;
	}
	n = class->next;
	class->next += class->units;
	class->left--;
	if (m->count < spread_entries(m) && class->left) {
		class->next += class->units;
		class->left--;
	}
	if (stp_map_has_parts(m))
		*(uint32_t *)((uint8_t *)stp_map_entry(m, n) + m->value_at) = m->slots_used++;
	return n;
}

/* ---- emptying ---- */

static void words_clear(void *at, uint64_t words)
{
#ifdef __KERNEL__
	memset64(at, 0, words); /* by words, even if memset() works byte by byte */
#else
	memset(at, 0, words * sizeof(uint64_t));
#endif
}

static uint64_t slot_words(const struct stp_map *m)
{
	return (uint64_t)m->slots_used * (m->slot_bytes / sizeof(uint64_t));
}

uint64_t stp_store_clear_work(const struct stp_map *m)
{
	uint64_t parts = 0;

	for (uint32_t p = 0; stp_map_has_parts(m) && p < m->nparts; p++)
		parts += m->parts[p] != NULL;
	return m->active / 2 + parts * slot_words(m) + 4 * m->nclasses;
}

static void clear_slots(struct stp_map *m, uint8_t **segments)
{
	uint64_t left = slot_words(m),
		 each = (uint64_t)(m->slot_mask + 1) * (m->slot_bytes / sizeof(uint64_t));

	for (uint32_t i = 0; left; i++) {
		uint64_t words = left < each ? left : each;

		words_clear(segments[i], words);
		left -= words;
	}
}

static void clear_buckets(struct stp_map *m)
{
	uint32_t left = m->active, size = m->base;

	for (uint32_t i = 0; left; i++) {
		uint32_t n = left < size ? left : size;

		words_clear(m->tables[i], ((uint64_t)n + 1) / 2); /* a table has an even number */
		left -= n;
		size = i ? 2 * size : size; /* the second is as large as the first */
	}
}

/*
 * Empties the array. The buckets stay in use, because an array that is emptied again and
 * again grows to the same size each time.
 */
void stp_store_clear(struct stp_map *m)
{
	clear_buckets(m);
	for (uint32_t p = 0; stp_map_has_parts(m) && p < m->nparts; p++)
		if (m->parts[p])
			clear_slots(m, m->parts[p]);
	for (uint32_t i = 0; i < m->nclasses; i++)
		m->classes[i].free = m->classes[i].left = 0;
	m->slots_used = 0;
	m->segments_used = 0;
	m->oldest = m->newest = 0;
	WRITE_ONCE(m->count, 0);
	if (stp_map_has_shards(m))
		m->desc->shards->clear(m);
}

/* ---- creation ---- */

static bool create_parts(struct stp_map *m)
{
	m->parts = port_alloc(m->nparts * sizeof(m->parts[0]));
	if (!m->parts)
		return false;
	for (uint32_t p = 0; p < m->nparts; p++) {
		if (p + 1 < m->nparts && !port_cpu_possible(p))
			continue;
		m->parts[p] = port_alloc(m->slot_segments_most * sizeof(m->parts[p][0]));
		if (!m->parts[p])
			return false;
	}
	return store_add(m, &store_slots,
			 (m->slots_start + (1u << m->slot_bits) - 1) >> m->slot_bits);
}

bool stp_store_create(struct stp_map *m)
{
	uint32_t buckets = store_grows(m) ? START_BUCKETS : m->max;

	layout_entry(m);
	if (!layout_segments(m))
		return false;
	m->base = 8;
	while (m->base < buckets && m->base < 1u << 30)
		m->base *= 2;
	m->base_shift = (uint32_t)__builtin_ctz(m->base);
	m->active = m->base;
	m->mask = m->base - 1;
	m->segments_low = low_mark(m->segments_start);
	m->segments = port_alloc(((size_t)m->segments_most + 1) * sizeof(m->segments[0]));
	m->classes = port_alloc(m->nclasses * sizeof(m->classes[0]));
	m->piles = m->desc->sorts ? port_alloc(sizeof(*m->piles)) : NULL;
	for (uint32_t i = 0; m->classes && i < m->nclasses; i++)
		m->classes[i].units = class_units(i);
	if (!m->segments || !m->classes || (m->desc->sorts && !m->piles) ||
	    !store_add(m, &store_segments, m->segments_start) || !store_add(m, &store_tables, 1))
		return false;
	if (PORT_PARTS && m->desc->shards && !m->desc->shards->create(m))
		return false;
	if (!stp_map_has_parts(m))
		return true;
	layout_slots(m);
	m->slots_low = low_mark(m->slots_start);
	return create_parts(m);
}

uint64_t stp_store_growth(void)
{
	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];

		if (g->is_array && store_grows(*(struct stp_map **)g->place))
			return store_room();
	}
	return 0;
}

void stp_store_destroy(struct stp_map *m)
{
	for (uint32_t p = 0; m->parts && p < m->nparts; p++)
		port_free(m->parts[p]);
	for (uint32_t i = 0; i < m->nblocks; i++)
		port_free(m->blocks[i]);
	port_free(m->parts);
	port_free(m->classes);
	port_free(m->piles);
	port_free(m->shards);
	port_free(m->segments);
}
