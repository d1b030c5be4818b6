/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the compiler, the linker and kbuild say of a module, as the user is told it. */
#include <ctype.h>
#include <string.h>

#include "base/session.h"
#include "base/strbuf.h"
#include "build/parts.h"
#include "drift/drift.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

bool build_blames_script(const char *output)
{
	return strstr(output, ": error: ") && !strstr(output, ": fatal error: ");
}

/* "make: …" and "  CC [M]  …" say nothing that the compiler's own lines do not. */
static bool is_progress(const char *line)
{
	return !strncmp(line, "make", 4) || (!strncmp(line, "  ", 2) && isupper((unsigned char)line[2]) &&
					     (strstr(line, "[M]") || !strncmp(line, "  MODPOST ", 10)));
}

/* kbuild links whole objects: it misses what functions of the runtime that nothing uses refer to, which is no news beside what the script's C misses. */
static bool is_unused(const char *line)
{
	return !strncmp(line, "ERROR: modpost: \"stp_", 21);
}

static bool misses_own(const char *output)
{
	static const char missing[] = "ERROR: modpost: \"";

	while ((output = strstr(output, missing))) {
		if (!is_unused(output))
			return true;
		output += sizeof(missing) - 1;
	}
	return false;
}

/* The name behind `before`, or NULL. */
static const char *name_after(struct session *s, const char *line, const char *before)
{
	const char *at = strstr(line, before);

	return at ? arena_strndup(s->arena, at + strlen(before), strspn(at + strlen(before), NAME_CHARACTERS)) : NULL;
}

/* The kernel's structures change under C, too; what is known of a member's way is told behind the compiler's error. */
static void add_story(struct session *s, struct strbuf *text, const char *line)
{
	const char *member = strstr(line, " error: ") ? strstr(line, " has no member named ") : NULL;
	const char *type = member ? name_after(s, line, "struct ") : NULL, *name, *now;
	const struct drift *row;

	if (!type)
		return;
	member += strlen(" has no member named ");
	member += strcspn(member, NAME_CHARACTERS);
	name = arena_strndup(s->arena, member, strspn(member, NAME_CHARACTERS));
	row = drift_member(type, name);
	if (!row)
		return;
	now = row->now;
	strbuf_addf(text, "%.*s note: there is no '%s' %s", (int)(strstr(line, " error: ") - line), line, name, drift_story(s->arena, row));
	if (now && strchr(NAME_CHARACTERS, *now))
		strbuf_addf(text, "; '%s' stands for it", drift_next(s->arena, &now));
	strbuf_adds(text, "\n");
}

static void flush(struct strbuf *text, struct strbuf *story)
{
	strbuf_add(text, story->s, story->len);
	story->len = 0;
}

const char *build_messages(struct build *b, const char *output)
{
	bool misses = misses_own(output);
	struct strbuf text, story;
	size_t len = strlen(b->work);

	strbuf_init(&text, b->s->arena);
	strbuf_init(&story, b->s->arena);
	while (*output) {
		size_t size = strcspn(output, "\n");
		const char *line = arena_strndup(b->s->arena, output, size);
		const char *work;

		output += size + (output[size] == '\n');
		if (is_progress(line) || (misses && is_unused(line)))
			continue;
		while ((work = strstr(line, b->work)) && work[len] == '/') {
			strbuf_add(&text, line, (size_t)(work - line));
			line = work + len + 1;
		}
		/* A story goes behind the source lines, which begin with a space. */
		if (*line != ' ')
			flush(&text, &story);
		strbuf_addf(&text, "%s\n", line);
		add_story(b->s, &story, line);
	}
	flush(&text, &story);
	while (text.len && isspace((unsigned char)text.s[text.len - 1]))
		text.s[--text.len] = 0;
	return text.s;
}
