/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf/arena.h"
#include "core/map.h"
#include "core/port.h"
#include "core/session.h"
#include "core/state.h"
#include "lib/rawcall.h"
#include "trace/messages.h"
#include "uapi/bpfimage.h"
#include "user/bpffields.h"
#include "user/bpfload.h"
#include "user/bpfpoint.h"
#include "user/bpfreader.h"
#include "user/bpfrefusal.h"
#include "user/bpfsymbols.h"
#include "user/bpftasks.h"
#include "user/bpftypes.h"
#include "user/user.h"

/* Defined here because the headers of some distributions are too old. */
#define MAP_TYPE_RINGBUF 27
#define MAP_TYPE_ARENA	 33
#define F_MMAPABLE	 (1u << 10)
#define F_NO_USER_CONV	 (1u << 18)
#define F_STATE_FREQ	 (1u << 3)
#define F_SLEEPABLE	 (1u << 4)

#define PAGE	  4096u
#define HEAD_AT	  (BPF_PROCESS_AT - PAGE) /* of the program's file: the page before its data */
#define LOG_BYTES (16u << 20)

struct bpf_shared bpf_shared;

static struct {
	struct bpfparts parts;
	int types;		 /* BTF */
	int program;		 /* of hits that the process runs */
	int maps[BPFIMAGE_MAPS]; /* enum bpfimage_map */
	uint64_t *taken;	 /* of the waker: the reader's position */
	const uint64_t *given;	 /* the writer's */
	bool verbose;
	uint64_t joined; /* instructions of handlers that were joined to points */
} loaded = { .program = -1 };

long bpfload_call(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/*
 * Replaces the program's data with the arena. In between, no data can be read, so nothing
 * is called, and only variables in registers or on the stack are used.
 */
static __attribute__((noinline)) long move_data(int fd, uint64_t *copy, size_t words)
{
	volatile uint64_t *from = (volatile uint64_t *)(uintptr_t)HEAD_AT, *to = copy;
	long at;

	for (size_t i = 0; i < words; i++)
		to[i] = from[i];
	__asm__ volatile("" ::: "memory");
	at = arch_rawcall6(SYS_mmap, (long)BPF_ARENA_AT, (long)(BPF_ARENA_END - BPF_ARENA_AT),
			   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	if (at != (long)BPF_ARENA_AT)
		return at;
	for (size_t i = 0; i < words; i++)
		from[i] = to[i];
	return 0;
}

extern char _end[]; /* of the program's data */

static int make_arena(void)
{
	union bpf_attr attr = { .map_type = MAP_TYPE_ARENA,
				.max_entries = (BPF_ARENA_END - BPF_ARENA_AT) / PAGE,
				.map_flags = F_MMAPABLE | F_NO_USER_CONV };
	/* Headers before 6.9 do not say that map_extra is the address. */
	size_t bytes = (size_t)((uintptr_t)_end - HEAD_AT + PAGE - 1) / PAGE * PAGE;
	void *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd;
	long rc;

	attr.map_extra = BPF_ARENA_AT;
	fd = (int)bpfload_call(BPF_MAP_CREATE, &attr);
	if (fd < 0 || copy == MAP_FAILED)
		return -errno;
	rc = move_data(fd, copy, bytes / sizeof(uint64_t));
	munmap(copy, bytes);
	return rc ? (int)rc : fd;
}

/* ---- memory of the session: what is freed is kept by sizes of powers of two ---- */

struct block {
	union {
		struct block *next; /* while it is free */
		uint64_t order;	    /* its size, as a power of two */
		char line[64];
	};
};

#define ORDERS 32
static struct block *freed[ORDERS];
static uint8_t *unused;

/*
 * Returns zeroed memory. The pages are touched here: a handler cannot load a page, and a
 * write to a missing one would be lost.
 */
void *port_alloc(size_t bytes)
{
	uint64_t order = 7;
	struct block *b;

	while (((size_t)1 << order) < bytes + sizeof(*b) && order < ORDERS - 1)
		order++;
	b = freed[order];
	if (b) {
		freed[order] = b->next;
	} else {
		if (!unused)
			unused = (uint8_t *)(((uintptr_t)_end + PAGE) / PAGE * PAGE);
		if (((size_t)1 << order) > (size_t)((uintptr_t)BPF_ARENA_END - (uintptr_t)unused))
			return NULL;
		b = (struct block *)unused;
		unused += (size_t)1 << order;
	}
	memset(b, 0, sizeof(*b) + bytes);
	b->order = order;
	return b + 1;
}

void port_free(void *mem)
{
	struct block *b = mem ? (struct block *)mem - 1 : NULL;
	uint64_t order = b ? b->order : 0;

	if (!b)
		return;
	b->next = freed[order];
	freed[order] = b;
}

/* ---- loading ---- */

/* The handlers are at the end of the program's file: uapi/bpfimage.h. */
static bool read_image(struct bpfparts *ret)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	off_t bytes = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
	char *file = bytes > 0
			     ? mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0)
			     : MAP_FAILED;
	size_t at, size;

	if (fd >= 0)
		close(fd);
	return file != MAP_FAILED && bpfreader_find(file, (size_t)bytes, &at, &size) &&
	       bpfreader_read(file + at, size, ret);
}

