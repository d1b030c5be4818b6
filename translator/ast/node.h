/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The syntax tree. There is one struct for all expressions and statements. Children are
 * in kid[], and named members overlay it, so that walking, cloning and printing never
 * miss one. Lists (arguments, keys, statements of a block) are in `list`, linked by
 * `next`.
 *
 * Declarations (globals, functions, probes, aliases) have separate structs: they are few
 * and never nest.
 *
 * To add a kind: a row in kinds.def, its members here, a row in LANG_ROWS (lang/ops.h), a
 * file or paragraph in lang/ with its LANG_OPS.
 */
#ifndef STAP_NODE_H
#define STAP_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/type.h"
#include "base/source.h"
#include "lib/vec.h"
#include "uapi/privilege.h"

struct access;
struct arena;
struct drift_step;
struct stp_regex;
struct symbol;
struct function;
struct handler;

enum node_kind {
#define NODE(kind, name, times) NODE_##kind,
#include "ast/kinds.def"
#undef NODE
	NODE_KIND_COUNT
};

/*
 * Operators, used by UNARY BINARY LOGICAL ASSIGN INCDEC. ASSIGN holds the arithmetic
 * part: OP_NONE for '=', OP_ADD for '+=', OP_CONCAT for '.=', OP_STAT for '<<<'. OP(ENUM,
 * text)
 */
/* clang-format off */
#define OPERATORS(OP)                                                                   \
	OP(NONE, "") OP(ADD, "+") OP(SUB, "-") OP(MUL, "*") OP(DIV, "/") OP(MOD, "%")   \
	OP(SHL, "<<") OP(SHR, ">>") OP(USHR, ">>>") OP(AND, "&") OP(OR, "|") OP(XOR, "^")\
	OP(EQ, "==") OP(NE, "!=") OP(LT, "<") OP(GT, ">") OP(LE, "<=") OP(GE, ">=")     \
	OP(LAND, "&&") OP(LOR, "||") OP(NEG, "-") OP(PLUS, "+") OP(NOT, "!") OP(COMPL, "~")\
	OP(CONCAT, ".") OP(STAT, "<<<") OP(INC, "++") OP(DEC, "--") OP(MATCH, "=~")     \
	OP(NOMATCH, "!~")
/* clang-format on */

enum op {
#define OP(kind, text) OP_##kind,
	OPERATORS(OP)
#undef OP
		OP_COUNT
};

extern const char *const op_texts[OP_COUNT];

enum stat_op {
	STAT_COUNT_OP,
	STAT_SUM,
	STAT_MIN,
	STAT_MAX,
	STAT_AVG,
	STAT_VARIANCE,
	STAT_OP_COUNT
};
extern const char *const stat_op_names[STAT_OP_COUNT]; /* "count", "sum", … */

enum hist_kind { HIST_NONE, HIST_LOG, HIST_LINEAR, HIST_FINE };

enum target_kind {
	TARGET_VAR,   /* $name, also $$name (name keeps all its dollars) and $return */
	TARGET_CAST,  /* @cast(expr, "type"[, "module"]) */
	TARGET_ATVAR, /* @var("name"[, "module"]) */
	TARGET_AUTO,  /* expr->member: type follows from expr */
};

/* The forms in which a value is shown as text. */
enum pretty {
	PRETTY_NONE,
	PRETTY_FLAT, /* $x$ */
	PRETTY_DEEP, /* $x$$ */
	PRETTY_TEXT, /* text_of($x): only the characters of a string */
};

/* One step of a target's path. */
struct path_step {
	enum { STEP_MEMBER, STEP_INDEX, STEP_PRETTY, STEP_DRIFT } kind;
	struct loc loc;
	const char *member; /* STEP_MEMBER */
	/* STEP_INDEX: also listed in the node's `list`, so that walks see it */
	struct node *index;
	enum pretty depth;		/* STEP_PRETTY */
	const struct drift_step *drift; /* STEP_DRIFT, which no script writes: drift/successor.h */
};
typedef VEC(struct path_step) path_steps;

