/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scale: what arrays cost as they grow and as processors join, in user space: the
 * runtime's core, whole hits with locks and books. With an argument: arrays of 10 to
 * 1,000,000 elements, what an update costs and an element takes beyond its key and its
 * value; a sorted loop over 100,000. In a guest that counts time in instructions a
 * nanosecond is one. Without: one and two threads that do what B, C and D of
 * tests/bench/cost do, or set an element of their own: processor time of a hit, which
 * grows where they get into each other's way, and so how many times as many events two
 * processors take. The last cases are a value that is read back, and an element that is
 * deleted, with one lock for the array and with locks of elements. A number as argument:
 * so many threads instead of two. What the machine has to do with that (two virtual
 * processors may share a real one, or its caches) two processes tell, which have no
 * memory in common.
 */
#define STP_NO_MAIN
#include "user/runtime.c"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#define SECONDS	     2
#define THREADS_MOST 64

static struct stp_map *flat, *names, *lasts, *locked, *sharded;
static struct stp_stat *sizes;
static const struct stp_map_desc desc_flat = {
	.name = "flat", .nkeys = 1, .key_types = { STP_LONG }, .sorts = 1
};
static const struct stp_map_desc desc_names = {
	.name = "names", .nkeys = 1, .key_types = { STP_STRING }, .adds = true
};
static const struct stp_map_desc desc_lasts = {
	.name = "lasts", .nkeys = 1, .key_types = { STP_LONG }, .sets = true
};
static const struct stp_map_desc desc_locked = { .name = "locked",
						 .nkeys = 1,
						 .key_types = { STP_LONG } };
static const struct stp_map_desc desc_sharded = {
	.name = "sharded", .nkeys = 1, .key_types = { STP_LONG }, .shards = &stp_shards_calls
};
static const struct stp_stat_desc desc_sizes = { .name = "sizes", .hist = STP_HIST_LOG };
static const struct stp_global globals[] = {
	{ .name = "flat", .is_array = true, .place = &flat, .desc = &desc_flat },
	{ .name = "names", .is_array = true, .place = &names, .desc = &desc_names },
	{ .name = "lasts", .is_array = true, .place = &lasts, .desc = &desc_lasts },
	{ .name = "locked", .is_array = true, .place = &locked, .desc = &desc_locked },
	{ .name = "sharded", .is_array = true, .place = &sharded, .desc = &desc_sharded },
	{ .name = "sizes", .type = STP_STATS, .place = &sizes, .desc = &desc_sizes },
};

static struct stp_lock lock_names = { .adders = 1 }, lock_lasts = { .adders = 2 }, lock_locked,
		       lock_sharded = { .array = &sharded };
static const struct stp_lock_use writing[] = { { &lock_locked, STP_LOCK_WRITE } };
static const struct stp_lock_use adding[] = { { &lock_names, STP_LOCK_ADD } };
static const struct stp_lock_use setting[] = { { &lock_lasts, STP_LOCK_ADD } };

static void count_name(struct stp_ctx *c)
{
	stp_map_add_i(c, names, &(union stp_key){ .s = STP_STR("postgres") }, 1);
}

static void add_size(struct stp_ctx *c)
{
	stp_stat_add(c, sizes, (int64_t)(c->serial & 0xffff));
}

static void print_line(struct stp_ctx *c)
{
	static const char line[] = "4711 postgres 1700000000000000000\n";

	stp_print_text(c, line, sizeof(line) - 1);
}

static void set_last(struct stp_ctx *c)
{
	stp_plain_set_i(c, lasts, c->cpu, (int64_t)c->serial);
}

/* The key of an element that no other thread has, like the number of a task. */
static int64_t own_key(const struct stp_ctx *c)
{
	return 4711 + 3 * (int64_t)c->cpu;
}

static void read_back(struct stp_ctx *c)
{
	int64_t k = own_key(c);

	stp_plain_set_i(c, locked, k, stp_plain_get_i(c, locked, k) + 1);
}

static void read_back_own(struct stp_ctx *c)
{
	int64_t k = own_key(c);
	struct stp_shard *held = stp_shards_take_i(c, &lock_sharded, sharded, k);

	if (held)
		stp_plain_set_i(c, sharded, k, stp_plain_get_i(c, sharded, k) + 1);
	stp_shards_release(held);
}

/* An entry and a return, in turn: they create the element, and read and delete it. */
static void note_or_delete(struct stp_ctx *c)
{
	int64_t k = own_key(c);

	if (stp_plain_in(c, locked, k))
		stp_plain_delete(c, locked, k);
	else
		stp_plain_set_i(c, locked, k, 1);
}

