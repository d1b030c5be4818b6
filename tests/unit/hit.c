/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core/hit.c and the code it drives: threads as CPUs, hits until everything that can
 * happen to one has happened, and books that add up.
 */
#include "script.h"

#include <pthread.h>

#define CPUS 4
#define HITS 20000

static int64_t shared;
static struct stp_lock lock_shared;
static const struct stp_lock_use locks[] = { { &lock_shared, STP_LOCK_WRITE } };
static const struct stp_global globals[] = {
	{ .name = "shared", .type = STP_LONG, .place = &shared, .lock = &lock_shared }
};
static bool fail_all;

static const struct stp_format formats[] = { { "%d\n", 3, "d", NULL, NULL },
					     { "%s", 2, "s", NULL, NULL },
					     { "[%4M]", 5, "d", stp_format_dump, NULL } };

/* Two lines of one hit, which must not be separated. */
static void print_two(struct stp_ctx *c)
{
	union stp_key a[] = { { .i = c->cpu } };

	shared++;
	stp_printf(c, 0, a);
	stp_printf(c, 0, a);
}

static void print_much(struct stp_ctx *c)
{
	char text[1000];

	memset(text, 'a' + (int)c->cpu, sizeof(text));
	for (int i = 0; i < 200; i++)
		stp_print_text(c, text, sizeof(text));
}

static void divide(struct stp_ctx *c)
{
	stp_print_text(c, "before ", 7);
	stp_div(c, 1, fail_all ? 0 : 1);
	stp_where(c, "near unit.stp:1:2");
}

static uint64_t long_cycles; /* hits began so long ago */

static void hit_again(struct stp_ctx *c)
{
	struct stp_cpu *cpu = stp_runtime.cpus[c->cpu];

	if (long_cycles) {
		cpu->began = port_cycles() - long_cycles;
		cpu->cycles_from = (uint32_t)cpu->began;
		cpu->times[c->probe->index] = (struct stp_time){ .left = -1, .given = -1 };
	}
	stp_hit(c->probe, NULL, NULL, NULL);
}

/*
 * Items of all lengths, one to a hit or two, messages between them, more than a record
 * holds, and hits that fail. Each item is its hit's number, then bytes made of that.
 */
static void print_mixed(struct stp_ctx *c)
{
	static uint64_t numbers[CPUS];
	static char text[CPUS][60000];
	uint64_t n = ++numbers[c->cpu];
	char *at = text[c->cpu];
	size_t len = n % 997 ? 8 + n * 7919 % 900 : sizeof(text[0]);
	struct stp_str warning = { "between", 7 };

	memset(at, (int)(n % 251), len);
	memcpy(at, &n, sizeof(n));
	stp_print_text(c, at, (uint32_t)len);
	if (n % 7 == 0)
		stp_warn(c, warning);
	if (n % 5 == 0)
		stp_print_text(c, at, (uint32_t)len);
	if (n % 11 == 0)
		stp_div(c, 1, 0);
}

static bool never(struct stp_ctx *c)
{
	return false;
}

#define PROBE(n, h)                                                                                \
	.pp = "unit(\"" #n "\")", .pn = "unit(\"" #n "\")", .handler = h, .family = UNIT_FAMILY,   \
	.index = n
static const struct stp_probe probes[] = {
	{ PROBE(0, print_two), .locks = locks, .nlocks = 1 },
	{ PROBE(1, print_much) },
	{ PROBE(2, divide) },
	{ PROBE(3, hit_again) },
	{ PROBE(4, print_two), .condition = never },
	{ PROBE(5, print_mixed) },
};
const struct stp_script stp_script = {
	.name = "unit",
	.frame_bytes = 1024,
	.probes = probes,
	.nprobes = 6,
	.formats = formats,
	.nformats = 3,
	.globals = globals,
	.nglobals = 1,
	.limits = { .string = 64,
		    .string_short = 63,
		    .map_entries = 100,
		    .action = 1000,
		    .action_slow = 10000,
		    .nesting = 10,
		    .trylock = 2,
		    .trylock_delay = 1,
		    .errors = 1u << 30,
		    .buffer_mb = 1 },
};

static char output[1 << 24];
static size_t output_len;

static void start(void)
{
	char error[256];

	user_cpu_count = CPUS;
	fail_all = false;
	shared = 0;
	CHECK_LONG(stp_session_create(), 0);
	CHECK_LONG(stp_session_start(0, error, sizeof(error)), 0);
	CHECK_LONG(stp_session_state(), STP_RUNNING);
}

