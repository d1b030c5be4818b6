/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State of the parser that grammar.y works with: the token feed, and the constructors
 * that the grammar's actions call.
 */
#ifndef STAP_PARSER_H
#define STAP_PARSER_H

#include "ast/node.h"
#include "parse/token.h"

struct session;

struct parser {
	struct session *s;
	struct unit *unit;
	token_list tokens;
	size_t at;
	/* beginning of the token given last: at - 1, unless several tokens became one */
	size_t from;
	bool failed_here; /* an error was reported and the grammar has not recovered yet */
	/* recover.c */
	/* place where parsing last continued: the next recovery must get beyond it */
	size_t recovered_at, recovered_item;
	unsigned braces;	/* braces of bodies that are open now */
	unsigned braces_before; /* `braces` before the token given last */
	unsigned unwind;	/* number of braces still to be closed by made-up ones */
	bool open_body;		/* a body must be made up */
	bool in_function;
	/*
	 * histograms of this declaration for which it is not known yet whether they are
	 * allowed there; or NULL
	 */
	VEC(const struct node *) hists;
	/*
	 * Between `probe` and the body: words are components, braces may be expansions.
	 */
	bool in_point;
	unsigned point_depth; /* parentheses */
	unsigned brace_depth; /* expansion braces */
	int last;	      /* kind of the last token, for rules that depend on the one before */
};

/*
 * One combination of the braces in name("arg").name …, with the suffix and condition
 * after it.
 */
struct alternative {
	component_list components;
	char suffix; /* '?', '!' or 0 */
	struct node *condition;
};
struct alternatives {
	VEC(struct alternative) list;
};
#define ALTERNATIVES_MAX 10000
typedef VEC(struct point *) point_list;
typedef VEC(struct symbol *) symbol_list;

/* The names of an alias, the chain A = B += …: one `+=` makes all of them epilogues. */
struct alias_names {
	point_list names;
	bool epilogue;
};

/* A chain of nodes that still grows at its end. */
struct node_list {
	struct node *first, *last;
};

/* A foreach's head while it is being read. */
struct each_key {
	struct node *names;
	int sort_column, sort_direction; /* 0: none */
	struct loc sort_loc;
	unsigned count;
};
struct each_head {
	struct each_key keys;
	struct node *value;
	int value_direction;
};
struct each_array {
	struct node *array, *slice;
	bool is_slice;
	int direction;
	struct loc sort_loc;
	bool by_stat;
	enum stat_op stat;
};

struct token_value {
	struct token tok;
};

/* Reports nothing after unreadable text, until the grammar has recovered. */
void parser_error(struct parser *p, struct loc loc, const char *message);
/* Reports an error of meaning: the text is well-formed, so -p1 accepts it. */
void parser_meaning_error(struct parser *p, struct loc loc, const char *message);
/* Refuses constructs that are reserved for the library and for scripts of stap -g. */
void parser_need_guru(struct parser *p, struct loc loc, const char *why);

/* ---- make.c ---- */

struct node *make_number(struct parser *p, struct loc loc, int64_t n);
struct node *make_string(struct parser *p, const struct token *t);
struct node *make_name(struct parser *p, const struct token *t);
/* Makes a name that is used for its value. */
struct node *make_variable(struct parser *p, const struct token *t);
struct node *make_target(struct parser *p, const struct token *t);
struct node *make_cast(struct parser *p, struct loc loc, struct node *value,
		       const struct token *type, const struct token *module);
struct node *make_atvar(struct parser *p, struct loc loc, const struct token *name,
			const struct token *module);
struct node *make_unary(struct parser *p, struct loc loc, struct loc op_loc, enum op op,
			struct node *operand);
struct node *make_binary(struct parser *p, struct loc op_loc, enum op op, struct node *lhs,
			 struct node *rhs);
struct node *make_concat(struct parser *p, struct loc op_loc, struct node *lhs, struct node *rhs);
struct node *make_assign(struct parser *p, struct loc op_loc, enum op op, struct node *lhs,
			 struct node *rhs);
struct node *make_incdec(struct parser *p, struct loc loc, struct loc op_loc, enum op op,
			 bool prefix, struct node *operand);
struct node *make_ternary(struct parser *p, struct loc op_loc, struct node *cond, struct node *then,
			  struct node *els);
struct node *make_regex(struct parser *p, struct loc op_loc, enum op op, struct node *lhs,
			const struct token *pattern);
struct node *make_in_hist(struct parser *p, struct loc loc, struct loc op_loc, struct node *index,
			  struct node *hist);
struct node *make_in(struct parser *p, struct loc loc, struct loc op_loc, struct node *keys,
		     const struct token *array);
struct node *make_address(struct parser *p, struct loc loc, struct loc op_loc,
			  struct node *operand);
struct node *make_pretty(struct parser *p, struct node *base, const struct token *dollars);
struct node *make_member(struct parser *p, struct node *base, const struct token *member);
struct node *make_index(struct parser *p, struct loc loc, struct node *base, struct node *keys);
/* printcall.c. Returns NULL if the name is not one of the print functions'. */
struct node *printcall_make(struct parser *p, struct loc loc, const struct token *name,
			    struct node *args);