struct node {
	enum node_kind kind;
	enum type type;	   /* of an expression */
	bool in_parens;	   /* NAME: (v)[i] follows a pointer, v[i] is an element of an array */
	struct loc loc;	   /* the whole construct */
	struct loc op_loc; /* the operator or keyword, to which messages about it point */
	struct node *next; /* sibling in the parent's list */
	/*
	 * CALL PRINT: arguments. INDEX: keys. BLOCK: statements.
	 * FOREACH: slice keys or NULL. CONCAT: operands. IN: keys
	 * (lhs is unused). TARGET: index expressions of the path. DISPLAY: NAMEs
	 */
	struct node *list;
	union {
		struct node *kid[4];
		/* BINARY LOGICAL ASSIGN; REGEX: lhs only; IN: rhs = array NAME */
		struct {
			struct node *lhs, *rhs;
		};
		/*
		 * UNARY INCDEC EXPR RETURN(or NULL) DELETE DEFINED ENTRY
		 * TARGET_CAST/AUTO's value; STATOP HISTOP: the aggregate; DISPLAY: a
		 * BLOCK that does the same
		 */
		struct {
			struct node *operand;
		};
		struct {
			struct node *cond, *then, *els;
		}; /* IF TERNARY; els may be NULL */
		/* FOR (each may be NULL); WHILE: test, body */
		struct {
			struct node *init, *test, *step, *body;
		};
		/* FOREACH: array is NAME or HISTOP; limit, value may be NULL */
		struct {
			struct node *array, *limit, *value, *each_body;
		};
		struct {
			struct node *block, *catch_var, *catch_block;
		}; /* TRY */
		/*
		 * HISTINDEX; QUANTILE: the bucket is a NUMBER, millionths of a
		 * percent. Of several it is the first, and each is a QUANTILE in
		 * `list`. HEAT: its ends are two NUMBERs in `list`
		 */
		struct {
			struct node *hist, *bucket;
		};
		struct {
			struct node *base, *unused_kid;
		}; /* INDEX: base is a NAME */
	};
	union {
		struct { /* NUMBER: */
			int64_t number;
			bool of_enum; /* contains an enumerator: specific to this kernel */
		};
		/* CONCAT: the last of `list`, while it is parsed */
		struct node *last_operand;
		/* STRING: bytes after escapes; EMBED: C text */
		struct {
			const char *string;
			size_t string_len;
			/* EMBED: globals of its pragmas, up to NULL: sem/resolve */
			struct symbol **globals;
		};
		struct { /* NAME CALL: */
			const char *name;
			/* NAME: bound by sem/resolve */
			struct symbol *symbol;
			/* CALL: the first candidate, by sem/resolve */
			struct function *function;
		};
		/* operators; INCDEC: prefix or postfix */
		struct {
			enum op op;
			bool prefix;
		};
		struct { /* FOREACH */
			/* list of NAMEs, linked by next (visited by walks) */
			struct node *keys;
			int sort_column;	/* 0: none, 1…n: key, -1: value */
			int sort_direction;	/* +1 ascending, -1 descending */
			enum stat_op sort_stat; /* for aggregate values, with sort_column == -1 */
			/*
			 * sort_stat was written in the script; false: it is the default
			 */
			bool sort_by_stat;
			bool slice; /* `list` holds the slice's keys */
		};
		struct { /* TARGET */
			enum target_kind target;
			const char *target_name; /* with its $; for ATVAR the name in quotes */
			const char *cast_type;	 /* CAST */
			const char *module;	 /* CAST ATVAR or NULL */
			path_steps path;
			bool address_of; /* &$x->y */
			/*
			 * @var in a return probe: a variable of the program, read at the
			 * return
			 */
			bool lives_on;
			/* Set by probe/ when the probe point is known: ast/access.h. */
			struct access *access;
			/*
			 * The message if the variable could not be found. It is reported
			 * unless the node is folded away.
			 */
			const char *unresolved;
		};
		/* STATOP; param: @variance's shift */
		struct {
			enum stat_op stat;
			int64_t stat_param;
		};
		/* HISTOP */
		struct {
			enum hist_kind hist_kind;
			int64_t hist_low, hist_high, hist_width;
		};
		struct {		     /* PRINT */
			bool to_string;	     /* sprintf … */
			bool with_format;    /* …printf: format is in `format` */
			bool with_delimiter; /* …printd: delimiter is in `format` */
			bool with_newline;   /* …ln */
			const char *format;
			size_t format_len;
			/* names of the arguments: parse/fieldnames.h; or NULL */
			const char *fields;
		};
		struct {		  /* ATOP */
			const char *atop; /* name without '@' */
			/* @enumname: found by target/enumops.c */
			const struct enumeration *enumeration;
			/*
			 * The message if the named thing could not be found; like
			 * `unresolved`.
			 */
			const char *missing;
			/* @perf: the point whose handler contains it */
			struct derived *reader;
		};
		/* ENTRY: the slot in which its value is saved */
		struct {
			struct handler *entry_of;
			unsigned slot;
		};
	};
	/*
	 * REGEX, with op MATCH or NOMATCH; literal_loc also for PRINT's format or
	 * delimiter
	 */
	const char *pattern;
	size_t pattern_len;
	struct loc literal_loc;
	const struct stp_regex *regex; /* compiled, by infer */
	bool noted;		       /* matched() may use the text that it matched */
};

