/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of other languages: C, awk, Python, bpftrace, DTrace. Their syntax is in
 * parse/teach.c. Similar names of the script or the library are suggested after that.
 */
#include "sem/advice.h"

#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/lexical.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lib/arena.h"
#include "lib/hashmap.h"
#include "lib/strbuf.h"
#include "lib/vec.h"
#include "sem/tapset.h"

struct word {
	const char *name, *advice;
};

#define NO_DECLARATION                                                                             \
	"variables are not declared in a body: their types follow from the assignments; leave "    \
	"it out"
#define ARGUMENTS "parameters are target variables, by name: $count; stap -L POINT lists them"

/* Names of variables in other languages, and words that are mistaken for variables. */
static const struct word names[] = {
	{ "int", NO_DECLARATION },
	{ "char", NO_DECLARATION },
	{ "unsigned", NO_DECLARATION },
	{ "float", NO_DECLARATION },
	{ "double", NO_DECLARATION },
	{ "bool", NO_DECLARATION },
	{ "size_t", NO_DECLARATION },
	{ "u8", NO_DECLARATION },
	{ "u16", NO_DECLARATION },
	{ "u32", NO_DECLARATION },
	{ "u64", NO_DECLARATION },
	{ "uint32_t", NO_DECLARATION },
	{ "uint64_t", NO_DECLARATION },
	{ "int64_t", NO_DECLARATION },
	{ "int32_t", NO_DECLARATION },
	{ "void", NO_DECLARATION },
	{ "struct", NO_DECLARATION },
	{ "const", NO_DECLARATION },
	{ "var", NO_DECLARATION },
	{ "let", NO_DECLARATION },
	{ "local", NO_DECLARATION },
	{ "my", NO_DECLARATION },
	{ "static", "a variable that outlives a hit is declared with 'global', outside of the "
		    "probe" },
	{ "this", "a variable for one hit is a plain variable" },
	{ "self", "a variable for a thread is an element of a global array: x[tid()]" },
	{ "null", "write 0" },
	{ "nil", "write 0" },
	{ "None", "write 0" },
	{ "true", "write 1" },
	{ "false", "write 0" },
	{ "True", "write 1" },
	{ "False", "write 0" },
	{ "TRUE", "write 1" },
	{ "FALSE", "write 0" },
	{ "do", "there is no 'do … while'; write: while (1) { … if (!(…)) break }" },
	{ "goto",
	  "there is no 'goto'; 'next' leaves a probe, 'return' a function, 'break' a loop" },
	{ "throw", "write: error(\"…\")" },
	{ "raise", "write: error(\"…\")" },
	{ "finally", "statements after the catch block are executed in any case" },
	{ "case", "there is no 'switch'; write if (…) … else if (…) …" },
	{ "default", "there is no 'switch'; write if (…) … else if (…) …" },
	{ "elif", "write 'else if'" },
	{ "elsif", "write 'else if'" },
	{ "and", "write '&&'" },
	{ "or", "write '||'" },
	{ "not", "write '!'" },
	{ "comm", "write: execname()" },
	{ "curpsinfo", "write: execname()" },
	{ "nsecs", "write: gettimeofday_ns()" },
	{ "timestamp", "write: gettimeofday_ns()" },
	{ "walltimestamp", "write: gettimeofday_ns()" },
	{ "elapsed", "write: gettimeofday_ns(), less its value at the start" },
	{ "curtask", "write: task_current()" },
	{ "curthread", "write: task_current()" },
	{ "kstack", "write: print_backtrace()" },
	{ "ustack", "write: print_ubacktrace()" },
	{ "retval", "a function's result is $return, in a .return probe" },
	{ "probefunc", "write: ppfunc()" },
	{ "func", "write: ppfunc()" },
	{ "probename", "write: pn()" },
	{ "args", ARGUMENTS },
	{ "arg0", ARGUMENTS },
	{ "arg1", ARGUMENTS },
	{ "arg2", ARGUMENTS },
	{ "arg3", ARGUMENTS },
	{ "arg4", ARGUMENTS },
	{ "arg5", ARGUMENTS },
	{ "sarg0", ARGUMENTS },
	{ "sarg1", ARGUMENTS },
	{ "errno", "a system call's result is $return, or retval of its .return alias; errno_str() "
		   "gives its meaning" },
};

