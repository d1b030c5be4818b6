/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangles Rust's newer names by the grammar of RFC 2603; each function has its
 * production above it. The input may be anything: recursion, steps and the text are
 * bounded, references only lead backwards, and a symbol that does not match stays as it
 * is.
 */
#include "lib/rustname.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/punycode.h"

#define DEPTH_MOST	128
#define STEPS_MOST	20000
#define LETTERS_MOST	256 /* of a name in punycode */
#define BOUND_MOST	32  /* lifetimes of binders around a place */
#define ERASED_LIFETIME 0

struct reader {
	const char *s;
	size_t len, at;
	struct rust_text *out;
	bool failed;
	bool quiet; /* the part is not shown */
	unsigned depth, steps;
	uint64_t bound; /* lifetimes of the binders around */
};

static void read_path(struct reader *r, bool in_value);
static void read_type(struct reader *r);
static void read_const(struct reader *r);

/* ---- characters ---- */

static void put(struct reader *r, const char *s)
{
	if (!r->quiet && !r->failed)
		rustname_put(r->out, s, strlen(s));
	r->failed |= r->out->is_full;
}

static void put_number(struct reader *r, const char *form, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), form, n);
	put(r, text);
}

static char peek(const struct reader *r)
{
	return r->at < r->len ? r->s[r->at] : 0;
}

static bool accept(struct reader *r, char c)
{
	if (r->failed || peek(r) != c)
		return false;
	r->at++;
	return true;
}

/* Begins a construct; false: there are too many, or too many in each other. */
static bool enter(struct reader *r)
{
	r->failed |= ++r->depth > DEPTH_MOST || ++r->steps > STEPS_MOST;
	return !r->failed;
}

/* Puts elements with commas between them, up to the "E"; returns their number. */
static unsigned read_list(struct reader *r, void (*read)(struct reader *r))
{
	unsigned n = 0;

	for (; !r->failed && !accept(r, 'E'); n++) {
		if (n)
			put(r, ", ");
		read(r);
	}
	return n;
}

/* ---- numbers ---- */

/* base-62-number = {digit | lower | upper} "_"; "_" is 0, "0_" is 1 */
static uint64_t read_base62(struct reader *r)
{
	uint64_t n = 0;

	if (accept(r, '_'))
		return 0;
	while (!accept(r, '_')) {
		char c = peek(r);
		unsigned digit = c >= '0' && c <= '9'	? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10
				 : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 36
							: 62;

		if (r->failed || digit == 62 || n > (UINT64_MAX - 63) / 62) {
			r->failed = true;
			return 0;
		}
		n = n * 62 + digit;
		r->at++;
	}
	return n + 1;
}

/* disambiguator = "s" base-62-number; 0 without one, "s_" is 1 */
static uint64_t read_disambiguator(struct reader *r)
{
	return accept(r, 's') ? read_base62(r) + 1 : 0;
}

/* decimal-number = "0" | nonzero {digit} */
static size_t read_decimal(struct reader *r)
{
	size_t n = 0;

	if (accept(r, '0'))
		return 0;
	if (peek(r) < '1' || peek(r) > '9')
		r->failed = true;
	while (peek(r) >= '0' && peek(r) <= '9') {
		n = n * 10 + (size_t)(r->s[r->at++] - '0');
		if (n > r->len) {
			r->failed = true;
			return 0;
		}
	}
	return n;
}

/*
 * Continues reading where a reference leads. In parts that are not shown, references are
 * not followed, so that their time is bounded by their length.
 */
static void read_reference(struct reader *r, void (*read)(struct reader *r))
{
	size_t here = r->at - 1; /* of the "B" */
	uint64_t to = read_base62(r);
	size_t behind = r->at;

	r->failed |= to >= here;
	if (r->failed || r->quiet)
		return;
	r->at = (size_t)to;
	read(r);
	r->at = behind;
}

/* ---- identifiers ---- */

struct identifier {
	const char *s;
	size_t len;
	bool is_punycode;
};

/* undisambiguated-identifier = ["u"] decimal-number ["_"] bytes */
static struct identifier read_plain(struct reader *r)
{
	struct identifier ret = { .is_punycode = accept(r, 'u') };

	ret.len = read_decimal(r);
	accept(r, '_');
	r->failed |= ret.len > r->len - r->at;
	if (r->failed)
		return (struct identifier){ .s = "" };
	ret.s = r->s + r->at;
	r->at += ret.len;
	return ret;
}

