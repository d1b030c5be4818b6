/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Syntax errors of users who come from C, awk, bpftrace, DTrace or Python: a row for each
 * habit, with the correct syntax. Names that have a meaning in those languages are in
 * sem/advice.c.
 */
#include <string.h>

#include "base/diag.h"
#include "base/lexical.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/parser.h"

/*
 * The pattern's words match the tokens around the refused one, which is marked with '@';
 * the caret's range covers it and the words marked with '_'. <word>, <string>, <number>,
 * <at> (an @operator), <any> are kinds of tokens; <ctype>: a type of C. {N} in the text
 * is the text of the pattern's Nth token.
 */
struct lesson {
	const char *pattern;
	enum syntax_place place;
	const char *text;
};

static const struct lesson lessons[] = {
	/* declarations */
	{ "function <ctype> @<word>", PLACE_HEAD,
	  "the type comes after the name: function {3}:long (…)" },
	{ "( <ctype> @<word>", PLACE_HEAD, "the type comes after the name, if at all: '{3}:long'" },
	{ ", <ctype> @<word>", PLACE_HEAD, "the type comes after the name, if at all: '{3}:long'" },
	{ "<ctype> @* <word>", PLACE_HEAD,
	  "there are no pointer types: addresses are numbers, of type 'long'" },
	{ ": @<ctype>", PLACE_HEAD, "the types are 'long' and 'string'; there is no '{2}'" },
	{ "function @( ", PLACE_HEAD,
	  "the function has no name; expected: function name(parameters) { … }" },
	{ "global <ctype> @<word>", PLACE_ITEM,
	  "the type comes after the name, and can be left out: global {3}" },
	{ "@<ctype> <word> (", PLACE_ITEM, "declare functions as: function {2}(parameters) { … }" },
	{ "@<ctype> * <word> (", PLACE_ITEM,
	  "declare functions as: function {3}(parameters) { … }" },
	{ "@<ctype> <word>", PLACE_ITEM, "declare variables for all probes as: global {2}" },
	{ "@def <word> (", PLACE_ITEM, "declare functions as: function {2}(parameters) { … }" },
	{ "@func <word> (", PLACE_ITEM, "declare functions as: function {2}(parameters) { … }" },
	{ "@fn <word> (", PLACE_ITEM, "declare functions as: function {2}(parameters) { … }" },
	{ "@sub <word>", PLACE_ITEM, "declare functions as: function {2}(parameters) { … }" },
	{ "@var <word>", PLACE_ITEM, "declare variables for all probes as: global {2}" },
	{ "@let <word>", PLACE_ITEM, "declare variables for all probes as: global {2}" },
	{ "@static <any>", PLACE_ITEM, "'static' is 'private' here" },
	{ "@BEGIN {", PLACE_ITEM, "a probe begins with 'probe': probe begin { … }" },
	{ "@END {", PLACE_ITEM, "a probe begins with 'probe': probe end { … }" },
	{ "@if (", PLACE_ITEM, "statements belong in a probe or a function: probe begin { … }" },
	{ "@for (", PLACE_ITEM, "statements belong in a probe or a function: probe begin { … }" },
	{ "@foreach (", PLACE_ITEM,
	  "statements belong in a probe or a function: probe begin { … }" },
	{ "@while (", PLACE_ITEM, "statements belong in a probe or a function: probe begin { … }" },
	{ "@<word> ( ) {", PLACE_ITEM, "a function begins with 'function': function {1}() { … }" },
	{ "@<word> ( <word> ) {", PLACE_ITEM,
	  "a function begins with 'function': function {1}({3}) { … }" },
	{ "@<word> ( <word> ,", PLACE_ITEM,
	  "a function begins with 'function', and statements belong in a probe or a function" },
	{ "@<word> (", PLACE_ITEM,
	  "statements belong in a probe or a function: probe begin { … }" },
	{ "@<word> =", PLACE_ITEM, "declare variables for all probes as: global {1} = …" },
	{ "@<word> [", PLACE_ITEM, "declare arrays as: global {1}; fill them in a probe" },
	{ "@<word> {", PLACE_ITEM, "a probe begins with 'probe': probe {1} { … }" },
	{ "@<word> .", PLACE_ITEM, "a probe begins with 'probe': probe {1}.…" },
	{ "@}", PLACE_ITEM, "unexpected '}': everything before it is closed already" },
	{ "[ @]", PLACE_HEAD,
	  "an array is declared without brackets, or with its size in them: [1000]" },
	{ "= @{", PLACE_HEAD,
	  "arrays begin empty; only a number or a string can be an initial value" },
	{ "= @[", PLACE_HEAD,
	  "arrays begin empty; only a number or a string can be an initial value" },
	{ "= @<word>", PLACE_HEAD,
	  "an initial value is a literal number or string; anything else is for probe begin" },
	{ "@if <any>", PLACE_HEAD, "write the condition of a probe in parentheses: if (…)" },
	{ "( @/ <word>", PLACE_HEAD, "write a path in quotes: (\"/{3}…\")" },
	{ "@/ <any>", PLACE_HEAD,
	  "a probe has no predicate in slashes; the body can begin with: if (…) next" },
	{ "( @<word> )", PLACE_HEAD,
	  "the argument of a probe point is a string or a number: (\"{2}\")" },
	{ "( @)", PLACE_HEAD, "these parentheses are empty; leave them out" },
	{ "function <word> ( ) @<any>", PLACE_HEAD, "expected the body in '{ }', found '{5}'" },
	{ "function <word> ( <word> ) @<any>", PLACE_HEAD,
	  "expected the body in '{ }', found '{6}'" },
	{ "global <word> @<word>", PLACE_ITEM, "a ',' is missing before '{3}'" },
	{ "global <word> , <word> @<word>", PLACE_ITEM, "a ',' is missing before '{5}'" },
	{ "= <number> @+", PLACE_ITEM,
	  "an initial value is one number or string; probe begin can compute more" },
	{ "= <number> @*", PLACE_ITEM,
	  "an initial value is one number or string; probe begin can compute more" },
	{ "= <string> @.", PLACE_ITEM,
	  "an initial value is one number or string; probe begin can compute more" },
	{ "timer . <word> @<number>", PLACE_HEAD,
	  "write the number in parentheses: timer.{3}({4})" },
	{ "kernel @:", PLACE_HEAD, "the parts of a probe point are separated by '.'" },
	{ "module @:", PLACE_HEAD, "the parts of a probe point are separated by '.'" },
	{ "process @:", PLACE_HEAD, "the parts of a probe point are separated by '.'" },
	{ "syscall @:", PLACE_HEAD, "the parts of a probe point are separated by '.'" },
	{ "timer @:", PLACE_HEAD, "the parts of a probe point are separated by '.'" },
	{ "@return", PLACE_HEAD, "a '.' is missing before 'return'" },

	/* statements */
	{ "@long <word>", PLACE_BODY,
	  "local variables are not declared: the type of '{2}' follows from its assignments; leave "
	  "'long' out" },
	{ "_string @<word>", PLACE_BODY,
	  "local variables are not declared: the type of '{2}' follows from its assignments; "
	  "leave 'string' out" },
	{ "@global <word>", PLACE_BODY,
	  "'global {2}' belongs outside of probes and functions, once for all of them" },
	{ "@function", PLACE_BODY,
	  "a body cannot contain functions; a '}' may be missing before it" },
	{ "@probe", PLACE_BODY, "a body cannot contain probes; a '}' may be missing before it" },
	{ "if @<any>", PLACE_BODY,
	  "expected '(', found '{2}'; write the condition of 'if' in parentheses" },
	{ "while @<any>", PLACE_BODY,
	  "expected '(', found '{2}'; write the condition of 'while' in parentheses" },
	{ "case <any> @:", PLACE_BODY, "there is no 'switch'; write if (…) … else if (…) …" },
	{ "default @:", PLACE_BODY, "there is no 'switch'; write if (…) … else if (…) …" },
	{ "foreach @<word>", PLACE_BODY,
	  "expected '(', found '{2}'; the loop is: foreach ({2} in …)" },
	{ "foreach ( <word> @:", PLACE_BODY,
	  "expected 'in', found ':'; a loop over an array is: foreach ({3} in …)" },
	{ "foreach ( <word> @,", PLACE_BODY,
	  "write several keys in brackets: foreach ([{3}, …] in …)" },
	{ "foreach ( <word> in @{", PLACE_BODY, "only arrays can be looped over, not lists" },
	{ "_for ( <word> in <word> @)", PLACE_BODY,
	  "a loop over an array is: foreach ({3} in {5})" },
	{ "for ( <ctype> @<word>", PLACE_BODY, "variables are not declared: for ({4} …; …; …)" },
	{ "for ( <word> @<word>", PLACE_BODY, "a loop over an array is: foreach ({3} in …)" },
	{ "for @<word>", PLACE_BODY,
	  "expected '(', found '{2}'; the loops are: for (i = 0; i < 10; i++) …, foreach (key in "
	  "array) …" },
	{ "; <any> <any> <any> @)", PLACE_BODY,
	  "expected an operator or ';', found ')'; a loop has three parts: for (…; …; …)" },
	{ "} while ( <any> ) @}", PLACE_BODY,
	  "expected a statement, found '}'; 'do … while' is written: while (1) { … if (!(…)) break "
	  "}" },
	{ "} while ( <any> <any> <any> ) @}", PLACE_BODY,
	  "expected a statement, found '}'; 'do … while' is written: while (1) { … if (!(…)) break "
	  "}" },
	{ "foreach ( <word> @<word>", PLACE_BODY,
	  "expected 'in', found '{4}'; the loop is: foreach ({3} in …)" },
	{ "catch @<word>", PLACE_BODY, "write the message's variable in parentheses: catch ({2})" },
	{ "delete <word> @,", PLACE_BODY,
	  "'delete' takes one; the next one has a 'delete' of its own" },
	{ "delete <word> [ <any> ] @,", PLACE_BODY,
	  "'delete' takes one; the next one has a 'delete' of its own" },
	{ "<word> = <any> @,", PLACE_BODY,
	  "there is no comma operator; statements are separated by ';'" },
	{ "<word> ++ @,", PLACE_BODY,
	  "there is no comma operator; statements are separated by ';'" },
	{ "= [ <any> , <any> ] @<any>", PLACE_BODY,
	  "there are no list values; arrays are global and are filled element by element: a[1] = "
	  "…" },
	{ "foreach ( @*", PLACE_BODY, "each key of a loop has a name: foreach (key in array)" },
	{ "foreach ( [ @*", PLACE_BODY,
	  "each key of a loop has a name: foreach ([key, …] in array)" },
	{ "in <word> @limit", PLACE_BODY,
	  "'limit' belongs to a loop: foreach (key in {2} limit …)" },
	{ "in <word> @<number>", PLACE_BODY,
	  "expected ')', 'limit' or an order, '+' or '-', found '{3}'" },
	{ "= @* <word>", PLACE_BODY,
	  "'*' does not follow pointers; kernel_long({3}) and similar functions read memory" },
	{ "( @* <word>", PLACE_BODY,
	  "'*' does not follow pointers; kernel_long({3}) and similar functions read memory" },
	{ "for ( <word> @:", PLACE_BODY, "a loop over an array is: foreach ({3} in …)" },
	{ "@else", PLACE_BODY,
	  "'else' without 'if'; a block of several statements is written in '{ }'" },
	{ "@catch", PLACE_BODY, "'catch' without 'try'" },

	/* operators */
	{ "_&& @=", PLACE_BODY, "there is no operator '&&='; write a = a && b" },
	{ "_|| @=", PLACE_BODY, "there is no operator '||='; write a = a || b" },
	{ "_== @=", PLACE_BODY, "there is no operator '==='; '==' compares" },
	{ "_!= @=", PLACE_BODY, "there is no operator '!=='; '!=' compares" },
	{ "_= @<", PLACE_BODY, "there is no operator '=<'; write '<='" },
	{ "_= @>", PLACE_BODY, "there is no operator '=>'; write '>='" },
	{ "_< @>", PLACE_BODY, "there is no operator '<>'; write '!='" },
	{ "_= @~ ", PLACE_BODY, "there is no operator '= ~'; write '=~', without a blank" },
	{ "@**", PLACE_BODY, "there is no operator '**'; multiply" },
	{ "@and", PLACE_BODY, "'and' is written '&&'" },
	{ "@or", PLACE_BODY, "'or' is written '||'" },
	{ "_not @<any>", PLACE_BODY, "'not' is written '!'" },
	{ "@: =", PLACE_BODY, "there is no operator ':='; write '='" },
	{ "= @{", PLACE_BODY,
	  "there are no list values; arrays are global and are filled element by element: a[1] = "
	  "…" },
	{ "= [ @]", PLACE_BODY,
	  "there are no list values; arrays are global and need no initial value" },
	{ "<word> [ @]", PLACE_BODY, "the index is missing: {1}[…]" },
	{ "_<at> @=", PLACE_BODY,
	  "maps of bpftrace are global arrays without '@': global x … x[key] <<< 1" },
	{ "_<at> @[", PLACE_BODY,
	  "maps of bpftrace are global arrays without '@': global x … x[key] <<< 1" },
	{ "_<at> @++", PLACE_BODY,
	  "maps of bpftrace are global variables without '@': global x … x++" },
	{ "-> @.", PLACE_BODY, "a member's name is missing after '->'" },
	{ "-> @<number>", PLACE_BODY,
	  "a member's name is missing after '->'; an element is [{2}]" },
	{ "( <ctype> @)", PLACE_BODY,
	  "there are no casts of C; @cast(value, \"struct type\")->member reads through one" },
	{ "( <ctype> * @)", PLACE_BODY,
	  "there are no casts of C; @cast(value, \"struct type\")->member reads through one" },
	{ "( struct <word> * @)", PLACE_BODY,
	  "there are no casts of C; @cast(value, \"struct {3}\")->member reads through one" },
	{ "( struct @<word>", PLACE_BODY,
	  "there are no casts of C; @cast(value, \"struct {3}\")->member reads through one" },
};
#define LESSONS (sizeof(lessons) / sizeof(lessons[0]))

