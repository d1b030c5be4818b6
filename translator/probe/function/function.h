/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function probes: declarations that function.c, kprobe.c, place.c and syscall.c share.
 */
#ifndef STAP_PROBE_FUNCTION_H
#define STAP_PROBE_FUNCTION_H

struct strbuf;
struct writer;

#include "dwarf/find.h"
#include "kernel/functions.h"
#include "types/calling.h"
#include "probe/probe.h"
#include "probe/function/suffix.h"
#include "types/syscalls.h"

struct function_point;

/*
 * The differences between the kinds of function points. To add a kind: its operations in
 * a file, by POINT_OPS(), a line below, and the points that it sets ->ops of.
 */
struct point_ops {
	/* Finds a target variable. */
	struct error *(*access)(struct session *s, struct function_point *f, const struct node *n,
				struct access *a);
	/* Lists the variables, except $return. */
	void (*vars)(struct session *s, struct function_point *f, target_variables *ret);
	/* Returns the type of $return in f->fn.btf; 0: there is none. */
	uint32_t (*return_type)(struct session *s, struct function_point *f);
	/* Emits ".symbol = …", and everything else that locates the point. */
	void (*emit_place)(struct session *s, const struct derived *d, struct strbuf *b);
	bool is_bare; /* known by its symbol only: it has no variables */
};

/* Defines point_NAME_ops; an operation that is missing does not compile. */
/* clang-format off */
#define POINT_OPS(name, access_op, vars_op, return_type_op, emit_place_op, ...)              \
	POINT_NEEDS(name, access_op, struct error *(struct session *, struct function_point *, \
						    const struct node *, struct access *));    \
	POINT_NEEDS(name, vars_op, void(struct session *, struct function_point *,           \
					target_variables *));                                \
	POINT_NEEDS(name, return_type_op,                                                    \
		    uint32_t(struct session *, struct function_point *));                    \
	POINT_NEEDS(name, emit_place_op,                                                     \
		    void(struct session *, const struct derived *, struct strbuf *));        \
	const struct point_ops point_##name##_ops = {                                        \
		.access = access_op, .vars = vars_op, .return_type = return_type_op,         \
		.emit_place = emit_place_op, __VA_ARGS__                                     \
	}
#define POINT_NEEDS(name, op, type)                                                          \
	_Static_assert(__builtin_types_compatible_p(__typeof__(op), type),                   \
		       "point_" #name "_ops: access, vars, return_type and emit_place")
/* clang-format on */

/*
 * plain (function.c): BTF knows the function; bare (kprobe.c): known by its symbol;
 * syscall (syscall.c): the entry of a system call; place (place.c): found by debuginfo
 */
extern const struct point_ops point_plain_ops, point_bare_ops, point_syscall_ops, point_place_ops;

/* The derived->data of a function point. */
struct function_point {
	const struct point_ops *ops;
	struct kernel_function fn;
	/* entry of a system call: its parameters are in pt_regs; else NULL */
	const struct kernel_syscall *syscall;
	bool is_compat; /* … as 32-bit callers enter it */
	/*
	 * … which the kernel's linker may have inlined: the family syscall finds the call
	 * by its number
	 */
	bool by_number;
	const char *decoded; /* ".decoded(TEXT)": the call's name and the kinds of its arguments */
	/*
	 * the same call's native entry is a point as well, and has given the same
	 * messages
	 */
	bool is_twin;
	/* name in the script that this function replaces; NULL: its own name */
	const char *old_name;
	struct point_suffix suffix;
	arguments args; /* placed on first use */
	bool args_placed;

	/*
	 * Found by debuginfo: fn has the name and the module only, the place has the
	 * symbol.
	 */
	bool is_statement;
	const struct dwarf_place *place; /* NULL: fn has everything */
	/* place at which variables are looked up; filled on first use */
	const struct dwarf_place *seen_from;
	bool with_locals; /* the script uses $$locals */
	/* counts only when called from there; NULL: from anywhere */
	const struct dwarf_call *call;
};

/* The function to find, and the point for which it is needed. */
struct lookup {
	struct session *s;
	const struct point *p;
	const char *module;  /* a name or glob; NULL: the kernel */
	const char *pattern; /* a name or glob */
	const struct function_point *template;
	derived_list *ret;
};

extern const struct probe_family probe_family_function, probe_family_syscall;

/*
 * functionpoint.c: one point.
 *
 * Returns why a function of the kernel, given by its symbol, cannot be probed. NULL: it
 * can. Functions that kprobes refuse are not probed by ftrace either: the handler would
 * run while the kernel single-steps another kprobe's instruction, and calling any
 * function with a kprobe there would crash the kernel ("Unrecoverable kprobe detected").
 */
struct error *function_refused(struct session *s, const char *name, const char *symbol);

/* Appends one more point. Its names follow from data->fn. */
struct derived *function_add(const struct lookup *l, const struct function_point *data);
/* Emits ".symbol = …" of a point that is a function's entry or return. */
void functionpoint_emit_symbol(struct session *s, const struct derived *d, struct strbuf *b);

/*
 * syscall.c. "sys_read", "SyS_read" and globs of such names mean the entry points of
 * system calls. Returns true if the pattern is one; then all that match are appended.
 */
bool syscall_is_pattern(const char *pattern);
struct error *syscall_resolve(const struct lookup *l);
/*
 * Gives a function that is a system call's entry point the call's parameters. An entry
 * point that the script itself names is probed as a function, even if it may be inlined.
 */
void syscall_recognise(const struct lookup *l, struct function_point *f);
/*
 * Emits the row of a system call's arguments before the point, and the point's part, if
 * the script uses them. With --runtime=bpf only the handlers have rows, not the process:
 * points do not refer to them.
 */
void syscall_emit(struct session *s, const struct function_point *f, struct writer *w,
		  struct strbuf *point);

/* Returns the name of the row, without "call_". NULL: the script uses none. */
const char *syscall_row(struct session *s, const struct function_point *f);

/* kprobe.c: resolves kprobe.…, by symbol alone. */
struct error *kprobe_resolve(struct session *s, const struct point *p, derived_list *ret);

/* place.c: finds points for which debuginfo is needed. */
bool place_is_needed(const struct component *c, const struct point_suffix *suffix,
		     bool is_statement);
/* Resolves the place that the point names; l->pattern is not used. */
struct error *place_resolve(const struct lookup *l);
/*
 * Appends the copies that debuginfo knows and that are not represented by the points from
 * ret->data[before] on. ERROR_ABSENT: there is no debuginfo, or no such function in it.
 */
struct error *place_copies(const struct lookup *l, size_t before);
/*
 * Returns the place of a function whose symbol has a compiler's suffix; NULL: debuginfo
 * has none.
 */
const struct dwarf_place *place_of_symbol(struct session *s, const char *module,
					  const char *symbol);
/*
 * Finds a variable as seen from the point. The place of a point made from BTF is looked
 * up first.
 */
struct error *place_variable(struct session *s, struct function_point *f, const struct node *n,
			     struct access *a);
/* Returns the point's place, located in the kernel; NULL: debuginfo does not know it. */
const struct dwarf_place *place_seen(struct session *s, struct function_point *f);
/*
 * Makes sure that there is debuginfo, because the script uses $$locals; otherwise returns
 * the error.
 */
struct error *place_need_locals(struct session *s, struct derived *d);
/* Lists the locals if the script uses $$locals; nothing without debuginfo. */
void place_locals(struct session *s, struct function_point *f, target_variables *ret);

#endif