/* ---- declarations ---- */

#define ARRAY_KEYS_MAX 9

/*
 * The type that a number in a variable, or the result of a function, points to:
 * lang/autocast.c.
 */
struct pointee {
	/* other: a second, different type that it points to, so that neither is used */
	const struct access *access, *other;
	struct loc loc, other_loc; /* the places where these were found */
	/* Storing a value in the variable is a mistake that was already reported. */
	bool mistaken;
};

enum symbol_kind { SYMBOL_GLOBAL, SYMBOL_LOCAL, SYMBOL_PARAM };

struct symbol {
	enum symbol_kind kind;
	const char *name;   /* as written */
	const char *c_name; /* unique in the generated C */
	struct loc loc;
	enum type type; /* of a scalar, or of an array's values */
	struct loc
		/*
		 * place from which the type was inferred: second place of a "type
		 * mismatch"
		 */
		type_loc;
	struct pointee pointee; /* params and locals */
	/* for a local: an assigned member whose numbers have changed their meaning */
	const struct drift_values *values;
	int arity; /* globals: -1 unknown, 0 scalar, 1…ARRAY_KEYS_MAX array */
	enum type key_types[ARRAY_KEYS_MAX];
	struct loc key_locs[ARRAY_KEYS_MAX];
	/* globals */
	struct node *init;   /* NUMBER or STRING or NULL */
	int64_t max_entries; /* array size in brackets, 0: default */
	bool wrap;	     /* '%' after the name */
	bool is_private;
	struct source *source;
	/* Aggregates: one HISTOP for each shape of histogram that they must collect. */
	VEC(const struct node *) histograms;
	unsigned stat_ops;  /* set of bits of enum stat_op that the script uses */
	bool read, written; /* in reachable code */
	bool asked;	    /* read in an @defined that was decided */
	bool left_out;	    /* its assignments were dropped, because nothing reads it */
	bool indexed;	    /* used with an index anywhere */
	bool changed;	    /* written from its own old value: ++ += … */
	unsigned index;	    /* position in program->globals */
	/* params and locals */
	/* written after its declaration (a string parameter then needs storage) */
	bool assigned;
};

struct function {
	const char *name;
	const char *c_name;
	struct loc loc; /* the name */
	enum type type; /* TYPE_VOID when nothing is returned */
	struct loc type_loc;
	struct pointee pointee; /* of the value returned */
	VEC(struct symbol *) params;
	VEC(struct symbol *) locals; /* by sem/resolve */
	struct node *body;	     /* NULL for embedded C */
	const char *code;	     /* embedded C text, or NULL */
	size_t code_len;
	struct loc code_loc;
	unsigned pragmas; /* PRAGMA_… of the embedded C */
	int64_t priority;
	bool is_private;
	bool used; /* reachable from a probe */
	/* by module/registers.c: it reads registers that some probes lack */
	bool reads_registers;
	bool reads_place;		/* by the same: it may read the address of the point */
	bool reads_argument;		/* … or the argument that it looks for */
	bool reads_program;		/* by module/programreads.c: it reads memory of programs */
	bool is_of_moment;		/* … and this cannot be delayed */
	bool unfiltered;		/* by module/filterscope.c: it needs hits of all tasks */
	bool has_effects;		/* by lang/effects.c: it has side effects */
	enum stp_privilege_reach reach; /* by checking_mark(): of the body and its calls */
	/*
	 * by module/pagesahead.c: it has permanent effects; its value may depend on
	 * globals; it reads memory of programs at its first argument
	 */
	bool lasts, sees_globals, reads_at;
	struct source *source;
	struct function *overload; /* next of the same name, or NULL */
	/*
	 * Functions that use target variables, or call functions that do: sem/perprobe.c.
	 */
	enum { CONTEXT_UNKNOWN, CONTEXT_NONE, CONTEXT_NEEDED } context;
	struct function *original; /* of a clone */
	struct handler *clone_of;  /* for its point */
};

