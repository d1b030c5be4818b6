/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract: everything that generated C, and embedded C in tapsets, may call.
 * Implemented once in runtime/core and twice, for the kernel and for user space, in
 * runtime/kernel and runtime/user. runtime/example.c shows generated C.
 *
 * Rules of a handler: it runs with a context (struct stp_ctx) of its CPU, never sleeps
 * (begin, end and error may), and every function here that can fail sets c->error; the
 * generated code then leaves by its fail label.
 */
#ifndef STP_API_H
#define STP_API_H

#ifdef __KERNEL__
#include "kernel/env.h"  /* the kernel's headers, int64_t & co. */
#else
#include "user/env.h"
#endif
#include "uapi/msg.h"
#include "uapi/record.h"

struct stp_ctx;
struct stp_map;
struct stp_matches;
struct stp_family;

/*
 * Stands behind the declarator of a static variable and keeps it out of the module's
 * symbol table. There are as many such variables as probe points.
 */
#define STP_LOCAL(name) __asm__(".L" #name)

/* ---- strings: NUL-terminated, and their length ---- */

struct stp_str {
	const char *s; /* s[len] == 0 */
	uint32_t len;
};
#define STP_STR(literal) ((struct stp_str){ "" literal, sizeof(literal) - 1 })
#define STP_STR_OF(text, length) ((struct stp_str){ text, (uint32_t)(length) })

/*
 * MAXSTRINGLEN is a number in generated C; in the runtime it is stp_script.limits.string.
 * Every `dst` below has that many bytes; longer results are cut. Results point to dst, or
 * to an argument that is still valid as long.
 */
struct stp_str stp_str_copy(struct stp_ctx *c, char *dst, struct stp_str s);
struct stp_str stp_str_concat(struct stp_ctx *c, char *dst, struct stp_str a, struct stp_str b);
/*
 * Makes a string of the C text in dst: its length is measured, at most MAXSTRINGLEN - 1.
 */
struct stp_str stp_str_from(struct stp_ctx *c, char *dst);
/*
 * @enumname: returns the name in the first row with that value, or the number as text.
 * The last row's name is NULL.
 */
struct stp_enumerator {
	int64_t value;
	const char *name;
};
struct stp_str stp_enum_name(struct stp_ctx *c, char *dst, const struct stp_enumerator *rows,
			     int64_t value);
/* Copies bytes; source and destination may overlap. */
static inline void stp_bytes_copy(char *dst, const char *src, size_t n); /* core/bytes.h */
int stp_str_compare(struct stp_str a, struct stp_str b); /* bytewise: <0 0 >0 */
bool stp_text_has(const char *text, const char *part); /* makes no call: cheap in any handler */
static inline bool stp_str_equal(struct stp_str a, struct stp_str b)
{
	return a.len == b.len && !memcmp(a.s, b.s, a.len);
}

/* ---- regular expressions: `static const struct stp_regex regex_N`, core/regex.h ---- */

#include "core/regex.h"

/*
 * s =~ r that notes what matched, for matched(). Scripts that never ask for it use
 * stp_regex_test().
 */
bool stp_regex_match(struct stp_ctx *c, const struct stp_regex *r, struct stp_str s);
/*
 * Group n of the last match in this hit; "" when the group took no part. Fails when there
 * was no match or there is no such group.
 */
void stp_matched(struct stp_ctx *c, int64_t n, char *dst);
int64_t stp_matched_groups(struct stp_ctx *c);

/* ---- the context of a hit ---- */

#define STP_CALLERS 16

