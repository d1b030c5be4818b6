/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of the compiler, the linker and kbuild about a module, in the form for the
 * user.
 */
#include <ctype.h>
#include <string.h>

#include "base/session.h"
#include "build/parts.h"
#include "drift/drift.h"
#include "lib/strbuf.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* True: the output has an error at a line of a file, not of the compiler's command. */
static bool has_error_at_line(const char *output)
{
	static const char error[] = ": error: ";

	for (const char *at = output; (at = strstr(at, error)) != NULL; at += sizeof(error) - 1)
		if (at > output && isdigit((unsigned char)at[-1]))
			return true;
	return false;
}

bool build_blames_script(const char *output)
{
	return has_error_at_line(output) && !strstr(output, ": fatal error: ");
}

/* True for "make: …" and "  CC [M]  …": the compiler's own lines say the same. */
static bool is_progress(const char *line)
{
	return !strncmp(line, "make", 4) ||
	       (!strncmp(line, "  ", 2) && isupper((unsigned char)line[2]) &&
		(strstr(line, "[M]") || !strncmp(line, "  MODPOST ", 10)));
}

/*
 * Returns the first name after `before`, quoted or not; NULL: the line does not contain
 * `before`.
 */
static const char *name_after(struct session *s, const char *line, const char *before)
{
	const char *at = strstr(line, before);

	if (!at)
		return NULL;
	at += strlen(before);
	at += strcspn(at, NAME_CHARACTERS);
	return arena_strndup(s->arena, at, strspn(at, NAME_CHARACTERS));
}

/*
 * Returns the successor if C can use it unchanged: some are paths for scripts only.
 */
static const char *successor_in_c(const struct drift *row)
{
	const struct successor *now = row->now.count ? &row->now.data[0] : NULL;

	if (!now || now->divisor || !now->steps.count)
		return NULL;
	vec_each(&now->steps, i)
		if (now->steps.data[i].kind != DRIFT_MEMBER)
			return NULL;
	return now->text;
}

/*
 * Adds a note to the compiler's error about a member that has moved: changes of the
 * kernel's structures also affect C.
 */
static void add_story(struct session *s, struct strbuf *text, const char *line)
{
	const char *error = strstr(line, " error: ");
	/*
	 * gcc: 'struct x' has no member named 'y'
	 * clang: no member named 'y' in 'struct x'
	 */
	const char *member = error ? name_after(s, error, " no member named ") : NULL;
	const char *type = member ? name_after(s, error, "struct ") : NULL, *now;
	const struct drift *row = type ? drift_member(s->arena, type, member) : NULL;

	if (!row)
		return;
	now = successor_in_c(row);
	strbuf_addf(text, "%.*s note: there is no '%s' %s", (int)(error - line), line, member,
		    drift_story(s->arena, row));
	if (now)
		strbuf_addf(text, "; '%s' stands for it", now);
	strbuf_adds(text, "\n");
}

static void flush(struct strbuf *text, struct strbuf *story)
{
	strbuf_add(text, story->s, story->len);
	story->len = 0;
}

const char *build_messages(struct build *b, const char *output)
{
	struct strbuf text, story;
	size_t len = strlen(b->work);

	strbuf_init(&text, b->s->arena);
	strbuf_init(&story, b->s->arena);
	while (*output) {
		size_t size = strcspn(output, "\n");
		const char *line = arena_strndup(b->s->arena, output, size);
		const char *work;

		output += size + (output[size] == '\n');
		if (is_progress(line))
			continue;
		while ((work = strstr(line, b->work)) && work[len] == '/') {
			strbuf_add(&text, line, (size_t)(work - line));
			line = work + len + 1;
		}
		/*
		 * The note about the change comes after the source lines, which begin
		 * with a space.
		 */
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