/* Comments in embedded C: PRAGMA(ENUM, text) */
/* clang-format off */
#define PRAGMAS(P)                                                                      \
	P(PURE, "pure") P(STABLE, "stable") P(UNPRIVILEGED, "unprivileged")             \
	P(MYPROC_UNPRIVILEGED, "myproc-unprivileged") P(GURU, "guru")                   \
	P(UNMANGLED, "unmangled") P(UNMODIFIED_FNARGS, "unmodified-fnargs")             \
	P(STRING, "string") P(TAGGED_DFA, "pragma:tagged_dfa") P(BPF, "bpf")            \
	P(USER_SYMBOLS, "pragma:user_symbols") P(USER_LINES, "pragma:user_lines")       \
	P(SOURCE_LINES, "pragma:source_lines") P(REPLACEABLE, "replaceable")            \
	P(REGISTERS, "registers") P(UNFILTERED, "unfiltered")                           \
	P(ARGUMENT, "pragma:argument")
/* clang-format on */
enum pragma_bit {
#define P(kind, text) PRAGMA_BIT_##kind,
	PRAGMAS(P)
#undef P
		PRAGMA_BIT_COUNT
};
enum pragma {
#define P(kind, text) PRAGMA_##kind = 1 << PRAGMA_BIT_##kind,
	PRAGMAS(P)
#undef P
};

/* name("arg") of a probe point */
struct component {
	const char *name; /* may hold '*' */
	enum { ARG_NONE, ARG_STRING, ARG_NUMBER } arg_kind;
	const char *string;
	int64_t number;
	struct loc loc; /* name and argument */
	struct loc arg_loc;
};
typedef VEC(struct component) component_list;

struct point {
	component_list components;
	struct loc loc;
	bool optional;	 /* '?' */
	bool sufficient; /* '!' */
	bool reads;	 /* its handler reads target variables */
	bool of_pattern; /* a pattern of aliases, with a suffix that not all of them support */
	/*
	 * No point of the list exists on this kernel: names of older kernels may have
	 * successors.
	 */
	bool drifts;
	const struct point_drift *drift; /* the point that it replaces; NULL: it is as written */
	struct node *condition;		 /* `if (…)` or NULL */
};

/* A point that replaces one with an old name (probe/pointdrift.h). */
struct point_drift {
	const struct point *written; /* in the script */
	const char *function;	     /* old name of the function that it succeeds; or NULL */
	bool is_successor;	     /* replaces only the function, not copies or system calls */
	bool is_last;		     /* there is no successor: the second best is used */
};

struct probe {
	struct loc loc;
	VEC(struct point *) points;
	struct node *body;
	struct source *source;
};

/* probe NAME = POINTS { prologue } , { epilogue } */
struct alias {
	component_list name;
	struct loc loc;
	VEC(struct point *) points;
	struct node *prologue; /* NULL when absent; '=' alone */
	struct node *epilogue; /* NULL when absent; '+=' */
	struct source *source;
};

/* One parsed file. */
struct unit {
	struct source *source;
	VEC(struct symbol *) globals;
	VEC(struct function *) functions;
	VEC(struct probe *) probes;
	VEC(struct alias *) aliases;
	VEC(struct node *) embeds; /* top-level %{ %}: EMBED nodes */
	bool is_too_deep;	   /* later passes must not walk its trees: parse/depth.c */
};

/* ---- constructors: the grammar's actions call these and nothing else ---- */

struct node *node_new(struct arena *a, enum node_kind kind, struct loc loc);

/* Appends to a list linked by `next`; returns the head. */
struct node *node_append(struct node *head, struct node *item);
unsigned node_count(const struct node *list);
/*
 * Returns the number of buckets of a HISTOP, including the two for values out of range.
 */
int64_t node_hist_buckets(const struct node *hist);
/* Returns a text such as "99.9" for a number of millionths of a percent. */
const char *node_percentage(struct arena *a, int64_t millionths);
/*
 * Returns the reason why the variable or thing that a TARGET or ATOP names is missing.
 * NULL: it exists, or this is not yet known, or n is of another kind.
 */
const char *node_unresolved(const struct node *n);
/* True: n has an old name that was replaced by another one. @defined() of it is false. */
bool node_has_drifted(const struct node *n);
/* True: it is not yet known whether the variable or thing of n exists. */
bool node_is_open(const struct node *n);

const char *node_kind_name(enum node_kind kind);
/* True: one execution of the statement may execute its parts repeatedly. */
bool node_is_loop(const struct node *n);

#endif