static bool put_punycode(struct reader *r, const struct identifier *i)
{
	uint32_t letters[LETTERS_MOST];
	size_t count;

	if (!punycode_decode(i->s, i->len, letters, LETTERS_MOST, &count))
		return false;
	for (size_t k = 0; k < count; k++)
		if (!rustname_put_char(r->out, letters[k]))
			return false;
	return true;
}

static void put_identifier(struct reader *r, const struct identifier *i)
{
	if (r->quiet || r->failed)
		return;
	if (i->is_punycode)
		r->failed |= !put_punycode(r, i);
	else
		rustname_put(r->out, i->s, i->len);
	r->failed |= r->out->is_full;
}

/* ---- lifetimes ---- */

/* Names the n-th of the enclosing lifetimes, counted from the innermost. */
static void put_lifetime(struct reader *r, uint64_t n)
{
	char text[] = "'a";

	if (n == ERASED_LIFETIME) {
		put(r, "'_");
	} else if (n > r->bound) {
		r->failed |= !r->quiet;
	} else if (r->bound - n < 26) {
		text[1] = (char)('a' + (r->bound - n));
		put(r, text);
	} else {
		put_number(r, "'_%" PRIu64, r->bound - n);
	}
}

/* binder = "G" base-62-number; returns the lifetimes that were bound before. */
static uint64_t read_binder(struct reader *r)
{
	uint64_t before = r->bound, n = accept(r, 'G') ? read_base62(r) + 1 : 0;

	r->failed |= n > BOUND_MOST || before > BOUND_MOST;
	if (!n || r->failed)
		return before;
	put(r, "for<");
	for (uint64_t i = 0; i < n; i++) {
		if (i)
			put(r, ", ");
		r->bound++;
		put_lifetime(r, 1);
	}
	put(r, "> ");
	return before;
}

/* ---- types ---- */

static const char *basic_type(char c)
{
	static const char *const all[26] = {
		['a' - 'a'] = "i8",   ['b' - 'a'] = "bool",  ['c' - 'a'] = "char",
		['d' - 'a'] = "f64",  ['e' - 'a'] = "str",   ['f' - 'a'] = "f32",
		['h' - 'a'] = "u8",   ['i' - 'a'] = "isize", ['j' - 'a'] = "usize",
		['l' - 'a'] = "i32",  ['m' - 'a'] = "u32",   ['n' - 'a'] = "i128",
		['o' - 'a'] = "u128", ['p' - 'a'] = "_",     ['s' - 'a'] = "i16",
		['t' - 'a'] = "u16",  ['u' - 'a'] = "()",    ['v' - 'a'] = "...",
		['x' - 'a'] = "i64",  ['y' - 'a'] = "u64",   ['z' - 'a'] = "!",
	};

	return c >= 'a' && c <= 'z' ? all[c - 'a'] : NULL;
}

/* abi = "C" | undisambiguated-identifier, which has "_" instead of "-" */
static void read_abi(struct reader *r)
{
	struct identifier abi;
	char text[32];

	put(r, "extern \"");
	if (accept(r, 'C')) {
		put(r, "C");
	} else {
		abi = read_plain(r);
		r->failed |= abi.is_punycode || abi.len >= sizeof(text);
		for (size_t i = 0; i < abi.len && !r->failed; i++)
			text[i] = abi.s[i] == '_' ? '-' : abi.s[i];
		text[r->failed ? 0 : abi.len] = 0;
		put(r, text);
	}
	put(r, "\" ");
}

/* fn-sig = [binder] ["U"] ["K" abi] {type} "E" type */
static void read_function_type(struct reader *r)
{
	uint64_t before = read_binder(r);

	if (accept(r, 'U'))
		put(r, "unsafe ");
	if (accept(r, 'K'))
		read_abi(r);
	put(r, "fn(");
	read_list(r, read_type);
	put(r, ")");
	if (!accept(r, 'u')) {
		put(r, " -> ");
		read_type(r);
	}
	r->bound = before;
}

static void read_generic_arg(struct reader *r);

/* Reads a path whose list of arguments stays open; returns whether there is one. */
static bool read_open_path(struct reader *r)
{
	if (!accept(r, 'I')) {
		read_path(r, false);
		return false;
	}
	read_path(r, false);
	put(r, "<");
	read_list(r, read_generic_arg);
	return true;
}