static const struct word functions[] = {
	{ "len",
	  "strlen() is for strings; the elements of an array are counted in a foreach loop" },
	{ "length",
	  "strlen() is for strings; the elements of an array are counted in a foreach loop" },
	{ "elif", "write 'else if'" },
	{ "elsif", "write 'else if'" },
	{ "elseif", "write 'else if'" },
	{ "switch", "there is no 'switch'; write if (…) … else if (…) …" },
	{ "str", "write: user_string() or kernel_string()" },
	{ "copyinstr", "write: user_string()" },
	{ "stringof", "write: kernel_string()" },
	{ "copyin", "write: user_long() or a similar function" },
	{ "count", "collect with 'a <<< 1', and ask for @count(a)" },
	{ "sum", "collect with 'a <<< x', and ask for @sum(a)" },
	{ "avg", "collect with 'a <<< x', and ask for @avg(a)" },
	{ "min", "collect with 'a <<< x', and ask for @min(a)" },
	{ "max", "collect with 'a <<< x', and ask for @max(a)" },
	{ "stats", "collect with 'a <<< x', and ask for @count(a), @avg(a), @sum(a)" },
	{ "hist", "collect with 'a <<< x', and print(@hist_log(a))" },
	{ "quantize", "collect with 'a <<< x', and print(@hist_log(a))" },
	{ "lhist", "collect with 'a <<< x', and print(@hist_linear(a, low, high, width))" },
	{ "lquantize", "collect with 'a <<< x', and print(@hist_linear(a, low, high, width))" },
	{ "clear", "write: delete a" },
	{ "printa", "go over the array: foreach (key in a) println(a[key])" },
	{ "trace", "write: print()" },
	{ "puts", "write: println()" },
	{ "echo", "write: println()" },
	{ "fprintf", "write: printf()" },
	{ "snprintf", "write: sprintf()" },
	{ "strcmp", "strings are compared with '=='" },
	{ "strncmp", "strings are compared with '=='; substr() takes a part" },
	{ "strcat", "strings are joined with '.'" },
	{ "strstr", "write: isinstr()" },
	{ "contains", "write: isinstr()" },
	{ "strcontains", "write: isinstr()" },
	{ "split", "write: tokenize()" },
	{ "strtok", "write: tokenize()" },
	{ "atoi", "write: strtol(s, 10)" },
	{ "int", "write: strtol(s, 10)" },
	{ "itoa", "write: sprint()" },
	{ "ksym", "write: symname()" },
	{ "usym", "write: usymname()" },
	{ "ntop", "write: ip_ntop()" },
	{ "kstack", "write: print_backtrace()" },
	{ "ustack", "write: print_ubacktrace()" },
	{ "stack", "write: print_backtrace()" },
	{ "reg", "write: register()" },
	{ "time", "write: gettimeofday_s()" },
	{ "gettimeofday", "write: gettimeofday_us(), or _s, _ms, _ns" },
	{ "strftime", "write: ctime()" },
	{ "getpid", "write: pid()" },
	{ "gettid", "write: tid()" },
	{ "defined", "write: @defined()" },
	{ "cast", "write: @cast()" },
	{ "entry", "write: @entry()" },
	{ "variance", "write: @variance()" },
	{ "hist_log", "collect with 'a <<< x', and print(@hist_log(a))" },
	{ "hist_linear", "collect with 'a <<< x', and print(@hist_linear(a, low, high, width))" },
	{ "throw", "write: error()" },
};

