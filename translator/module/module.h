/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations shared by the files of module/: the module being written.
 *
 *   cfile.c        the order of the file, the script's descriptor
 *   info.c         the module's modinfo(8)
 *   needs.c        what a program of --runtime=bpf needs a kernel to have
 *   cnames.c       C names of variables and functions
 *   body.c         handlers, conditions, entry handlers, functions
 *   samecode.c     which handlers share their C
 *   embedded.c     functions in C
 *   frames.c       how much string storage a hit can need
 *   globals.c      global variables and their table
 *   globalsinfo.c  the description of globals for programs that read them
 *   lockplan.c     which probe locks which globals
 *   elementkeys.c  which handler uses an array by one key
 *   locks.c        the same as tables
 *   registers.c    which code reads registers that ftrace does not save
 *   programreads.c which hits may wait for pages of the program
 *   filterscope.c  which probes see the hits of all tasks
 *   readers.c      functions and probes that do something, for those three
 *   pagesahead.c   which of them are touched before the first lasting effect
 *   programs.c     programs and their tables, for stacks, symbols and variables
 *   sourcelines.c  source lines of the kernel
 *   bytes.c        the tables of the last two as C
 */
#ifndef STAP_MODULE_H
#define STAP_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/program.h"
#include "base/writer.h"
#include "emit/emit.h"
#include "emit/tables.h"
#include "module/lockplan.h"

/* String storage of one C function. */
struct frame {
	struct function *function; /* NULL: entered from outside */
	struct node *body;	   /* body with the function's calls; NULL for functions in C */
	uint32_t bytes;
};

struct emit_module {
	struct session *s;
	struct writer *w;
	struct lockplan locks;
	/*
	 * by probe: the probe whose table of locks it uses; adjacent ones may share one
	 */
	unsigned *lock_tables;
	/* filled while the bodies are written, and written before them */
	struct emit_tables tables;
	VEC(struct frame) frames;
	bool repeats;	   /* there are hits that may be repeated: programreads.c */
	bool puts_off;	   /* … at returns of system calls */
	bool varies;	   /* handlers may take their constants from tables */
	bool has_traced;   /* ftrace may call some hits itself */
	bool has_wrappers; /* … and wrappers of some functions */
	VEC(struct merge_group *) groups;
	struct hashmap groups_by_code;
	struct writer texts; /* contents of texts[] */
	size_t texts_size;
	struct hashmap texts_by_name; /* C literal -> its place + 1 */
};

/*
 * Pass 3, cfile.c: writes the whole C file; *ret becomes its text, "" after mistakes that
 * were reported.
 */
struct error *module_write(struct session *s, const char **ret);

/* info.c */
void info_write_all(struct emit_module *m);
/* Adds the facts of a program, which is called `name`: "fact=value", each with its 0. */
void info_text(struct session *s, const char *name, struct strbuf *ret);

/* needs.c */
/* Adds the things that a program of --runtime=bpf needs a kernel to have, as facts. */
void needs_write(struct session *s, struct strbuf *ret);

/* cnames.c */
void cnames_set(struct session *s);
/* True: the function is a clone for a handler, and is written with it. */
bool cnames_is_part(const struct function *f);
/* Returns "static int64_t f_x(struct stp_ctx *c, int64_t l_a)". */
const char *cnames_signature(struct session *s, const struct function *f);

/* body.c */
void body_write_prototype(struct emit_module *m, struct function *f);
void body_write_function(struct emit_module *m, struct function *f);
/*
 * Gives handler N to samecode.c, with its functions
 * and, if it saves values at entry, entry_N.
 */
void body_write_handler(struct emit_module *m, struct handler *h);
/* Returns the words that the handler's saved values take. */
unsigned body_saved_words(struct session *s, const struct handler *h);
void body_write_condition(struct emit_module *m, struct derived *d);

/*
 * samecode.c: notes a handler's C. MERGE_SELF in it is replaced with the number that the
 * handler will get; `frames` are those of the handler, of its entry and of the functions
 * that are parts of it.
 */
#define MERGE_SELF "\x04"
typedef VEC(struct frame) frame_list;
void samecode_add(struct emit_module *m, struct handler *h, const char *text,
		  const frame_list *frames);
/* Numbers the handlers, equal ones alike. */
void samecode_number(struct emit_module *m);
/* Writes each different handler. */
void samecode_write(struct emit_module *m);

/* embedded.c */
void embedded_write(struct emit_module *m, struct function *f);

/* frames.c */
void frame_add(struct emit_module *m, struct function *f, struct node *body, uint32_t bytes);
uint64_t frames_bound(struct emit_module *m);
/* Returns the MAXNESTING that the script needs. */
uint64_t frames_nesting_bound(struct emit_module *m);

/* globals.c */
void globals_write(struct emit_module *m);
void globals_write_table(struct emit_module *m);

/* globalsinfo.c */
/* True: programs may read the global while the script runs. */
bool globalsinfo_wanted(const struct session *s, const struct symbol *sym);
/* Returns the lines that describe it. */
const char *globalsinfo_text(struct session *s, const struct symbol *sym);

/* locks.c */
void locks_write(struct emit_module *m);

/*
 * readers.c. A kind of reading: `mark` is where a function notes that it reads; a call of
 * it reads, too, unless `spares` (or NULL) is true of it; `find` (or NULL) returns a
 * negative number for another node that reads, for ast_walk().
 */
struct reading {
	int (*find)(struct node *n, void *ctx);
	bool *(*mark)(struct function *f);
	bool (*spares)(const struct function *f, const struct node *call, void *ctx);
	void *ctx; /* of find() and spares() */
};
bool readers_in(const struct reading *r, struct node *body);
/* Checks the condition and the values saved at the entry. */
bool readers_at_entry(const struct reading *r, const struct derived *d);
/* Also checks the handler. */
bool readers_of_probe(const struct reading *r, const struct derived *d);
/* Marks functions whose bodies read, by calls of marked ones too. */
void readers_mark_callers(const struct reading *r, struct program *p);

/* registers.c: sets reads_registers and reads_place of all functions and probes */
void registers_mark(struct session *s);
/* pagesahead.c: the first for functions, the other for a handler that may be repeated */
void pagesahead_mark(struct program *p);
void pagesahead_plan(struct session *s, struct handler *h);
/* programreads.c: sets `repeats` of probes and handlers */
void programreads_mark(struct emit_module *m);
/* filterscope.c: sets `unfiltered` of functions and probes */
void filterscope_mark(struct program *p);

/*
 * programs.c: writes the tables that the script needs of programs and libraries, for
 * stacks, symbols and their variables. Returns true if it has emitted program_modules.
 */
bool programs_write(struct emit_module *m);

/*
 * sourcelines.c: writes source lines of the kernel and its modules. Returns true if it
 * has emitted source_tables.
 */
bool sourcelines_write(struct emit_module *m);

/* bytes.c: writes static const char NAME_INDEX[], aligned to 8. */
void bytes_write(struct emit_module *m, const char *name, size_t index, const uint8_t *data,
		 size_t size);

#endif