static void finish(struct stp_status *status)
{
	stp_session_stop(true);
	CHECK(!stp_hit(&probes[0], NULL, NULL, NULL)); /* stopping: no hit */
	stp_books_status(status);
	CHECK_LONG((long long)status->hits,
		   (long long)(status->delivered + status->dropped + status->skipped));
	CHECK_LONG(status->state, STP_STOPPED);
}

/*
 * Reads every ring; checks that the times of a ring never fall behind a horizon that was
 * promised.
 */
static uint64_t take_records(uint64_t promised, uint64_t *records)
{
	static uint8_t buf[1 << 17];
	uint64_t horizon = stp_session_horizon();

	for (unsigned i = 0; i < stp_session_nrings(); i++) {
		size_t n;

		while ((n = stp_ring_read(stp_session_ring(i), buf, sizeof(buf)))) {
			for (size_t at = 0; at < n;) {
				struct stp_record head;

				memcpy(&head, buf + at, sizeof(head));
				CHECK(head.time > promised);
				*records += !(head.flags & RECORD_MORE);
				if (output_len + head.len < sizeof(output)) {
					memcpy(output + output_len, buf + at + sizeof(head),
					       head.len);
					output_len += head.len;
				}
				at += sizeof(head) + STP_RECORD_ALIGN(head.len);
			}
		}
	}
	return horizon > promised ? horizon : promised;
}

static int running;

