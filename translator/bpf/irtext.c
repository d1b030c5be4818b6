/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

#include "base/session.h"
#include "bpf/irplaces.h"
#include "bpf/irtext.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "lib/vec.h"

#define REGISTERS 5 /* for arguments */
#define AREA	  "@stp_bpf_args"

typedef VEC(const char *) texts;

struct rewriting {
	struct session *s;
	struct strbuf *out;
	struct strbuf globals; /* text after the functions */
	const char *function;  /* the function whose body is being read; NULL: none */
	unsigned casts;	       /* made in this function */
	struct irplaces places;
	struct error *error;
};

static const char *const library[] = { "memcpy",  "memmove", "memset",	"memcmp", "memchr",
				       "strlen",  "strnlen", "strchr",	"strcmp", "strncmp",
				       "strrchr", "strspn",  "strcspn", "strstr" };

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void refuse(struct rewriting *r, const char *what, const char *line)
{
	if (!r->error)
		r->error = error_create(r->s->arena, ERROR_ENVIRONMENT, "%s in %s: %s", what,
					r->function ? r->function : "a module", line);
}

/* ---- pieces of a line ---- */

/* Returns the end of the piece that begins at `at`: the next comma outside brackets. */
static const char *piece_end(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		if (*at == '"') {
			for (at++; *at && *at != '"'; at++)
				;
			if (!*at)
				break;
		} else if (strchr("([{<", *at)) {
			depth++;
		} else if (strchr(")]}>", *at) && depth-- == 0) {
			break;
		} else if (*at == ',' && !depth) {
			break;
		}
	}
	return at;
}

/* Splits a list at its commas. */
static texts pieces(struct rewriting *r, const char *list)
{
	texts ret = { 0 };

	while (*list) {
		const char *end = piece_end(list);

		vec_push(r->s->arena, &ret,
			 arena_printf(r->s->arena, "%.*s", (int)(end - list), list));
		if (*end != ',')
			break;
		for (list = end + 1; *list == ' '; list++)
			;
	}
	return ret;
}

/* Returns the length of the type that a text begins with. */
static size_t type_length(const char *text)
{
	const char *at = text;
	int depth = 0;

	for (; *at && (depth || (*at != ' ' && *at != ',')); at++)
		depth += (strchr("[{<", *at) != NULL) - (strchr("]}>", *at) != NULL);
	return (size_t)(at - text);
}

/* Returns the value of "TYPE attributes VALUE". */
static const char *value_of(const char *argument)
{
	static const char *const words[] = { "null",	 "true",     "false",
					     "undef",	 "poison",   "getelementptr",
					     "inttoptr", "ptrtoint", "zeroinitializer",
					     "select",	 "icmp",     "add",
					     "sub",	 "trunc",    "zext" };
	const char *at = argument + type_length(argument);

	while (*at == ' ') {
		at++;
		if (starts(at, "align ")) {
			at += strlen("align ");
			at += strspn(at, "0123456789");
			continue;
		}
		if (*at == '%' || *at == '@' || *at == '-' || isdigit((unsigned char)*at) ||
		    *at == '[' || *at == '{')
			return at;
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (starts(at, words[i]) && !isalnum((unsigned char)at[strlen(words[i])]) &&
			    at[strlen(words[i])] != '_')
				return at;
		for (int depth = 0; *at && (depth || *at != ' '); at++)
			depth += (*at == '(') - (*at == ')');
	}
	return at;
}

/* Returns how many registers an argument of this type takes. */
static unsigned registers_of(const char *argument)
{
	return starts(argument, "[2 x i64]") ? 2 : 1;
}

static bool is_undefined(const char *value)
{
	return !strcmp(value, "undef") || !strcmp(value, "poison");
}

/*
 * Returns the argument; one without a value is 0, because the verifier requires a value.
 */
static const char *defined(struct rewriting *r, const char *argument)
{
	size_t type = type_length(argument);

	if (!is_undefined(value_of(argument)))
		return argument;
	return arena_printf(r->s->arena, "%.*s %s", (int)type, argument,
			    argument[0] == '['	 ? "zeroinitializer"
			    : argument[0] == 'p' ? "null"
						 : "0");
}

/* ---- accesses ---- */

static void write_store(struct rewriting *r, const char *how, const char *value,
			const char *pointer, const char *align)
{
	strbuf_addf(r->out, "  %s %s, ptr %s%s%s\n", how, value, pointer, align ? ", " : "",
		    align ? align : "");
}