/* Points that lack their first word, and names of bpftrace's families. */
static const struct word points[] = {
	{ "function", "kernel.function(…), module(\"NAME\").function(…) or "
		      "process(\"PROGRAM\").function(…)" },
	{ "statement", "kernel.statement(…), module(\"NAME\").statement(…) or "
		       "process(\"PROGRAM\").statement(…)" },
	{ "java", "hotspot.* for what the virtual machine of Java says; stap --example java-gc "
		  "shows how" },
	{ "python2", "process(\"PYTHON\").mark(\"function__entry\"), as stap --example "
		     "python-calls does" },
	{ "python3", "process(\"PYTHON\").mark(\"function__entry\"), as stap --example "
		     "python-calls does" },
	{ "trace", "kernel.trace(…)" },
	{ "tracepoint", "kernel.trace(…)" },
	{ "rawtracepoint", "kernel.trace(…)" },
	{ "kprobe", "kernel.function(…)" },
	{ "kretprobe", "kernel.function(…).return" },
	{ "fentry", "kernel.function(…)" },
	{ "fexit", "kernel.function(…).return" },
	{ "mark", "process(\"PROGRAM\").mark(…)" },
	{ "plt", "process(\"PROGRAM\").plt(…)" },
	{ "usdt", "process(\"PROGRAM\").mark(…)" },
	{ "uprobe", "process(\"PROGRAM\").function(…)" },
	{ "uretprobe", "process(\"PROGRAM\").function(…).return" },
	{ "library", "process(\"PROGRAM\").library(…)" },
	{ "profile", "timer.profile, or perf.sw.cpu_clock.hz(N)" },
	{ "interval", "timer.s(N), timer.ms(N) or timer.hz(N)" },
	{ "hardware", "perf.hw.cpu_cycles and similar" },
	{ "software", "perf.sw.page_faults and similar" },
};

static const char *find_word(const struct word *words, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(words[i].name, name))
			return words[i].advice;
	return NULL;
}

static const char *const prints[] = { "print",	  "println",   "printf",    "printd",
				      "printdln", "sprint",    "sprintln",  "sprintf",
				      "sprintd",  "sprintdln", "print_char" };
#define PRINTS (sizeof(prints) / sizeof(prints[0]))

typedef VEC(const char *) name_vec;

static const char *near_of(struct session *s, const char *name, const name_vec *all)
{
	const char *near = diag_near(s, name, all->data, all->count);

	return near ? arena_printf(s->arena, "; did you mean %s", near) : "";
}

static void add_functions(struct session *s, name_vec *all)
{
	const char *const *library;
	struct hashmap_slot *slot;
	size_t count, it = 0;

	for (size_t i = 0; i < PRINTS; i++)
		vec_push(s->arena, all, prints[i]);
	while ((slot = hashmap_next(&s->program->function_names, &it)) != NULL)
		vec_push(s->arena, all, slot->key);
	tapset_function_names(s, &library, &count);
	for (size_t i = 0; i < count; i++)
		vec_push(s->arena, all, library[i]);
}

/* True: the name is a function of the language, the script or the library. */
static bool is_function(struct session *s, const char *name)
{
	name_vec all = { 0 };

	add_functions(s, &all);
	vec_each(&all, i)
		if (!strcmp(all.data[i], name))
			return true;
	return false;
}

const char *advice_point(const char *first)
{
	return find_word(points, sizeof(points) / sizeof(points[0]), first);
}

bool advice_is_declaration(const char *name)
{
	const char *advice = find_word(names, sizeof(names) / sizeof(names[0]), name);

	return advice && !strcmp(advice, NO_DECLARATION);
}

const char *advice_function(struct session *s, const char *name)
{
	const char *advice = find_word(functions, sizeof(functions) / sizeof(functions[0]), name);
	name_vec all = { 0 };

	if (advice)
		return arena_printf(s->arena, "; %s", advice);
	add_functions(s, &all);
	return near_of(s, name, &all);
}

