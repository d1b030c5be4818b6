/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Example of generated C, for
 *
 *   global reads, names[100], sizes, last
 *   function shout:string(s:string) { return s . "!" }
 *   probe kernel.function("vfs_read") {
 *     reads++
 *     if (execname() =~ "^v") reads++
 *     names[execname(), pid()] += $count
 *     sizes <<< $count
 *     printf("%s read %d\n", shout(execname()), $count / reads)
 *   }
 *   probe end { foreach ([n, p] in names- limit 10) printf("%s\n", n);
 *   print(@hist_log(sizes)) }
 *
 * It is built only to check that api.h is sufficient: tests compile it against both back
 * ends.
 */
#define MAXSTRINGLEN 512
#include "api.h"

/* Globals: state, locks, tables. */
static int64_t g_reads;
static struct stp_map *g_names;
static struct stp_stat *g_sizes;
static struct stp_lock lock_reads, lock_names;

static const struct stp_map_desc desc_names = {
	.name = "names",
	.nkeys = 2,
	.key_types = { STP_STRING, STP_LONG },
	.value_type = STP_LONG,
	.max_entries = 100,
};
static const struct stp_stat_desc desc_sizes = { .name = "sizes", .hist = STP_HIST_LOG };

static const struct stp_global globals[] = {
	{ .name = "reads", .type = STP_LONG, .place = &g_reads },
	{ .name = "names",
	  .type = STP_LONG,
	  .is_array = true,
	  .place = &g_names,
	  .desc = &desc_names },
	{ .name = "sizes", .type = STP_STATS, .place = &g_sizes, .desc = &desc_sizes },
};

/*
 * "^v": state 1 is the string's begin, 2 is after a 'v'. With matched() in the script
 * there are more tables: core/regex.h.
 */
static const uint8_t regex_0_classes[256] = { ['v'] = 1 };
static const uint16_t regex_0_test_next[] = { 0, 0, 0, 2, 0, 0 };
static const uint8_t regex_0_test_flags[] = { 0, 0, STP_REGEX_HERE };
static const struct stp_regex regex_0 = {
	.classes = regex_0_classes,
	.nclasses = 2,
	.ngroups = 1,
	.test = { regex_0_test_next, regex_0_test_flags, 3, { 1, 0 } },
};

static const struct stp_format formats[] = {
	{ .text = "%s read %d\n", .len = 11, .args = "sd" },
	{ .text = "%s\n", .len = 3, .args = "s" },
};

/*
 * Tapset functions in embedded C get their arguments as l_NAME; strings they return go to
 * `ret`, of MAXSTRINGLEN bytes.
 */
static struct stp_str f_execname(struct stp_ctx *c, char *ret)
{
	ret[0] = 0;
	{
#define STAP_RETVALUE ret
#ifdef __KERNEL__
		strscpy(STAP_RETVALUE, current->comm, MAXSTRINGLEN);
#else
		snprintf(STAP_RETVALUE, MAXSTRINGLEN, "example");
#endif
#undef STAP_RETVALUE
		goto out;
	}
out:
	return stp_str_from(c, ret);
}

/* $count: a program in user space has no arguments of a kernel function. */
static int64_t read_count(struct stp_ctx *c)
{
#ifdef __KERNEL__
	return stp_arg(c, 2);
#else
	return 4096;
#endif
}

struct frame_shout {
	char s1[MAXSTRINGLEN];
};

static struct stp_str f_shout(struct stp_ctx *c, char *ret, struct stp_str l_s)
{
	struct frame_shout *fr = NULL;
	struct stp_str r = STP_STR("");

	if (!stp_call_enter(c))
		return r;
	fr = stp_frame_push(c, sizeof(*fr));
	if (!fr)
		goto out;
	struct stp_str t1 = stp_str_concat(c, fr->s1, l_s, STP_STR("!"));
	r = stp_str_copy(c, ret, t1);
	goto out;
out:
	if (fr)
		stp_frame_pop(c, sizeof(*fr));
	stp_call_leave(c);
	return r;
}

struct frame_h0 {
	char s1[MAXSTRINGLEN], s2[MAXSTRINGLEN], s3[MAXSTRINGLEN];
};