struct stp_ctx {
	const char *error;       /* not NULL: the handler is being left; the message */
	const char *where; /* "near operator '/' at file:line:col": the innermost failed place */
	const struct stp_probe *probe; /* running */
	struct pt_regs *regs;    /* of the probed code, or NULL */
	const int64_t *args;     /* tracepoint arguments, or NULL */
	int64_t *saved;          /* return probes: values saved at entry */
	int64_t work;            /* budget left, STP_ACTION for each statement of MAXACTION */
	int64_t budget;          /* budget at the begin of a hit */
	int64_t more;            /* left over of a large budget, handed out piece by piece */
	uint32_t depth;          /* script calls on the stack */
	uint32_t frame_used;
	uint32_t cpu;            /* index of the context: CPU, or nr_cpu_ids for the sleeping one */
	/*
	 * changes with each hit: things noted under this number are valid as long as it
	 * stays
	 */
	uint64_t serial;
	bool sleepable;
	bool next;               /* STAP_NEXT / overload fall-through */
	void *hit;               /* the runtime's own: transport state of this hit */
	/*
	 * Element found last, for core/map.c. It is the map's own element while `map`
	 * says so, within one hit.
	 */
	struct {
		const struct stp_map *map;
		int64_t key;
		uint64_t serial;
		void *entry;
		uint32_t *link;
	} last;
	struct stp_matches *matches; /* state of matched(); NULL: the script never asks */
	/* Free part of the record being made; both are equal when there is none yet. */
	uint8_t *out, *out_end;
	/* String storage of handlers and functions: stp_script.frame_bytes. */
	char *frame_base;
	/* Places of the calls on the way to `where`, innermost first. */
	const char *callers[STP_CALLERS];
	uint32_t ncallers;       /* may be more than STP_CALLERS */
	char error_text[256];
};

#define stp_failed(c) __builtin_expect((c)->error != NULL, 0)

/*
 * Raises the script's run-time error; printf-style in the dialect of the kernel's
 * snprintf. The first error is kept.
 */
void stp_error(struct stp_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));
/* Notes the place of the error being raised, unless one is noted. */
void stp_where(struct stp_ctx *c, const char *where) __attribute__((cold));
/*
 * Notes the place of a call that failed: when the error has a place already, this one is
 * added to the calls that led there.
 */
void stp_called_at(struct stp_ctx *c, const char *where) __attribute__((cold));
/* catch: copies the message to dst, without its place, and clears the error. */
struct stp_str stp_catch(struct stp_ctx *c, char *dst);

/*
 * The budget of a hit. A statement is STP_ACTION units of work; a unit takes between half
 * an instruction and two. So a hit is bounded in time, whatever its statements do.
 * Operations that may take longer than a statement, because they depend on the amount of
 * data, charge for it.
 */
#define STP_ACTION 1024
/* Begin, end and error probes can be interrupted: they are charged a 16th. */
#define STP_SLEEPABLE_SHARE 16
/*
 * Takes n statements off the budget; fails with "MAXACTION exceeded". Used in loops and
 * calls.
 */
static inline bool stp_spend(struct stp_ctx *c, int64_t n);
/*
 * Takes work off the budget, before or after the work is done; fails with the same error.
 * False: the handler has failed, by this or before.
 */
bool stp_charge(struct stp_ctx *c, uint64_t work);
/*
 * Takes work off the budget without raising the error, which the next stp_spend() or
 * stp_charge() does. For short operations that every hit does.
 */
static inline void stp_charge_later(struct stp_ctx *c, uint64_t work)
{
	c->work -= (int64_t)work;
}
/*
 * Work of common steps of functions: printing a number or name into a text; a frame of a
 * stack.
 */
#define STP_TEXT_WORK  512
#define STP_FRAME_WORK 512
/*
 * Work of finding the symbol of a kernel address. The symbols of a module are searched
 * one by one.
 */
#define STP_SYMBOL_WORK        4096
#define STP_MODULE_SYMBOL_WORK 65536
uint64_t stp_symbol_work(uint64_t address);
/*
 * Called when the budget at hand is used up. True: a large budget had more; otherwise the
 * error is raised.
 */
bool stp_spent(struct stp_ctx *c) __attribute__((cold));
/* Returns the whole budget in statements, for messages. */
int64_t stp_budget_actions(const struct stp_ctx *c) __attribute__((cold));
/* Stand around the body of a script function; fails with "MAXNESTING exceeded". */
static inline bool stp_call_enter(struct stp_ctx *c);
static inline void stp_call_leave(struct stp_ctx *c);
/*
 * Returns string storage for a body; NULL and an error when frame_bytes is used up.
 * Frames nest strictly.
 */
static inline void *stp_frame_push(struct stp_ctx *c, uint32_t bytes);
/*
 * Returns the frame of the handler itself: the first one, always there and never given
 * back.
 */
static inline void *stp_frame_root(struct stp_ctx *c, uint32_t bytes);
static inline void stp_frame_pop(struct stp_ctx *c, uint32_t bytes);

/* ---- arithmetic that can fail or trap ---- */

int64_t stp_div(struct stp_ctx *c, int64_t a,
		int64_t b); /* by 0: "division by 0"; INT64_MIN / -1 wraps */