static bool load_types(const void *types, uint32_t size)
{
	union bpf_attr attr = { .btf = (uintptr_t)types, .btf_size = size };

	loaded.types = (int)bpfload_call(BPF_BTF_LOAD, &attr);
	return loaded.types >= 0;
}

/* Programs of the type TRACING must return 0. */
static void set_result(const struct bpfparts *parts, int32_t bits)
{
	uint32_t end = parts->head->functions > 1 ? parts->functions[1].instruction
						  : parts->head->instructions;
	struct bpf_insn *result = end >= 2 ? &parts->instructions[end - 2] : NULL;

	if (result && result->code == BPFIMAGE_RESULT)
		result->imm = bits;
}

/* Returns the instructions of programs of that type. */
static const struct bpf_insn *instructions_for(enum bpf_prog_type type)
{
	static struct bpf_insn *of_process;
	const struct bpfparts *parts = &loaded.parts;
	size_t bytes = parts->head->instructions * sizeof(*of_process);

	if (type != BPF_PROG_TYPE_SYSCALL || !(parts->head->uses & BPFIMAGE_USES_STACK))
		return parts->instructions;
	if (!of_process) {
		of_process = malloc(bytes);
		if (!of_process)
			return parts->instructions;
		memcpy(of_process, parts->instructions, bytes);
		bpfreader_leave_out(of_process, parts->head->instructions, BPFIMAGE_GET_STACK);
	}
	return of_process;
}

/* A program to load. */
struct loadable {
	const struct bpf_insn *instructions;
	const struct bpfimage_function *functions; /* as many as in the image */
	uint32_t count;				   /* of instructions */
};

/*
 * The verifier reports E2BIG when it has followed a million instructions, and E2BIG or
 * EFAULT when more than 8192 branches are left to follow. It follows fewer of both where
 * it remembers more states: so it is asked again, to remember all. Linux 6.12 needs that
 * most.
 */
static int load_program(const struct bpfload_kind *kind, const struct loadable *p, char *log)
{
	union bpf_attr attr = { .prog_type = kind->type,
				.insn_cnt = p->count,
				.insns = (uintptr_t)p->instructions,
				.license = (uintptr_t) "GPL",
				.prog_flags = kind->type == BPF_PROG_TYPE_SYSCALL ? F_SLEEPABLE : 0,
				.prog_name = "stap",
				.expected_attach_type = kind->attach_type,
				.attach_btf_id = kind->target.function,
				.attach_btf_obj_fd = (uint32_t)kind->target.types,
				.prog_btf_fd = (uint32_t)loaded.types,
				.func_info_rec_size = sizeof(struct bpfimage_function),
				.func_info = (uintptr_t)p->functions,
				.func_info_cnt = loaded.parts.head->functions };
	int ret;

	if (log) {
		attr.log_level = 1;
		attr.log_buf = (uintptr_t)log;
		attr.log_size = LOG_BYTES;
	}
	ret = (int)bpfload_call(BPF_PROG_LOAD, &attr);
	if (ret >= 0 || (errno != EFAULT && errno != E2BIG))
		return ret;
	attr.prog_flags |= F_STATE_FREQ;
	return (int)bpfload_call(BPF_PROG_LOAD, &attr);
}