/* dyn-trait = path {"p" undisambiguated-identifier type} */
static void read_dyn_trait(struct reader *r)
{
	bool is_open = read_open_path(r);

	while (!r->failed && accept(r, 'p')) {
		struct identifier name = read_plain(r);

		put(r, is_open ? ", " : "<");
		is_open = true;
		put_identifier(r, &name);
		put(r, " = ");
		read_type(r);
	}
	if (is_open)
		put(r, ">");
}

/* "D" [binder] {dyn-trait} "E" lifetime */
static void read_dyn(struct reader *r)
{
	uint64_t before, lifetime;

	put(r, "dyn ");
	before = read_binder(r);
	for (unsigned n = 0; !r->failed && !accept(r, 'E'); n++) {
		if (n)
			put(r, " + ");
		read_dyn_trait(r);
	}
	r->bound = before;
	r->failed |= !accept(r, 'L');
	lifetime = r->failed ? ERASED_LIFETIME : read_base62(r);
	if (lifetime != ERASED_LIFETIME) {
		put(r, " + ");
		put_lifetime(r, lifetime);
	}
}

/* "R" | "Q" [lifetime] type */
static void read_borrow(struct reader *r, const char *mutability)
{
	uint64_t lifetime = accept(r, 'L') ? read_base62(r) : ERASED_LIFETIME;

	put(r, "&");
	if (lifetime != ERASED_LIFETIME) {
		put_lifetime(r, lifetime);
		put(r, " ");
	}
	put(r, mutability);
	read_type(r);
}

static void read_array(struct reader *r, bool has_length)
{
	put(r, "[");
	read_type(r);
	if (has_length) {
		put(r, "; ");
		read_const(r);
	}
	put(r, "]");
}

static void read_tuple(struct reader *r)
{
	put(r, "(");
	put(r, read_list(r, read_type) == 1 ? ",)" : ")");
}

static void read_pointer(struct reader *r, const char *mutability)
{
	put(r, mutability);
	read_type(r);
}

/*
 * type = basic-type | path | "A" type const | "S" type | "T" {type} "E" | "R" … | "Q" … |
 *        "P" type | "O" type | "F" fn-sig | "D" … | backref
 */
static void read_type(struct reader *r)
{
	const char *basic = basic_type(peek(r));
	char c = peek(r);

	if (!enter(r))
		return;
	r->at += c != 0;
	switch (c) {
	case 'A':
	case 'S':
		read_array(r, c == 'A');
		break;
	case 'T':
		read_tuple(r);
		break;
	case 'R':
	case 'Q':
		read_borrow(r, c == 'Q' ? "mut " : "");
		break;
	case 'P':
	case 'O':
		read_pointer(r, c == 'P' ? "*const " : "*mut ");
		break;
	case 'F':
		read_function_type(r);
		break;
	case 'D':
		read_dyn(r);
		break;
	case 'B':
		read_reference(r, read_type);
		break;
	default:
		if (basic) {
			put(r, basic);
		} else {
			r->at -= c != 0;
			read_path(r, false);
		}
	}
	r->depth--;
}

/* ---- constants ---- */

static void put_character(struct reader *r, uint64_t c)
{
	put(r, "'");
	if (c == '\'' || c == '\\')
		put(r, "\\");
	if (!r->quiet && !r->failed && (c > 0x10ffff || !rustname_put_char(r->out, c)))
		put_number(r, "\\u{%" PRIx64 "}", c);
	put(r, "'");
}

/* const-data = ["n"] {hex-digit} "_" */
static void read_value(struct reader *r, char type)
{
	bool is_negative = accept(r, 'n');
	const char *digits = r->s + r->at;
	size_t n = strspn(digits, "0123456789abcdef");
	uint64_t value = 0;
	char text[24];

	r->at += n;
	r->failed |= !accept(r, '_');
	while (n > 1 && *digits == '0') {
		digits++;
		n--;
	}
	r->failed |= n > 32;
	for (size_t i = 0; i < n && n <= 16; i++)
		value = value << 4 |
			(uint64_t)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
	if (is_negative)
		put(r, "-");
	if (n > 16) {
		snprintf(text, sizeof(text), "0x%.*s", 16, digits);
		put(r, text);
		snprintf(text, sizeof(text), "%.*s", (int)(n > 32 ? 0 : n - 16), digits + 16);
		put(r, text);
	} else if (type == 'b') {
		put(r, value ? "true" : "false");
	} else if (type == 'c') {
		put_character(r, value);
	} else {
		put_number(r, "%" PRIu64, value);
	}
}

