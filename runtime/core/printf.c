/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printf for scripts. stp_format_next() cuts a format into directives; each conversion
 * has one function in the table below, indexed by the enum from uapi/printf.def. This
 * also runs in handlers: no recursion, no allocation, and the work for each directive is
 * bounded by FORMAT_MAX_FIELD.
 */
#include "core/printf.h"

/* Wider fields are cut to this: a handler must not spend its time on padding. */
#define FORMAT_MAX_FIELD 65535

static const char conversion_letters[STP_DIR_COUNT] = {
#define CONVERSION(kind, letter, arg, what, reach) [STP_DIR_##kind] = letter,
#include "uapi/printf.def"
#undef CONVERSION
};

static const char conversion_arguments[STP_DIR_COUNT] = {
#define CONVERSION(kind, letter, arg, what, reach) [STP_DIR_##kind] = arg,
#include "uapi/printf.def"
#undef CONVERSION
};

static const char *const unknown_letters[] = {
#define U(code, l) [code - 'A'] = "unknown conversion '%" l "'",
	/* clang-format off */
	U('A', "A") U('B', "B") U('C', "C") U('D', "D") U('E', "E") U('F', "F") U('G', "G")
	U('H', "H") U('I', "I") U('J', "J") U('K', "K") U('L', "L") U('N', "N") U('O', "O")
	U('P', "P") U('Q', "Q") U('R', "R") U('S', "S") U('T', "T") U('U', "U") U('V', "V")
	U('W', "W") U('Y', "Y") U('Z', "Z") U('a', "a") U('e', "e") U('f', "f") U('g', "g")
	U('h', "h") U('j', "j") U('k', "k") U('n', "n") U('q', "q") U('r', "r") U('t', "t")
	U('v', "v") U('w', "w") U('y', "y") U('z', "z")
/* clang-format on */
#undef U
};

char stp_directive_arg(enum stp_directive_kind kind)
{
	return conversion_arguments[kind] == 'm' ? 'd' : conversion_arguments[kind];
}

/* ---- parsing ---- */

struct format_scan {
	const char *p, *end;
};

static char scan_peek(const struct format_scan *s)
{
	return s->p < s->end ? *s->p : 0;
}

static int32_t scan_number(struct format_scan *s)
{
	int32_t n = 0;

	for (; scan_peek(s) >= '0' && scan_peek(s) <= '9'; s->p++) {
		n = n * 10 + (*s->p - '0');
		if (n > FORMAT_MAX_FIELD)
			n = FORMAT_MAX_FIELD;
	}
	return n;
}

static bool scan_flag(struct format_scan *s, struct stp_directive *d)
{
	switch (scan_peek(s)) {
	case '-':
		d->minus = true;
		break;
	case '+':
		d->plus = true;
		break;
	case ' ':
		d->space = true;
		break;
	case '#':
		d->hash = true;
		break;
	case '0': /* after another flag it begins the width */
		if (d->minus || d->plus || d->space || d->hash)
			return false;
		d->zero = true;
		break;
	default:
		return false;
	}
	s->p++;
	return true;
}

/* Reads a number or '*'. */
static int32_t scan_field(struct format_scan *s, bool *star)
{
	if (scan_peek(s) != '*')
		return scan_number(s);
	s->p++;
	*star = true;
	return -1;
}

static bool scan_kind(struct format_scan *s, struct stp_directive *d, const char **error)
{
	char letter = scan_peek(s);
	unsigned index = (unsigned char)letter - 'A';

	if (s->p == s->end) {
		*error = "the format ends inside a conversion";
		return false;
	}
	for (int kind = STP_DIR_LITERAL + 1; kind < STP_DIR_COUNT; kind++) {
		if (conversion_letters[kind] == letter) {
			d->kind = (enum stp_directive_kind)kind;
			s->p++;
			return true;
		}
	}
	*error = index < sizeof(unknown_letters) / sizeof(unknown_letters[0]) &&
				 unknown_letters[index]
			 ? unknown_letters[index]
			 : "unknown conversion";
	return false;
}