static void note_or_delete_own(struct stp_ctx *c)
{
	int64_t k = own_key(c);
	struct stp_shard *held = stp_shards_take_i(c, &lock_sharded, sharded, k);

	if (held && stp_plain_in(c, sharded, k))
		stp_plain_delete(c, sharded, k);
	else if (held)
		stp_plain_set_i(c, sharded, k, 1);
	stp_shards_release(held);
}

static int add_nothing(const struct stp_probe *const *p, void *const *states, unsigned n)
{
	return 0;
}

static void remove_nothing(const struct stp_probe *const *p, void *const *states, unsigned n)
{
}

static const struct stp_family family = { .name = "function",
					  .add = add_nothing,
					  .remove = remove_nothing };
#define PROBE(n, h) .pp = #n, .pn = #n, .handler = h, .family = &family, .index = n
static const struct stp_probe probes[] = {
	{ PROBE(0, count_name), .locks = adding, .nlocks = 1 },
	{ PROBE(1, add_size) },
	{ PROBE(2, print_line) },
	{ PROBE(3, set_last), .locks = setting, .nlocks = 1 },
	{ PROBE(4, read_back), .locks = writing, .nlocks = 1 },
	{ PROBE(5, read_back_own) },
	{ PROBE(6, note_or_delete), .locks = writing, .nlocks = 1 },
	{ PROBE(7, note_or_delete_own) },
};
static const struct stp_part *const parts[] = { &stp_arrays_part, &stp_stats_part };
const struct stp_script stp_script = {
	.name = "scale",
	.frame_bytes = 1024,
	.probes = probes,
	.nprobes = 8,
	.globals = globals,
	.nglobals = 6,
	.parts = parts,
	.nparts = 2,
	.limits = { .string = 512,
		    .string_short = 511,
		    .map_memory = 1024,
		    .action = 10000,
		    .action_slow = 100000,
		    .nesting = 10,
		    .trylock = 100,
		    .trylock_delay = 10,
		    .buffer_mb = 64 },
};

static double now(void)
{
	return (double)port_monotonic_ns() / 1e9;
}

static int64_t scatter(uint64_t i)
{
	return (int64_t)(i * 0x9e3779b97f4a7c15u);
}

/* ---- flat, sort ---- */

static struct stp_ctx *fill(uint64_t n)
{
	struct stp_ctx *c = &stp_runtime.cpus[stp_runtime.ncpus]->ctx;

	for (uint64_t i = 0; i < n; i++)
		stp_map_set_i(c, flat, &(union stp_key){ .i = scatter(i) }, scatter(~i));
	return c;
}

/* The bytes of segments and tables that are in use: what lies ahead is no element's. */
static double overhead(uint64_t n)
{
	uint64_t bytes = ((uint64_t)flat->segments_used << flat->unit_bits) * 8 +
			 (uint64_t)flat->buckets_ready * 4;

	return (double)bytes / (double)n - 16;
}

static void run_flat(uint64_t n)
{
	struct stp_ctx *c = fill(n);
	uint64_t ops = 200000, at = 0;
	double begin = now();

	for (uint64_t i = 0; i < ops; i++, at = at + 1 == n ? 0 : at + 1)
		stp_map_add_i(c, flat, &(union stp_key){ .i = scatter(at) }, 1);
	printf("%llu elements: %.0f instructions an update", (unsigned long long)n,
	       (now() - begin) * 1e9 / (double)ops);
	if (n >= 100000)
		printf(", %.1f bytes beyond key and value", overhead(n));
	printf("\n");
}

static void run_sort(uint64_t n)
{
	static const struct stp_iter_how top = { .sort_column = -1, .direction = -1, .limit = 20 };
	static const struct stp_iter_how all = { .sort_column = -1, .direction = -1, .limit = -1 };
	struct stp_ctx *c = fill(n);
	struct stp_iter it;
	double begin;

	for (int i = 0; i < 2; i++) {
		c->work = (int64_t)stp_script.limits.action * STP_ACTION;
		begin = now();
		stp_iter_begin(c, &it, flat, i ? &all : &top);
		while (stp_iter_next(c, &it) && (c->work -= STP_ACTION) > 0)
			;
		stp_iter_end(c, &it);
		printf("%llu elements, %s: %.2f million instructions\n", (unsigned long long)n,
		       i ? "10,000 passes" : "limit 20", (now() - begin) * 1e3);
	}
}

