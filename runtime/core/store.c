/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of arrays. Handlers never allocate: they take entries out of segments that are there already. When
 * what is left has become little, a handler wakes the worker (port_wake_worker), which brings more, outside any
 * handler and without a lock: it writes behind what is ready, and then says how much that is.
 *
 *   segments  of entries; a class of entries of one size takes a whole one at a time
 *   slots     values of maps with parts: the same number of them in each part
 *   tables    of buckets, each as large as all before it
 *
 * An array with a limit gets all at once, entries of its longest keys.
 */
#include "core/map.h"
#include "core/state.h"

#define SEGMENT_BYTES	  (16u << 10)
#define SEGMENTS_WISHED	  8192u /* no more, if larger ones will do */
#define SEGMENT_ENTRIES	  4	/* at least */
#define START_ENTRIES	  2048u /* an array that grows begins with as many of its longest keys, */
#define START_MOST	  (2u << 20)
#define START_LEAST	  (512u << 10) /* but with this much at least, and not with more than that */
#define START_SLOTS_LEAST 64u
#define START_SLOTS_MOST  (8u << 20) /* bytes */
#define START_BUCKETS	  4096u
#define SPARE_MOST	  (4u << 20) /* bytes ahead; large arrays an eighth */

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

static void layout_entry(struct stp_map *m)
{
	const struct stp_map_desc *desc = m->desc;
	uint32_t at = sizeof(struct stp_map_entry), strings = 0;

	m->nkeys = desc->nkeys;
	if (desc->nkeys == 1)
		m->keys = desc->key_types[0] == STP_STRING ? STP_MAP_STRING : STP_MAP_LONG;
	for (unsigned k = 0; k < desc->nkeys; k++) {
		m->key_at[k] = (uint8_t)(desc->key_types[k] == STP_STRING ? strings++ : at);
		at += desc->key_types[k] == STP_STRING ? 0 : sizeof(int64_t);
	}
	m->value_at = at;
	at += m->nparts ? sizeof(uint32_t) : value_bytes(m);
	m->links_at = at;
	m->strings_at = at + desc->sorts * (uint32_t)sizeof(uint32_t);
	m->entry_most = m->strings_at + strings * (uint32_t)(sizeof(uint16_t) + stp_script.limits.string - 1);
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

/* How large segments are, and how many there can be. False: more than entries can be numbered. */
static bool layout_segments(struct stp_map *m)
{
	uint32_t per, bytes = SEGMENT_BYTES;
	uint64_t most;

	m->fixed_class = store_grows(m) && m->entry_most > ((m->strings_at + 7) & ~7u) ? 0 : class_of(m->entry_most);
	m->nclasses = class_of(m->entry_most) + 1;
	while (bytes < SEGMENT_ENTRIES * 8 * class_units(class_of(m->entry_most)))
		bytes *= 2;
	for (;; bytes *= 2) {
		per = bytes / (8 * class_units(class_of(m->entry_most)));
		most = store_grows(m) ? store_limit() / bytes + START_MOST / bytes + 1
				      : (uint64_t)m->max / per + 1;
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

		many = many > START_ENTRIES ? START_ENTRIES : many < START_SLOTS_LEAST ? START_SLOTS_LEAST : many;
		m->slots_start = (uint32_t)(small > many ? small : many);
		most = m->slots_start + store_limit() / all;
	}
	m->slot_segments_most = (uint32_t)(most >> m->slot_bits) + 2;
}

/* ---- memory ---- */

/* Counts for all arrays together. Those that do not grow are not asked to stay below the limit. */
static void *store_block(struct stp_map *m, uint64_t bytes)
{
	void *block = m->nblocks < STP_MAP_BLOCKS ? port_alloc(bytes) : NULL;

	if (!block)
		return NULL;
	m->blocks[m->nblocks++] = block;
	m->bytes += bytes;
	__atomic_add_fetch(&stp_runtime.map_bytes, bytes, __ATOMIC_RELAXED);
	return block;
}

/* What growing arrays may still take. */
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

/* `bytes` holds for one more; returns how many there is room for. */
static uint32_t store_afford(uint32_t wanted, uint64_t bytes)
{
	uint64_t most = store_room() / bytes;

	return wanted < most ? wanted : (uint32_t)most;
}

static bool add_segments(struct stp_map *m, uint32_t n)
{
	size_t bytes = (size_t)8 << m->unit_bits;
	uint8_t *block = n ? store_block(m, n * bytes) : NULL;

	if (!block)
		return false;
	for (uint32_t i = 1; i <= n; i++, block += bytes)
		m->segments[m->segments_ready + i] = block;
	smp_store_release(&m->segments_ready, m->segments_ready + n);
	return true;
}

/* The same number of segments for each part, from one block. */
static bool add_slots(struct stp_map *m, uint32_t segments)
{
	size_t bytes = (size_t)m->slot_bytes << m->slot_bits;
	uint32_t first = m->slots_ready >> m->slot_bits;
	uint8_t *block = segments ? store_block(m, segments * bytes * parts_real(m)) : NULL;

	if (!block)
		return false;
	for (uint32_t p = 0; p < m->nparts; p++) {
		if (!m->parts[p])
			continue;
		for (uint32_t i = 0; i < segments; i++, block += bytes)
			m->parts[p][first + i] = block;
	}
	smp_store_release(&m->slots_ready, m->slots_ready + (segments << m->slot_bits));
	return true;
}

static bool add_table(struct stp_map *m)
{
	uint32_t buckets = m->ntables ? m->buckets_ready : m->base;
	uint32_t *table = m->ntables < STP_MAP_TABLES ? store_block(m, (uint64_t)buckets * sizeof(*table)) : NULL;

	if (!table)
		return false;
	m->tables[m->ntables++] = table;
	smp_store_release(&m->buckets_ready, m->buckets_ready + buckets);
	return true;
}

/* ---- growing ---- */

static bool grow_segments(struct stp_map *m)
{
	uint32_t bytes = 8u << m->unit_bits, used = READ_ONCE(m->segments_used);
	uint32_t spare = spare_wanted(used, m->segments_start, SPARE_MOST / bytes);
	uint32_t n = used + spare - m->segments_ready;

	WRITE_ONCE(m->segments_low, spare / 2);
	if ((int32_t)n <= 0)
		return true;
	if (n > m->segments_most - m->segments_ready)
		n = m->segments_most - m->segments_ready;
	return add_segments(m, store_afford(n, bytes));
}

static bool grow_slots(struct stp_map *m)
{
	uint32_t used = READ_ONCE(m->slots_used);
	uint64_t all = (uint64_t)m->slot_bytes * parts_real(m);
	uint32_t spare = spare_wanted(used, m->slots_start, (uint32_t)(SPARE_MOST / all));
	int32_t n = (int32_t)(used + spare - m->slots_ready) >> m->slot_bits;

	WRITE_ONCE(m->slots_low, spare / 2);
	if (n <= 0)
		return true;
	if ((uint32_t)n > m->slot_segments_most - (m->slots_ready >> m->slot_bits))
		n = (int32_t)(m->slot_segments_most - (m->slots_ready >> m->slot_bits));
	return add_slots(m, store_afford((uint32_t)n, all << m->slot_bits));
}

static bool buckets_few(const struct stp_map *m)
{
	return (uint64_t)READ_ONCE(m->count) * 8 > (uint64_t)READ_ONCE(m->buckets_ready) * 9;
}

/* Too few buckets only make an array slower. */
static void grow_buckets(struct stp_map *m)
{
	while (buckets_few(m) && store_afford(1, (uint64_t)m->buckets_ready * sizeof(uint32_t)))
		if (!add_table(m))
			break;
}

/* By one at a time; a second one has nothing to do. */
static void store_grow(struct stp_map *m)
{
	int32_t no = 0;
	bool whole;

	if (!try_cmpxchg32(&m->growing, &no, 1))
		return;
	WRITE_ONCE(m->wanted, 0);
	whole = grow_segments(m);
	if (m->nparts)
		whole &= grow_slots(m);
	grow_buckets(m);
	if (!whole)
		WRITE_ONCE(m->capped, true);
	smp_store_release(&m->growing, 0);
}

void stp_maps_grow(void)
{
	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];
		struct stp_map *m = g->is_array ? *(struct stp_map **)g->place : NULL;

		if (m && READ_ONCE(m->wanted))
			store_grow(m);
	}
}