static bool scan_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Reads "(name)". */
static bool scan_name(struct format_scan *s, struct stp_directive *d, const char **error)
{
	d->name = ++s->p;
	while (scan_is_word(scan_peek(s)))
		s->p++;
	d->name_len = (uint32_t)(s->p - d->name);
	if (scan_peek(s) == ')' && d->name_len && (*d->name < '0' || *d->name > '9')) {
		s->p++;
		return true;
	}
	*error = "expected a name for the value: '%(name)d'";
	return false;
}

static bool scan_conversion(struct format_scan *s, struct stp_directive *d, const char **error)
{
	s->p++; /* the percent sign */
	if (scan_peek(s) == '(' && !scan_name(s, d, error))
		return false;
	while (scan_flag(s, d))
		;
	if ((scan_peek(s) >= '0' && scan_peek(s) <= '9') || scan_peek(s) == '*')
		d->width = scan_field(s, &d->width_star);
	if (scan_peek(s) == '.') {
		s->p++;
		if ((scan_peek(s) >= '0' && scan_peek(s) <= '9') || scan_peek(s) == '*')
			d->precision = scan_field(s, &d->precision_star);
	}
	while (scan_peek(s) == 'l')
		s->p++;
	return scan_kind(s, d, error);
}

bool stp_format_next(const char *format, uint32_t len, uint32_t *pos, struct stp_directive *ret,
		     const char **error)
{
	struct format_scan s = { format + *pos, format + len };
	bool good = true;

	*error = NULL;
	if (*pos >= len)
		return false;
	*ret = (struct stp_directive){
		.text = s.p, .kind = STP_DIR_LITERAL, .width = -1, .precision = -1
	};
	if (*s.p == '%')
		good = scan_conversion(&s, ret, error);
	else
		while (s.p < s.end && *s.p != '%')
			s.p++;
	ret->len = (uint32_t)(s.p - ret->text);
	*pos += ret->len;
	return good;
}

/* ---- formatting ---- */

struct format_out {
	void (*put)(void *ctx, const char *s, size_t len);
	void *ctx;
};

static void out_text(const struct format_out *o, const char *s, size_t len)
{
	if (len)
		o->put(o->ctx, s, len);
}

static void out_fill(const struct format_out *o, char with, int32_t n)
{
	static const char spaces[] = "                                ",
			  zeros[] = "00000000000000000000000000000000";
	const int32_t piece = sizeof(spaces) - 1;

	for (; n > 0; n -= piece)
		out_text(o, with == '0' ? zeros : spaces, (size_t)(n < piece ? n : piece));
}

/* Puts text in a field, right-aligned unless `minus` is set. */
static void out_field(const struct format_out *o, const struct stp_directive *d, const char *s,
		      uint32_t len)
{
	int32_t pad = len < FORMAT_MAX_FIELD ? d->width - (int32_t)len : 0;

	if (!d->minus)
		out_fill(o, ' ', pad);
	out_text(o, s, len);
	if (d->minus)
		out_fill(o, ' ', pad);
}

/* Puts digits with spaces, prefix and zeros before them. */
static void out_digits(const struct format_out *o, const struct stp_directive *d,
		       const char *prefix, const char *digits, int32_t len)
{
	int32_t before = (int32_t)strlen(prefix);
	int32_t zeros = d->precision > len ? d->precision - len : 0;

	if (d->zero && !d->minus && d->width > before + len && d->width - before - len > zeros)
		zeros = d->width - before - len;
	int32_t pad = d->width - before - zeros - len;

	if (!d->minus)
		out_fill(o, ' ', pad);
	out_text(o, prefix, (size_t)before);
	out_fill(o, '0', zeros);
	out_text(o, digits, (size_t)len);
	if (d->minus)
		out_fill(o, ' ', pad);
}

struct format_digits {
	char text[24];
	char *first;
	int32_t len;
};

/* 0 has a digit, whatever the precision: C differs. */
static void digits_make(struct format_digits *ret, uint64_t v, unsigned base, bool upper)
{
	const char *alphabet = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	ret->first = ret->text + sizeof(ret->text);
	do {
		*--ret->first = alphabet[v % base];
		v /= base;
	} while (v);
	ret->len = (int32_t)(ret->text + sizeof(ret->text) - ret->first);
}