static void *hit_many(void *arg)
{
	user_cpu = (unsigned)(uintptr_t)arg;
	for (int i = 0; i < HITS; i++)
		stp_hit(&probes[0], NULL, NULL, NULL);
	__atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void many_cpus(void)
{
	pthread_t t[CPUS];
	struct stp_status status;
	uint64_t records = 0, promised = 0;

	start();
	running = CPUS;
	for (uintptr_t i = 0; i < CPUS; i++)
		pthread_create(&t[i], NULL, hit_many, (void *)i);
	while (__atomic_load_n(&running, __ATOMIC_SEQ_CST))
		promised = take_records(promised, &records);
	for (int i = 0; i < CPUS; i++)
		pthread_join(t[i], NULL);
	take_records(promised, &records);
	finish(&status);
	CHECK_LONG((long long)status.hits, CPUS * HITS);
	CHECK_LONG((long long)status.delivered, (long long)records);
	CHECK_LONG(shared, (long long)(status.delivered + status.dropped));
	stp_session_destroy();
}

static void *hit_mixed(void *arg)
{
	user_cpu = (unsigned)(uintptr_t)arg;
	for (int i = 0; i < HITS; i++)
		stp_hit(&probes[5], NULL, NULL, NULL);
	__atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

/* Checks the items of a record; returns how many there are. */
static uint64_t check_items(const uint8_t *body, size_t len, uint64_t *last)
{
	uint64_t n, items = 0;
	uint16_t head[2];

	for (size_t at = 0; at < len; items++) {
		memcpy(head, body + at, sizeof(head));
		at += sizeof(head);
		CHECK(head[0] == STP_FORMAT_TEXT && head[1] >= sizeof(n) && at + head[1] <= len);
		memcpy(&n, body + at, sizeof(n));
		CHECK(n >= *last);
		*last = n;
		for (size_t i = sizeof(n); i < head[1]; i++)
			if (body[at + i] != n % 251) {
				CHECK(body[at + i] == n % 251);
				return items;
			}
		at += head[1];
	}
	return items;
}

static uint64_t check_ring(unsigned ring, uint64_t *last)
{
	static uint8_t buf[1 << 18];
	struct stp_record head;
	uint64_t hits = 0;
	size_t n = stp_ring_read(stp_session_ring(ring), buf, sizeof(buf));

	for (size_t at = 0; at < n; at += sizeof(head) + STP_RECORD_ALIGN((size_t)head.len)) {
		memcpy(&head, buf + at, sizeof(head));
		CHECK(at + sizeof(head) + head.len <= n);
		if (head.kind == RECORD_OUTPUT)
			CHECK(check_items(buf + at + sizeof(head), head.len, last));
		hits += !!(head.flags & RECORD_FIRST) && head.kind != RECORD_ERROR;
	}
	return hits;
}

/* Every ring wraps many times while it is read, and is full at times. */
static void mixed_output(void)
{
	uint64_t last[CPUS + 1] = { 0 }, hits = 0;
	struct stp_status status;
	pthread_t t[CPUS];

	start();
	running = CPUS;
	for (uintptr_t i = 0; i < CPUS; i++)
		pthread_create(&t[i], NULL, hit_mixed, (void *)i);
	while (__atomic_load_n(&running, __ATOMIC_SEQ_CST))
		for (unsigned i = 0; i < stp_session_nrings(); i++)
			hits += check_ring(i, &last[i]);
	for (int i = 0; i < CPUS; i++)
		pthread_join(t[i], NULL);
	for (unsigned i = 0; i < stp_session_nrings(); i++)
		for (uint64_t more; (more = check_ring(i, &last[i]));)
			hits += more;
	finish(&status);
	CHECK_LONG((long long)status.hits, CPUS * HITS);
	CHECK(status.skipped >= 1 && status.skipped <= CPUS * (HITS / 11 + 1));
	CHECK(hits >= status.delivered && hits <= status.delivered + status.skipped);
	stp_session_destroy();
}

/* Hits of 200 KB into a ring of 1 MB: five whole ones, then nothing of the sixth. */
static void whole_or_not_at_all(void)
{
	struct stp_status status;
	uint64_t records = 0;

	start();
	for (int i = 0; i < 10; i++)
		CHECK(stp_hit(&probes[1], NULL, NULL, NULL) == (i < 5));
	output_len = 0;
	take_records(0, &records);
	CHECK_LONG((long long)records, 5);
	CHECK_LONG((long long)output_len, 5 * 200 * 1004);
	finish(&status);
	CHECK_LONG((long long)status.delivered, 5);
	CHECK_LONG((long long)status.dropped, 5);
	stp_session_destroy();
}

static void errors(void)
{
	struct stp_status status;
	uint64_t records = 0;

	start();
	fail_all = true;
	CHECK(!stp_hit(&probes[2], NULL, NULL, NULL));
	output_len = 0;
	take_records(0, &records);
	CHECK_LONG((long long)records, 2);
	output[output_len] = 0;
	CHECK(!memcmp(output + 4, "before ", 7));
	CHECK_TEXT(output + 11, "division by 0 near unit.stp:1:2 in probe unit(\"2\")");
	finish(&status);
	CHECK_LONG((long long)status.errors, 1);
	CHECK_LONG((long long)status.skipped, 1);
	stp_session_destroy();
}

static char lines[4096];
static unsigned long long times[6];

static void add_line(void *ctx, const char *text)
{
	unsigned long long ns;
	unsigned probe;

	if (sscanf(text, "time\t%u\t%llu\n", &probe, &ns) == 2)
		times[probe] = ns;
	else
		strcat(lines, text);
}

static void books(void)
{
	struct stp_status status;

	start();
	CHECK(stp_hit(&probes[3], NULL, NULL, NULL));  /* and the one inside it */
	CHECK(!stp_hit(&probes[4], NULL, NULL, NULL)); /* its condition is false: no hit */
	user_cpu = 2;
	lock_shared = (struct stp_lock){ .state = 1 };
	CHECK(!stp_hit(&probes[0], NULL, NULL, NULL));
	lock_shared.state = 0;
	CHECK(stp_hit(&probes[0], NULL, NULL, NULL));
	user_cpu = 0;
	finish(&status);
	lines[0] = 0;
	stp_books_write(add_line, NULL);
	CHECK_TEXT(lines, "probe\t0\t2\t2\t1\t0\t1\tunit(\"0\")\n"
			  "probe\t3\t0\t2\t1\t0\t1\tunit(\"3\")\n"
			  "skipped\treentrant\t1\n"
			  "skipped\tlock\t1\n"
			  "skipped\tstopping\t1\n"
			  "contended\tshared\t1\n");
	CHECK(times[0] && times[3] && times[4] && !times[1]);
	stp_session_destroy();
}

/* The books have all cycles of a hit that takes longer than 32 bits count. */
static void long_hit(void)
{
	const uint64_t many = 5ull << 32;
	struct stp_status status;
	uint64_t ns = port_cycles_ns(many);

	start();
	long_cycles = many;
	CHECK(stp_hit(&probes[3], NULL, NULL, NULL));
	long_cycles = 0;
	finish(&status);
	stp_books_write(add_line, NULL);
	CHECK(times[3] > ns / 2 && times[3] < ns * 2);
	stp_session_destroy();
}

static void memory_dumps(void)
{
	static const uint8_t bytes[] = { 0xde, 0xad };
	union stp_key a[] = { { .i = (int64_t)(uintptr_t)bytes } };
	struct stp_ctx *c;
	char dst[64];

	start();
	c = unit_context();
	stp_sprintf(c, dst, 2, a);
	CHECK_TEXT(dst, "[  de]");
	a[0].i = 8;
	stp_sprintf(c, dst, 2, a);
	CHECK_TEXT(c->error, "read fault [man error::fault] at 0x8");
	c->error = NULL;
	stp_session_destroy();
}

int main(void)
{
	RUN(many_cpus);
	RUN(mixed_output);
	RUN(whole_or_not_at_all);
	RUN(errors);
	RUN(books);
	RUN(long_hit);
	RUN(memory_dumps);
	return unit_end();
}
