/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/merge.c against rings made here: many random streams, hits cut into several
 * records, a horizon that creeps, stands still, or jumps, buffers of the least size, and
 * streams that are broken. The rings are read in small and large portions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/merge.c"

#define MAX_RINGS 9
#define STREAM	  (1u << 22)

static unsigned passed, failed;

static void check(bool ok, const char *what)
{
	if (ok)
		passed++;
	else
		fprintf(stderr, "FAIL: %s\n", what), failed++;
}

/*
 * A ring: bytes written (len), bytes that may be read (ready), bytes that have been read
 * (at).
 */
struct stream {
	uint8_t *data;
	size_t len, ready, at;
};

/* The body of every record. */
struct stamp {
	uint32_t ring, hit, part;
};

struct world {
	struct stream rings[MAX_RINGS];
	unsigned nrings;
	size_t portion; /* most bytes a read gives */
	/* Facts about the output. */
	uint64_t records, last_time, disorder;
	uint32_t next_hit[MAX_RINGS];
	bool wrong, inside;
	struct stamp last;
};

static size_t record_bytes(const struct stp_record *h)
{
	return sizeof(*h) + STP_RECORD_ALIGN(h->len);
}

static ssize_t world_read(void *ctx, unsigned ring, void *buf, size_t size)
{
	struct world *w = ctx;
	struct stream *s = &w->rings[ring];
	size_t n = 0;

	/* Gives whole records, as the module does. */
	while (s->at + n < s->ready) {
		size_t one = record_bytes((struct stp_record *)(s->data + s->at + n));
		if (n + one > size || (n && n + one > w->portion))
			break;
		n += one;
	}
	memcpy(buf, s->data + s->at, n);
	s->at += n;
	return (ssize_t)n;
}

static const char *world_emit(void *ctx, unsigned ring, const struct stp_record *head,
			      const uint8_t *body)
{
	struct world *w = ctx;
	struct stamp s;

	memcpy(&s, body, sizeof(s));
	w->records++;
	if (s.ring != ring)
		w->wrong = true;
	if (w->inside &&
	    (s.ring != w->last.ring || s.hit != w->last.hit || s.part != w->last.part + 1))
		w->wrong = true;
	if (!w->inside && (s.part != 0 || s.hit != w->next_hit[s.ring]++))
		w->wrong = true;
	if (!w->inside && head->time < w->last_time)
		w->disorder++;
	w->last_time = head->time > w->last_time ? head->time : w->last_time;
	w->inside = head->flags & RECORD_MORE;
	w->last = s;
	return NULL;
}

static const struct merge_ops ops = { .read = world_read, .emit = world_emit };

static void put_record(struct stream *s, uint64_t time, const struct stamp *st, uint32_t len,
		       bool more)
{
	struct stp_record h = { .time = time,
				.len = len < sizeof(*st) ? sizeof(*st) : len,
				.flags = more ? RECORD_MORE : 0 };

	memcpy(s->data + s->len, &h, sizeof(h));
	memcpy(s->data + s->len + sizeof(h), st, sizeof(*st));
	s->len += record_bytes(&h);
}

static uint32_t random_len(void)
{
	return random() % 50 ? (uint32_t)(random() % 200) : (uint32_t)(random() % STP_RECORD_MAX);
}

/*
 * Makes hits on random rings; times rise, sometimes not at all between two. Returns the
 * last time.
 */
static uint64_t world_fill(struct world *w, unsigned nrings, unsigned hits, unsigned chain_max)
{
	uint32_t next[MAX_RINGS] = { 0 };
	uint64_t time = 1000;

	*w = (struct world){ .nrings = nrings, .portion = (size_t)1 << (random() % 21) };
	for (unsigned i = 0; i < nrings; i++)
		w->rings[i].data = malloc(STREAM);
	for (unsigned n = 0; n < hits; n++) {
		unsigned r = (unsigned)random() % nrings,
			 parts = random() % 10 ? 1 : 1 + (unsigned)random() % chain_max;
		struct stream *s = &w->rings[r];
		struct stamp st = { .ring = r, .hit = next[r] };

		if (s->len + parts * (size_t)MERGE_BUFFER_MIN > STREAM)
			continue;
		next[r]++;
		// Two hits of one ring never have the same time.
		time += 1 + (uint64_t)random() % 100;
		for (st.part = 0; st.part < parts; st.part++)
			put_record(s, time, &st, random_len(), st.part + 1 < parts);
	}
	return time;
}