/* Slot of the area for arguments. */
static const char *slot(struct rewriting *r, unsigned n)
{
	return arena_printf(r->s->arena, "getelementptr (i8, ptr " AREA ", i64 %u)", 8 * n);
}

/* Returns a pointer without the order of an atomic access. */
static const char *without_order(struct rewriting *r, const char *pointer)
{
	const char *last = strrchr(pointer, ' ');

	return last && (!strcmp(last, " monotonic") || !strcmp(last, " acquire") ||
			!strcmp(last, " release") || !strcmp(last, " seq_cst"))
		       ? arena_printf(r->s->arena, "%.*s", (int)(last - pointer), pointer)
		       : pointer;
}

/* Atomic accesses become volatile ones: a word is read and written as a whole. */
static const char *plain(struct rewriting *r, const char *access)
{
	return starts(access, "atomic ")
		       ? arena_printf(r->s->arena, "volatile %s", access + strlen("atomic "))
		       : access;
}

/*
 * Returns the alignment of an access, ", align N", or NULL. Words are accessed as such at
 * any address, as the machines that have BPF can do; clang would access their bytes.
 */
static const char *alignment_of(const char *access, texts parts)
{
	if (starts(access, "volatile "))
		access += strlen("volatile ");
	if (parts.count < 3 || !starts(parts.data[2], "align") || starts(access, "i16") ||
	    starts(access, "i32") || starts(access, "i64"))
		return NULL;
	return parts.data[2];
}

/* "%x = load TYPE, ptr P, align N, …", also with volatile or atomic. */
static void rewrite_load(struct rewriting *r, const char *line, const char *load)
{
	texts parts = pieces(r, load);
	const char *access, *align;

	if (parts.count < 2 || !starts(parts.data[1], "ptr ")) {
		refuse(r, "unknown load", line);
		return;
	}
	access = plain(r, parts.data[0] + strlen("load "));
	align = alignment_of(access, parts);
	strbuf_addf(r->out, "%.*sload %s, ptr %s", (int)(load - line), line, access,
		    without_order(r, parts.data[1] + 4));
	if (align)
		strbuf_addf(r->out, ", %s", align);
	strbuf_addc(r->out, '\n');
}

static void rewrite_store(struct rewriting *r, const char *line)
{
	texts parts = pieces(r, line + 2);
	const char *access;

	if (parts.count < 2 || !starts(parts.data[1], "ptr ")) {
		refuse(r, "unknown store", line);
		return;
	}
	access = plain(r, parts.data[0] + strlen("store "));
	write_store(r, "store", access, without_order(r, parts.data[1] + 4),
		    alignment_of(access, parts));
}

/* cmpxchg and atomicrmw: "… ptr P, …". */
static void rewrite_atomic(struct rewriting *r, const char *line, const char *op)
{
	const char *pointer = strstr(op, "ptr "), *end = pointer ? piece_end(pointer + 4) : NULL;
	texts rest;

	if (!pointer || *end != ',') {
		refuse(r, "unknown atomic operation", line);
		return;
	}
	rest = pieces(r, end + 2);
	strbuf_addf(r->out, "%.*s", (int)(end - line), line);
	for (size_t i = 0; i < rest.count && rest.data[i][0] != '!'; i++) {
		const char *order = strstr(rest.data[i], " release");

		if (!order)
			order = strstr(rest.data[i], " monotonic");
		if (order && !strncmp(op, "atomicrmw", 9))
			strbuf_addf(r->out, ", %.*s seq_cst", (int)(order - rest.data[i]),
				    rest.data[i]);
		else
			strbuf_addf(r->out, ", %s", rest.data[i]);
	}
	strbuf_addc(r->out, '\n');
}

/* ---- calls ---- */

static bool is_dropped(const char *callee)
{
	return starts(callee, "@llvm.va_end") || starts(callee, "@llvm.experimental.noalias") ||
	       starts(callee, "@llvm.assume");
}

/* Returns the callee's name, as bpf/runtime.c has it. */
static const char *callee_name(struct rewriting *r, const char *callee, size_t len)
{
	for (size_t i = 0; i < sizeof(library) / sizeof(library[0]); i++)
		if (strlen(library[i]) == len - 1 && !strncmp(callee + 1, library[i], len - 1))
			return arena_printf(r->s->arena, "@stp_bpf_%s", library[i]);
	return arena_printf(r->s->arena, "%.*s", (int)len, callee);
}