/* const = type const-data | "p" | backref; types are integers, bool and char */
static void read_const(struct reader *r)
{
	char c = peek(r);

	if (!enter(r))
		return;
	r->at += c != 0;
	if (c == 'B')
		read_reference(r, read_const);
	else if (c == 'p')
		put(r, "_");
	else if (c && strchr("ahijlmnostxybc", c))
		read_value(r, c);
	else
		r->failed = true;
	r->depth--;
}

/* generic-arg = lifetime | type | "K" const */
static void read_generic_arg(struct reader *r)
{
	if (accept(r, 'L'))
		put_lifetime(r, read_base62(r));
	else if (accept(r, 'K'))
		read_const(r);
	else
		read_type(r);
}

/* ---- paths ---- */

/* impl-path = [disambiguator] path, which the type says better */
static void skip_impl_path(struct reader *r)
{
	bool was_quiet = r->quiet;

	r->quiet = true;
	read_disambiguator(r);
	read_path(r, false);
	r->quiet = was_quiet;
}

/* "N" namespace path identifier; capital letters mean items made by the compiler */
static void read_nested(struct reader *r, bool in_value)
{
	char space = peek(r);
	struct identifier name;
	uint64_t number;

	r->failed |= !((space >= 'a' && space <= 'z') || (space >= 'A' && space <= 'Z'));
	r->at += !r->failed;
	read_path(r, in_value);
	number = read_disambiguator(r);
	name = read_plain(r);
	if (space >= 'a') {
		put(r, name.len ? "::" : "");
		put_identifier(r, &name);
		return;
	}
	put(r, space == 'C' ? "::{closure" : space == 'S' ? "::{shim" : "::{");
	if (space != 'C' && space != 'S')
		put(r, (char[]){ space, 0 });
	put(r, name.len ? ":" : "");
	put_identifier(r, &name);
	put_number(r, "#%" PRIu64 "}", number);
}

/* "X" impl-path type path | "Y" type path */
static void read_trait(struct reader *r)
{
	put(r, "<");
	read_type(r);
	put(r, " as ");
	read_path(r, false);
	put(r, ">");
}

/* "I" path {generic-arg} "E" */
static void read_instance(struct reader *r, bool in_value)
{
	read_path(r, in_value);
	put(r, in_value ? "::<" : "<");
	read_list(r, read_generic_arg);
	put(r, ">");
}

static void read_value_path(struct reader *r)
{
	read_path(r, true);
}

static void read_type_path(struct reader *r)
{
	read_path(r, false);
}

/* path = "C" identifier | "M" impl-path type | "X" … | "Y" … | "N" … | "I" … | backref */
static void read_path(struct reader *r, bool in_value)
{
	struct identifier name;

	if (!enter(r))
		return;
	if (accept(r, 'C')) {
		read_disambiguator(r);
		name = read_plain(r);
		put_identifier(r, &name);
	} else if (accept(r, 'M')) {
		skip_impl_path(r);
		put(r, "<");
		read_type(r);
		put(r, ">");
	} else if (accept(r, 'X')) {
		skip_impl_path(r);
		read_trait(r);
	} else if (accept(r, 'Y')) {
		read_trait(r);
	} else if (accept(r, 'N')) {
		read_nested(r, in_value);
	} else if (accept(r, 'I')) {
		read_instance(r, in_value);
	} else if (accept(r, 'B')) {
		read_reference(r, in_value ? read_value_path : read_type_path);
	} else {
		r->failed = true;
	}
	r->depth--;
}

/*
 * symbol-name = "_R" [decimal-number] path [instantiating-crate]
 *               [vendor-specific-suffix]
 */
bool rustv0_demangle(const char *mangled, struct rust_text *ret, const char **rest)
{
	struct reader r = { .s = mangled, .len = strcspn(mangled, ".$"), .out = ret };

	/*
	 * A number would be the version of the mangling: only the first one, without a
	 * number, is known.
	 */
	read_path(&r, true);
	r.quiet = true;
	if (!r.failed && r.at < r.len)
		read_path(&r, false);
	*rest = mangled + r.at;
	return !r.failed && r.at == r.len && ret->len;
}
