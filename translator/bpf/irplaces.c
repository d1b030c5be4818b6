/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/irplaces.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/clines.h"
#include "lib/arena.h"

#define PLACE	", !dbg !"
#define LOOP	", !llvm.loop !"
#define UNIT	"\n!llvm.dbg.cu = !{!"
#define SOURCE	"script.c" /* name of the script's C */
#define NO_NODE ""

/* Returns the number after these words, or 0. */
static unsigned number_after(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	return at ? (unsigned)strtoul(at + strlen(words), NULL, 10) : 0;
}

static const char *node(const struct irplaces *p, unsigned n)
{
	return n < p->nodes.count && p->nodes.data[n] ? p->nodes.data[n] : NO_NODE;
}

static void take_node(struct irplaces *p, const char *line, size_t len)
{
	char *text;
	unsigned long n = strtoul(line + 1, &text, 10);

	if (strncmp(text, " = ", 3))
		return;
	while (p->nodes.count <= n)
		vec_push(p->a, &p->nodes, NULL);
	p->nodes.data[n] = arena_strndup(p->a, text + 3, len - (size_t)(text + 3 - line));
}

void irplaces_begin(struct irplaces *p, struct arena *a, const struct clines *lines,
		    const char *module)
{
	*p = (struct irplaces){ .a = a, .lines = lines };
	strbuf_init(&p->made, a);
	if (!lines || !strstr(module, UNIT))
		return;
	while (*module) {
		size_t len = strcspn(module, "\n");

		if (*module == '!' && isdigit((unsigned char)module[1]))
			take_node(p, module, len);
		module += len + (module[len] == '\n');
	}
	p->next = (unsigned)p->nodes.count + 1;
	p->file = number_after(node(p, number_after(module, UNIT)), "file: !");
}

/* ---- clang's places ---- */

static bool is_in_source(const struct irplaces *p, unsigned scope)
{
	const char *file = node(p, number_after(node(p, scope), "file: !"));
	const char *name = strstr(file, "filename: \""), *end;

	if (!name)
		return false;
	name += strlen("filename: \"");
	end = strchr(name, '"');
	return end && end - name >= (long)strlen(SOURCE) &&
	       !strncmp(end - strlen(SOURCE), SOURCE, strlen(SOURCE));
}

/* Returns the line of the innermost statement of the script; 0: none. */
static unsigned line_of(const struct irplaces *p, unsigned place)
{
	for (; place; place = number_after(node(p, place), "inlinedAt: !")) {
		const char *text = node(p, place);
		unsigned line = number_after(text, "(line: ");

		if (clines_place(p->lines, line) && is_in_source(p, number_after(text, "scope: !")))
			return line;
	}
	return 0;
}

/* ---- new places ---- */

static unsigned new_node(struct irplaces *p)
{
	strbuf_addf(&p->made, "!%u = ", p->next);
	return p->next++;
}

/* Makes the unit of all functions, and the type that they have here: void (). */
static void make_unit(struct irplaces *p)
{
	unsigned list;

	if (p->type)
		return;
	p->unit = new_node(p);
	strbuf_addf(&p->made,
		    "distinct !DICompileUnit(language: DW_LANG_C11, file: !%u, "
		    "emissionKind: LineTablesOnly)\n!llvm.dbg.cu = !{!%u}\n",
		    p->file, p->unit);
	list = new_node(p);
	strbuf_adds(&p->made, "!{null}\n");
	p->type = new_node(p);
	strbuf_addf(&p->made, "!DISubroutineType(types: !%u)\n", list);
}

/* True: some instruction of the function has a place. */
static bool has_places(const char *body)
{
	const char *end = strstr(body, "\n}"), *place = strstr(body, PLACE);

	return place && end && place < end;
}

const char *irplaces_function(struct irplaces *p, const char *name, const char *body)
{
	p->function = 0;
	p->known.count = 0;
	if (!p->nodes.count || !has_places(body))
		return "";
	make_unit(p);
	p->function = new_node(p);
	strbuf_addf(&p->made,
		    "distinct !DISubprogram(name: \"%s\", scope: !%u, file: !%u, line: 0, "
		    "type: !%u, spFlags: DISPFlagDefinition, unit: !%u)\n",
		    name, p->file, p->file, p->type, p->unit);
	return arena_printf(p->a, " !dbg !%u", p->function);
}

static unsigned place_at(struct irplaces *p, unsigned line)
{
	unsigned ret;

	for (size_t i = 0; i < p->known.count; i += 2)
		if (p->known.data[i] == line)
			return p->known.data[i + 1];
	ret = new_node(p);
	strbuf_addf(&p->made, "!DILocation(line: %u, scope: !%u)\n", line, p->function);
	vec_push(p->a, &p->known, line);
	vec_push(p->a, &p->known, ret);
	return ret;
}

const char *irplaces_of(struct irplaces *p, const char *line, bool is_call)
{
	unsigned at = p->function ? line_of(p, number_after(line, PLACE)) : 0;

	if (!p->function || (!at && !is_call))
		return "";
	return arena_printf(p->a, PLACE "%u", place_at(p, at));
}

/* Removes these words and the number after them. */
static void cut(char *line, const char *words)
{
	char *at = strstr(line, words), *end;

	if (!at)
		return;
	end = at + strlen(words);
	end += strspn(end, "0123456789");
	memmove(at, end, strlen(end) + 1);
}

const char *irplaces_without(struct irplaces *p, const char *line)
{
	char *ret;

	if (!strstr(line, PLACE) && !strstr(line, LOOP))
		return line;
	ret = arena_strdup(p->a, line);
	cut(ret, PLACE);
	cut(ret, LOOP);
	return ret;
}