#define COPIED_MOST 4 /* words that are copied without a call */

/* Returns the number of words that an llvm.memcpy copies; 0: too many, or bytes. */
static unsigned words_to_copy(texts args)
{
	unsigned long bytes = strtoul(value_of(args.data[2]), NULL, 10);

	return bytes % 8 || bytes > 8 * COPIED_MOST ? 0 : (unsigned)bytes / 8;
}

static void copy_words(struct rewriting *r, texts args, unsigned n)
{
	unsigned name = r->casts++;

	for (unsigned i = 0; i < n; i++) {
		strbuf_addf(r->out, "  %%.from%u.%u = getelementptr i8, ptr %s, i64 %u\n", name, i,
			    value_of(args.data[1]), 8 * i);
		strbuf_addf(r->out, "  %%.word%u.%u = load i64, ptr %%.from%u.%u, align 8\n", name,
			    i, name, i);
	}
	for (unsigned i = 0; i < n; i++) {
		strbuf_addf(r->out, "  %%.to%u.%u = getelementptr i8, ptr %s, i64 %u\n", name, i,
			    value_of(args.data[0]), 8 * i);
		strbuf_addf(r->out, "  store i64 %%.word%u.%u, ptr %%.to%u.%u, align 8\n", name, i,
			    name, i);
	}
}

/*
 * llvm.memcpy and similar ones become a call of the function, without the last argument.
 */
static bool rewrite_block(struct rewriting *r, const char *callee, const char *list)
{
	static const char *const names[] = { "memcpy", "memmove", "memset" };
	texts args = pieces(r, list);
	unsigned words = starts(callee, "@llvm.memcpy.") ? words_to_copy(args) : 0;

	if (words) {
		copy_words(r, args, words);
		return true;
	}
	for (size_t i = 0; i < 3; i++) {
		if (!starts(callee, arena_printf(r->s->arena, "@llvm.%s.", names[i])))
			continue;
		strbuf_addf(r->out, "  call ptr @stp_bpf_%s(%s, %s, %s)\n", names[i], args.data[0],
			    args.data[1], args.data[2]);
		return true;
	}
	return false;
}

/* Returns the number of named arguments: 2 for "(ptr, ptr, ...)". */
static unsigned fixed_arguments(struct rewriting *r, const char *signature, size_t len)
{
	texts types = pieces(r, arena_printf(r->s->arena, "%.*s", (int)len - 2, signature + 1));

	return (unsigned)types.count - 1;
}

/*
 * Writes the arguments that fit into registers to `kept`; stores the others, and those
 * after the first `fixed`, in the area.
 */
static void pass_arguments(struct rewriting *r, texts args, unsigned fixed, struct strbuf *kept)
{
	unsigned used = 0, stored = 0;

	for (size_t i = 0; i < args.count; i++) {
		const char *arg = defined(r, args.data[i]);
		unsigned n = registers_of(arg);

		if (!stored && i < fixed && used + n <= REGISTERS) {
			used += n;
			strbuf_addf(kept, "%s%s", i ? ", " : "", arg);
			continue;
		}
		write_store(r, "store",
			    arena_printf(r->s->arena, "%.*s %s", (int)type_length(arg), arg,
					 value_of(arg)),
			    slot(r, stored), NULL);
		stored += n;
	}
}

/* Returns the text without "sret(TYPE) ". */
static char *without_sret(struct rewriting *r, const char *line)
{
	char *ret = arena_strdup(r->s->arena, line), *at;

	while ((at = strstr(ret, "sret("))) {
		char *end = strchr(at, ')');

		memmove(at, end + 2, strlen(end + 2) + 1);
	}
	return ret;
}

/* Finds the callee of a call; its list of arguments is between *list and *end. */
static const char *find_callee(const char *call, const char **list, const char **end)
{
	const char *at = call;
	int depth = 0;

	for (; *at; at++) {
		if ((*at == '@' || *at == '%') && !depth) {
			const char *name = at + 1;

			while (isalnum((unsigned char)*name) || *name == '_' || *name == '.')
				name++;
			if (*name == '(') {
				*list = name + 1;
				break;
			}
			at = name - 1;
			continue;
		}
		depth += (*at == '(') - (*at == ')');
	}
	if (!*at)
		return NULL;
	depth = 1;
	for (*end = *list; **end; (*end)++) {
		depth += (**end == '(') - (**end == ')');
		if (!depth)
			return at;
	}
	return NULL;
}