/* Returns the handlers as a program of that kind. */
static struct loadable handlers_of(const struct bpfload_kind *kind)
{
	set_result(&loaded.parts, kind->type == BPF_PROG_TYPE_TRACING ? 0 : BPF_AGAIN);
	return (struct loadable){ instructions_for(kind->type), loaded.parts.functions,
				  loaded.parts.head->instructions };
}

/* Reports where and why the kernel refused; with -v, also prints the verifier's log. */
static void explain(const struct bpfload_kind *kind)
{
	int error = errno;
	char *log = calloc(1, LOG_BYTES), text[1024];
	struct loadable p = handlers_of(kind);

	if (log)
		load_program(kind, &p, log);
	if (log && *log && loaded.verbose)
		fprintf(stderr, "%s", log);
	bpfrefusal_explain(text, sizeof(text), &loaded.parts, log ? log : "", error);
	message_error("%s", text);
	free(log);
}

static uint64_t cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* With -v, prints how much the kernel had to verify, and for how long. */
static void tell(int program, uint64_t us)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr attr = { .info = { .bpf_fd = (uint32_t)program,
					  .info_len = sizeof(info),
					  .info = (uintptr_t)&info } };

	bpfload_call(BPF_OBJ_GET_INFO_BY_FD, &attr);
	fprintf(stderr, "--runtime=bpf: %u instructions, %u verified, in %llu us\n",
		loaded.parts.head->instructions, info.verified_insns, (unsigned long long)us);
}

/*
 * Instructions of handlers that are joined to points: the verifier takes 2 us for each.
 */
#define JOINED_MOST 24000

/* Puts instructions before those of a program. False: there is no memory. */
static bool join(struct loadable *p, const struct bpf_insn *first, unsigned n)
{
	uint32_t functions = loaded.parts.head->functions;
	struct bpf_insn *in = malloc((n + (size_t)p->count) * sizeof(*in));
	struct bpfimage_function *moved = malloc(functions * sizeof(*moved));

	if (!in || !moved) {
		free(in);
		free(moved);
		return false;
	}
	memcpy(in, first, n * sizeof(*in));
	memcpy(in + n, p->instructions, p->count * sizeof(*in));
	memcpy(moved, p->functions, functions * sizeof(*moved));
	for (uint32_t i = 1; i < functions; i++)
		moved[i].instruction += n;
	*p = (struct loadable){ in, moved, p->count + n };
	return true;
}

unsigned bpfload_begin(void)
{
	return loaded.parts.head->begin;
}

bool bpfload_has_room(void)
{
	return loaded.joined + loaded.parts.head->instructions <= JOINED_MOST;
}

int bpfload_joined(const struct bpfload_kind *kind, const struct bpf_insn *first, unsigned n)
{
	uint64_t began = cpu_us();
	struct loadable p = handlers_of(kind);
	int program;

	if (!join(&p, first, n))
		return -1;
	loaded.joined += p.count;
	program = load_program(kind, &p, NULL);
	if (program >= 0 && loaded.verbose)
		tell(program, cpu_us() - began);
	free((void *)p.instructions);
	free((void *)p.functions);
	return program;
}

int bpfload_handlers(const struct bpfload_kind *kind)
{
	uint64_t began = cpu_us();
	struct loadable p = handlers_of(kind);
	int program = load_program(kind, &p, NULL);

	if (program < 0 && !kind->is_quiet)
		explain(kind);
	else if (program >= 0 && loaded.verbose)
		tell(program, cpu_us() - began);
	return program;
}

bool bpfload_is_verbose(void)
{
	return loaded.verbose;
}

int bpfload_arena(void)
{
	return loaded.maps[BPFIMAGE_ARENA];
}

int bpfload_array_of(unsigned type, int fd)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = 4, .max_entries = 1
	};
	uint32_t key = 0, value = (uint32_t)fd;
	int map = (int)bpfload_call(BPF_MAP_CREATE, &attr);

	attr = (union bpf_attr){ .map_fd = (uint32_t)map,
				 .key = (uintptr_t)&key,
				 .value = (uintptr_t)&value };
	return map < 0 || bpfload_call(BPF_MAP_UPDATE_ELEM, &attr) ? -errno : map;
}