int64_t stp_mod(struct stp_ctx *c, int64_t a, int64_t b);
/* Shift by the last 6 bits of the count, as processors do. */
static inline int64_t stp_shl(int64_t a, int64_t b);
static inline int64_t stp_shr(int64_t a, int64_t b);
static inline int64_t stp_ushr(int64_t a, int64_t b);

/* ---- arrays ---- */

union stp_key {
	int64_t i;
	struct stp_str s;
};

enum stp_type { STP_LONG, STP_STRING, STP_STATS };

struct stp_map_desc {
	const char *name;        /* for messages */
	uint8_t nkeys;           /* 1…9 */
	uint8_t key_types[9];    /* enum stp_type */
	uint8_t value_type;
	bool wrap;               /* full: the oldest entry goes; max_entries is given */
	/* Probes exist that only add to elements: under STP_LOCK_ADD. */
	bool adds;
	uint8_t sorts;           /* sorted loops inside each other, at most */
	uint32_t max_entries;    /* 0: MAXMAPENTRIES; when that is not given either, it grows */
	uint32_t keeps;          /* for STATS values: enum stp_keep */
	uint32_t hist;           /* enum stp_hist */
	int64_t low, high, width;
	const struct stp_stat_desc *several;
};

/* Returns 0 for an absent element. */
int64_t stp_map_get_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k);
struct stp_str stp_map_get_s(struct stp_ctx *c, struct stp_map *m, const union stp_key *k,
			     char *dst); /* absent: "" */
void stp_map_set_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v);
void stp_map_set_s(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, struct stp_str v);
/*
 * Place of a value, for op= and ++; it is made with 0 when absent. NULL and an error when
 * the array is full. Valid until the map changes.
 */
int64_t *stp_map_ref_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k);
/* += whose value is not used. This and <<< are allowed under STP_LOCK_ADD. */
void stp_map_add_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v);
/* Bit i of `wild` set: key i is '*'. */
bool stp_map_in(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t wild);
void stp_map_delete(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t wild);
void stp_map_clear(struct stp_ctx *c, struct stp_map *m);
/* The same operations for arrays of numbers with one number as key. */
int64_t stp_plain_get_i(struct stp_ctx *c, struct stp_map *m, int64_t key);
void stp_plain_set_i(struct stp_ctx *c, struct stp_map *m, int64_t key, int64_t v);
int64_t *stp_plain_ref_i(struct stp_ctx *c, struct stp_map *m, int64_t key);
void stp_plain_add_i(struct stp_ctx *c, struct stp_map *m, int64_t key, int64_t v);
bool stp_plain_in(struct stp_ctx *c, struct stp_map *m, int64_t key);
void stp_plain_delete(struct stp_ctx *c, struct stp_map *m, int64_t key);

/* ---- aggregates ---- */

enum stp_hist { STP_HIST_NONE, STP_HIST_LOG, STP_HIST_LINEAR, STP_HIST_SEVERAL };
/*
 * Things besides the count that adding a value has to bring up to date. An operator reads
 * the ones kept for it; the others are 0.
 */
enum stp_keep { STP_KEEP_SUM = 1, STP_KEEP_MIN = 2, STP_KEEP_MAX = 4, STP_KEEP_SQUARES = 8 };
enum stp_stat_op { STP_COUNT, STP_SUM, STP_MIN, STP_MAX, STP_AVG, STP_VARIANCE };

struct stp_stat_desc {
	const char *name;
	uint32_t keeps;          /* enum stp_keep */
	uint32_t hist;
	int64_t low, high, width;
	/* For STP_HIST_SEVERAL: the first histogram. For a histogram: the next one. */
	const struct stp_stat_desc *several;
	uint32_t at;             /* for a histogram: its first bucket among the aggregate's */
};
struct stp_stat;      /* scalar aggregate: one part per CPU, added to without a lock */
struct stp_stat_data; /* contents of an aggregate when read */

void stp_stat_add(struct stp_ctx *c, struct stp_stat *st, int64_t v);
void stp_stat_clear(struct stp_ctx *c, struct stp_stat *st);
void stp_map_stat_add(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v);
/*
 * Sums over CPUs in the context's own memory: valid until the next of these two calls.
 * NULL: nothing was ever added.
 */
