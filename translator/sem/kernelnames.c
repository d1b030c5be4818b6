/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of embedded C that mean something else in the kernel: kernelnames.h.
 */
#include <string.h>

#include "ast/program.h"
#include "lib/word.h"
#include "sem/kernelnames.h"

static bool has_word(const char *code, const char *word, size_t len)
{
	for (const char *at = code; (at = strchr(at, *word)); at++)
		if (word_length(at) == len && !strncmp(at, word, len) &&
		    (at == code || !word_char(at[-1])))
			return true;
	return false;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static bool begins(const char *line, const char *word)
{
	return !strncmp(line, word, strlen(word));
}

static bool line_has(const char *line, const char *text)
{
	const char *found = strstr(line, text);

	return found && found < line + strcspn(line, "\n");
}

/* Returns the name that the line defines, or NULL: a macro's, or that of a function. */
static const char *defined_on(const char *line)
{
	const char *name;

	if (begins(line, "#define "))
		return line + strlen("#define ");
	if (!begins(line, "static "))
		return NULL;
	for (name = line; *name && *name != '\n'; name += word_length(name) ?: 1)
		if (name[word_length(name)] == '(' && word_length(name) &&
		    !begins(name, "__attribute__"))
			return name;
	return NULL;
}

/*
 * Returns the line after the #endif of the #if on this line. *differs: whether it has
 * another branch, and none that is for __bpf__, too.
 */
static const char *region_end(const char *line, bool *differs)
{
	bool has_else = false, for_bpf = false;
	int depth = 0;

	do {
		if (begins(line, "#if"))
			depth++;
		if (begins(line, "#endif"))
			depth--;
		has_else |= depth == 1 && begins(line, "#else");
		for_bpf |= begins(line, "#") && line_has(line, "__bpf__");
		line = next_line(line);
	} while (*line && depth);
	*differs = has_else && !for_bpf;
	return line;
}

static bool uses_defined_in(const char *line, const char *end, const char *code)
{
	for (; line < end; line = next_line(line)) {
		const char *name = defined_on(line);

		if (name && has_word(code, name, word_length(name)))
			return true;
	}
	return false;
}

static bool uses_of(const char *embedded, const char *code)
{
	const char *end;
	bool differs;

	for (const char *line = embedded; *line; line = end) {
		end = next_line(line);
		if (!begins(line, "#if") || !line_has(line, "__KERNEL__"))
			continue;
		end = region_end(line, &differs);
		if (differs && uses_defined_in(line, end, code))
			return true;
	}
	return false;
}

bool kernelnames_used(const struct program *p, const char *code)
{
	vec_each(&p->embeds, i)
		if (p->embeds.data[i]->string && uses_of(p->embeds.data[i]->string, code))
			return true;
	return false;
}