static void put_number(const struct format_out *o, struct stp_directive *d, const char *prefix,
		       uint64_t v, unsigned base, bool upper)
{
	struct format_digits n;

	digits_make(&n, v, base, upper);
	out_digits(o, d, prefix, n.first, n.len);
}

/* The value that a conversion prints: a number, or bytes. */
struct format_value {
	int64_t number;
	const char *bytes;
	uint32_t len;
};

static void put_signed(const struct format_out *o, struct stp_directive *d,
		       const struct format_value *v)
{
	const char *sign = v->number < 0 ? "-" : d->plus ? "+" : d->space ? " " : "";
	uint64_t magnitude = v->number < 0 ? 0 - (uint64_t)v->number : (uint64_t)v->number;

	put_number(o, d, sign, magnitude, 10, false);
}

static void put_unsigned(const struct format_out *o, struct stp_directive *d,
			 const struct format_value *v)
{
	put_number(o, d, "", (uint64_t)v->number, 10, false);
}

/* '#' always gives a prefix, as in SystemTap; in C a zero has none. */
static void put_octal(const struct format_out *o, struct stp_directive *d,
		      const struct format_value *v)
{
	put_number(o, d, d->hash ? "0" : "", (uint64_t)v->number, 8, false);
}

static void put_hex(const struct format_out *o, struct stp_directive *d,
		    const struct format_value *v)
{
	put_number(o, d, d->hash ? "0x" : "", (uint64_t)v->number, 16, false);
}

static void put_hex_upper(const struct format_out *o, struct stp_directive *d,
			  const struct format_value *v)
{
	put_number(o, d, d->hash ? "0X" : "", (uint64_t)v->number, 16, true);
}

static void put_pointer(const struct format_out *o, struct stp_directive *d,
			const struct format_value *v)
{
	put_number(o, d, "0x", (uint64_t)v->number, 16, false);
}

/* %#c: writes the character as in C source. */
static uint32_t escape_char(char *dst, unsigned char c)
{
	static const char plain[] = "abtnvfr"; /* 7 … 13 */

	if (c >= ' ' && c < 127 && c != '\\' && c != '"' && c != '\'') {
		dst[0] = (char)c;
		return 1;
	}
	dst[0] = '\\';
	if (c >= ' ' && c < 127) {
		dst[1] = (char)c;
		return 2;
	}
	if (c >= 7 && c <= 13) {
		dst[1] = plain[c - 7];
		return 2;
	}
	dst[1] = (char)('0' + (c >> 6));
	dst[2] = (char)('0' + (c >> 3 & 7));
	dst[3] = (char)('0' + (c & 7));
	return 4;
}

static void put_char(const struct format_out *o, struct stp_directive *d,
		     const struct format_value *v)
{
	char text[4] = { (char)v->number };

	out_field(o, d, text, d->hash ? escape_char(text, (unsigned char)v->number) : 1);
}

