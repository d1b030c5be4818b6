/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe families on the translator's side. A family is a file or a folder here, one file
 * in runtime/probe/ and one row in runtime/probe/families.def, which both sides include:
 * a family without a row does not compile.
 *
 * To add one: copy timer.c, write the four callbacks, add the row, write
 * runtime/probe/NAME.c.
 */
#ifndef STAP_PROBE_H
#define STAP_PROBE_H

#include <stdbool.h>

#include "ast/access.h"
#include "ast/program.h"

struct session;
struct error;
struct writer;

typedef VEC(struct derived *) derived_list;

/* A variable that -L prints and "did you mean" searches. */
struct target_variable {
	const char *name;   /* "$count" */
	const char *c_type; /* "size_t" */
	/* declared in the function's body: listed by $$locals, not by $$parms */
	bool is_local;
	bool is_absent; /* optimised out at this point: -L does not show it */
	bool is_result; /* of Go, which has several */
};
typedef VEC(struct target_variable) target_variables;

/* A counter that @perf reads by its name. */
struct probe_counter {
	const char *name;
	const char *program; /* that it counts in; NULL: in all */
	unsigned number;     /* from 1; 0: not requested yet */
	const char *reader;  /* function of the runtime that reads it */
};

/* The code of runtime/bpf that hits need: a script has only what its families name. */
enum probe_hits {
	PROBE_HITS_EVENT, /* of points in the kernel */
	PROBE_HITS_SCRIPT,
	PROBE_HITS_TIMER,
	PROBE_HITS_SYSCALL,
	PROBE_HITS_PROCESS
};
#define PROBE_HITS_KINDS (PROBE_HITS_PROCESS + 1)

struct probe_family {
	const char *name; /* as in families.def */
	/* Forms of its points, a line each: "timer.s(number)\ntimer.us(number)". */
	const char *help;

	/*
	 * Recognises a point of this family and appends one `struct derived` (pp, pfunc,
	 * pmodule and data filled) for each concrete point. Returns NULL with nothing
	 * appended when the point is not of this family; ERROR_ABSENT if it is, but
	 * there is no such function (…): the text names near matches; other errors when
	 * the point is wrong. Wildcards inside string arguments are the family's
	 * business.
	 */
	struct error *(*resolve)(struct session *s, const struct point *p, derived_list *ret);

	/*
	 * Fills n->access (or n->unresolved with the whole message) for a TARGET node of
	 * kind VAR in d's handler. $$vars and similar ones never come here: vars() lists
	 * their variables. NULL: the family has no target variables.
	 */
	void (*target)(struct session *s, struct derived *d, struct node *n);

	/*
	 * Lists target variables for -L, $$vars and $$parms. NULL: the family has none.
	 */
	void (*vars)(struct session *s, struct derived *d, target_variables *ret);

	/*
	 * Returns the point's address for -v -L, as SystemTap writes it:
	 * "_stext+0x34cc50", "<xfs:xfs_file_ioctl+0>"; NULL if it is not known. NULL:
	 * there are none.
	 */
	const char *(*pc)(struct session *s, struct derived *d);

	/* True for points at a function's return. NULL: there are none. */
	bool (*is_return)(const struct derived *d);

	/*
	 * Returns the counter that @perf reads at the point: no handler runs there, and
	 * it is placed even if its handler does nothing. NULL: the point is not a
	 * counter.
	 */
	struct probe_counter *(*counter)(const struct derived *d);

	/* Returns the program and the file that the point is in. NULL: it is in none. */
	const struct program_file *(*where)(const struct derived *d);

	/*
	 * Return the values of $$name, $$provider and $$system. NULL: it has none.
	 */
	const char *(*its_name)(const struct derived *d);
	const char *(*its_provider)(const struct derived *d);
	const char *(*its_system)(const struct derived *d);

	/*
	 * Makes sure that locals are known, since the script uses $$locals; else returns
	 * the reason. NULL: nothing has to be done.
	 */
	struct error *(*need_locals)(struct session *s, struct derived *d);

	/*
	 * True for points whose messages another point of the same probe has given. NULL:
	 * there are none.
	 */
	bool (*is_twin)(const struct derived *d);