/*
 * llvm.cttz: the compiler would use a lookup table. Instead, counts the bits below the
 * lowest 1.
 */
static void count_zeros(struct rewriting *r, const char *line, const char *list)
{
	texts args = pieces(r, list);
	const char *type = arena_printf(r->s->arena, "%.3s", args.data[0]);
	const char *value = value_of(args.data[0]);
	unsigned n = r->casts++;

	strbuf_addf(r->out, "  %%z%u = sub %s 0, %s\n", n, type, value);
	strbuf_addf(r->out, "  %%y%u = and %s %s, %%z%u\n", n, type, value, n);
	strbuf_addf(r->out, "  %%x%u = add %s %%y%u, -1\n", n, type, n);
	strbuf_addf(r->out, "%.*scall %s @llvm.ctpop.%s(%s %%x%u)\n",
		    (int)(strstr(line, "= ") + 2 - line), line, type, type, type, n);
}

/* Returns a number for the types of a function. */
static uint32_t signature_of(const char *type, texts arguments)
{
	uint32_t ret = 2166136261u;

	for (; *type; type++)
		ret = (ret ^ (unsigned char)*type) * 16777619u;
	vec_each(&arguments, i) {
		const char *arg = arguments.data[i];

		for (size_t n = type_length(arg); n; n--)
			ret = (ret ^ (unsigned char)*arg++) * 16777619u;
		ret = (ret ^ ',') * 16777619u;
	}
	return ret;
}

/* Returns the word that ends before `end`. */
static const char *word_before(struct rewriting *r, const char *line, const char *end)
{
	const char *at = end;

	while (at > line && at[-1] != ' ')
		at--;
	return arena_printf(r->s->arena, "%.*s", (int)(end - at), at);
}

/* A call through a pointer becomes a call of a function that the linker makes. */
static void rewrite_pointer_call(struct rewriting *r, const char *line, const char *callee,
				 const char *list)
{
	const char *type = word_before(r, line, callee - 1), *name;
	texts args = pieces(r, list);
	struct strbuf kept;

	if (strchr(type, ')')) {
		refuse(r, "a call through a pointer with `...`", line);
		return;
	}
	name = arena_printf(r->s->arena, "@stp_bpf_pointer.%u", signature_of(type, args));
	strbuf_init(&kept, r->s->arena);
	strbuf_addf(&kept, "ptr %.*s", (int)strcspn(callee, "("), callee);
	vec_each(&args, i)
		strbuf_addf(&kept, ", %s", defined(r, args.data[i]));
	strbuf_addf(r->out, "%.*scall %s %s(%s)\n",
		    (int)(strncmp(line, "  %", 3) ? 2 : strstr(line, "= ") + 2 - line), line, type,
		    name, kept.s);
	if (!strstr(r->globals.s ? r->globals.s : "", name))
		strbuf_addf(&r->globals, "declare i64 %s(...)\n", name);
}

static void rewrite_call(struct rewriting *r, const char *given)
{
	char *line = without_sret(r, given);
	const char *list, *end, *callee, *signature, *call = strstr(line, "call ");
	struct strbuf kept;
	texts args;
	unsigned fixed;

	callee = find_callee(call, &list, &end);
	if (!callee || strstr(call, " asm ")) {
		strbuf_addf(r->out, "%s\n", line);
		return;
	}
	if (is_dropped(callee))
		return;
	list = arena_printf(r->s->arena, "%.*s", (int)(end - list), list);
	if (*callee == '%') {
		rewrite_pointer_call(r, line, callee, list);
		return;
	}
	if (starts(callee, "@llvm.va_start")) {
		write_store(r, "store", "ptr " AREA, value_of(list), NULL);
		return;
	}
	if (rewrite_block(r, callee, list))
		return;
	if (starts(callee, "@llvm.cttz.")) {
		count_zeros(r, line, list);
		return;
	}
	if (starts(callee, "@llvm.")) {
		strbuf_addf(r->out, "%.*s\n", (int)(end + 1 - line), line);
		return;
	}
	args = pieces(r, list);
	signature = strstr(call, " (");
	if (signature && signature < callee)
		fixed = fixed_arguments(r, signature + 1, (size_t)(callee - signature - 2));
	else
		signature = NULL, fixed = (unsigned)args.count;
	strbuf_init(&kept, r->s->arena);
	pass_arguments(r, args, fixed, &kept);
	strbuf_addf(r->out, "%.*scall ",
		    (int)(strncmp(line, "  %", 3) ? 2 : strstr(line, "= ") + 2 - line), line);
	call += strlen("call ");
	if (starts(call, "fastcc "))
		call += strlen("fastcc ");
	strbuf_addf(r->out, "%.*s %s(%s)\n", (int)((signature ? signature : callee - 1) - call),
		    call, callee_name(r, callee, strcspn(callee, "(")), kept.s);
}