/* Once for each array. */
static void say_full(struct stp_ctx *c, struct stp_map *m)
{
	bool is_limit = !store_afford(1, (uint64_t)8 << m->unit_bits);
	char text[200];
	int n;

	if (m->said_full)
		return;
	m->said_full = true;
	n = snprintf(text, sizeof(text), "array '%.80s' grows no further: %s %u MB; it has %u elements", m->desc->name,
		     is_limit ? "arrays have reached MAXMAPMEMORY," : "there is no memory; arrays have",
		     is_limit ? stp_script.limits.map_memory : (unsigned)(stp_runtime.map_bytes >> 20), m->count);
	stp_warn(c, (struct stp_str){ text, (uint32_t)n });
}

static bool store_low(const struct stp_map *m)
{
	if (READ_ONCE(m->segments_ready) - m->segments_used < READ_ONCE(m->segments_low))
		return true;
	if (m->nparts && READ_ONCE(m->slots_ready) - m->slots_used < READ_ONCE(m->slots_low))
		return true;
	return buckets_few(m);
}

/* A handler that may sleep brings the memory itself. */
static void store_watch(struct stp_ctx *c, struct stp_map *m)
{
	if (!store_grows(m) || likely(!store_low(m)))
		return;
	if (READ_ONCE(m->capped)) {
		say_full(c, m);
	} else if (c->sleepable) {
		store_grow(m);
	} else if (!READ_ONCE(m->wanted)) {
		WRITE_ONCE(m->wanted, 1);
		port_wake_worker();
	}
}

