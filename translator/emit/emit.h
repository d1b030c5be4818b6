/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C for the bodies of handlers and functions, against runtime/api.h. The file around them
 * is module/cfile.c, an example in runtime/example.c.
 */
#ifndef STAP_EMIT_H
#define STAP_EMIT_H

#include <stdbool.h>

#include "ast/program.h"
#include "base/writer.h"

struct session;

struct emit_tables;
struct enumeration;
struct executable;
struct stp_shape;

/*
 * linemarks.c: C as the script has it at loc (its %{), under its own line numbers; `lead`
 * stands in front, in the same line.
 */
void emit_user_text(struct session *s, struct writer *w, struct loc loc, const char *lead,
		    const char *text, size_t len);
/* The finished file, its own line numbers in their places. */
void emit_set_lines(char *text);

/* A function whose value one execution of a body asks for once. */
struct memo {
	const struct function *function;
	/*
	 * of the C local that holds it; NULL: it is
	 * called each time, for there is but one time
	 */
	const char *name;
};

/* State while one function or handler is emitted. */
struct emitter {
	struct session *s;
	struct writer *w;
	struct writer *decls;       /* declarations of the scope at hand: C locals */
	struct writer *body_decls;  /* the same of the whole body */
	VEC(struct memo) memos;
	/* members of this body's frame struct: storage of its string variables */
	struct writer *frame;
	struct function *function;  /* NULL in a handler */
	struct handler *handler;    /* NULL in a function */
	unsigned temps;             /* names t1, t2, … */
	unsigned labels;
	/* string temporaries s0 … in use; given back when their scope ends */
	unsigned storage;
	unsigned storage_most;      /* most ever in use: members of the frame */
	/* the expression whose string is to be made at `place`, see emit_string_at() */
	const struct node *placed;
	const char *place;
	unsigned keys, keys_most;   /* the same of fr->keys: what emit_union() makes */
	unsigned variables;         /* string variables with storage in the frame */
	const char *fail_label;     /* where an error goes: "out", or the catch at hand */
	const char *break_label, *continue_label; /* of the innermost loop */
	/*
	 * foreach loops around this place, outermost first: `return` and `next` end them
	 */
	VEC(const char *) iterators;
	struct emit_tables *tables;
	/* constants are marked: the body may be shared, see samecode.c */
	bool varies;
};

/*
 * A C block: what is declared and stored in it lives
 * until it is closed. Every statement has one.
 */
struct emit_scope {
	struct writer *outer_w, *outer_decls;
	struct writer w, decls;
	unsigned storage, keys;
};
void emit_scope_open(struct emitter *e, struct emit_scope *scope);
void emit_scope_close(struct emitter *e, struct emit_scope *scope);

/*
 * The index of a printf format in the module's table. `args` has
 * one letter an argument: 'd' or 's'. Equal ones are shared.
 */
unsigned emit_format(struct emitter *e, const char *text, size_t len, const char *args);
/* The C name of the node's tables. Equal ones are shared. */
const char *emit_regex(struct emitter *e, const struct node *n);
/* The C name of what finds the address of a module's symbol. Equal ones are shared. */
const char *emit_variable(struct emitter *e, const char *symbol, const char *module);
/* The program's or library's place among program_modules. */
unsigned emit_program(struct emitter *e, const struct executable *program);
/* The C name of the table with these rows, to the END one. Equal ones are shared. */
const char *emit_shape(struct emitter *e, const struct stp_shape *rows);
const char *emit_enumeration(struct emitter *e, const struct enumeration *enumeration);
/*
 * Where in c->saved the handler's value number i begins:
 * numbers take one word, strings MAXSTRINGLEN bytes.
 */
unsigned emit_saved_place(struct session *s, const struct handler *h, size_t i);
/*
 * A new C local of the type, declared at the head of the scope;
 * returns its name. A string's bytes live elsewhere: emit_storage().
 */
const char *emit_temp(struct emitter *e, enum type type);
/* Declares a C local: `TYPE NAME` with NAME = prefix and a number. */
const char *emit_local(struct emitter *e, const char *c_type, const char *prefix);
/*
 * A char array of MAXSTRINGLEN bytes in the frame, ours until
 * the scope is closed; returns the C expression for it.
 */
const char *emit_storage(struct emitter *e);
/*
 * The value of n, a string, made in this storage at once where n is something that makes
 * strings. Nothing that n reads may lie there, and if n fails nobody may look. In *done
 * whether it is there.
 */
const char *emit_string_at(struct emitter *e, struct node *n, const char *storage, bool *done);
/*
 * Storage for the string that n makes, when all that it is
 * made of has been emitted: that one, or emit_storage().
 */
const char *emit_result_storage(struct emitter *e, const struct node *n);
/* A name for a C label; emit_place_label() puts it down. */
const char *emit_label(struct emitter *e, const char *prefix);
void emit_place_label(struct emitter *e, const char *label);
const char *emit_number(struct emitter *e, int64_t n);
const char *emit_number_text(struct session *s, int64_t n);
#define EMIT_MARK_NUMBER '\x01' /* EMIT_MARK_NUMBER number EMIT_MARK_END */
#define EMIT_MARK_TEXT   '\x02' /* EMIT_MARK_TEXT length ':' C literal EMIT_MARK_END */
#define EMIT_MARK_END    '\x03'
/*
 * A number, or a text as a C literal, that another place may have otherwise: handlers
 * that differ in such alone share their code (samecode.c). It has to stand where C takes
 * any expression.
 */
const char *emit_varying(struct emitter *e, int64_t n);
const char *emit_varying_text(struct emitter *e, const char *text, size_t len);
const char *emit_literal(struct emitter *e, const char *s, size_t len);
/* A new temporary that holds the C expression. */
const char *emit_value(struct emitter *e, enum type type, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Operands, left to right. An operand that is a variable which something evaluated after
 * it, but before its use, may change is copied: the siblings behind it, and `then` (with
 * its siblings; may be NULL).
 */
const char *emit_operand(struct emitter *e, struct node *n, const struct node *then);
void emit_operands(struct emitter *e, struct node *list, const struct node *then, const char **ret);
/*
 * A `union stp_key` array, in the frame until the scope is closed, from
 * operands of those nodes' types (STAR: left out); NULL when there are none.
 */
const char *emit_union(struct emitter *e, struct node *list, const char *const *operands);
/* Ends the loops from the innermost to iterator number `down_to`. */
void emit_end_iterators(struct emitter *e, size_t down_to);
/* `if (stp_failed(c)) goto fail;` after something that can fail at loc. */
void emit_check(struct emitter *e, struct loc loc);
/* The same behind a call: the place joins the chain of calls. */
void emit_check_call(struct emitter *e, struct loc loc);
/*
 * What one pass over n costs: its statements, without those
 * of inner loops. Many operations are a statement, too.
 */
int64_t emit_cost(struct node *n);
/* Takes that from the hit's budget. */
void emit_spend(struct emitter *e, struct node *n, struct loc loc);
/* The same for one pass of a while or for loop. */
void emit_spend_pass(struct emitter *e, struct node *n);
const char *emit_expr(struct emitter *e, struct node *n);
void emit_statement(struct emitter *e, struct node *n);

#endif
