/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the files of module/: the module being written.
 *
 *   cfile.c    the order of the file, the script's descriptor
 *   cnames.c    C names of variables and functions
 *   body.c      handlers, conditions, entry handlers, functions
 *   samecode.c  which handlers share their C
 *   embedded.c  functions in C
 *   frames.c    how much string storage a hit can need
 *   globals.c   global variables and their table
 *   locks.c     which handler locks what
 *   registers.c  who reads registers that ftrace does not save
 *   programs.c  programs and their tables, for stacks, symbols and variables
 *   sourcelines.c  source lines of the kernel
 *   bytes.c     the tables of both as C
 */
#ifndef STAP_MODULE_H
#define STAP_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/program.h"
#include "base/writer.h"
#include "emit/emit.h"
#include "emit/tables.h"

/* String storage of one C function. */
struct frame {
	struct function *function; /* NULL: entered from outside */
	struct node *body;         /* whose calls it makes; NULL for functions in C */
	uint32_t bytes;
};

/* What the handlers do with each global: who locks it how. */
struct lock_plan {
	unsigned char **uses;  /* by probe and global: enum use */
	unsigned *tables;      /* by probe: whose table says so; neighbours share theirs */
	unsigned char *any;    /* by global: of all probes */
	/*
	 * by global: 1 + the bit of those who only add to the array; 0: nobody needs one
	 */
	unsigned char *adders;
	unsigned char *sorts;  /* by global: sorted loops over the array */
};

struct emit_module {
	struct session *s;
	struct writer *w;
	struct lock_plan locks;
	/* filled while the bodies are written, written in front of them */
	struct emit_tables tables;
	VEC(struct frame) frames;
	bool varies;            /* handlers may take their constants from tables */
	VEC(struct merge_group *) groups;
	struct hashmap groups_by_code;
	struct writer texts;    /* what texts[] is made of */
	size_t texts_size;
	struct hashmap texts_by_name; /* C literal -> its place + 1 */
};

/* Pass 3, cfile.c: the whole C file; returns its text, "" after errors. */
const char *module_write(struct session *s);

/* cnames.c */
void cnames_set(struct session *s);
/* A function that is cloned for a handler, and written with it. */
bool cnames_is_part(const struct function *f);
/* "static int64_t f_x(struct stp_ctx *c, int64_t l_a)" */
const char *cnames_signature(struct session *s, const struct function *f);

/* body.c */
void body_write_prototype(struct emit_module *m, struct function *f);
void body_write_function(struct emit_module *m, struct function *f);
/*
 * Gives handler N to samecode.c, with its functions
 * and, if it saves values at entry, entry_N.
 */
void body_write_handler(struct emit_module *m, struct handler *h);
/* Words that the handler's saved values take. */
unsigned body_saved_words(struct session *s, const struct handler *h);
void body_write_condition(struct emit_module *m, struct derived *d);

/*
 * samecode.c: notes a handler's C. MERGE_SELF stands in it for the number that the
 * handler will have; `frames` are those of the handler, of its entry and of the functions
 * that are parts of it.
 */
#define MERGE_SELF "\x04"
typedef VEC(struct frame) frame_list;
void samecode_add(struct emit_module *m, struct handler *h, const char *text,
	       const frame_list *frames);
/* Writes what is different, and numbers the handlers by it. */
void samecode_write(struct emit_module *m);

/* embedded.c */
void embedded_write(struct emit_module *m, struct function *f);

/* frames.c */
void frame_add(struct emit_module *m, struct function *f, struct node *body, uint32_t bytes);
uint64_t frames_bound(struct emit_module *m);
/* MAXNESTING that the script needs. */
uint64_t frames_nesting_bound(struct emit_module *m);

/* globals.c */
void globals_write(struct emit_module *m);
void globals_write_table(struct emit_module *m);

/* locks.c */
void locks_plan(struct emit_module *m); /* before the globals, whose layout depends on it */
void locks_write(struct emit_module *m);
/* what reads it or writes it locks it */
bool locks_has(const struct emit_module *m, size_t global);

/* registers.c: sets reads_registers of all functions and probes */
void registers_mark(struct session *s);

/*
 * programs.c: what the script needs of programs and libraries for stacks,
 * symbols and their variables; emits program_modules when it does
 */
bool programs_write(struct emit_module *m);

/*
 * sourcelines.c: likewise source lines of the kernel and its modules; emits source_tables
 */
bool sourcelines_write(struct emit_module *m);

/* bytes.c: static const char NAME_INDEX[], at a multiple of 8 */
void bytes_write(struct emit_module *m, const char *name, size_t index, const uint8_t *data,
		 size_t size);

#endif
