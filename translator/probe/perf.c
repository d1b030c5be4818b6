/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events that the kernel counts on every CPU:
 *
 *   perf.type(N).config(M)[.sample(K) | .hz(K)]   one hit every K events, or about K
 *                                                 times a second
 *   perf.type(N).config(M).counter("NAME")        no hits: @perf("NAME") reads it
 *                                                 (target/counter.c)
 *   timer.profile[.freq[.hz(N)]]                  the CPU's clock: every millisecond, or
 *                                                 N times a second
 *   timer.profile.tick                            as often as the kernel ticks
 *   kernel.data("SYMBOL" | ADDRESS)[.length(N)].write | .rw
 *                                                 memory that the processor watches
 *   process.data("VARIABLE" | ADDRESS)[.length(N)].write | .rw
 *                                                 memory of processes: of the target, if
 *                                                 there is one
 */
#include "probe/perf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "arch/arch.h"
#include "base/diag.h"
#include "lib/error.h"
#include "base/session.h"
#include "lib/strbuf.h"
#include "base/writer.h"
#include "kernel/config.h"
#include "kernel/exports.h"
#include "kernel/kernel.h"
#include "dwarf/dwarf.h"
#include "base/options.h"
#include "probe/which_program.h"

#define NS_PER_S       1000000000
#define SAMPLE_DEFAULT 1000000
#define RATE_MOST      100000

/* The kernel's numbers: linux/perf_event.h, linux/hw_breakpoint.h. */
#define TYPE_SOFTWARE	   1
#define TYPE_BREAKPOINT	   5
#define SOFTWARE_CPU_CLOCK 0
#define WATCH_WRITE	   2
#define WATCH_READ_WRITE   3

struct derived *perf_add(struct session *s, const struct probe_family *f, const struct point *p,
			 const struct perf *perf, derived_list *ret)
{
	struct derived *d = probe_derived_new(s, f, p, ret);
	struct perf *data = arena_new(s->arena, struct perf);
	struct strbuf pp;

	*data = *perf;
	d->data = data;
	if (perf->type == TYPE_BREAKPOINT)
		return d;
	strbuf_init(&pp, s->arena);
	strbuf_addf(&pp, "perf.type(%" PRId64 ").config(%" PRId64 ")", perf->type, perf->config);
	if (perf->program)
		strbuf_addf(&pp, ".process(\"%s\")", perf->program);
	if (perf->counter.name)
		strbuf_addf(&pp, ".counter(\"%s\")", perf->counter.name);
	else
		strbuf_addf(&pp, ".%s(%" PRId64 ")", perf->is_rate ? "hz" : "sample", perf->period);
	d->pp = pp.s;
	return d;
}

struct probe_counter *perf_counter(const struct derived *d)
{
	struct perf *perf = d->data;

	return perf->counter.name ? &perf->counter : NULL;
}

/* ---- perf.type(N).config(M) ---- */

static struct error *read_suffix(struct session *s, const struct component *c, struct perf *perf)
{
	if (!strcmp(c->name, "sample") && c->arg_kind == ARG_NUMBER) {
		perf->period = c->number;
		return c->number < 1 ? probe_wrong(s, "'.sample(N)' takes the number of "
						      "events between two hits, at least 1")
				     : NULL;
	}
	if (!strcmp(c->name, "hz") && c->arg_kind == ARG_NUMBER) {
		perf->period = c->number;
		perf->is_rate = true;
		return c->number < 1 || c->number > RATE_MOST
			       ? probe_wrong(s, "'.hz(N)' takes 1 to 100000 times per second")
			       : NULL;
	}
	if (!strcmp(c->name, "counter") && c->arg_kind == ARG_STRING) {
		perf->counter.name = c->string;
		return *c->string ? NULL
				  : probe_wrong(s, "'.counter(\"NAME\")' takes the name "
						   "that @perf(\"NAME\") reads it by");
	}
	return probe_wrong(s,
			   "unknown part '.%s' of a perf probe; there are .sample(N), .hz(N), "
			   ".process(\"PATH\") and .counter(\"NAME\")",
			   c->name);
}

/* Reads the point's components i and later. */
static struct error *read_suffixes(struct session *s, const struct point *p, unsigned i,
				   struct perf *perf)
{
	const struct component *end = probe_component(p, i), *more;
	struct error *err;