const struct stp_stat_data *stp_stat_read(struct stp_ctx *c, struct stp_stat *st);
const struct stp_stat_data *stp_map_stat_read(struct stp_ctx *c, struct stp_map *m,
					      const union stp_key *k);
/* For NULL data, count and sum are 0 and the others fail with "empty aggregate". */
int64_t stp_stat_op(struct stp_ctx *c, const struct stp_stat_data *d, enum stp_stat_op op);
/* Print the histogram's picture: into this hit's output, or into dst. */
void stp_hist_print(struct stp_ctx *c, const struct stp_stat_data *d,
		    const struct stp_stat_desc *desc) __attribute__((cold));
struct stp_str stp_hist_sprint(struct stp_ctx *c, const struct stp_stat_data *d,
			       const struct stp_stat_desc *desc, char *dst);
int64_t stp_hist_bucket(struct stp_ctx *c, const struct stp_stat_data *d,
			const struct stp_stat_desc *desc, int64_t i);

/* ---- foreach ---- */

struct stp_iter_how {
	int sort_column;        /* 0 insertion order, 1…n key, -1 value */
	int direction;          /* +1 ascending, -1 descending */
	enum stp_stat_op stat;  /* sort_column -1 of STATS values */
	/* Slice: bit i set = key i is '*'; all bits are set when there is no slice. */
	uint32_t wild;
	const union stp_key *slice; /* NULL: no slice */
	int64_t limit;          /* < 0: no limit */
};
/* Turns the value of `limit` in a script into a count: negative values are 0. */
static inline int64_t stp_limit(int64_t limit)
{
	return limit < 0 ? 0 : limit;
}
struct stp_iter {
	struct stp_map *map;
	uint32_t entry, next, left;
	int level;              /* number of the sort links; -1: order of insertion */
	struct stp_ctx *c;
	const struct stp_iter_how *how;
};
/*
 * The map must not change between begin and end: changing it fails with "array modified
 * during foreach". Every begin is paired with an end, also when the body failed.
 */
void stp_iter_begin(struct stp_ctx *c, struct stp_iter *it, struct stp_map *m,
		    const struct stp_iter_how *how);
bool stp_iter_next(struct stp_ctx *c, struct stp_iter *it);
void stp_iter_end(struct stp_ctx *c, struct stp_iter *it);
int64_t stp_iter_key_i(const struct stp_iter *it, unsigned k);
struct stp_str stp_iter_key_s(struct stp_ctx *c, const struct stp_iter *it, unsigned k, char *dst);
int64_t stp_iter_value_i(const struct stp_iter *it);
struct stp_str stp_iter_value_s(struct stp_ctx *c, const struct stp_iter *it, char *dst);
const struct stp_stat_data *stp_iter_value_stat(const struct stp_iter *it);

/* ---- output ---- */

/*
 * One printf format. args: a letter for each argument in order, 'd' long or 's' string
 * (%m: 'd' address, read at once). core/printf.c does the formatting everywhere: here for
 * sprintf, in stapio for printf.
 */
struct stp_format {
	const char *text;
	uint32_t len;
	const char *args;
	size_t (*dump)(struct stp_ctx *c, unsigned format, unsigned index,
		       const union stp_key *args); /* NULL: without %m and %M */
};
/*
 * Lays out the item of a format with memory dumps as an item of format `index`. Returns
 * its bytes, or 0 and an error.
 */
size_t stp_format_dump(struct stp_ctx *c, unsigned format, unsigned index,
		       const union stp_key *args);

/*
 * Makes an item of this hit's record (uapi/record.h) in place: first room for it, then
 * its parts one after the other. NULL and an error when it is longer than any record.
 */
static inline uint8_t *stp_item(struct stp_ctx *c, size_t bytes);
static inline size_t stp_item_string_bytes(struct stp_str s);
static inline uint8_t *stp_item_format(uint8_t *p, unsigned format);
static inline uint8_t *stp_item_long(uint8_t *p, int64_t v);
static inline uint8_t *stp_item_string(uint8_t *p, struct stp_str s);
uint8_t *stp_item_more(struct stp_ctx *c, size_t bytes); /* the slow half of stp_item() */
/* Print with all parts in an array, and with memory dumps. */
void stp_printf(struct stp_ctx *c, unsigned format, const union stp_key *args);
struct stp_str stp_sprintf(struct stp_ctx *c, char *dst, unsigned format,
			   const union stp_key *args);