/* ---- entries ---- */

struct stp_map_class *stp_store_class(struct stp_map *m, uint32_t bytes)
{
	return &m->classes[m->fixed_class ? m->fixed_class : class_of(bytes)];
}

/* It gets its slot for good. */
uint32_t stp_store_take_new(struct stp_ctx *c, struct stp_map *m, struct stp_map_class *class)
{
	uint32_t n;

	store_watch(c, m);
	if (m->nparts && m->slots_used == smp_load_acquire(&m->slots_ready))
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
	if (m->nparts)
		*(uint32_t *)((uint8_t *)stp_map_entry(m, n) + m->value_at) = m->slots_used++;
	return n;
}

/* ---- emptying ---- */

static void words_clear(void *at, uint64_t words)
{
#ifdef __KERNEL__
	memset64(at, 0, words); /* in words also where memset() goes byte by byte */
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

	for (uint32_t p = 0; p < m->nparts; p++)
		parts += m->parts[p] != NULL;
	return m->active / 2 + parts * slot_words(m) + 4 * m->nclasses;
}

static void clear_slots(struct stp_map *m, uint8_t **segments)
{
	uint64_t left = slot_words(m), each = (uint64_t)(m->slot_mask + 1) * (m->slot_bytes / sizeof(uint64_t));

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

		words_clear(m->tables[i], ((uint64_t)n + 1) / 2); /* of a table's even number */
		left -= n;
		size = i ? 2 * size : size; /* the second is as large as the first */
	}
}

/* The buckets stay in use: an array that is emptied again and again is as large each time. */
void stp_store_clear(struct stp_map *m)
{
	clear_buckets(m);
	for (uint32_t p = 0; p < m->nparts; p++)
		if (m->parts[p])
			clear_slots(m, m->parts[p]);
	for (uint32_t i = 0; i < m->nclasses; i++)
		m->classes[i].free = m->classes[i].left = 0;
	m->slots_used = 0;
	m->segments_used = 0;
	m->oldest = m->newest = 0;
	WRITE_ONCE(m->count, 0);
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
	return add_slots(m, (m->slots_start + (1u << m->slot_bits) - 1) >> m->slot_bits);
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
	m->segments_low = m->segments_start / 2;
	m->segments = port_alloc(((size_t)m->segments_most + 1) * sizeof(m->segments[0]));
	m->classes = port_alloc(m->nclasses * sizeof(m->classes[0]));
	for (uint32_t i = 0; m->classes && i < m->nclasses; i++)
		m->classes[i].units = class_units(i);
	if (!m->segments || !m->classes || !add_segments(m, m->segments_start) || !add_table(m))
		return false;
	if (!m->nparts)
		return true;
	layout_slots(m);
	m->slots_low = m->slots_start / 2;
	return create_parts(m);
}

void stp_store_destroy(struct stp_map *m)
{
	for (uint32_t p = 0; m->parts && p < m->nparts; p++)
		port_free(m->parts[p]);
	for (uint32_t i = 0; i < m->nblocks; i++)
		port_free(m->blocks[i]);
	port_free(m->parts);
	port_free(m->classes);
	port_free(m->segments);
}