	if (end && !strcmp(end->name, "process") && end->arg_kind != ARG_NUMBER) {
		perf->process = end;
		end = probe_component(p, ++i);
	}
	more = probe_component(p, i + 1);
	err = end ? read_suffix(s, end, perf) : NULL;
	return !err && end && more ? probe_wrong(s, "nothing can follow as '.%s' here", more->name)
				   : err;
}

struct error *perf_parse(struct session *s, const struct point *p, struct perf *ret)
{
	*ret = (struct perf){ .period = SAMPLE_DEFAULT };
	if (!probe_component_is(p, 1, "type", ARG_NUMBER) ||
	    !probe_component_is(p, 2, "config", ARG_NUMBER))
		return probe_wrong(s, "expected perf.type(N).config(N); perf.sw.…, perf.hw.… and "
				      "perf.hw_cache.… are names for some of them");
	ret->type = probe_component(p, 1)->number;
	ret->config = probe_component(p, 2)->number;
	if (ret->type < 0 || ret->type > UINT32_MAX)
		return probe_wrong(s, "perf.type takes a type of struct perf_event_attr: 0 "
				      "(hardware), 1 (software), 3 (caches), 4 (raw), …");
	if (ret->type == TYPE_BREAKPOINT)
		return probe_wrong(s, "memory is watched by kernel.data(ADDRESS).write or .rw");
	return read_suffixes(s, p, 3, ret);
}

static struct error *resolve_counter(struct session *s, const struct point *p, derived_list *ret)
{
	struct perf perf;
	struct error *err = perf_parse(s, p, &perf);

	perf.counter.reader = "stp_cpu_counter";
	if (!err && !perf.process)
		perf_add(s, &probe_family_perf, p, &perf, ret);
	return err;
}

/* ---- timer.profile ---- */

static struct error *resolve_tick(struct session *s, const struct point *p, struct perf *perf,
				  derived_list *ret)
{
	struct error *err = kernel_need(s);
	const char *hz = err ? NULL : kernel_config(s, "CONFIG_HZ");

	if (!err)
		err = kernel_need_config(s, "CONFIG_HZ");
	if (err)
		return err;
	perf->period = NS_PER_S / (hz && atoi(hz) > 0 ? atoi(hz) : 100);
	perf_add(s, &probe_family_perf, p, perf, ret)->pp = "timer.profile.tick";
	return NULL;
}

/* Resolves the components after timer.profile or .freq. */
static struct error *resolve_clock(struct session *s, const struct point *p, unsigned i,
				   struct perf *perf, derived_list *ret)
{
	struct error *err = read_suffixes(s, p, i, perf);

	if (!err && (perf->process || perf->counter.name))
		err = probe_wrong(
			s, "'.process' and '.counter' go with perf.sw.cpu_clock, the same clock");
	if (!err)
		perf_add(s, &probe_family_perf, p, perf, ret);
	return err;
}

static struct error *resolve_profile(struct session *s, const struct point *p, derived_list *ret)
{
	struct perf perf = { .type = TYPE_SOFTWARE,
			     .config = SOFTWARE_CPU_CLOCK,
			     .period = SAMPLE_DEFAULT };

	if (probe_component_is(p, 1, "profile", ARG_NONE) && !probe_component(p, 2))
		return resolve_clock(s, p, 2, &perf, ret);
	if (probe_component_is(p, 2, "tick", ARG_NONE) && !probe_component(p, 3))
		return resolve_tick(s, p, &perf, ret);
	if (probe_component_is(p, 2, "freq", ARG_NONE))
		return resolve_clock(s, p, 3, &perf, ret);
	return probe_wrong(
		s, "expected timer.profile, timer.profile.tick or timer.profile.freq.hz(N)");
}

/* ---- kernel.data, process.data ---- */