/*
 * sprintf in pieces, for formats whose conversions are all plain: `struct stp_text t = {
 * { dst, 0 }, false }`, the pieces, the end.
 */
struct stp_text {
	struct stp_str str;
	bool cut;
};
void stp_text_put(void *text, const char *s, size_t len);
static inline void stp_text_char(struct stp_text *t, char c);
void stp_text_signed(struct stp_text *t, int64_t v);
void stp_text_unsigned(struct stp_text *t, uint64_t v);
void stp_text_hex(struct stp_text *t, uint64_t v, bool prefixed);
struct stp_str stp_text_end(struct stp_ctx *c, struct stp_text *t);
/* Prints plain text of any length. */
void stp_print_text(struct stp_ctx *c, const char *s, size_t len);
void stp_warn(struct stp_ctx *c, struct stp_str text);       /* "WARNING: …" on stderr */
void stp_log_error(struct stp_ctx *c,
		   struct stp_str text); /* "ERROR: …" on stderr, the script goes on */
void stp_log(struct stp_ctx *c, struct stp_str text);        /* log(): a line of the output */
void stp_command(struct stp_ctx *c, struct stp_str text);    /* system() */
/* exit(): the script ends after this handler. */
void stp_exit(struct stp_ctx *c);
/* abort(): exit(), and the handler ends here, by an error that no catch takes. */
void stp_abort(struct stp_ctx *c);

/* ---- memory of the probed code: fault-safe ---- */

enum stp_space { STP_KERNEL, STP_USER };
/*
 * Loads 1, 2, 4 or 8 bytes, zero-extended. A fault raises "read fault [man error::fault]
 * at 0x…".
 */
uint64_t stp_load(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size);
/* Loads n bytes; false and an error on a fault. */
bool stp_load_bytes(struct stp_ctx *c, enum stp_space space, uint64_t addr, void *dst, size_t n);
/*
 * Loads a NUL-terminated string of at most max bytes (0: MAXSTRINGLEN - 1). A fault
 * raises an error; with `quiet`, it gives the bytes read so far and false in *ok.
 */
struct stp_str stp_load_string(struct stp_ctx *c, enum stp_space space, uint64_t addr, uint32_t max,
			       char *dst, bool *ok);
/*
 * Return the addresses of the first area of an mm, and of the area after another; 0:
 * there is none. For kernels since 6.1.
 */
uint64_t stp_area_first(struct stp_ctx *c, uint64_t mm);
uint64_t stp_area_next(struct stp_ctx *c, uint64_t vma);
/*
 * $x$ and $x$$: prints the value at addr as the rows `static const struct stp_shape
 * shape_N[]` (core/pretty.h) say; or one value, if there is only one row.
 */
#include "core/pretty.h"
struct stp_str stp_pretty(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
			  enum stp_space space, int64_t addr);
/*
 * Prints a value that is held in `count` words, beginning `offset` bytes after the first
 * word's start. Bits in known[] say which words are known; pointers in them lead into the
 * space.
 */
struct stp_str stp_pretty_words(struct stp_ctx *c, char *dst, const struct stp_shape *rows,
				enum stp_space space, const int64_t *words, const uint64_t *known,
				unsigned count, unsigned offset);
struct stp_str stp_pretty_value(struct stp_ctx *c, char *dst, const struct stp_shape *row,
				enum stp_space space, int64_t v);
/* Writes 1, 2, 4 or 8 bytes (-g). */
void stp_store(struct stp_ctx *c, enum stp_space space, uint64_t addr, unsigned size,
	       uint64_t value);

/* ---- values that the probe point offers ---- */

/* The n-th register or stack argument of the function entered. */
int64_t stp_arg(struct stp_ctx *c, unsigned n);
int64_t stp_retval(struct stp_ctx *c);
/*
 * A variable of one of the kernel's modules: its symbol, and its address while the module
 * is loaded (kernel/variable.c).
 */
struct stp_variable {
	const char *symbol, *module;
	unsigned long address;
};
/* Returns the variable's address; fails when the module is not loaded. */
int64_t stp_variable(struct stp_ctx *c, const struct stp_variable *v);
/*
 * Write the same values (-g). Values saved at the entry and values that tracepoints bring
 * cannot be written.
 */