/* ---- cpus ---- */

static const struct stp_probe *running;
static int32_t stop;
static unsigned nthreads = 2;
static double spent[THREADS_MOST]; /* ns of processor time, a hit */
static double rate[THREADS_MOST];  /* hits of a thread, a ns of real time */
static uint64_t refused[THREADS_MOST];

static void empty_ring(unsigned cpu)
{
	struct stp_ring *ring = stp_session_ring(cpu);

	stp_ring_consume(ring, stp_ring_fill(ring));
}

static void *hit(void *ctx)
{
	struct timespec t;
	uint64_t n = 0, all = 0;
	double begin = now();

	user_cpu = (unsigned)(uintptr_t)ctx;
	while (!READ_ONCE(stop)) {
		for (int i = 0; i < 1000; i++)
			n += stp_hit(running, NULL, NULL, NULL);
		all += 1000;
		empty_ring(user_cpu);
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	spent[user_cpu] = ((double)t.tv_sec * 1e9 + (double)t.tv_nsec) / (double)n;
	rate[user_cpu] = (double)n / (now() - begin) / 1e6;
	refused[user_cpu] = all - n;
	return NULL;
}

/* On processors first to first + threads - 1. */
static double run_threads(unsigned first, unsigned threads)
{
	pthread_t ids[THREADS_MOST];
	double all = 0;

	WRITE_ONCE(stop, 0);
	for (uintptr_t i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, hit, (void *)(first + i));
	sleep(SECONDS);
	WRITE_ONCE(stop, 1);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (unsigned i = 0; i < threads; i++)
		all += spent[first + i];
	return all / threads;
}

/* Two at once, each with a copy of everything. */
static double run_apart(void)
{
	double *found = mmap(NULL, 2 * sizeof(*found), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	for (unsigned i = 0; i < 2; i++) {
		if (fork())
			continue;
		found[i] = run_threads(i, 1);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return (found[0] + found[1]) / 2;
}

static void run_cpus(uint64_t probe)
{
	static const char *const what[] = {
		"B: c[execname()]++",
		"C: h <<< n",
		"D: a line of output",
		"W: a[cpu()] = n",
		"R: a[tid()] = a[tid()] + 1, one lock",
		"R: the same, a lock of the element",
		"X: if (tid() in a) delete a[tid()]; else a[tid()] = 1, one lock",
		"X: the same, a lock of the element"
	};
	char error[256];
	double one, two, apart, single, many = 0;
	uint64_t lost = 0;

	if (stp_session_start(0, error, sizeof(error)))
		return;
	running = &probes[probe];
	one = run_threads(0, 1);
	single = rate[0];
	two = run_threads(0, nthreads);
	for (unsigned i = 0; i < nthreads; i++) {
		many += rate[i];
		lost += refused[i];
	}
	if (nthreads != 2) {
		printf("%s: %.1f million hits a second on one processor, %.1f on %u: %.2f times; "
		       "%llu skipped\n",
		       what[probe], single, many, nthreads, many / single,
		       (unsigned long long)lost);
		return;
	}
	apart = run_apart();
	printf("%s: %.1f ns a hit on one processor, %.1f on two: %.2f times the events (%.1f and "
	       "%.1f million a second, %llu skipped); %.2f in processes that share nothing\n",
	       what[probe], one, two, 2 * one / two, single, many, (unsigned long long)lost,
	       2 * one / apart);
}

/* Each in a process, and with a session, of its own. */
static int measure(void (*run)(uint64_t n), uint64_t n)
{
	int status = 1;

	fflush(stdout);
	if (!fork()) {
		user_cpu_count = nthreads;
		if (!stp_session_create()) {
			run(n);
			fflush(stdout);
			_exit(0);
		}
		_exit(1);
	}
	wait(&status);
	return status;
}

int main(int argc, char **argv)
{
	static const uint64_t sizes_of[] = { 10, 1000, 100000, 1000000 };
	int failed = 0;

	if (argc > 1 && atoi(argv[1]) > 0) {
		nthreads = (unsigned)atoi(argv[1]) < THREADS_MOST ? (unsigned)atoi(argv[1])
								  : THREADS_MOST;
		argc = 1;
	}
	for (unsigned i = 0; argc > 1 && i < 4; i++)
		failed |= measure(run_flat, sizes_of[i]);
	if (argc > 1)
		failed |= measure(run_sort, 100000);
	for (unsigned i = 0; argc == 1 && i < stp_script.nprobes; i++)
		failed |= measure(run_cpus, i);
	return !!failed;
}