static struct error *read_length(struct session *s, const struct component *data,
				 const struct component *c, struct perf *perf)
{
	if (data->arg_kind != ARG_NUMBER && !perf->is_user)
		return probe_wrong(s, "'.length(N)' goes with an address, .data(0x…).length(N); a "
				      "symbol is watched at its first byte");
	if (c->number < 1 || c->number > 8)
		return probe_wrong(
			s,
			"'.length(N)' takes 1 to 8 bytes, as much as one debug register watches");
	/* The processor watches 1, 2, 4 or 8 bytes. */
	for (perf->length = 1; perf->length < c->number; perf->length *= 2)
		;
	if (perf->address & (perf->length - 1))
		return probe_wrong(
			s, "%u bytes can be watched only where the address is a multiple of %u",
			perf->length, perf->length);
	return NULL;
}

/*
 * Finds a variable of the target's program, which has to be loaded at the same address
 * each time.
 */
static struct error *find_variable(struct session *s, const struct point *p, const char *name,
				   struct perf *perf)
{
	program_files found = { 0 };
	struct dwarf_global variable = { 0 };
	struct dwarf_file *f;
	struct error *err = which_program_named(s, probe_component(p, 0), &found);

	if (!err && found.data[0].file->is_movable)
		return probe_wrong(s,
				   "%s is loaded at a different address each time: "
				   "watch its variables by their address in a process, "
				   "process.data(0x7f0123456789) with -x PID",
				   found.data[0].file->path);
	if (!err)
		err = dwarf_open(s, found.data[0].file->path, &f);
	if (!err)
		err = dwarf_global(s, f, name, &variable);
	if (!err && variable.is_thread_local)
		return probe_wrong(
			s, "'%s' is thread-local: each thread has its own, at its own address",
			name);
	if (!err && variable.is_constant)
		return probe_wrong(s,
				   "'%s' is a constant that the compiler has put where it is used: "
				   "it has no address",
				   name);
	perf->address = (int64_t)variable.address;
	return err;
}

static struct error *read_place(struct session *s, const struct point *p, struct perf *perf)
{
	const struct component *data = probe_component(p, 1);
	const char *name = data->arg_kind == ARG_STRING ? data->string : NULL;

	if (data->arg_kind == ARG_NONE || (name && !*name))
		return probe_wrong(s, "'.data' needs a symbol or an address: %s",
				   perf->is_user ? "process.data(0x404040).write"
						 : "kernel.data(\"jiffies\").write");
	if (name && perf->is_user)
		return find_variable(s, p, name, perf);
	if (perf->is_user && (uint64_t)data->number >= arch_of(s)->machine->user_end)
		return probe_wrong(s, "%#" PRIx64 " is not an address in a process's memory",
				   (uint64_t)data->number);
	perf->symbol = name;
	perf->address = data->number;
	return NULL;
}

static const char *watch_text(struct session *s, const struct point *p, const struct perf *perf)
{
	const struct component *data = probe_component(p, 1), *length = probe_component(p, 2);
	const char *place = data->arg_kind == ARG_STRING
				    ? arena_printf(s->arena, "\"%s\"", data->string)
				    : arena_printf(s->arena, "%#" PRIx64, (uint64_t)data->number);

	return arena_printf(
		s->arena, "%s.data(%s)%s.%s", probe_component(p, 0)->name, place,
		strcmp(length->name, "length")
			? ""
			: arena_printf(s->arena, ".length(%" PRId64 ")", length->number),
		perf->access == WATCH_WRITE ? "write" : "rw");
}

static struct error *resolve_data(struct session *s, const struct point *p, derived_list *ret)
{
	struct perf perf = { .type = TYPE_BREAKPOINT,
			     .period = 1,
			     .length = 1,
			     .is_user = !strcmp(probe_component(p, 0)->name, "process") };
	struct error *err;
	unsigned i = 2;

	if (!arch_of(s)->machine->watches)
		return probe_wrong(s,
				   "memory cannot be watched on %s: its kernels have no "
				   "watchpoints that handlers could be run at",
				   arch_of(s)->name);
	err = read_place(s, p, &perf);
	if (!err && probe_component_is(p, i, "length", ARG_NUMBER))
		err = read_length(s, probe_component(p, 1), probe_component(p, i++), &perf);
	if (err)
		return err;
	perf.access = probe_component_is(p, i, "write", ARG_NONE) ? WATCH_WRITE
		      : probe_component_is(p, i, "rw", ARG_NONE)  ? WATCH_READ_WRITE
								  : 0;
	if (!perf.access || probe_component(p, i + 1))
		return probe_wrong(s, "expected .data(…).write or .rw; the processor cannot watch "
				      "for reads alone");
	perf_add(s, &probe_family_perf, p, &perf, ret)->pp = watch_text(s, p, &perf);
	return NULL;
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	const char *first = probe_component(p, 0)->name;
	const struct component *second = probe_component(p, 1);

