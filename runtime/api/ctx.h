/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The context of a hit: errors, the budget, frames of functions. */
#ifndef STP_API_CTX_H
#define STP_API_CTX_H

#include "api/string.h"

struct stp_map;
struct stp_matches;

#define STP_CALLERS 16

#define STP_MAPPINGS SIZE_MAX

/* Bytes of the program that could not be read; what it has mapped, if that was locked. */
struct stp_absence {
	uint64_t addr;
	size_t size; /* 0: nothing is absent; STP_MAPPINGS */
};

/* The one who repeats a hit that lacks something. */
enum stp_repeats {
	STP_REPEATS_ITSELF, /* the hit's own end */
	STP_REPEATED,	    /* the one who runs it */
	STP_REPEATED_NEVER, /* nobody: it is missing for good */
};

struct stp_ctx {
	const char *error; /* not NULL: the handler is being left; the message */
	const char *where; /* "near operator '/' at file:line:col": the innermost failed place */
	const struct stp_probe *probe; /* running */
	struct pt_regs *regs;	       /* of the probed code, or NULL */
	const int64_t *args;	       /* tracepoint arguments, or NULL */
	int64_t *saved;		       /* return probes: values saved at entry */
	int64_t work;		       /* budget left, STP_ACTION for each statement of MAXACTION */
	int64_t budget;		       /* budget at the begin of a hit */
	int64_t more;		       /* left over of a large budget, handed out piece by piece */
	uint32_t depth;		       /* script calls on the stack */
	uint32_t frame_used;
	uint32_t cpu; /* index of the context: CPU, or nr_cpu_ids for the sleeping one */
	/*
	 * changes with each hit: things noted under this number are valid as long as it
	 * stays
	 */
	uint64_t serial;
	union {
		struct {
			bool next;     /* STAP_NEXT / overload fall-through */
			bool lasted;   /* the hit did something that lasts: it is not repeated */
			bool entering; /* a return probe saves its values */
			bool spent;    /* its whole budget: errors are not caught any more */
		};
		uint32_t marks; /* all of them, cleared by each hit at once */
	};
	bool sleepable;
	/*
	 * The hit lacked something of the program, which is noted here, and was broken
	 * off: see stp_repeat.
	 */
	bool again;
	bool has_mappings; /* who repeats the hit holds mmap_lock */
	uint8_t repeats;   /* enum stp_repeats; other than 0 in repeated hits only */
	struct stp_absence absence;
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
	uint32_t self_calls[STP_CALLERS]; /* how often each called itself */
	uint32_t ncallers;		  /* may be more than STP_CALLERS */
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
/*
 * catch: copies the message to dst, without its place, and clears the error. An error
 * that stp_pardon() keeps goes on to the end of the handler.
 */
struct stp_str stp_catch(struct stp_ctx *c, char *dst);
/*
 * Clears the error for code that goes on without what failed. False: it stays, because
 * the hit is being ended by the runtime, or its budget is spent.
 */
bool stp_pardon(struct stp_ctx *c);
/* Stands before all that outlasts a hit: from here on the hit is not repeated. */
static inline void stp_lasting(struct stp_ctx *c)
{
	c->lasted = true;
}

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
 * Takes n statements off the budget; fails with "MAXACTION exceeded", which scripts
 * cannot catch. Used in loops and calls.
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
#define STP_SYMBOL_WORK	       4096
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

#endif