void stp_set_arg(struct stp_ctx *c, unsigned n, int64_t value);
void stp_set_retval(struct stp_ctx *c, int64_t value);
void stp_set_register(struct stp_ctx *c, unsigned n, int64_t value);
void stp_set_syscall_arg(struct stp_ctx *c, unsigned n, int64_t value);
int64_t stp_kernel_anchor(void);                          /* address of the kernel's init_task */
/* Register by DWARF's number; 16 is the address of the probed instruction. */
int64_t stp_register(struct stp_ctx *c, unsigned n);
/* @kregister: the same for points at which the kernel may not have told the register. */
int64_t stp_kregister(struct stp_ctx *c, unsigned n);
/*
 * Return address of the current process: the word at the slot, or the address that a
 * return probe has taken from there.
 */
int64_t stp_return_address(struct stp_ctx *c, int64_t slot);
/*
 * Thread pointer (fs) of the current process; fails for kernel threads and 32-bit
 * processes.
 */
int64_t stp_thread_pointer(struct stp_ctx *c);
/* Register of the current process as it was when the process entered the kernel. */
int64_t stp_user_register(struct stp_ctx *c, unsigned n);
/* Argument n of the system call whose entry point was hit; also for 32-bit entries. */
int64_t stp_syscall_arg(struct stp_ctx *c, unsigned n);
static inline int64_t stp_trace_arg(struct stp_ctx *c, unsigned n) { return c->args[n]; }
/* Adds a constant to a register's value, or to 0 for STP_NO_REGISTER. */
#define STP_NO_REGISTER 0xff
static inline int64_t stp_word(struct stp_ctx *c, unsigned n, int64_t constant)
{
	uint64_t value = n == STP_NO_REGISTER ? 0 : (uint64_t)stp_register(c, n);

	return (int64_t)(value + (uint64_t)constant);
}
/* Returns the value without its upper `left` bits; sign-extended when it is signed. */
static inline int64_t stp_cut(int64_t value, unsigned left, bool is_signed)
{
	uint64_t up = (uint64_t)value << left;

	return is_signed ? (int64_t)up >> left : (int64_t)(up >> left);
}
static inline int64_t stp_saved(struct stp_ctx *c, unsigned n) { return c->saved[n]; }

/* ---- for tapset functions (embedded C) ---- */

int64_t stp_time_ns(void);      /* of day; NMI-safe */
int64_t stp_monotonic_ns(void);
int64_t stp_cycles(void);
int64_t stp_target(void);       /* target(): -c/-x process */
extern long stp_remote_id;      /* staprun -r; -1: not given */
extern char *stp_remote_uri;
/*
 * True: the current process belongs to the user who runs the script, and has no other
 * rights.
 */
bool stp_is_own_process(void);
int64_t stp_reader(void);       /* stp_pid(): process that reads the output */
int64_t stp_random(uint64_t n); /* 0 … n-1 */
const struct stp_zone *stp_zone(void); /* zone of the reader */
struct stp_str stp_module_name(void);
/*
 * Stores the addresses of the kernel's call chain at the point, innermost first, and
 * returns their number. User space gives 0.
 */
unsigned stp_kernel_stack(struct stp_ctx *c, uint64_t *frames, unsigned max);
#define STP_STACK_MAX 48
/* print_backtrace(): prints the kernel's call chain at the point, one frame per line. */
void stp_print_backtrace(struct stp_ctx *c);

/* ---- stacks, symbols and variables of programs: kernel/program_stack.c ---- */

/* Description of an address of the current process. */
struct stp_program_place {
	const char *module;       /* path of the program or library, or "vdso"; NULL: unknown */
	uint64_t offset, size;    /* offset of the address in the module; size of the module */
	const char *symbol;       /* NULL: unknown */
	uint64_t symbol_offset, symbol_size;
	const char *file;         /* source file; NULL: unknown */
	uint32_t line;
};
/*
 * False: nothing is known. The texts in *ret are valid until the next of these calls. For
 * a return address, the call instruction before it is looked up.
 */
bool stp_program_place(struct stp_ctx *c, uint64_t address, bool is_return,
		       struct stp_program_place *ret);

