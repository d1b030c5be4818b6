/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See params.h. Bytes are classified by their numbers, independently of the locale. */
#include "staprun/params.h"

#include <stdio.h>
#include <string.h>

#define OWN_PREFIX "_stp_"

/*
 * The kernel accepts these parameters for any module, and reports nothing if a script has
 * no such global.
 */
static const char *const names_of_kernel[] = { "async_probe", "dyndbg" };

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_identifier(const char *s, size_t len)
{
	if (!len || !is_letter(s[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_letter(s[i]) && !is_digit(s[i]))
			return false;
	return true;
}

static const char *check_value(const char *s)
{
	for (; *s; s++) {
		if (*s == '"')
			return "a parameter cannot hold a double quote";
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return "a parameter cannot hold a control character";
	}
	return NULL;
}

static bool is_of_kernel(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(names_of_kernel) / sizeof(names_of_kernel[0]); i++)
		if (strlen(names_of_kernel[i]) == len && !memcmp(names_of_kernel[i], name, len))
			return true;
	return false;
}

const char *params_check(const char *param)
{
	const char *value = strchr(param, '=');
	size_t len = value ? (size_t)(value - param) : 0;

	if (*param == '-')
		return "a parameter is NAME=VALUE; options come before '--'";
	if (!is_identifier(param, len))
		return "not of the form NAME=VALUE";
	if (!strncmp(param, OWN_PREFIX, strlen(OWN_PREFIX)) || is_of_kernel(param, len))
		return "not a global of the script";
	return check_value(value + 1);
}

const char *params_add(struct params *p, const char *param)
{
	const char *value = strchr(param, '='), *wrong = check_value(value + 1);
	size_t room = sizeof(p->text) - p->used;
	int n;

	if (wrong)
		return wrong;
	n = snprintf(p->text + p->used, room, "%s%.*s=\"%s\"", p->used ? " " : "",
		     (int)(value - param), param, value + 1);
	if (n <= 0 || (size_t)n >= room) {
		p->text[p->used] = 0;
		return "the parameters are too long";
	}
	p->used += (size_t)n;
	return NULL;
}