#define PATTERN_MAX 8
struct pattern {
	char words[PATTERN_MAX][16]; /* without the marks '@' and '_' */
	bool in_range[PATTERN_MAX];
	unsigned count, refused;
};

static void read_pattern(const char *text, struct pattern *ret)
{
	*ret = (struct pattern){ 0 };
	while (*(text += strspn(text, " ")) && ret->count < PATTERN_MAX) {
		unsigned i = ret->count++;
		size_t len;

		/* "@" alone is no pattern: an @operator is <at>. */
		ret->in_range[i] = text[0] == '@' || (text[0] == '_' && text[1]);
		if (text[0] == '@')
			ret->refused = i;
		text += ret->in_range[i];
		len = strcspn(text, " ");
		memcpy(ret->words[i], text, len < 15 ? len : 15);
		text += len;
	}
}

/* True: the name is a type in other languages. */
static bool is_ctype(const char *word)
{
	static const char *const names[] = {
		"int",	    "char",	"void",	    "long",	"string", "short",
		"unsigned", "signed",	"float",    "double",	"bool",	  "size_t",
		"u8",	    "u16",	"u32",	    "u64",	"s32",	  "s64",
		"uint8_t",  "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t",
		"int32_t",  "int64_t",	"str",	    "number",	"const",  "struct"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], word))
			return true;
	return false;
}