	/*
	 * Emits the definitions that the point needs at file scope: at least a
	 * `static const struct stp_point_FAMILY point_INDEX = {…};`.
	 */
	void (*emit)(struct session *s, struct derived *d, struct writer *w);

	bool waits; /* runs where a task can wait: kernel counters can be read there */
	/* hit rarely, compared with functions: others may have to wait for it */
	bool is_rare;
	/*
	 * the runtime itself calls the handlers, one after the other, while no other
	 * probe runs: they have no hit functions, and no other probe adds at the same
	 * time
	 */
	bool runs_alone;
	bool is_program_code; /* its points are instructions of programs */
	bool user_runtime;    /* works under --runtime=user, and =bpf */
	bool bpf_runtime;     /* works under --runtime=bpf, in the kernel */
	enum probe_hits hits;
	/*
	 * Returns what BPF programs lack for that point, as in "--runtime=bpf has no …";
	 * NULL: nothing. NULL: all points of the family are alike.
	 */
	const char *(*bpf_obstacle)(const struct derived *d);
	bool whole_names; /* $$parms and similar ones have "$arg1=…", with the '$' */
	/* `if (cond)` may unregister the point instead of being tested in the handler */
	bool armed_conditions;
	/* entries: the kernel may call the hit itself, see runtime/api/script.h */
	bool traces;
	/*
	 * True: a call can be passed on, because each of its arguments, and its result,
	 * is in a register. NULL: it cannot.
	 */
	bool (*passes_on)(struct session *s, const struct derived *d);
};

/*
 * Defines a family of families.def. The forms of its points are a mandatory literal: all
 * code that lists points reads it. The callbacks are given by name: .resolve = resolve,
 * .emit = emit.
 */
/* clang-format off */
#define PROBE_FAMILY(family, forms, ...)                                                \
	const struct probe_family probe_family_##family = {                             \
		.name = #family, .help = "" forms, __VA_ARGS__                          \
	}
/* clang-format on */

extern const struct probe_family *const probe_families[];
extern const unsigned probe_family_count;

/* Asks each family in turn. NULL with nothing appended: no family has such a point. */
struct error *probe_resolve(struct session *s, const struct point *p, derived_list *ret);

/*
 * Names of components in points of all families, which wildcards may match; ends in NULL.
 */
extern const char *const probe_words[];

/*
 * True if values are read after the function has returned: target variables other than
 * $return are then saved at entry.
 */
bool probe_is_return(const struct derived *d);
bool probe_is_twin(const struct derived *d);
struct probe_counter *probe_counter(const struct derived *d);
/* Returns d's data if d is a point of the family; else NULL. */
void *probe_data(const struct derived *d, const struct probe_family *family);

/*
 * bind.c: makes n->access for every TARGET below `body`, for this point: expands $$vars
 * $$parms $$return to sprintf calls, turns parameters in return probes and @entry into
 * saved slots, folds @defined, then folds the tree and reports the targets that are still
 * unresolved. Casts go through the kernel's types.
 */
void bind_targets(struct session *s, struct derived *d, struct node *body);
/* Binds casts in function bodies, where there is no probe. */
void bind_casts(struct session *s, struct node *body);
/*
 * True if the tree contains nodes for bind_targets(), whose meaning may depend on the
 * point.
 */
bool bind_has_targets(const struct node *body);

/* Helpers for resolve(). */
/*
 * Creates the error for an invalid point of this family; the text says what to write
 * instead.
 */
#define probe_wrong(s, ...) error_create((s)->arena, ERROR_SCRIPT, __VA_ARGS__)
/* Returns the error for a doubtful result of the function; NULL: there is no problem. */
struct error *probe_result_doubt(struct session *s, const char *function, const char *problem);
struct derived *probe_derived_new(struct session *s, const struct probe_family *f,
				  const struct point *p, derived_list *ret);
/* Returns the point as in the script: p, unless p replaces another one. */
const struct point *probe_written(const struct point *p);
const struct component *probe_component(const struct point *p, unsigned i); /* NULL past the end */
/* True: component i is called `name`; arg_kind is any of ARG_*. */
bool probe_component_is(const struct point *p, unsigned i, const char *name, int arg_kind);

#endif
