/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The context of a hit: errors, the budget, and frames of functions. */
#ifndef STP_API_CTX_H
#define STP_API_CTX_H

#include "api/string.h"

struct stp_map;
struct stp_matches;

#define STP_CALLERS 16

#define STP_MAPPINGS SIZE_MAX

/* Bytes of the program that could not be read, or its mappings if they were locked. */
struct stp_absence {
	uint64_t addr;
	size_t size; /* 0: nothing is absent; or STP_MAPPINGS */
};

/* The code that repeats a hit if something was absent. */
enum stp_repeats {
	STP_REPEATS_ITSELF, /* the end of the hit itself */
	STP_REPEATED,	    /* the caller that runs the hit */
	STP_REPEATED_NEVER, /* nothing: the hit is not repeated any more */
};

/* Work that a hit leaves to its end. 0: the hit has only changed globals. */
enum stp_ending {
	STP_ENDS_SIMPLY = 1,	/* simple output is to be published: core/simpleoutput.h */
	STP_ENDS_OTHERWISE = 2, /* there was other output, or an error, even if it was caught */
	STP_ENDS_SPENT = 4,	/* its whole budget is spent: errors are no longer caught */
	STP_ENDS_TIMED = 8,	/* its time is taken, and perhaps locks: bpf/ownhit.h */
};

struct stp_ctx {
	const char *error; /* the message; not NULL: the handler is being left */
	const char *where; /* "near operator '/' at file:line:col": the innermost failed place */
	const struct stp_probe *probe; /* running */
	struct pt_regs *regs;	       /* of the probed code, or NULL */
	const int64_t *args;	       /* tracepoint arguments, or NULL */
	int64_t *saved;		       /* return probes: the values saved at entry */
	int64_t work;		       /* remaining budget: STP_ACTION for each statement */
	int64_t budget;		       /* budget at the beginning of a hit */
	int64_t more;		       /* rest of a large budget, given out piece by piece */
	uint32_t depth;		       /* script calls on the stack; 0 between hits */
	uint32_t cpu; /* index of the context: the CPU, or nr_cpu_ids for probes that may sleep */
	/*
	 * changes with each hit: notes with this number are valid while it stays the same
	 */
	uint64_t serial;
	union {
		struct {
			bool next;	/* STAP_NEXT / overload fall-through */
			bool lasted;	/* the hit did something permanent: it is not repeated */
			bool entering;	/* a return probe saves its values */
			uint8_t ending; /* enum stp_ending: flags */
			uint32_t frame_used;
		};
		uint64_t marks; /* all of these, which each hit clears at once */
	};
	bool sleepable;
	/*
	 * The hit was aborted because something of the program was absent, which is noted
	 * here: see stp_repeat.
	 */
	bool again;
	bool has_mappings; /* the repeating code holds mmap_lock */
	uint8_t repeats;   /* enum stp_repeats; nonzero only in repeated hits */
	struct stp_absence absence;
	/*
	 * The element found last, for core/map.c. Within one hit, it is an element of the
	 * map that `map` names.
	 */
	struct {
		const struct stp_map *map;
		int64_t key;
		uint64_t serial;
		void *entry;
		uint32_t *link;
	} last;
	struct stp_matches *matches; /* state of matched(); NULL: the script never asks */
	/* The free part of the record being made. Both are equal if there is none yet. */
	uint8_t *out, *out_end;
	/* String storage of handlers and functions: stp_script.frame_bytes. */
	char *frame_base;
	/* Places of the calls that lead to `where`, innermost first. */
	const char *callers[STP_CALLERS];
	uint32_t self_calls[STP_CALLERS]; /* how often each one called itself */
	uint32_t ncallers;		  /* may be more than STP_CALLERS */
	/* For core/shards.c: the hit that waited last, and the tries that it has left; */
	uint32_t tries;
	uint64_t waited;
	uint64_t created; /* the time of the last element that was created here */
	char error_text[256];
};

