/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun/params.c: the kernel's reading of the text. The kernel's parser is modelled
 * here after its behaviour (Documentation/admin-guide/kernel-parameters.rst, and
 * include/linux/ctype.h of the headers with the table that goes with it): blanks part
 * parameters, between quotes they do not; "--" ends them; a value loses the quotes around
 * it; '-' and '_' in names are the same.
 */
#include "unit.h"

#include "staprun/params.c"

/* The kernel's isspace(): C's, and the no-break space of Latin-1. */
static bool is_blank(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0;
}

struct parsed {
	char text[PARAMS_SIZE];
	const char *names[64], *values[64]; /* into text; a value may be NULL */
	unsigned count;
};

/*
 * Returns the end of the parameter that begins at *at; puts NULs where the kernel would.
 */
static char *parse_one(struct parsed *p, char *at)
{
	bool in_quotes = *at == '"', was_quoted = in_quotes, more;
	char *equals = NULL, *end;

	at += in_quotes;
	for (end = at; *end && (in_quotes || !is_blank((unsigned char)*end)); end++) {
		if (*end == '=' && !equals && end > at)
			equals = end;
		if (*end == '"')
			in_quotes = !in_quotes;
	}
	more = *end;
	p->names[p->count] = at;
	p->values[p->count] = equals ? equals + 1 : NULL;
	if (equals) {
		*equals = 0;
		if (equals[1] == '"') {
			p->values[p->count]++;
			if (end[-1] == '"')
				end[-1] = 0;
		}
	}
	if (was_quoted && end > at && end[-1] == '"')
		end[-1] = 0;
	p->count++;
	*end = 0;
	return end + more;
}

static const struct parsed *parsed(const struct params *params)
{
	static struct parsed p;
	char *at = p.text;

	p.count = 0;
	memcpy(p.text, params->text, sizeof(p.text));
	for (;;) {
		while (is_blank((unsigned char)*at))
			at++;
		if (!*at || p.count == 64)
			return &p;
		at = parse_one(&p, at);
		if (!p.values[p.count - 1] && !strcmp(p.names[p.count - 1], "--"))
			return &p;
	}
}

static const char *add_users(struct params *p, const char *param)
{
	const char *wrong = params_check(param);

	return wrong ? wrong : params_add(p, param);
}

static void model(void)
{
	static struct params p = { .text = " a=1\xa0"
					   "b=\"x y\"  \"c=d e\" f \"\xa0g=\" -- h=2" };
	const struct parsed *k = parsed(&p);

	CHECK_LONG(k->count, 6);
	CHECK_TEXT(k->values[0], "1");
	CHECK_TEXT(k->names[1], "b");
	CHECK_TEXT(k->values[1], "x y");
	CHECK_TEXT(k->names[2], "c");
	CHECK_TEXT(k->values[2], "d e");
	CHECK_TEXT(k->names[4], "\xa0g");
	CHECK_TEXT(k->names[5], "--");
}

/*
 * Every byte, alone, first, in the middle and last: the value arrives as it was given,
 * and nothing else does; or it is refused.
 */
static void bytes_of_values(void)
{
	static const char *const forms[] = {
		"word=%c",  "word=%cx",	 "word=x%c_stp_owner=0",
		"word=x%c", "word=%c%c", "word=x%c%c_stp_owner=0",
	};

	for (int byte = 1; byte < 256; byte++) {
		bool is_refused = byte < ' ' || byte == '"' || byte == 0x7f;

		for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
			static struct params p;
			const struct parsed *k;
			char param[64];

			p = (struct params){ .used = 0 };
			snprintf(param, sizeof(param), forms[i], byte, byte);
			CHECK_LONG(!!add_users(&p, param), is_refused);
			CHECK(!params_add(&p, "_stp_owner=6001"));
			k = parsed(&p);
			CHECK_LONG(k->count, is_refused ? 1 : 2);
			CHECK_TEXT(k->names[k->count - 1], "_stp_owner");
			CHECK_TEXT(k->values[k->count - 1], "6001");
			if (is_refused)
				continue;
			CHECK_TEXT(k->names[0], "word");
			CHECK_TEXT(k->values[0], param + 5);
		}
	}
}

/* Names have letters, digits and '_' only. */
static void bytes_of_names(void)
{
	static const char *const forms[] = {
		"%c=1", "%cx=1", "x%c=1", "x%cy=1", "x=1%c_stp_owner", "x%c_stp_owner=0",
	};

	for (int byte = 1; byte < 256; byte++) {
		bool is_letter =
			(byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '_';
		bool is_inside = is_letter || (byte >= '0' && byte <= '9');

		for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
			static struct params p;
			char param[64];

			p = (struct params){ .used = 0 };
			snprintf(param, sizeof(param), forms[i], byte);
			if (i < 2)
				CHECK_LONG(!add_users(&p, param), is_letter);
			else if (byte != '=' && i != 4)
				CHECK_LONG(!add_users(&p, param), is_inside);
			else
				add_users(&p, param);
			if (p.used)
				CHECK_LONG(parsed(&p)->count, 1);
		}
	}
}

static void refused(void)
{
	static const char *const wrong[] = {
		"",
		"word",
		"=1",
		"-c",
		"--",
		"--=1",
		"_stp_owner=0",
		"_stp_x=1",
		"-stp_owner=0",
		"_stp-owner=0",
		" _stp_owner=0",
		"\"x\"=1",
		"\"_stp_owner=0\"",
		"x y=1",
		"1x=1",
		"dyndbg=+p",
		"async_probe=1",
		"x\xa0_stp_owner=0",
		"x=\"",
		"x=a\"b",
		"x=\"a\"",
	};
	static struct params p;

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK(add_users(&p, wrong[i]) != NULL);
	CHECK_TEXT(p.text, "");
	CHECK(!add_users(&p, "dyndbg2=x"));
	CHECK(!add_users(&p, "_stpx="));
	CHECK_TEXT(p.text, "dyndbg2=\"x\" _stpx=\"\"");
	CHECK_TEXT(parsed(&p)->values[1], "");
}

/* Text that does not fit leaves nothing behind. */
static void too_long(void)
{
	static struct params p;
	static char param[PARAMS_SIZE];

	memset(param, 'x', sizeof(param) - 1);
	param[1] = '=';
	CHECK(params_add(&p, param) != NULL);
	CHECK_TEXT(p.text, "");
	param[PARAMS_SIZE - 3] = 0;
	CHECK(!params_add(&p, param));
	CHECK_LONG(p.used, PARAMS_SIZE - 1);
	CHECK(params_add(&p, "y=") != NULL);
	CHECK_LONG(strlen(p.text), PARAMS_SIZE - 1);
	CHECK_LONG(parsed(&p)->count, 1);
}

int main(void)
{
	RUN(model);
	RUN(bytes_of_values);
	RUN(bytes_of_names);
	RUN(refused);
	RUN(too_long);
	return unit_end();
}