static void world_free(struct world *w)
{
	for (unsigned i = 0; i < w->nrings; i++)
		free(w->rings[i].data);
}

/* Makes all records with a time of at most t readable, and a bit more on some rings. */
static void world_release(struct world *w, uint64_t t)
{
	for (unsigned i = 0; i < w->nrings; i++) {
		struct stream *s = &w->rings[i];
		size_t extra = random() % 3 ? 0 : (size_t)random() % 4;

		while (s->ready < s->len) {
			struct stp_record *h = (struct stp_record *)(s->data + s->ready);
			if (h->time > t && !extra)
				break;
			extra -= h->time > t;
			s->ready += record_bytes(h);
		}
	}
}

static uint64_t world_total(const struct world *w)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < w->nrings; i++) {
		for (size_t at = 0; at < w->rings[i].len; n++)
			at += record_bytes((struct stp_record *)(w->rings[i].data + at));
	}
	return n;
}

static bool world_done(const struct world *w, const struct merge *m)
{
	return w->records == world_total(w) && m->records == w->records && !w->wrong && !w->inside;
}

/* Everything comes out, in order, chains whole, and nothing beyond the horizon. */
static void test_random(void)
{
	for (unsigned seed = 1; seed <= 40; seed++) {
		struct world w;
		struct merge m;
		bool early = false, ok = true;

		srandom(seed);
		uint64_t end = world_fill(&w, 1 + seed % MAX_RINGS, 3000, 4);
		/*
		 * Room for all that world_release() gives early: the horizon never has to
		 * be passed by.
		 */
		ok = !merge_init(&m, w.nrings, 24 * MERGE_BUFFER_MIN, &ops, &w);
		for (uint64_t t = 0; ok && t < end; t += (uint64_t)random() % 3000) {
			world_release(&w, t);
			ok = merge_round(&m, t) >= 0;
			early |= w.last_time > t && m.forced == 0;
		}
		world_release(&w, end);
		while (ok && merge_round(&m, MERGE_FINAL) > 0)
			;
		check(ok && world_done(&w, &m), "random streams come out whole");
		check(!w.disorder && !m.forced, "random streams come out in order");
		check(!early, "nothing passes the horizon");
		merge_deinit(&m);
		world_free(&w);
	}
}

/*
 * The horizon stands still while one hit prints more than all buffers hold: memory does
 * not grow, and it comes out.
 */
static void test_standstill(void)
{
	struct world w;
	struct merge m;
	struct stamp st = { .ring = 0 };

	srandom(7);
	world_fill(&w, 3, 0, 1);
	for (st.part = 0; st.part < 50; st.part++)
		put_record(&w.rings[0], 500, &st, 60000, st.part < 49);
	st = (struct stamp){ .ring = 1 };
	put_record(&w.rings[1], 400, &st, 20, false);
	world_release(&w, 1000);
	check(!merge_init(&m, 3, 0, &ops, &w), "init");
	check(merge_round(&m, 100) == 0, "a first round holds everything back");
	for (int i = 0; i < 5; i++)
		merge_round(&m, 100);
	check(world_done(&w, &m) && w.records == 51,
	      "a long hit passes a horizon that stands still");
	check(!w.disorder, "what is older than the long hit comes first");
	check(m.capacity == MERGE_BUFFER_MIN, "in the least memory");
	merge_deinit(&m);
	world_free(&w);
}

/*
 * A hit whose rest never came (its ring was full) ends where the next begins, and delays
 * nobody.
 */