/* Makes the map of a stack, and the table of symbols, if the script needs them. */
static bool make_stack(uint32_t uses)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY,
				.key_size = 4,
				.value_size = 8 * BPFIMAGE_STACK_WORDS,
				.max_entries = 1 };

	loaded.maps[BPFIMAGE_STACK] = -1;
	if (uses & BPFIMAGE_USES_STACK)
		loaded.maps[BPFIMAGE_STACK] = (int)bpfload_call(BPF_MAP_CREATE, &attr);
	if (uses & BPFIMAGE_USES_STACK && loaded.maps[BPFIMAGE_STACK] < 0) {
		message_error("--runtime=bpf: a map for stacks: %s", strerror(errno));
		return false;
	}
	return !(uses & BPFIMAGE_USES_SYMBOLS) || bpfsymbols_read();
}

static bool load(void)
{
	const struct bpfparts *parts = &loaded.parts;

	if (!make_stack(parts->head->uses))
		return false;
	if (!load_types(parts->types, parts->head->types)) {
		message_error("--runtime=bpf: types: %s", strerror(errno));
		return false;
	}
	memcpy((void *)(uintptr_t)(BPF_ARENA_AT + BPFIMAGE_DATA_FROM), parts->data,
	       parts->head->data);
	bpfreader_set_maps(parts, loaded.maps);
	if (parts->head->uses & BPFIMAGE_USES_NAME)
		bpfreader_set_name(parts, bpftypes_read() ? 0 : bpf_shared.layout.name);
	return true;
}

/* ---- waking the process ---- */

static bool make_waker(void)
{
	union bpf_attr attr = { .map_type = MAP_TYPE_RINGBUF, .max_entries = PAGE };
	int fd = (int)bpfload_call(BPF_MAP_CREATE, &attr);

	loaded.maps[BPFIMAGE_WAKER] = fd;
	if (fd < 0)
		return false;
	loaded.taken = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	loaded.given = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, PAGE);
	return loaded.taken != MAP_FAILED && loaded.given != MAP_FAILED;
}

int bpfload_waker(void)
{
	return loaded.maps[BPFIMAGE_WAKER];
}

/* Reports why a program was ended, and ends the run: hits no longer run. */
static void say_stuck(const struct stp_probe *p)
{
	static const char *const reasons[] = {
		[BPF_STUCK_LOOP] = "a loop of the runtime took too long",
		[BPF_STUCK_DEEP] = "functions call each other too deeply",
		[BPF_STUCK_POINTER] = "a call leads nowhere",
	};

	message_error("%s: %s", p->pp, reasons[bpf_shared.stuck]);
	stp_session_fail();
}

/*
 * A hit in the kernel was stuck. It stays noted: the state of the hit is unknown, and no
 * other may run. Points with code of their own do not store bpf_shared.probe, but all
 * handlers have the probe in their context.
 */
static void say_event_stuck(void)
{
	static bool is_said;
	const struct stp_probe *p = stp_runtime.cpus[0]->ctx.probe;

	if (!READ_ONCE(bpf_shared.stuck) || is_said)
		return;
	is_said = true;
	say_stuck(p ? p : (const struct stp_probe *)(uintptr_t)bpf_shared.probe);
}

void bpfload_fill_spares(void)
{
	for (unsigned i = 0; stp_store_growth() && i < BPF_SPARES; i++)
		if (!READ_ONCE(bpf_shared.spares[i]))
			WRITE_ONCE(bpf_shared.spares[i], (uintptr_t)port_alloc(PORT_SPARE_BYTES));
}

/* Reads the waker, and performs the actions that hits have requested. */
void bpfload_woken(void)
{
	WRITE_ONCE(*loaded.taken, READ_ONCE(*loaded.given));
	if (READ_ONCE(bpf_shared.grow)) {
		WRITE_ONCE(bpf_shared.grow, 0);
		smp_mb();
		stp_store_grow();
		bpfload_fill_spares();
	}
	say_event_stuck();
}

/* ---- hits ---- */