/* ---- functions ---- */

/* Writes the values of parameters that came through the area. */
static void fetch_parameters(struct rewriting *r, texts stored)
{
	unsigned at = 0;

	for (size_t i = 0; i < stored.count; i++) {
		strbuf_addf(r->out, "  %s = load %.*s, ptr %s\n", value_of(stored.data[i]),
			    (int)type_length(stored.data[i]), stored.data[i], slot(r, at));
		at += registers_of(stored.data[i]);
	}
}

static void write_head(struct rewriting *r, const char *type, texts parameters, uint32_t signature,
		       const char *place)
{
	unsigned used = 0, count = 0;
	texts stored = { 0 };

	strbuf_addf(r->out, "define dso_local %s @%s(", type, r->function);
	for (size_t i = 0; i < parameters.count; i++) {
		const char *p = parameters.data[i];
		unsigned n = registers_of(p);

		if (!strcmp(p, "..."))
			continue;
		count++;
		if (stored.count || used + n > REGISTERS) {
			vec_push(r->s->arena, &stored, p);
			continue;
		}
		used += n;
		strbuf_addf(r->out, "%s%.*s %s", i ? ", " : "", (int)type_length(p), p,
			    value_of(p));
	}
	strbuf_addf(r->out, ") nounwind%s {\nv%u:\n", place, count);
	strbuf_addf(&r->globals,
		    "@args.%s = dso_local constant [2 x i32] [i32 %u, i32 %u], section \".args\"\n",
		    r->function, used, signature);
	fetch_parameters(r, stored);
}

/* "define … TYPE @NAME(PARAMETERS) … {", and the text after that. */
static void begin_function(struct rewriting *r, const char *given, const char *body)
{
	char *line = without_sret(r, given);
	const char *list, *end, *callee = find_callee(line, &list, &end), *type;
	texts parameters;

	if (!callee) {
		refuse(r, "unknown function", line);
		return;
	}
	r->function = arena_printf(r->s->arena, "%.*s", (int)(list - callee - 2), callee + 1);
	r->casts = 0;
	type = word_before(r, line, callee - 1);
	parameters = pieces(r, arena_printf(r->s->arena, "%.*s", (int)(end - list), list));
	write_head(r, strcmp(type, "void") ? type : "i64", parameters,
		   signature_of(type, parameters),
		   irplaces_function(&r->places, r->function, body));
}

/* Returns the operation of "  %x = op …" or "  op …". */
static const char *operation(const char *line)
{
	const char *is = starts(line, "  %") ? strstr(line, " = ") : NULL;

	return is ? is + 3 : line + strspn(line, " ");
}

static bool is_call(const char *op)
{
	return starts(op, "call ") || starts(op, "tail call ") || starts(op, "notail call ");
}

static void rewrite_instruction(struct rewriting *r, const char *line, const char *op)
{
	if (starts(op, "load "))
		rewrite_load(r, line, op);
	else if (starts(op, "store "))
		rewrite_store(r, line);
	else if (starts(op, "cmpxchg ") || starts(op, "atomicrmw "))
		rewrite_atomic(r, line, op);
	else if (is_call(op))
		rewrite_call(r, line);
	else if (starts(op, "ret void"))
		strbuf_adds(r->out, "  ret i64 0\n");
	else
		strbuf_addf(r->out, "%s\n", line);
}

/* The place of the line is that of the last line written for it. */
static void rewrite_line(struct rewriting *r, const char *given)
{
	const char *line = irplaces_without(&r->places, given), *op = operation(line);
	const char *place = irplaces_of(&r->places, given, is_call(op));
	size_t before = r->out->len;

	rewrite_instruction(r, line, op);
	if (!*place || r->out->len == before)
		return;
	r->out->len--;
	strbuf_addf(r->out, "%s\n", place);
}