static bool fits(const struct token *t, const char *word)
{
	if (!strcmp(word, "<any>"))
		return t->kind != TOKEN_END;
	if (!strcmp(word, "<word>"))
		return t->kind == TOKEN_WORD;
	if (!strcmp(word, "<string>"))
		return t->kind == TOKEN_STRING;
	if (!strcmp(word, "<number>"))
		return t->kind == TOKEN_NUMBER;
	if (!strcmp(word, "<at>"))
		return t->kind == TOKEN_AT;
	if (!strcmp(word, "<ctype>"))
		return t->kind == TOKEN_WORD && is_ctype(t->text);
	return (t->kind == TOKEN_WORD || t->kind == TOKEN_PUNCT) && !strcmp(t->text, word);
}

static bool pattern_fits(const struct parser *p, const struct pattern *pat)
{
	if (p->from < pat->refused)
		return false;
	for (unsigned i = 0; i < pat->count; i++) {
		size_t at = p->from - pat->refused + i;

		if (at >= p->tokens.count || !fits(&p->tokens.data[at], pat->words[i]))
			return false;
	}
	return true;
}

static const char *fill_text(struct parser *p, const struct pattern *pat, const char *text)
{
	struct strbuf out;

	strbuf_init(&out, p->s->arena);
	for (; *text; text++) {
		if (text[0] == '{' && text[1] >= '1' && text[1] <= '8' && text[2] == '}') {
			const struct token *t =
				&p->tokens.data[p->from - pat->refused + (size_t)(text[1] - '1')];

			strbuf_add(&out, t->loc.source->text + t->loc.begin,
				   t->loc.end - t->loc.begin);
			text += 2;
		} else {
			strbuf_addc(&out, *text);
		}
	}
	return out.s;
}

