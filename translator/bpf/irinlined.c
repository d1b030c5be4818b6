/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/irinlined.h"

#include <ctype.h>
#include <string.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"

static const char *const inlined[] = {
#define ROW(name) #name,
#include "bpf/inlined.def"
#undef ROW
};

/* Returns the name of the function that a line defines. */
static const char *name_of(struct session *s, const char *line)
{
	const char *at = strchr(line, '@'), *end = at ? ++at : line;

	while (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
		end++;
	return at ? arena_strndup(s->arena, at, (size_t)(end - at)) : "";
}

static bool is_inlined(const char *name)
{
	for (size_t i = 0; i < sizeof(inlined) / sizeof(inlined[0]); i++)
		if (!strcmp(name, inlined[i]))
			return true;
	return false;
}

static void cut(char *line, const char *words)
{
	char *at = strstr(line, words);

	if (at)
		memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
}

/* Writes "define LINKAGE TYPE @NAME(…) … {" as a declaration. */
static void declare(char *line, struct strbuf *ret)
{
	char *brace;

	cut(line, "define ");
	cut(line, "internal ");
	cut(line, "dso_local ");
	brace = strrchr(line, '{');
	strbuf_addf(ret, "declare %.*s\n", (int)(brace ? brace - line - 1 : (long)strlen(line)),
		    line);
}

void irinlined_take(struct session *s, const char *module, struct strbuf *ret)
{
	bool skips = false; /* the body of a function that is only declared */

	while (*module) {
		size_t len = strcspn(module, "\n");
		char *line = arena_strndup(s->arena, module, len);

		module += len + (module[len] == '\n');
		/* A convention of clang's own for calls: it does not know all callers. */
		cut(line, "fastcc ");
		if (skips) {
			skips = strcmp(line, "}") != 0;
		} else if (strncmp(line, "define ", 7) || is_inlined(name_of(s, line))) {
			strbuf_addf(ret, "%s\n", line);
		} else {
			declare(line, ret);
			skips = true;
		}
	}
}
