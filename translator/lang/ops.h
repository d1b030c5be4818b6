/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations shared by the files of lang/: each construct's ops (the rows of table.c),
 * and helpers that their infer callbacks share.
 *
 * To add a construct: a kind in ast/kinds.def, a row in LANG_ROWS, a file here that ends
 * in its LANG_OPS.
 */
#ifndef STAP_LANG_OPS_H
#define STAP_LANG_OPS_H

#include "ast/unparse.h"
#include "lang/checking.h"
#include "lang/effects.h"
#include "lang/lang.h"
#include "lang/uses.h"

struct access_own;

/*
 * Rows are named after their kind: LANG_ROWS(ROW) lists KIND and ops. table.c does not
 * compile if one is missing.
 */
/* clang-format off */
#define LANG_ROWS(ROW)                                                                  \
	ROW(NUMBER, number) ROW(STRING, string) ROW(NAME, name) ROW(INDEX, index)       \
	ROW(STAR, star) ROW(CALL, call) ROW(UNARY, unary) ROW(BINARY, binary)           \
	ROW(LOGICAL, logical) ROW(TERNARY, ternary) ROW(CONCAT, concat) ROW(ASSIGN, assign)\
	ROW(INCDEC, incdec) ROW(IN, in) ROW(REGEX, regex) ROW(TARGET, target)           \
	ROW(DEFINED, defined) ROW(ENTRY, entry) ROW(STATOP, statop) ROW(HISTOP, histop) \
	ROW(HISTINDEX, histindex) ROW(HEAT, heat) ROW(QUANTILE, quantile)               \
	ROW(ATOP, atop) ROW(PRINT, print) ROW(EMBED, embed)                             \
	ROW(BLOCK, block) ROW(EXPR, expr) ROW(EMPTY, empty) ROW(IF, if) ROW(WHILE, while)\
	ROW(FOR, for) ROW(FOREACH, foreach) ROW(BREAK, break) ROW(CONTINUE, continue)   \
	ROW(RETURN, return) ROW(NEXT, next) ROW(DELETE, delete) ROW(TRY, try)           \
	ROW(DISPLAY, display)
/* clang-format on */

#define ROW(kind, name) extern const struct node_ops lang_##name##_ops;
LANG_ROWS(ROW)
#undef ROW

/* clang-format off */
/*
 * Defines lang_NAME_ops. The operations for uses, effect, printing and reach are
 * mandatory: without them a variable would not be locked, a statement would get lost, or
 * a user could read memory without the right to. The other ops have their names: .infer =
 * infer, .emit = emit.
 */
#define LANG_OPS(name, uses_op, effect_op, print_op, reach_op, ...)                     \
	LANG_NEEDS(name, uses_op, void(struct uses *, struct node *, bool));            \
	LANG_NEEDS(name, effect_op, enum effect(const struct node *));                  \
	LANG_NEEDS(name, print_op, void(struct strbuf *, const struct node *, unsigned)); \
	LANG_NEEDS(name, reach_op, enum stp_privilege_reach(const struct node *));      \
	const struct node_ops lang_##name##_ops = {                                     \
		.uses = uses_op, .effect = effect_op, .print = print_op,                \
		.reach = reach_op, __VA_ARGS__                                          \
	}