static void handler_0(struct stp_ctx *c)
{
	struct frame_h0 *fr = stp_frame_push(c, sizeof(*fr));

	if (!fr)
		return;
	g_reads = g_reads + 1;
	struct stp_str t1 = f_execname(c, fr->s1);
	if (stp_failed(c)) {
		stp_called_at(c, "near identifier 'execname' at example.stp:5:9");
		goto out;
	}
	int64_t t0 = stp_regex_test(&regex_0, t1.s, t1.len);
	if (t0)
		g_reads = g_reads + 1;
	int64_t t2 = read_count(c);
	union stp_key k1[] = { { .s = t1 }, { .i = 42 } };
	int64_t *t3 = stp_map_ref_i(c, g_names, k1);
	if (stp_failed(c)) {
		stp_where(c, "near example.stp:5:3");
		goto out;
	}
	*t3 += t2;
	int64_t t4 = read_count(c);
	stp_stat_add(c, g_sizes, t4);
	struct stp_str t5 = f_execname(c, fr->s2);
	struct stp_str t6 = f_shout(c, fr->s3, t5);
	if (stp_failed(c)) {
		stp_where(c, "near example.stp:7:28");
		goto out;
	}
	int64_t t7 = stp_div(c, read_count(c), g_reads);
	if (stp_failed(c)) {
		stp_where(c, "near example.stp:7:54");
		goto out;
	}
	uint8_t *p = stp_item(c, sizeof(uint16_t) + stp_item_string_bytes(t6) + sizeof(t7));
	if (p) {
		p = stp_item_format(p, 0);
		p = stp_item_string(p, t6);
		p = stp_item_long(p, t7);
	}
out:
	stp_frame_pop(c, sizeof(*fr));
}

struct frame_h1 {
	char s1[MAXSTRINGLEN];
};

static void handler_1(struct stp_ctx *c)
{
	struct frame_h1 *fr = stp_frame_push(c, sizeof(*fr));
	static const struct stp_iter_how how1 = {
		.sort_column = -1, .direction = -1, .limit = 10, .wild = ~0u
	};
	struct stp_iter it1;

	if (!fr)
		return;
	stp_iter_begin(c, &it1, g_names, &how1);
	while (stp_iter_next(c, &it1)) {
		if (!stp_spend(c, 2)) {
			stp_where(c, "near example.stp:9:14");
			goto each1;
		}
		struct stp_str l_n = stp_iter_key_s(c, &it1, 0, fr->s1);
		union stp_key a1[] = { { .s = l_n } };
		stp_printf(c, 1, a1);
	}
each1:
	stp_iter_end(c, &it1);
	if (stp_failed(c))
		goto out;
	stp_hist_print(c, stp_stat_read(c, g_sizes), &desc_sizes);
out:
	stp_frame_pop(c, sizeof(*fr));
}

static const struct stp_lock_use locks_0[] = { { &lock_reads, STP_LOCK_WRITE },
					       { &lock_names, STP_LOCK_WRITE } };
static const struct stp_lock_use locks_1[] = { { &lock_names, STP_LOCK_WRITE } };

#ifdef __KERNEL__
static const struct stp_point_function point_0 = { .symbol = "vfs_read" };
#include "core/hit.h"
static bool hit_0(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,
		  int64_t *saved);
#endif
static const struct stp_point_lifecycle point_1 = { .kind = STP_END };

static const struct stp_probe probes[] = {
#ifdef __KERNEL__
	{ .pp = "kernel.function(\"vfs_read\")",
	  .pn = "kernel.function(\"vfs_read\")",
	  .function = "vfs_read",
	  .module = "kernel",
	  .hit = hit_0,
	  .family = &stp_family_function,
	  .point = &point_0,
	  .locks = locks_0,
	  .nlocks = 2,
	  .index = 0 },
#else
	{ .pp = "begin",
	  .pn = "begin",
	  .handler = handler_0,
	  .family = &stp_family_lifecycle,
	  .point = &(const struct stp_point_lifecycle){ .kind = STP_BEGIN },
	  .locks = locks_0,
	  .nlocks = 2,
	  .index = 0 },
#endif
	{ .pp = "end",
	  .pn = "end",
	  .handler = handler_1,
	  .family = &stp_family_lifecycle,
	  .point = &point_1,
	  .locks = locks_1,
	  .nlocks = 1,
	  .index = 1 },
};

#ifdef __KERNEL__
STP_HIT_OF(hit_0, 0, handler_0, true)
#endif

static const struct stp_part *const parts[] = { &stp_arrays_part, &stp_stats_part };

const struct stp_script stp_script = {
	.name = "example",
	.probes = probes,
	.nprobes = 2,
	.globals = globals,
	.nglobals = 3,
	.parts = parts,
	.nparts = 2,
	.formats = formats,
	.nformats = 2,
	.frame_bytes = 3 * MAXSTRINGLEN + 3 * MAXSTRINGLEN,
	.limits = { .string = MAXSTRINGLEN,
		    .string_short = MAXSTRINGLEN - 1,
		    .map_entries = 2048,
		    .action = 1000,
		    .action_slow = 10000,
		    .nesting = 10,
		    .trylock = 100,
		    .trylock_delay = 10,
		    .overload_percent = 50,
		    .hist_width = 50,
		    .hist_elision = 2 },
};
