/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: points in the kernel. Each has a small BPF program, which is generated
 * here and which the kernel runs at the point:
 *
 *   take the lock of all handlers (struct bpf_shared) · fill in the point and its
 *   arguments · continue with the handlers, which release the lock
 *
 * The handlers are the rest of the program, or if they are large or the points many, a
 * program of their own, which the points' programs call by a tail call.
 *
 * Whatever keeps a hit from running is counted in the point's books: another hit on the
 * same CPU (reentrant), or a lock that is not free in time. The kernel itself skips a
 * program that it has interrupted; its count of those is in the books as missed.
 */
#ifndef STP_USER_BPFPOINT_H
#define STP_USER_BPFPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/arena.h"
#include "user/bpfload.h"

struct bpfcode;
struct bpfpoint_form;
struct stp_probe;

/*
 * A program that several points share. It finds the subject of a hit, and leaves its
 * address at BPFPOINT_SUBJECT of the stack; register 6 is the context. The functions
 * write instructions.
 */
#define BPFPOINT_SUBJECT (-16)
#define BPFPOINT_PLACE	 (-24) /* one more address of the subject */
#define BPFPOINT_WORD	 (-32) /* for any use */
struct bpfpoint_common {
	/* Ends if nothing is probed there. */
	void (*find)(struct bpfcode *c, const struct bpfpoint_form *f);
	/* Counts a hit that does not run; `reason` is an enum stp_skip_reason. */
	void (*skip)(struct bpfcode *c, const struct bpfpoint_form *f, unsigned reason);
	/* Fills in bpf_shared, whose address is in register 8. */
	void (*fill)(struct bpfcode *c, const struct bpfpoint_form *f);
};

/* A word of the kernel's context that becomes one of bpf_shared.args. */
enum bpfpoint_way {
	BPFPOINT_LOADED,
	BPFPOINT_ARGUMENT, /* of type TRACING: the kernel is asked for it, */
	BPFPOINT_RESULT	   /* or for the result */
};
struct bpfpoint_word {
	uint16_t at;	/* byte of the context */
	uint8_t size;	/* bytes that count, 1, 2, 4 or 8 */
	bool is_signed; /* the others are copies of the sign */
	enum bpfpoint_way how;
};

/* Describes the program of a point to generate. */
struct bpfpoint_form {
	struct bpfload_kind kind;
	enum bpf_part part;
	uint64_t only;		 /* as in struct bpf_shared */
	struct bpf_calls *calls; /* of a return that saves values */
	bool has_regs;		 /* the context begins with registers, which are the words */
	bool only_told;		 /* the kernel provides only ARCH_TOLD_REGISTERS */
	bool only_values;	 /* only those of parameters and results are needed */
	bool at_site;		 /* at a program's return instruction: registers as after it */
	bool can_wait;		 /* hits come in tasks that may be interrupted by others */
	bool keeps_cpu;		 /* no other task runs on the CPU before the hit ends */
	const struct bpfpoint_word *words;
	unsigned nwords;
	/* With registers: those that the words become; the others have no values. */
	const uint8_t *places;
	int stack; /* the context's address and this become the stack pointer */
	const struct bpfpoint_common *common; /* NULL: the program is of one point */
};

struct bpfpoint {
	int program, link; /* descriptors; 0: none */
	uint64_t missed;   /* by the kernel, once it is gone */
};

/* The registers in the context, or those whose address is in register 3, become args. */
void bpfpoint_registers(struct bpfcode *c);
void bpfpoint_values(struct bpfcode *c); /* those of only_values */
void bpfpoint_registers_at(struct bpfcode *c);
/* The subject and its place become bpf_shared.calls and .place. */
void bpfpoint_subject(struct bpfcode *c);
/* Loads a program. Returns its descriptor, or -errno with the set-up's error. */
int bpfpoint_program(const struct bpfcode *c, const struct bpfpoint_form *f, const char *name);
/*
 * Loads the program of a point, or of several. Returns 0, or -errno with the reason in
 * the set-up's error.
 */
int bpfpoint_load(struct bpfpoint *b, const struct stp_probe *p, const struct bpfpoint_form *form);
unsigned bpfpoint_kinds(void); /* the kinds of programs for which handlers are loaded */
/* Removing a point: its link, then bpfpoint_wait(), then its program. */
void bpfpoint_detach(struct bpfpoint *b);
void bpfpoint_wait(void); /* until no hit runs that has begun before */
void bpfpoint_unload(struct bpfpoint *b);
/*
 * True: it is known only at the return whether the entry that does not run becomes a hit:
 * eventhit.c. A call of a task outside the run's control group never does.
 */
bool bpfpoint_is_undecided(const struct bpfpoint_form *f, unsigned reason);
/* Returns the point's books of skipped hits: a count for each enum stp_skip_reason. */
uint64_t *bpfpoint_skips(const struct stp_probe *p);
/* Makes the table of calls of a return that saves values; NULL: there is no memory. */
struct bpf_calls *bpfpoint_calls(uint32_t maxactive, uint32_t nsaved);
uint64_t bpfpoint_missed(const struct stp_probe *p, void *state);

/* See user_timer_prepare(): does nothing if the script has no points in the kernel. */
bool bpfpoint_prepare_timer(const struct stp_probe *p);
/*
 * Runs a hit of a timer side by side with points of the kernel. False: there are none.
 */
bool bpfpoint_timer(const struct stp_probe *p);
/* True: there are points in the kernel, whose hits come at any time. */
bool bpfpoint_any(void);

#endif