#define stp_failed(c) __builtin_expect((c)->error != NULL, 0)

/* Sets the error; for the runtime, which has its own messages. */
static inline void stp_raise(struct stp_ctx *c, const char *error)
{
	c->error = error;
	c->ending |= STP_ENDS_OTHERWISE;
}

/*
 * Raises a run-time error of the script. The format is that of the kernel's snprintf. The
 * first error is kept.
 */
void stp_error(struct stp_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));
/* Notes the place of the error being raised, unless a place was already noted. */
void stp_where(struct stp_ctx *c, const char *where) __attribute__((cold));
/*
 * Notes the place of a call that failed. If the error already has a place, this one is
 * added to the calls that led to it.
 */
void stp_called_at(struct stp_ctx *c, const char *where) __attribute__((cold));
/*
 * catch: copies the message to dst, without its place, and clears the error. An error
 * that stp_pardon() does not clear ends the handler.
 */
struct stp_str stp_catch(struct stp_ctx *c, char *dst);
/*
 * Clears the error for code that can continue after a failure. False: the error stays,
 * because the runtime is ending the hit, or its budget is spent.
 */
bool stp_pardon(struct stp_ctx *c);
/*
 * Called before every permanent effect of a hit: from here on, the hit is not repeated.
 */
static inline void stp_lasting(struct stp_ctx *c)
{
	c->lasted = true;
}

/*
 * The budget of a hit. A statement is STP_ACTION units of work. A unit takes between half
 * an instruction and two. So a hit is bounded in time, whatever its statements do. An
 * operation that may take longer than a statement, because its time depends on the amount
 * of data, charges for it.
 */
#define STP_ACTION 1024
/* Begin, end and error probes can be interrupted, so they are charged only a 16th. */
#define STP_SLEEPABLE_SHARE 16
/*
 * Subtracts n statements from the budget. Fails with "MAXACTION exceeded", which scripts
 * cannot catch. Used in loops and calls.
 */
static inline bool stp_spend(struct stp_ctx *c, int64_t n);
/*
 * Subtracts work from the budget, before or after the work is done. Fails with the same
 * error. False: the handler has failed, now or earlier.
 */
bool stp_charge(struct stp_ctx *c, uint64_t work);
/*
 * Subtracts work from the budget without raising the error. The next stp_spend() or
 * stp_charge() raises it. For short operations of every hit.
 */
static inline void stp_charge_later(struct stp_ctx *c, uint64_t work)
{
	c->work -= (int64_t)work;
}
/*
 * Work of common steps of functions: to print a number or name into a text, and to find a
 * frame of a stack.
 */
#define STP_TEXT_WORK  512
#define STP_FRAME_WORK 512
/*
 * Work of finding the symbol of a kernel address. The symbols of a module are searched
 * one by one.
 */
#define STP_SYMBOL_WORK	       4096
#define STP_MODULE_SYMBOL_WORK 65536
uint64_t stp_symbol_work(uint64_t address);
/*
 * Called when the current piece of the budget is used up. True: a large budget had
 * another piece. False: the error was raised.
 */
bool stp_spent(struct stp_ctx *c) __attribute__((cold));
/* Returns the whole budget in statements, for messages. */
int64_t stp_budget_actions(const struct stp_ctx *c) __attribute__((cold));
/*
 * These enclose the body of a script function. Entering fails with "MAXNESTING exceeded".
 */
static inline bool stp_call_enter(struct stp_ctx *c);
static inline void stp_call_leave(struct stp_ctx *c);
/*
 * Returns string storage for the body of a function, or NULL and an error if frame_bytes
 * is used up. Frames nest strictly.
 */
static inline void *stp_frame_push(struct stp_ctx *c, uint32_t bytes);
/*
 * Returns the frame of the handler itself: the first frame, which always exists and is
 * never released.
 */
static inline void *stp_frame_root(struct stp_ctx *c, uint32_t bytes);
static inline void stp_frame_pop(struct stp_ctx *c, uint32_t bytes);

#endif