bool printcall_is(const char *name);
struct node *make_call(struct parser *p, struct loc loc, const struct token *name,
		       struct node *args);
struct node *atword_make(struct parser *p, struct loc loc, const struct token *word,
			 struct node *args);
/*
 * atword.c. The first accepts a histogram, because it is allowed there; the second,
 * called after a declaration, refuses the others.
 */
void atword_hist_placed(struct parser *p, const struct node *hist);
void atword_check_hists(struct parser *p);
struct node *make_embed(struct parser *p, const struct token *t);
struct each_key make_each_key(struct parser *p, struct each_key list, struct each_key item);
struct node_list make_list_add(struct node_list list, struct node *item);
/* Checks a lone 'return' and the token after it. */
void make_check_return(struct parser *p, int behind, struct loc loc);
/* Warns about a value on a later line than its 'return', which ends before it. */
void make_check_value(struct parser *p, struct loc before, const struct node *value);
struct node *make_block(struct parser *p, struct loc loc, struct node *statements);
struct node *make_simple(struct parser *p, enum node_kind kind, struct loc loc,
			 struct node *operand);
struct node *make_if(struct parser *p, struct loc loc, struct node *cond, struct node *then,
		     struct node *els);
struct node *make_for(struct parser *p, struct loc loc, enum node_kind kind, struct node *init,
		      struct node *test, struct node *step, struct node *body);
struct node *make_foreach(struct parser *p, struct loc loc, struct each_head head,
			  struct each_array array, struct node *limit, struct node *body);
struct node *make_try(struct parser *p, struct loc loc, struct node *block, struct node *var,
		      struct node *handler);

/* ---- declare.c ---- */

struct symbol *declare_symbol(struct parser *p, enum symbol_kind kind, const struct token *name,
			      enum type type);
void declare_globals(struct parser *p, symbol_list globals, bool is_private);
struct symbol *declare_global(struct parser *p, const struct token *name, enum type type,
			      bool wrap);
void declare_check_size(struct parser *p, struct loc loc, int64_t entries);
struct node *declare_literal(struct parser *p, struct loc loc, const struct token *t);
int64_t declare_negative_number(struct parser *p, struct loc loc, const struct token *t);
struct function *declare_add_function(struct parser *p, const struct token *name, enum type type,
				      symbol_list params, int64_t priority, bool is_private);
void declare_function(struct parser *p, struct function *f, struct node *body,
		      const struct token *code);
void declare_embed(struct parser *p, const struct token *code);
void declare_probe(struct parser *p, struct loc loc, point_list points, struct node *body);
/* second may be NULL. */
void declare_alias(struct parser *p, struct loc loc, struct alias_names names, point_list points,
		   struct node *first, struct node *second);
struct alias_names declare_alias_name(struct parser *p, struct alias_names names, point_list name);
point_list declare_points(struct parser *p, struct loc loc, struct alternatives a);
struct alternatives declare_alternatives_single(struct parser *p, struct component c);
struct alternatives declare_alternatives_join(struct parser *p, struct alternatives a,
					      struct alternatives b); /* a.b */
struct alternatives declare_alternatives_either(struct parser *p, struct alternatives a,
						struct alternatives b); /* a,b */
struct alternatives declare_alternatives_suffix(struct parser *p, struct alternatives a,
						char suffix, struct loc suffix_loc,
						struct node *condition);

/*
 * ---- recover.c: continues after an error; holds_token: the refused token is still there
 * ----
 */

/*
 * Continues at the next statement, body of a probe, or declaration. True: the text that
 * follows is not affected by the mistake.
 */
bool recover_statement(struct parser *p, bool holds_token);
void recover_point(struct parser *p, bool holds_token);
void recover_item(struct parser *p, bool holds_token);
/* True: token i begins a declaration and is the first on its line. */
bool recover_is_item(const struct parser *p, size_t i);
bool recover_first_on_line(const struct parser *p, size_t i);

/* ---- teach.c ---- */

enum syntax_place {
	PLACE_ITEM = 1 /* at the beginning of a declaration */,
	PLACE_HEAD = 2 /* inside a declaration, before its body */,
	PLACE_BODY = 4
};
/*
 * Returns the meaning of the text around the refused token in another language, and the
 * correct form for this one; *loc becomes its place. NULL: the text resembles no other
 * language.
 */
const char *teach_syntax(struct parser *p, enum syntax_place place, struct loc *loc);
/*
 * Adds a note to a syntax error that points to the parenthesis, bracket or brace that
 * seems to be unclosed.
 */
void teach_opener(struct parser *p);

/* ---- teach_point.c ---- */

/*
 * Returns a probe of bpftrace or DTrace that begins at token i, written as a probe point
 * of this language; NULL: there is no such probe. *end becomes the token after it.
 */
const char *teach_point_foreign(struct parser *p, size_t i, size_t *end);

/* ---- depth.c: reports trees that are too deep for later passes. ---- */

void depth_check(struct session *s, struct unit *unit);

#endif