static struct loc pattern_range(const struct parser *p, const struct pattern *pat)
{
	const struct token *tokens = &p->tokens.data[p->from - pat->refused];
	struct loc loc = tokens[pat->refused].loc;

	for (unsigned i = 0; i < pat->count; i++)
		if (pat->in_range[i] && i < pat->refused)
			return source_loc_join(tokens[i].loc, loc);
	return loc;
}

/* Returns the start of the declaration that contains the refused token. */
static size_t item_start(const struct parser *p)
{
	size_t i = p->from;

	while (i > 0 && !recover_is_item(p, --i))
		;
	return i;
}

static bool goes_on(const struct token *t)
{
	static const char *const behind[] = { ".", ",", "{", "?", "!", "=", "+=" };

	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++)
		if (token_is(t, TOKEN_PUNCT, behind[i]))
			return true;
	return token_is(t, TOKEN_WORD, "if");
}

/*
 * True: a point is missing after 'probe'. A brace right after 'probe' begins a list of
 * alternatives, unless it is the body: then nothing follows its end.
 */
static bool lacks_point(const struct parser *p, size_t i)
{
	if (!token_is(&p->tokens.data[i], TOKEN_PUNCT, "{"))
		return false;
	while (i + 1 < p->tokens.count && !token_is(&p->tokens.data[i], TOKEN_PUNCT, "}"))
		i++;
	return i + 1 >= p->tokens.count || !goes_on(&p->tokens.data[i + 1]);
}