/* The end of a stack. */
enum stp_program_stack_end {
	STP_STACK_WHOLE,
	STP_STACK_NONE,          /* no process, or one whose registers cannot be seen from here */
	STP_STACK_LIMIT,         /* MAXBACKTRACE */
	STP_STACK_UNREADABLE,    /* memory that is not there */
	STP_STACK_ASTRAY,        /* values that cannot be a stack */
	STP_STACK_32,            /* 32-bit processes are not unwound */
};
struct stp_program_frame {
	uint64_t address;
	bool is_return;          /* a call returns to it; else it is about to run */
	bool is_guessed;         /* found by the frame pointer, because there was no table */
};
struct stp_program_stack {
	const struct stp_program_frame *frames; /* innermost first */
	unsigned count;
	enum stp_program_stack_end end;
};
/*
 * Unwinds from the registers of the process or, when `start` is not NULL, from pc, sp, fp
 * in it. The result is valid until the next call.
 */
void stp_program_stack(struct stp_ctx *c, const uint64_t start[3], struct stp_program_stack *ret);

/*
 * Returns the distance of user module number `module` in the current process from the
 * addresses in its file, for reading its variables from anywhere. Fails when the process
 * has not mapped the module, or when the distance cannot be found out here.
 */
int64_t stp_program_base(struct stp_ctx *c, uint32_t module);

/*
 * A program or library that the script names, and the data that the script carries about
 * it.
 */
struct stp_program_segment {
	uint64_t address, offset, size;
	bool is_code;
};
struct stp_program_module {
	const char *path;        /* NULL: the vdso */
	uint64_t size;           /* of the file */
	uint64_t id_address;     /* of the build-id in the program's memory */
	uint64_t id_offset;      /* of the build-id in the file */
	const uint8_t *id;
	uint32_t id_size;        /* 0: no build-id */
	uint64_t base;           /* origin of the table's addresses */
	const struct stp_program_segment *segments;
	uint32_t nsegments;
	uint32_t table_size;
	/* See core/program_table.h; the size is 0 where only variables are wanted. */
	const void *table;
};
struct stp_program_modules {
	const struct stp_program_module *modules;
	uint32_t count;
};

/* ---- parts ---- */

/*
 * A part that is linked in only where it is used, and has to be set up. destroy() also
 * undoes a create() that failed halfway.
 */
struct stp_part {
	int (*create)(void);
	void (*destroy)(void);
};
extern const struct stp_part stp_arrays_part;    /* core/arrays.c */
extern const struct stp_part stp_stats_part;     /* core/arrays.c: aggregates outside arrays */
extern const struct stp_part stp_variables_part; /* kernel/variable.c: variables of modules */
extern const struct stp_part stp_program_stack_part;
extern const struct stp_part stp_namespaces_part; /* kernel/namespaces.c */

/* ---- source lines of the kernel ---- */

struct stp_source_line {
	const char *file;
	unsigned line;
};
/* False: the script carries no line for the address. */
bool stp_source_line(struct stp_ctx *c, uint64_t address, struct stp_source_line *ret);

/*
 * Lines of a stretch of code; its addresses are counted from the anchor plus the
 * distance.
 */
struct stp_source_table {
	const struct stp_variable *anchor; /* of a module; NULL: stp_kernel_anchor() */
	int64_t distance;
	const void *table;                 /* core/program_table.h */
	uint32_t table_size;
};
struct stp_source_tables {
	const struct stp_source_table *tables;
	uint32_t count;
};
extern const struct stp_part stp_lines_part;

/* ---- locks of globals ---- */

/*
 * Locks are only tried, as often as MAXTRYLOCK says, TRYLOCKDELAY µs apart: there is no
 * priority inversion, and they are NMI-safe. Readers share a lock with readers. Probes
 * that only add to an array share its lock with each other, and say so in a word of their
 * own CPU: they write no memory that other CPUs write.
 */
/* ALONE: writing to an array that other probes only add to */
enum stp_lock_mode { STP_LOCK_READ, STP_LOCK_WRITE, STP_LOCK_ADD, STP_LOCK_ALONE };
struct stp_lock {
	int32_t state; /* -1 written, n > 0 readers */
	uint32_t refused; /* hits skipped because they did not get the lock */
	uint64_t adders; /* the lock's bit in stp_cpu.adding; 0: no probe only adds */
};
struct stp_lock_use {
	struct stp_lock *lock;
	uint8_t mode;             /* enum stp_lock_mode */
};

/* ---- the script, as tables ---- */

struct stp_global {
	const char *name;
	uint8_t type;             /* enum stp_type of a scalar; arrays: of their values */
	bool is_array;
	/*
	 * Scalar long: int64_t *; string: struct stp_str * with storage below; stats:
	 * struct stp_stat **; array: struct stp_map **.
	 */
	void *place;
	char *storage;            /* string scalars: char[MAXSTRINGLEN] */
	const void *desc;         /* struct stp_map_desc or stp_stat_desc */
	const struct stp_lock *lock; /* NULL: no probe waits for it */
};