/*
 * Returns the line without its comment, and with names for numbered values: %v5 for %5.
 */
static const char *with_names(struct rewriting *r, const char *line, size_t len)
{
	struct strbuf b;

	strbuf_init(&b, r->s->arena);
	if (len && isdigit((unsigned char)*line))
		strbuf_addc(&b, 'v');
	for (size_t i = 0; i < len; i++) {
		if (line[i] == ';' && (!i || line[i - 1] == ' '))
			break;
		strbuf_addc(&b, line[i]);
		if (line[i] == '%' && i + 1 < len && isdigit((unsigned char)line[i + 1]))
			strbuf_addc(&b, 'v');
	}
	return b.s;
}

/*
 * Writes a line between functions. Static variables and constants become global ones,
 * each in a section of its own: relocations then name them, and the linker finds those of
 * the process, and takes only what the code uses.
 */
static void take_outer_line(struct rewriting *r, const char *text, size_t len)
{
	static const char *const forms[] = { " = internal ", " = private unnamed_addr ",
					     " = private " };
	const char *line = arena_strndup(r->s->arena, text, len);

	for (size_t i = 0; *line == '@' && i < sizeof(forms) / sizeof(forms[0]); i++) {
		const char *form = strstr(line, forms[i]);

		if (!form)
			continue;
		strbuf_addf(r->out, "%.*s = dso_local ", (int)(form - line), line);
		line = form + strlen(forms[i]);
		if (starts(line, "unnamed_addr "))
			line += strlen("unnamed_addr ");
		break;
	}
	strbuf_addf(r->out, "%s\n", line);
}

static void take_line(struct rewriting *r, const char *text, size_t len)
{
	if (!r->function && len > 7 && starts(text, "define ")) {
		begin_function(r, with_names(r, text, len), text + len);
	} else if (!r->function) {
		take_outer_line(r, text, len);
	} else if (len == 1 && *text == '}') {
		strbuf_adds(r->out, "}\n");
		r->function = NULL;
	} else {
		rewrite_line(r, with_names(r, text, len));
	}
}

/* Declares the functions of bpf/library.c, except in that module itself. */
static void declare_library(struct rewriting *r, const char *module)
{
	for (unsigned bits = 32; bits <= 64; bits += 32)
		if (!strstr(module, arena_printf(r->s->arena, "@llvm.ctpop.i%u", bits)))
			strbuf_addf(r->out, "declare i%u @llvm.ctpop.i%u(i%u)\n", bits, bits, bits);
	if (strstr(module, AREA " ="))
		return;
	strbuf_adds(r->out, AREA " = external global [16 x i64]\n");
	for (size_t i = 0; i < sizeof(library) / sizeof(library[0]); i++)
		strbuf_addf(r->out, "declare i64 @stp_bpf_%s(...)\n", library[i]);
}

struct error *irtext_rewrite(struct session *s, const char *module, const struct clines *lines,
			     struct strbuf *ret)
{
	struct rewriting r = { .s = s, .out = ret };
	const char *whole = module;

	strbuf_init(&r.globals, s->arena);
	irplaces_begin(&r.places, s->arena, lines, module);
	while (*module && !r.error) {
		size_t len = strcspn(module, "\n");

		take_line(&r, module, len);
		module += len + (module[len] == '\n');
	}
	strbuf_add(ret, r.globals.s, r.globals.len);
	strbuf_add(ret, r.places.made.s, r.places.made.len);
	declare_library(&r, whole);
	return r.error;
}

/* "@NAME = … global TYPE VALUE, …"; `at` points after "global ". */
static void declare_variable(struct strbuf *ret, const char *line, const char *at)
{
	strbuf_addf(ret, "%.*s = external global %.*s\n", (int)strcspn(line, " "), line,
		    (int)type_length(at), at);
}

void irtext_declare_data(struct session *s, const char *module, struct strbuf *ret)
{
	while (*module) {
		size_t len = strcspn(module, "\n");
		const char *line = arena_strndup(s->arena, module, len);
		const char *global = *line == '@' ? strstr(line, " global ") : NULL;

		if (global && !memchr(line, '"', (size_t)(global - line)) &&
		    !strstr(line, "external global"))
			declare_variable(ret, line, global + strlen(" global "));
		else
			strbuf_addf(ret, "%s\n", line);
		module += len + (module[len] == '\n');
	}
}