	/* Other names belong to the library, which suggests similar ones. */
	if (!strcmp(first, "perf") && (!second || !strcmp(second->name, "type")))
		return resolve_counter(s, p, ret);
	if (!strcmp(first, "timer") && second && !strcmp(second->name, "profile"))
		return resolve_profile(s, p, ret);
	if ((probe_component_is(p, 0, "kernel", ARG_NONE) ||
	     probe_component_is(p, 0, "process", ARG_NONE)) &&
	    second && !strcmp(second->name, "data"))
		return resolve_data(s, p, ret);
	return NULL;
}

/* ---- emission ---- */

void perf_emit(struct session *s, const struct derived *d, const char *more, struct writer *w)
{
	const struct perf *perf = d->data;
	/* A counter that nobody reads gets no number. */
	unsigned number =
		perf->counter.name && !perf->counter.number ? UINT32_MAX : perf->counter.number;

	writer_line(w,
		    "static const struct stp_point_perf point_%u = { .type = %" PRId64
		    ", .config = UINT64_C(%" PRIu64 "), .period = %" PRId64
		    ", .is_rate = %s, .counter = %u%s };",
		    d->index, perf->type, (uint64_t)perf->config, perf->period,
		    perf->is_rate ? "true" : "false", number, more);
}

static bool is_watch(const struct derived *d)
{
	const struct perf *perf = probe_data(d, &probe_family_perf);

	return perf && perf->type == TYPE_BREAKPOINT;
}

static void warn_registers(struct session *s, const struct derived *d)
{
	const unsigned most = arch_of(s)->machine->watches;
	unsigned before = 0;

	for (unsigned i = 0; i < d->index; i++)
		before += is_watch(s->program->probes.data[i]);
	if (before == most)
		diag_warning(s, d->loc,
			     "too many hardware breakpoints: the processor has %u debug registers",
			     most);
}

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct perf *perf = d->data;
	struct strbuf watch;

	strbuf_init(&watch, s->arena);
	if (is_watch(d)) {
		warn_registers(s, d);
		strbuf_addf(&watch,
			    ", .length = %u, .access = %u, .address = UINT64_C(%" PRIu64 ")%s",
			    perf->length, perf->access, (uint64_t)perf->address,
			    perf->is_user ? ", .is_user = true" : "");
	}
	if (perf->symbol) {
		strbuf_adds(&watch, ", .symbol = ");
		strbuf_addquoted(&watch, perf->symbol, strlen(perf->symbol));
		strbuf_adds(&watch, exports_member(s, w, perf->symbol));
	}
	perf_emit(s, d, watch.s, w);
}

static const char *bpf_obstacle(const struct derived *d)
{
	const struct perf *perf = d->data;

	return is_watch(d) ? "watched memory" : perf->counter.name ? "counters" : NULL;
}

PROBE_FAMILY(perf,
	     "perf.type(number).config(number)\nperf.type(number).config(number).sample(number)"
	     "\n"
	     "perf.type(number).config(number).hz(number)\nperf.type(number).config(number)."
	     "counter(string)\n"
	     "timer.profile\ntimer.profile.tick\ntimer.profile.freq\ntimer.profile.freq.hz("
	     "number)\ntimer.profile.freq.sample(number)\n"
	     "kernel.data(string).write\nkernel.data(string).rw\n"
	     "kernel.data(number).write\nkernel.data(number).rw\n"
	     "kernel.data(number).length(number).write\nkernel.data(number).length(number).rw\n"
	     "process.data(string).write\nprocess.data(string).rw\n"
	     "process.data(number).write\nprocess.data(number).rw\n"
	     "process.data(string).length(number).write\nprocess.data(string).length(number)."
	     "rw\n"
	     "process.data(number).length(number).write\nprocess.data(number).length(number).rw",
	     .resolve = resolve, .emit = emit, .counter = perf_counter, .bpf_runtime = true,
	     .bpf_obstacle = bpf_obstacle);