struct stp_probe {
	const char *pp;           /* pp() */
	const char *pn;           /* pn() */
	const char *function;     /* ppfunc(), or NULL */
	const char *module;       /* or NULL */
	void (*handler)(struct stp_ctx *c); /* NULL: inlined in hit */
	void (*entry)(struct stp_ctx *c);   /* return probes: fills c->saved, see enter */
	/*
	 * Runs one whole hit: guard, interrupts off, context, locks, condition, handler,
	 * commit, books. Safe in any context, NMI included. False when it was skipped
	 * (the books know why). NULL for begin, end and error.
	 */
	bool (*hit)(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,
		    int64_t *saved);
	/*
	 * Runs the entry of a return probe: the same around `entry`, but the books do not
	 * count a hit. False: do not fire the return. NULL: it saves nothing.
	 */
	bool (*enter)(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,
		      int64_t *saved);
	bool (*condition)(struct stp_ctx *c); /* NULL: always; runs under the locks */
	const struct stp_family *family;
	const void *point;        /* struct stp_point_FAMILY, see probe/points.h */
	const struct stp_lock_use *locks; /* in global order */
	uint16_t nlocks;
	uint16_t index;
	uint16_t row;             /* of the table of constants, for probes that share a handler */
	/*
	 * Script arguments are those of the system call, stp_syscall_arg(): stp_arg()
	 * would give the entry point's.
	 */
	bool of_call;
};

/*
 * Shared hit and enter, for scripts that have too many probes for code of their own:
 * core/hits.c.
 */
bool stp_hit(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args, int64_t *saved);
bool stp_hit_entry(const struct stp_probe *p, struct pt_regs *regs, const int64_t *args,
		   int64_t *saved);

struct stp_limits {
	uint32_t string;          /* MAXSTRINGLEN */
	uint32_t string_short;    /* longest string that costs no more than a statement may */
	uint32_t map_entries;     /* MAXMAPENTRIES; 0: arrays grow */
	uint32_t map_memory;      /* MAXMAPMEMORY: MB that all arrays together may grow to */
	uint32_t action;          /* MAXACTION */
	/*
	 * Budget of begin, end and error: ten times as much, unless -DMAXACTION is given.
	 */
	uint32_t action_slow;
	uint32_t nesting;         /* MAXNESTING */
	uint32_t errors;          /* MAXERRORS */
	uint32_t skipped;         /* MAXSKIPPED: 0 = never ends the script */
	uint32_t trylock;         /* MAXTRYLOCK */
	uint32_t trylock_delay;   /* TRYLOCKDELAY, µs */
	uint32_t buffer_mb;       /* -s, per CPU; 0: default */
	/*
	 * Share of a CPU's time that handlers may take before the script ends; 0:
	 * unlimited.
	 */
	uint32_t overload_percent;
	uint32_t backtrace;       /* MAXBACKTRACE: frames of a program's stack */
	uint32_t hist_width;      /* HIST_WIDTH: characters of the longest bar */
	uint32_t hist_elision;    /* HIST_ELISION: empty rows shown beside one that is not */
	bool suppress_errors;
};

struct stp_script {
	const char *name;         /* module name */
	const struct stp_probe *probes;
	const struct stp_global *globals;
	const struct stp_format *formats;
	struct stp_variable *const *variables;
	uint32_t nprobes, nglobals, nformats, nvariables;
	uint32_t frame_bytes;     /* string storage a context needs */
	uint32_t max_saved;       /* largest number of values that a return probe saves */
	bool notes_matches;       /* calls matched() or its like */
	bool runs_commands;       /* calls stp_command() */
	bool own_only;            /* --privilege=stapusr: processes of others are out of sight */
	const struct stp_part *const *parts;
	uint32_t nparts;
	const struct stp_program_modules *program_modules;   /* with stp_program_stack_part */
	const struct stp_source_tables *source_tables; /* with stp_lines_part */
	struct stp_limits limits;
};

/* Defined by the generated C. The runtime reaches it by this only. */
extern const struct stp_script stp_script;

#include "probe/points.h"
#include "core/inline.h" /* the static inline functions declared above */

#endif
