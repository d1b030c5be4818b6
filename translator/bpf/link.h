/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of an image while it is being linked. Functions that call few others stay BPF
 * functions, which the kernel verifies one by one. The others are merged into one
 * (mergecalls.c), because the kernel has only 8 frames for calls and 512 bytes of stack.
 */
#ifndef BPF_LINK_H
#define BPF_LINK_H

#include <elf.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hashmap.h"
#include "lib/strbuf.h"
#include "lib/vec.h"
#include "runtime/uapi/bpfinsn.h"

struct clines;
struct error;
struct function;
struct object;
struct session;
struct symbol;

/* Newer than the headers of some distributions. */
#define OP_MAY_GOTO  0xe5
#define OP_GOTO_LONG (BPF_JMP32 | BPF_JA)

/*
 * Words of the kernel's stack, below its frame pointer: the end of the arena's frame of a
 * function that may call itself; a register that is needed for something else; the
 * program's context, where the stack is taken.
 */
#define FRAME_END_AT (-8)
#define SAVED_AT     (-16)
#define CONTEXT_AT   (-24)

struct instruction {
	struct bpf_insn i;
	long target; /* of a jump, an index of the code, or a label (mergecalls.c); -1: none */
	struct function *callee;
	unsigned hiding; /* instructions, with this one, that make a hidden constant; 0: none */
	bool is_wait;	 /* the process must do something before the code continues */
	bool is_stack;	 /* it takes the kernel's stack; needs the program's context */
	bool is_begin;	 /* where a hit begins: struct bpfimage */
	const char *of;	 /* its place in the script, or the function's; NULL: not known yet */
};
typedef VEC(struct instruction) instructions;

struct call_site {
	long label;
};

struct function {
	const char *name;
	struct object *o; /* NULL: the linker makes it */
	unsigned section;
	unsigned nargs;
	uint32_t signature; /* number */
	instructions code;
	VEC(struct function *) callees;
	bool loops;
	bool is_cyclic;	     /* it may be called while it runs */
	bool merged;	     /* its code is part of the entry's */
	unsigned mark;	     /* of the search that found it */
	unsigned depth;	     /* frames of the deepest chain of calls that it begins; 0: not known */
	bool on_stack;	     /* it uses the kernel's, as it is */
	bool in_arena;	     /* its frame is */
	int frame;	     /* bytes */
	uint64_t ends;	     /* address of the frame's end, if it is always the same */
	const char *used_at; /* place in the script; NULL: not known */
	/* merged: */
	long entry, leave; /* labels */
	VEC(struct call_site) sites;
	size_t sites_made;
	/* in the image: */
	uint32_t at;
	uint32_t type;
};

typedef VEC(struct function *) functions;

/* A function whose address is taken, and the number that represents it. */
struct pointed {
	struct symbol *symbol;
	uint64_t number;
};

/* A section of data that has a place in the arena. */
struct placed {
	struct object *o;
	unsigned section;
};

struct linking {
	struct session *s;
	struct object *objects;
	size_t nobjects;
	struct object *program;
	const struct clines *lines;
	struct hashmap symbols; /* global ones: name to struct symbol */
	struct hashmap process; /* the process's data and functions: name to Elf64_Sym */
	struct hashmap by_name; /* functions that the linker makes: name to struct function */
	functions order;	/* the entry, then the functions that it reaches */
	VEC(struct pointed) pointed;
	VEC(struct placed) placed;
	size_t relocated;   /* of those */
	struct strbuf data; /* of the arena, from its first address on */
	uint64_t shared;    /* address of struct bpf_shared */
	unsigned machine;   /* of the program: EM_… */
	unsigned marks;	    /* searches that marked functions */
	uint32_t uses;	    /* BPFIMAGE_USES_… */
	struct error *error;
};

/* code.c */
void code_add(struct linking *l, instructions *code, struct bpf_insn i);
/* Adds a jump to a target. */
void code_add_jump(struct linking *l, instructions *code, struct bpf_insn i, long target);
/* Adds a move of an address, or of a number, to a register. */
void code_add_address(struct linking *l, instructions *code, int reg, uint64_t address);
/* The same, but the number is hidden from the verifier: two instructions, or three. */
#define HIDING_NEGATIVE 3
void code_add_hidden(struct linking *l, instructions *code, const struct bpf_insn *move);
bool code_is_jump(const struct bpf_insn *i);
/* Returns the registers that a function's arguments are in. */
uint16_t code_arguments(const struct function *f);
bool code_is_exit(const struct bpf_insn *i);
bool code_is_goto(const struct bpf_insn *i);
/* Returns the base register of an access to the arena or the stack; -1: it is none. */
int code_base(const struct bpf_insn *i);
/*
 * Returns, for each instruction, the registers whose values are used after it, as bits;
 * and those that are used from it on.
 */
uint16_t *code_live(struct linking *l, const struct function *f, uint16_t **before);
/*
 * Gives 0 to registers that are read without a value on some path: what the compiler
 * makes of a value that does not matter.
 */
void code_define(struct linking *l, struct function *f);
/*
 * Gives 0 to registers that a called function does not use. The verifier takes each call
 * of a function for a use of registers 1 to 5: on its way there, it would follow code
 * again for each value that is left in one of them.
 */
void code_end_values(struct linking *l, struct function *f);
/* The registers that one uses, and those that it sets. */
uint16_t code_uses(const struct instruction *in);
uint16_t code_sets(const struct instruction *in);
/* Returns, for each instruction and one more, whether a jump leads there. */
bool *code_targets(struct linking *l, const instructions *code);
/* Replaces targets with distances; the code must not be changed after that. */
void code_resolve(struct linking *l, instructions *code);

/* loadedconstants.c */
void loadedconstants_reveal(struct linking *l, struct function *f);

/* loops.c */
/* Gives each loop a way out at its beginning. */
void loops_bound(struct linking *l, struct function *f);
void loops_settle(struct linking *l, struct function *f);
/*
 * Gives registers values that the verifier does not know; also changes the register
 * `zero`.
 */
void loops_add_unknown(struct linking *l, instructions *code, int zero, uint16_t registers);

/*
 * arenaframe.c: makes accesses to the function's frame use the arena, if the frame is
 * there, and casts the addresses of other accesses.
 */
void arenaframe_measure(struct function *f);
/* Places the frame of a function, and those of all that it calls. */
void arenaframe_place(struct linking *l, struct function *f);
void arenaframe_settle(struct linking *l, struct function *f);
/* Adds a load of the address where the function's frame ends to a register. */
void arenaframe_add_end(struct linking *l, instructions *code, const struct function *f, int reg);
/*
 * Returns, for each instruction, the registers that certainly hold addresses in the
 * arena.
 */
uint16_t *arenaframe_casts(struct linking *l, const struct function *f);

/* imagewrite.c: appends the image of the functions of the order. */
void imagewrite(struct linking *l, struct strbuf *ret);

/*
 * savedregs.c: registers 6 to 9 of a merged function while other merged ones run. Each
 * has a word in the function's frame.
 */
struct saved {
	uint16_t stored; /* at a call: those whose words do not have their values yet */
	uint16_t needed; /* after the instruction: those that are used before they are loaded */
};
/* Returns this for each instruction; `needed` has the other registers, too. */
struct saved *savedregs_find(struct linking *l, const struct function *f);

/* mergecalls.c: puts the code of merged functions into the order's first, the entry. */
void mergecalls_merge(struct linking *l);
/* Returns the bytes that a function has in the arena: its frame, and what it saves. */
int mergecalls_bytes(const struct function *f);
/* Decides which functions are merged. */
void mergecalls_choose(struct linking *l);

#endif