/*
 * Recognises probe kprobe:vfs_read, with or without 'probe', at the start of a
 * declaration.
 */
static const char *teach_point(struct parser *p, enum syntax_place place, struct loc *loc)
{
	size_t at = p->from, end;
	const char *point;

	if (place == PLACE_BODY)
		return NULL;
	if (place == PLACE_HEAD) {
		at = item_start(p);
		if (!token_is(&p->tokens.data[at++], TOKEN_WORD, "probe"))
			return NULL;
		if (lacks_point(p, at)) {
			*loc = p->tokens.data[at].loc;
			return "a probe point is missing between 'probe' and the body: probe begin "
			       "{ … }";
		}
	}
	point = teach_point_foreign(p, at, &end);
	if (!point)
		return NULL;
	*loc = source_loc_join(p->tokens.data[at].loc, p->tokens.data[end - 1].loc);
	return arena_printf(p->s->arena, "not a probe point; write: probe %s { … }", point);
}

#define OPEN_MAX 64

static const struct token *innermost_open(const struct parser *p)
{
	const struct token *open[OPEN_MAX];
	unsigned depth = 0;

	for (size_t i = item_start(p); i < p->from; i++) {
		const struct token *t = &p->tokens.data[i];

		if (t->kind != TOKEN_PUNCT || t->text[1])
			continue;
		if (strchr("([{", t->text[0]) && depth < OPEN_MAX)
			open[depth++] = t;
		else if (strchr(")]}", t->text[0]) && depth)
			depth--;
	}
	return depth ? open[depth - 1] : NULL;
}

/*
 * Recognises elsif (x) … else …: the intended keyword is parsed as a call, so the 'else'
 * is unexpected.
 */
static const char *teach_else(struct parser *p, struct loc *loc)
{
	static const char *const others[] = { "elif", "elsif", "elseif" };

	if (!token_is(&p->tokens.data[p->from], TOKEN_WORD, "else"))
		return NULL;
	for (size_t i = p->from; i > item_start(p); i--)
		for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++)
			if (token_is(&p->tokens.data[i], TOKEN_WORD, others[k])) {
				*loc = p->tokens.data[i].loc;
				return arena_printf(p->s->arena, "'%s' is written 'else if'",
						    others[k]);
			}
	return NULL;
}