static void test_broken_chain(void)
{
	struct world w;
	struct merge m;
	struct stamp st = { .ring = 0 }, other = { .ring = 1 };

	world_fill(&w, 2, 0, 1);
	put_record(&w.rings[0], 500, &st, 20, true);
	st.hit = 1;
	put_record(&w.rings[0], 700, &st, 20, false);
	put_record(&w.rings[1], 600, &other, 20, false);
	world_release(&w, 1000);
	check(!merge_init(&m, 2, 0, &ops, &w), "init");
	check(merge_round(&m, 1000) == 3, "a cut hit holds nobody up");
	check(!w.disorder, "and leaves the order alone");
	merge_deinit(&m);
	world_free(&w);
}

/* A chain that is not whole yet waits, and nothing comes between. */
static void test_open_chain(void)
{
	struct world w;
	struct merge m;
	struct stamp st = { .ring = 0 }, other = { .ring = 1 };

	world_fill(&w, 2, 0, 1);
	for (st.part = 0; st.part < 4; st.part++)
		put_record(&w.rings[0], 500, &st, 60000, st.part < 3);
	put_record(&w.rings[1], 600, &other, 20, false);
	w.rings[1].ready = w.rings[1].len;
	w.rings[0].ready = 2 * record_bytes((struct stp_record *)w.rings[0].data);
	check(!merge_init(&m, 2, 0, &ops, &w), "init");
	for (int i = 0; i < 4; i++)
		check(merge_round(&m, 100) >= 0, "round");
	check(w.records == 2 && w.inside, "a chain that has begun is held open");
	world_release(&w, 1000);
	merge_round(&m, 1000);
	check(world_done(&w, &m) && w.records == 5, "and goes on with its own ring");
	merge_deinit(&m);
	world_free(&w);
}

static void expect_broken(const struct stp_record *bad, size_t cut, const char *what)
{
	struct world w;
	struct merge m;
	struct stamp st = { .ring = 1 };
	long rc = 0;

	world_fill(&w, 2, 0, 1);
	put_record(&w.rings[1], 10, &st, 40, false);
	size_t offset = w.rings[1].len;
	memcpy(w.rings[1].data + offset, bad, sizeof(*bad));
	check(!merge_init(&m, 2, 0, &ops, &w), "init");
	/* The records are put there directly: world_read() would not give such ones. */
	m.rings[1].buf = malloc(m.capacity);
	m.rings[1].end = offset + sizeof(*bad) - cut;
	memcpy(m.rings[1].buf, w.rings[1].data, m.rings[1].end);
	for (int i = 0; i < 3 && rc >= 0; i++)
		rc = merge_round(&m, MERGE_FINAL);
	check(rc == -1 && m.error.ring == 1 && m.error.offset == offset, what);
	merge_deinit(&m);
	world_free(&w);
}

static void test_broken_streams(void)
{
	expect_broken(&(struct stp_record){ .time = 20, .len = STP_RECORD_MAX + 1 }, 0,
		      "a length too large is refused");
	expect_broken(&(struct stp_record){ .time = 20, .kind = RECORD_KINDS }, 0,
		      "an unknown kind is refused");
	expect_broken(&(struct stp_record){ .time = 20, .flags = RECORD_FLAGS + 1 }, 0,
		      "unknown flags are refused");
	expect_broken(&(struct stp_record){ .time = 20, .len = 8 }, 0,
		      "a record cut short is refused");
	expect_broken(&(struct stp_record){ .time = 20 }, 8, "a header cut short is refused");
}

static ssize_t failing_read(void *ctx, unsigned ring, void *buf, size_t size)
{
	return ring == 2 ? -EIO : 0;
}

static void test_read_error(void)
{
	static const struct merge_ops failing = { .read = failing_read, .emit = world_emit };
	struct merge m;

	check(!merge_init(&m, 3, 0, &failing, NULL), "init");
	check(merge_round(&m, 1) == -1 && m.error.ring == 2 && strstr(m.error.what, "Input/output"),
	      "a read that fails is reported");
	merge_deinit(&m);
}

int main(void)
{
	test_random();
	test_standstill();
	test_broken_chain();
	test_open_chain();
	test_broken_streams();
	test_read_error();
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