/* Performs the action that a program waits for. */
static void serve_program(void)
{
	if (bpf_shared.wants == BPF_WANTS_MEMORY)
		stp_store_grow();
	else if (bpf_shared.wants == BPF_WANTS_ROOM)
		user_drain(false);
	bpf_shared.wants = 0;
}

/* The handler continues where the kernel has paused it, or where it waits. */
void bpfload_hit(const struct stp_probe *p, bool is_slow)
{
	union bpf_attr attr;

	if (!is_slow && bpfpoint_timer(p))
		return;
	if (loaded.program < 0)
		loaded.program =
			bpfload_handlers(&(struct bpfload_kind){ .type = BPF_PROG_TYPE_SYSCALL });
	if (loaded.program < 0) {
		stp_session_fail();
		return;
	}
	bpf_shared.probe = (uintptr_t)p;
	bpf_shared.kind = 0;
	bpf_shared.is_slow = is_slow;
	do {
		attr = (union bpf_attr){ .test = { .prog_fd = (uint32_t)loaded.program } };
		if (bpfload_call(BPF_PROG_TEST_RUN, &attr)) {
			message_error("%s: %s", p->pp, strerror(errno));
			stp_session_fail();
			return;
		}
		serve_program();
	} while (attr.test.retval == BPF_AGAIN);
	if (bpf_shared.stuck)
		say_stuck(p);
	bpf_shared.stuck = 0;
}

#define READS_MOST_NS 100000000u /* that reading waits for a hit */

/*
 * Whoever takes the lock of all handlers from now on sees that globals are read. Another
 * hit than the one that has it now will have seen it, too.
 */
bool bpfload_reads(bool begins)
{
	uint64_t owner, end = port_monotonic_ns() + READS_MOST_NS;

	WRITE_ONCE(bpf_shared.reads, begins);
	smp_mb();
	owner = begins ? READ_ONCE(bpf_shared.lock) : 0;
	while (owner && READ_ONCE(bpf_shared.lock) == owner) {
		if (port_monotonic_ns() > end)
			return false;
		usleep(1);
	}
	return true;
}

/* Loads pages: a program's write to a missing page would be lost. */
static void touch(uintptr_t from, uintptr_t to)
{
	for (; from < to; from += PAGE)
		*(volatile char *)from = 0;
}

/* Only the process can call the families' functions. */
static void fill_types(void)
{
	const char **types = port_alloc(stp_script.nprobes * sizeof(*types));

	for (uint32_t i = 0; types && i < stp_script.nprobes; i++) {
		const struct stp_probe *p = &stp_script.probes[i];

		types[i] = p->family->type ? p->family->type(p) : p->family->name;
	}
	bpf_shared.types = (uintptr_t)types;
}

static void fill_shared(void)
{
	bpf_shared.realtime = port_realtime_ns() - port_monotonic_ns();
	bpf_shared.process = getpid();
	bpf_shared.parent = getppid();
	bpf_shared.user = getuid();
	bpf_shared.user_now = geteuid();
	bpf_shared.process_group = getpgrp();
	bpf_shared.session = getsid(0);
	bpf_shared.group = getgid();
	bpf_shared.group_now = getegid();
	bpf_shared.page = (uint32_t)sysconf(_SC_PAGESIZE);
}

bool bpfload_start(bool verbose)
{
	int arena;

	if (!bpffields_find())
		return false;
	arena = make_arena();
	if (arena < 0) {
		message_error("--runtime=bpf: an arena (kernels from 6.9): %s%s", strerror(-arena),
			      arena == -EPERM ? "; it needs root, or CAP_BPF and CAP_PERFMON" : "");
		return false;
	}
	loaded.maps[BPFIMAGE_ARENA] = arena;
	loaded.verbose = verbose;
	if (!read_image(&loaded.parts)) {
		message_error("--runtime=bpf: the program's file has no handlers at its end: it is "
			      "damaged, or /proc is missing");
		return false;
	}
	if (!make_waker()) {
		message_error("--runtime=bpf: a ring buffer: %s", strerror(errno));
		return false;
	}
	fill_shared();
	if (!bpftasks_begin())
		return false;
	fill_types();
	touch(BPF_RESUME_AT, BPF_RESUME_AT + PAGE);
	touch(BPF_FRAMES_AT, BPF_STACK_END);
	return load();
}