#define LANG_NEEDS(name, op, type)                                                      \
	_Static_assert(__builtin_types_compatible_p(__typeof__(op), type),              \
		       "lang_" #name "_ops: uses, effect, print and reach, then the others")
/* clang-format on */

/* ---- typing.c: inference ---- */

/* Reports an error at loc, once. */
bool typing_error(struct infer *in, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Notes that n has the type, and reports if another type is required. */
void typing_type(struct infer *in, struct node *n, enum type type, enum type wanted);
/* Infers n. Its type should be the one at the place `because`. */
void typing_because(struct infer *in, struct node *n, enum type wanted, struct loc because,
		    const char *what);
/* Infers n. If it has another type than required, the hint is added to the message. */
void typing_hinted(struct infer *in, struct node *n, enum type wanted, const char *hint);
/* Infers n, whose value is used as a condition. */
void typing_condition(struct infer *in, struct node *n);
/*
 * Sets the symbol's scalar or value type. It must agree with a type that is already
 * known.
 */
void typing_symbol(struct infer *in, struct symbol *sym, enum type type, struct loc loc);
/*
 * Notes that the symbol is used with that many keys. False: it has another number
 * elsewhere, which was reported.
 */
bool typing_arity(struct infer *in, struct symbol *sym, int arity, struct loc loc);
/*
 * Returns the number of the script's global variables; *ret becomes their names, for near
 * matches.
 */
unsigned typing_globals(struct session *s, const char *const **ret);
/*
 * Notes an error that explains these variables (a list of NAMEs, or NULL): if nothing
 * else gives them a type, that is not reported.
 */
void typing_wrong(struct infer *in, struct node *names);
/* Checks key nodes (STAR allowed) against the array's key types. */
void typing_keys(struct infer *in, struct symbol *sym, struct node *keys);
/*
 * Returns the aggregate of NAME or INDEX; NULL: it is something else, which was reported.
 */
struct symbol *typing_aggregate(struct infer *in, struct node *n);
/* Returns the array that NAME n refers to, or NULL after a message. */
struct symbol *typing_array(struct infer *in, struct node *n);

/* ---- autocast.c ---- */

/* Notes that a value of n is stored in p's variable. */
void autocast_note(struct infer *in, struct pointee *p, const struct node *n);
/*
 * Binds value->member once the type that value points to is known; in the last round
 * reports why it is not.
 */
void autocast_settle(struct infer *in, struct node *n);
/* Notes the type that the result of embedded C points to, as the C declares it. */
void autocast_result(struct infer *in, struct function *f);

/* ---- variables.c ---- */

/*
 * Emits the store of the value into the scalar variable; returns C text for the value
 * itself.
 */
const char *variables_emit_store(struct emitter *e, struct symbol *sym, const char *value);
/* Returns the place of a string variable's bytes. */
const char *variables_emit_storage(struct emitter *e, const struct symbol *sym);

/* ---- assign.c ---- */

/* Emits n, whose value is not used. */
void assign_emit_effect(struct emitter *e, struct node *n);

/* ---- embed.c ---- */

/* Emits C that is used as a statement: complete statements, without a value. */
void embed_emit_statement(struct emitter *e, const struct node *n);

/* ---- arrays.c ---- */

/*
 * Returns the prefix of the runtime's functions that take this array's elements:
 * "stp_plain" for numbers by one number, or "stp_map".
 */
const char *arrays_element_calls(const struct symbol *array, const struct node *keys);
/*
 * Emits the keys of an INDEX as these functions take them, a number or a union stp_key
 * array, evaluated before `then`.
 */
const char *arrays_emit_keys(struct emitter *e, struct node *index, const struct node *then);
/* Returns the wildcards among the keys: bit i is set where key i is '*'. */
unsigned arrays_keys_wild(const struct node *keys);

/* ---- arith.c ---- */

/*
 * Returns the C expression of a op b for longs, for operators that cannot fail. NULL: the
 * operator can fail, or is not arithmetic.
 */
const char *arith_emit(struct emitter *e, enum op op, const char *a, const char *b);
/* Emits any arithmetic op with its check, and returns the value. */
const char *arith_emit_binary(struct emitter *e, enum op op, const char *a, const char *b,
			      struct loc op_loc);
/*
 * Folds a constant operation; false for operators other than arithmetic and for division
 * by 0.
 */
bool constant_fold(enum op op, int64_t a, int64_t b, int64_t *ret);
/* Turn n into a NUMBER, a STRING, or another node. */
void literals_set_number(struct node *n, int64_t value);
void literals_set_string(struct node *n, const char *s, size_t len);
void literals_set_node(struct node *n, const struct node *other);

/* ---- targetvar.c ---- */

/*
 * Emits the access's steps from `from` up to `to`, on the value of the earlier ones;
 * value NULL: on the access's base.
 */
const char *targetvar_emit_steps(struct emitter *e, struct node *n, const char *value, size_t from,
				 size_t to);

/* Emits the value of a variable that the family's runtime keeps. */
const char *targetvar_emit_own(struct emitter *e, const struct access_own *own);

/* ---- targetplace.c ---- */

/*
 * Returns the step that loads the value to be written, which may only be followed by the
 * selection of bits; -1: the value is not in memory.
 */
ptrdiff_t targetplace_load(const struct access *a);
/* The check_change callback of targets: some can be written, in guru mode. */
void targetplace_check(struct checking *ck, const struct node *target, struct loc loc);

/* ---- targetwrite.c ---- */

/* Returns the address to write to, evaluated before the right side; NULL: a register. */
const char *targetwrite_open(struct emitter *e, struct node *n);
const char *targetwrite_old(struct emitter *e, struct node *n, const char *address);
void targetwrite_store(struct emitter *e, struct node *n, const char *address, const char *value);

/* ---- stats.c ---- */

/* Returns the aggregate's data: a C expression of type const struct stp_stat_data *. */
const char *stats_emit_data(struct emitter *e, struct node *aggregate);
/* Returns the descriptor of the HISTOP's histogram. */
const char *stats_emit_hist(struct emitter *e, const struct node *hist);
/*
 * Returns the value of the HISTOP's bucket. It is an error at run time if there is no
 * such bucket, or the aggregate is empty.
 */
const char *stats_emit_bucket(struct emitter *e, struct node *hist, const char *bucket,
			      struct loc loc);
struct symbol *stats_symbol(const struct node *n);
/*
 * Infers a HISTOP as print's argument, in foreach or under an index: notes which
 * statistics the aggregate must collect.
 */
void stats_infer_histogram(struct infer *in, struct node *n);

/* ---- overloads.c ---- */

/*
 * True: the function is visible in the file; private functions are visible only in their
 * own file.
 */
bool overload_is_visible(const struct function *f, const struct source *from);
/*
 * Returns overload i, in the order they are tried, among those with the call's number of
 * arguments; NULL at the end.
 */
struct function *overload_candidate(const struct node *call, unsigned i);
/* True if the function declares its type; for C, this is the declaration. */
bool overload_gives_value(const struct function *f);
/* True if the function may pass on to the next overload. */
bool overload_may_pass(const struct function *f);

/* ---- stablecalls.c ---- */

/*
 * Returns the C local, which has a matching `has_…`, for the value of a call that must be
 * made only once in this body; NULL: call the function.
 */
const char *stablecalls_result(struct emitter *e, const struct node *n);

#endif