static bool is_size(int32_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

/*
 * Puts the number's bytes in memory order, lowest first. Their number is the precision
 * or, without one, the width; 0 bytes fill a wider field.
 */
static void put_binary(const struct format_out *o, struct stp_directive *d,
		       const struct format_value *v)
{
	static const char zeros[32];
	int32_t wanted = d->precision >= 0 ? d->precision : d->width,
		size = is_size(wanted) ? wanted : 8;
	char bytes[8];

	for (int32_t i = 0; i < size; i++)
		bytes[i] = (char)((uint64_t)v->number >> 8 * i);
	if (d->minus)
		out_text(o, bytes, (size_t)size);
	for (int32_t pad = d->width - size; pad > 0; pad -= (int32_t)sizeof(zeros))
		out_text(o, zeros, pad < (int32_t)sizeof(zeros) ? (size_t)pad : sizeof(zeros));
	if (!d->minus)
		out_text(o, bytes, (size_t)size);
}

static void put_string(const struct format_out *o, struct stp_directive *d,
		       const struct format_value *v)
{
	uint32_t len = d->precision >= 0 && (uint32_t)d->precision < v->len ? (uint32_t)d->precision
									    : v->len;

	out_field(o, d, v->bytes, len);
}

static void put_memory(const struct format_out *o, struct stp_directive *d,
		       const struct format_value *v)
{
	out_field(o, d, v->bytes, v->len);
}

static void put_memory_hex(const struct format_out *o, struct stp_directive *d,
			   const struct format_value *v)
{
	int32_t pad = v->len < FORMAT_MAX_FIELD / 2 ? d->width - (int32_t)(2 * v->len) : 0;

	if (!d->minus)
		out_fill(o, ' ', pad);
	for (uint32_t i = 0; i < v->len; i++) {
		unsigned char b = (unsigned char)v->bytes[i];
		char two[2] = { "0123456789abcdef"[b >> 4], "0123456789abcdef"[b & 15] };

		out_text(o, two, 2);
	}
	if (d->minus)
		out_fill(o, ' ', pad);
}

static void put_percent(const struct format_out *o, struct stp_directive *d,
			const struct format_value *v)
{
	out_text(o, "%", 1);
}

static void put_literal(const struct format_out *o, struct stp_directive *d,
			const struct format_value *v)
{
	out_text(o, d->text, d->len);
}

static void (*const conversions[])(const struct format_out *o, struct stp_directive *d,
				   const struct format_value *v) = {
	[STP_DIR_LITERAL] = put_literal,   [STP_DIR_PERCENT] = put_percent,
	[STP_DIR_SIGNED] = put_signed,	   [STP_DIR_SIGNED_I] = put_signed,
	[STP_DIR_UNSIGNED] = put_unsigned, [STP_DIR_OCTAL] = put_octal,
	[STP_DIR_HEX] = put_hex,	   [STP_DIR_HEX_UPPER] = put_hex_upper,
	[STP_DIR_POINTER] = put_pointer,   [STP_DIR_CHAR] = put_char,
	[STP_DIR_BINARY] = put_binary,	   [STP_DIR_STRING] = put_string,
	[STP_DIR_MEMORY] = put_memory,	   [STP_DIR_MEMORY_HEX] = put_memory_hex,
};
_Static_assert(sizeof(conversions) / sizeof(conversions[0]) == STP_DIR_COUNT,
	       "a conversion without its function");

static void limit_field(int32_t *n, int32_t most)
{
	if (most && *n > most)
		*n = most;
}

static int32_t clamp_field(int64_t n)
{
	return n > FORMAT_MAX_FIELD    ? FORMAT_MAX_FIELD
	       : n < -FORMAT_MAX_FIELD ? -FORMAT_MAX_FIELD
				       : (int32_t)n;
}

/* Takes the arguments of '*'. */
static bool take_fields(struct stp_directive *d, struct stp_format_args *args)
{
	int64_t n;

	if (d->width_star) {
		if (!args->number(args, &n))
			return false;
		d->width = n < 0 ? -1 : clamp_field(n); /* negative: not a '-' flag, unlike C */
	}
	if (d->precision_star) {
		if (!args->number(args, &n))
			return false;
		d->precision = n >= 0 ? clamp_field(n) : d->kind == STP_DIR_STRING ? 0 : -1;
	}
	limit_field(&d->width, args->field_most);
	limit_field(&d->precision, args->field_most);
	return true;
}

static bool take_value(const struct stp_directive *d, struct stp_format_args *args,
		       struct format_value *ret)
{
	switch (conversion_arguments[d->kind]) {
	case 'd':
		return args->number(args, &ret->number);
	case 's':
	case 'm':
		return args->bytes(args, &ret->bytes, &ret->len);
	default:
		return true;
	}
}

bool stp_directive_run(const struct stp_directive *directive, struct stp_format_args *args,
		       void (*put)(void *ctx, const char *s, size_t len), void *ctx)
{
	const struct format_out o = { put, ctx };
	struct stp_directive d = *directive;
	struct format_value v = { 0 };

	if (!take_fields(&d, args) || !take_value(&d, args, &v))
		return false;
	conversions[d.kind](&o, &d, &v);
	return true;
}

bool stp_format_run(const char *format, uint32_t len, struct stp_format_args *args,
		    void (*put)(void *ctx, const char *s, size_t len), void *ctx)
{
	struct stp_directive d;
	const char *error;
	uint32_t pos = 0;

	while (stp_format_next(format, len, &pos, &d, &error))
		if (!stp_directive_run(&d, args, put, ctx))
			return false;
	return error == NULL;
}