/* The largest number of a point's variables that a message lists. */
#define OFFERS_TOLD 24

/* Returns "; 'vfs.read' has name, file and pos". */
static const char *offers_of(struct session *s, const struct handler *h)
{
	size_t count = h ? h->offered.count : 0, told = count > OFFERS_TOLD ? OFFERS_TOLD : count;
	struct strbuf text;

	if (!count)
		return "";
	strbuf_init(&text, s->arena);
	strbuf_addf(&text, "; '%s' has ", h->pn);
	for (size_t i = 0; i < told; i++)
		strbuf_addf(&text, "%s%s",
			    !i		    ? ""
			    : i + 1 < count ? ", "
					    : " and ",
			    h->offered.data[i]);
	if (told < count)
		strbuf_addf(&text, " … (stap -L '%s' lists all)", h->pn);
	return text.s;
}

static void add_offers(struct session *s, const struct handler *h, name_vec *all)
{
	for (size_t i = 0; h && i < h->offered.count; i++)
		vec_push(s->arena, all, h->offered.data[i]);
}

/* Returns the call of the function of that name, as text; NULL: there is none. */
static const char *call_of(struct session *s, const char *name)
{
	for (size_t i = 0; i < PRINTS; i++)
		if (!strcmp(prints[i], name))
			return arena_printf(s->arena, "%s(…)", name);
	return is_function(s, name) ? arena_printf(s->arena, "%s()", name) : NULL;
}

/* Returns advice about a name that means something else; NULL: it does not. */
static const char *misnomer(struct session *s, const char *name)
{
	const char *advice = find_word(names, sizeof(names) / sizeof(names[0]), name);
	size_t len = strlen(name);

	if (advice)
		return advice;
	if (name[len - 1] == '$')
		return arena_printf(s->arena,
				    "variables of the probed code are called '$%.*s', and '$' "
				    "after one prints it whole",
				    (int)len - 1, name);
	name = call_of(s, name);
	return name ? arena_printf(s->arena, "it is a function: write '%s'", name) : NULL;
}

const char *advice_unassigned(struct session *s, const char *name, const struct handler *h,
			      bool is_meant)
{
	const char *advice = is_meant ? NULL : misnomer(s, name);
	name_vec all = { 0 };

	if (advice)
		return arena_printf(s->arena, "'%s' is never assigned; %s", name, advice);
	add_offers(s, h, &all);
	return arena_printf(s->arena, "'%s' is never assigned%s%s", name, near_of(s, name, &all),
			    offers_of(s, h));
}

const char *advice_name(struct session *s, const char *name, struct symbol *const *locals,
			unsigned count, const struct handler *h)
{
	const char *advice = find_word(names, sizeof(names) / sizeof(names[0]), name);
	const char *const *globals, *word;
	name_vec all = { 0 };

	if (advice)
		return arena_printf(s->arena, "'%s' means nothing here; %s", name, advice);
	advice = call_of(s, name);
	if (advice)
		return arena_printf(s->arena, "'%s' is a function: write '%s'", name, advice);
	advice = misnomer(s, name);
	if (advice)
		return arena_printf(s->arena, "'%s' is never assigned; %s", name, advice);
	for (size_t i = 0; (word = lexical_keyword(i)) != NULL; i++)
		if (strlen(word) > 3) /* every short name is similar to a shorter one */
			vec_push(s->arena, &all, word);
	for (unsigned i = 0; i < count; i++)
		if (locals[i]->written || locals[i]->left_out || locals[i]->kind == SYMBOL_PARAM)
			vec_push(s->arena, &all, locals[i]->name);
	count = typing_globals(s, &globals);
	for (unsigned i = 0; i < count; i++)
		vec_push(s->arena, &all, globals[i]);
	add_offers(s, h, &all);
	return arena_printf(s->arena, "'%s' is never assigned%s%s", name, near_of(s, name, &all),
			    offers_of(s, h));
}