static bool is_operand(const struct token *t)
{
	return t->kind == TOKEN_WORD || t->kind == TOKEN_NUMBER || t->kind == TOKEN_STRING ||
	       t->kind == TOKEN_AT;
}

static bool is_head_word(const struct token *t)
{
	return t->kind == TOKEN_WORD && lexical_roles(t->text, t->len) & LEXICAL_HEAD;
}

/* Recognises a missing comma: f(a b), x[1 2] on one line. */
static const char *teach_comma(struct parser *p)
{
	static const char *const words[] = { "switch", "return", "in" };
	const struct token *open = innermost_open(p), *t = &p->tokens.data[p->from];

	if (!open || open->text[0] == '{' || open == p->tokens.data ||
	    open[-1].kind != TOKEN_WORD || !is_operand(t) ||
	    !(is_operand(t - 1) || token_is(t - 1, TOKEN_PUNCT, ")") ||
	      token_is(t - 1, TOKEN_PUNCT, "]")) ||
	    recover_first_on_line(p, p->from) ||
	    (open->text[0] == '[' && token_is(t + 1, TOKEN_PUNCT, "(")) || is_head_word(open - 1) ||
	    is_head_word(t))
		return NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(open[-1].text, words[i]) || token_is(t, TOKEN_WORD, words[i]))
			return NULL;
	return arena_printf(p->s->arena, "a ',' or an operator is missing before '%.*s'",
			    (int)(t->loc.end - t->loc.begin), t->loc.source->text + t->loc.begin);
}

/* True: a '?' is still open in the current expression. */
static bool has_open_question(const struct parser *p)
{
	unsigned closed = 0, colons = 0;
	size_t start = item_start(p);

	for (size_t i = p->from; i-- > start;) {
		const struct token *t = &p->tokens.data[i];
		char c = t->kind == TOKEN_PUNCT && !t->text[1] ? t->text[0] : 0;

		if (strchr(")]", c) && c)
			closed++;
		else if (c && strchr("([", c) && !closed--)
			return false;
		else if (c && strchr(";{}", c))
			return false;
		else if (c == ':' && !closed)
			colons++;
		else if (c == '?' && !closed && !colons--)
			return true;
	}
	return false;
}

/* Recognises condition ? value without a ':'. */
static const char *teach_colon(struct parser *p)
{
	const struct token *t = &p->tokens.data[p->from];

	if (!p->from ||
	    !(is_operand(t - 1) || token_is(t - 1, TOKEN_PUNCT, ")") ||
	      token_is(t - 1, TOKEN_PUNCT, "]")) ||
	    !has_open_question(p))
		return NULL;
	return "a ':' is missing: condition ? value : other value";
}

const char *teach_syntax(struct parser *p, enum syntax_place place, struct loc *loc)
{
	const char *text = teach_point(p, place, loc);

	if (!text && place == PLACE_BODY)
		text = teach_else(p, loc);
	if (!text && place == PLACE_BODY)
		text = teach_colon(p);
	for (size_t i = 0; !text && i < LESSONS; i++) {
		struct pattern pat;

		if (!(lessons[i].place & place))
			continue;
		read_pattern(lessons[i].pattern, &pat);
		if (!pattern_fits(p, &pat))
			continue;
		text = fill_text(p, &pat, lessons[i].text);
		*loc = pattern_range(p, &pat);
	}
	return !text && place == PLACE_BODY ? teach_comma(p) : text;
}

/*
 * True: the refused token looks as if the open bracket should have been closed before it.
 */
static bool should_be_closed(const struct parser *p, char open)
{
	const struct token *t = &p->tokens.data[p->from];

	if (t->kind == TOKEN_END || recover_is_item(p, p->from))
		return true;
	if (open == '{')
		return false;
	return recover_first_on_line(p, p->from) || token_is(t, TOKEN_PUNCT, "{") ||
	       token_is(t, TOKEN_PUNCT, "}") || token_is(t, TOKEN_PUNCT, ";") ||
	       token_is(t, TOKEN_PUNCT, open == '(' ? "]" : ")");
}

void teach_opener(struct parser *p)
{
	const struct token *open = innermost_open(p);

	if (open && should_be_closed(p, open->text[0]))
		diag_note(p->s, open->loc, "this '%s' is open there", open->text);
}
