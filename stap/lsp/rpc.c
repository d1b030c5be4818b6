/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/lsp/rpc.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_MAX (64 << 20)
#define CHUNK	    65536

/* ---- output ---- */

static void send_message(json_t *message)
{
	char *text = json_dumps(message, JSON_COMPACT);

	json_decref(message);
	if (text)
		printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
	fflush(stdout);
	free(text);
}

static json_t *shared(const json_t *id)
{
	return id ? json_deep_copy(id) : json_null();
}

void rpc_answer(const json_t *id, json_t *result)
{
	send_message(json_pack("{s:s,s:o,s:o}", "jsonrpc", "2.0", "id", shared(id), "result",
			       result ? result : json_null()));
}

void rpc_notify(const char *method, json_t *params)
{
	send_message(
		json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

void rpc_fail(const json_t *id, enum rpc_error code, const char *text)
{
	send_message(json_pack("{s:s,s:o,s:{s:i,s:s}}", "jsonrpc", "2.0", "id", shared(id), "error",
			       "code", (int)code, "message", text));
}

/* ---- input ---- */

static bool read_more(struct rpc *r)
{
	ssize_t n;

	if (r->capacity - r->len < CHUNK) {
		char *data = realloc(r->data, 2 * r->capacity + CHUNK);

		if (!data)
			return false;
		r->data = data;
		r->capacity = 2 * r->capacity + CHUNK;
	}
	do
		n = read(STDIN_FILENO, r->data + r->len, CHUNK);
	while (n < 0 && errno == EINTR);
	r->len += n > 0 ? (size_t)n : 0;
	return n > 0;
}

/*
 * Returns the number in the text, which may have blanks around it; -1: it is not a
 * number, or too large.
 */
static long number_of(const char *at, const char *end)
{
	long n = 0;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (at == end)
		return -1;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9' || n > MESSAGE_MAX)
			return -1;
		n = 10 * n + (*at - '0');
	}
	return n;
}

/*
 * Returns the number of "Content-Length: 12", in upper or lower case; -1: the head has
 * none. Reads no further than the end of the line.
 */
static long length_of(const char *head, const char *end)
{
	static const char name[] = "Content-Length:";
	const size_t len = sizeof(name) - 1;

	while (head < end) {
		const char *line = memmem(head, (size_t)(end - head), "\r\n", 2);
		const char *stop = line ? line : end;

		if ((size_t)(stop - head) >= len && !strncasecmp(head, name, len))
			return number_of(head + len, stop);
		head = line ? line + 2 : end;
	}
	return -1;
}

static void drop(struct rpc *r, size_t n)
{
	memmove(r->data, r->data + n, r->len - n);
	r->len -= n;
}

/* ---- text that is invalid in JSON ---- */

/* Returns the length of the UTF-8 character; 0: it is invalid. */
static size_t character_length(const char *s, const char *end)
{
	unsigned char c = (unsigned char)*s;
	size_t n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
	unsigned char second = n > 1 && end - s > 1 ? (unsigned char)s[1] : 0;

	if ((size_t)(end - s) < n || (c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f) ||
	    (c == 0xf0 && second < 0x90) || (c == 0xf4 && second > 0x8f))
		return 0;
	for (size_t i = 1; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Returns the UTF-16 unit of \uXXXX; -1: it is invalid. */
static long unit_of(const char *s, const char *end)
{
	char digits[5] = "", *stop;
	long ret;

	if (end - s < 6 || s[0] != '\\' || s[1] != 'u' || !isxdigit((unsigned char)s[2]))
		return -1;
	memcpy(digits, s + 2, 4);
	ret = strtol(digits, &stop, 16);
	return *stop ? -1 : ret;
}

/*
 * Handles an escape; half of a surrogate pair, and NUL, become U+FFFD. Returns its
 * length.
 */
static size_t mend_escape(char *s, const char *end)
{
	long unit = unit_of(s, end), next = unit_of(s + (unit < 0 ? 0 : 6), end);

	if (unit < 0)
		return end - s > 1 ? 2 : 1;
	if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000)
		return 12;
	if (!unit || (unit >= 0xd800 && unit < 0xe000))
		memcpy(s + 2, "fffd", 4);
	return 6;
}

/*
 * Replaces characters that cannot be read with others of the same number of UTF-16 units,
 * so that positions stay the same.
 */
static void mend(char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		size_t n = *s == '\\' ? mend_escape(s, end) : character_length(s, end);

		if (!n)
			*s = '?';
		s += n ? n : 1;
	}
}

/* Editors may send bytes that are not UTF-8, or halves of surrogate pairs. */
static json_t *parse(char *text, size_t len)
{
	json_t *ret = json_loadb(text, len, 0, NULL);

	if (ret)
		return ret;
	mend(text, len);
	return json_loadb(text, len, 0, NULL);
}

/* ---- messages ---- */

json_t *rpc_read(struct rpc *r)
{
	for (;;) {
		char *end;
		long length;
		size_t head;
		json_t *message;

		while (!(end = r->len ? memmem(r->data, r->len, "\r\n\r\n", 4) : NULL))
			if (r->len > CHUNK || !read_more(r))
				return NULL;
		end += 2;
		head = (size_t)(end + 2 - r->data);
		length = length_of(r->data, end);
		if (length < 0 || length > MESSAGE_MAX) {
			rpc_fail(NULL, RPC_INVALID_REQUEST,
				 "a message begins with Content-Length, and has at most 64 MiB");
			return NULL;
		}
		while (r->len < head + (size_t)length)
			if (!read_more(r))
				return NULL;
		message = parse(r->data + head, (size_t)length);
		drop(r, head + (size_t)length);
		if (json_is_object(message))
			return message;
		json_decref(message);
		rpc_fail(NULL, RPC_PARSE_ERROR, "not a JSON object");
	}
}

bool rpc_is_pending(const struct rpc *r)
{
	struct pollfd in = { STDIN_FILENO, POLLIN, 0 };

	return r->len || poll(&in, 1, 0) > 0;
}
