/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * New system calls: the kernel's headers list all calls (arch.h: syscalls->tables), and
 * the entry points named in the tapset's file are the calls that it knows. Every other
 * call gets an alias with the parameters of its prototype, as numbers:
 *
 *   probe syscall.NEW = kernel.function("sys_NEW").decoded("NEW int pointer") ? {
 *           name = …  argstr = …  syscall_nr = 500  fd = _call_number(0) … }
 */
#include "sem/newcalls.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "ast/program.h"
#include "base/session.h"
#include "base/source.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/word.h"
#include "parse/parse.h"
#include "sem/tapset.h"
#include "types/syscalls.h"

static const char *const families[] = { "syscall", "nd_syscall", "tp_syscall" };

bool newcalls_may(const struct point *p)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!strcmp(p->components.data[0].name, families[i]))
			return true;
	return false;
}

/* Notes every "sys_NAME" in a text. */
static void note_names(struct session *s, const char *text, struct hashmap *names)
{
	for (const char *p = text; (p = strstr(p, "sys_"));) {
		p += 4;
		hashmap_put(names, arena_strndup(s->arena, p, word_length(p)), (void *)p);
	}
}

static const char *kind_of(const struct kernel_syscall *call, size_t i)
{
	if (strchr(call->c_types.data[i], '*'))
		return "pointer";
	if (call->sizes.data[i] <= 4)
		return call->is_signed.data[i] ? "int" : "uint";
	return call->is_signed.data[i] ? "long" : "hex";
}

static void add_alias(struct strbuf *text, const char *family, const struct kernel_syscall *call,
		      const char *row, const char *number, const char *suffix)
{
	strbuf_addf(text,
		    "probe %s.%s%s = kernel.function(\"sys_%s\").decoded(\"%s\")%s ? {\n\tname = "
		    "_call_name()\n\targstr = _call_args()\n"
		    "\tsyscall_nr = %s\n",
		    family, call->name, suffix, call->name, row, suffix, number);
	vec_each(&call->params, i)
		strbuf_addf(text, "\t%s = _call_number(%zu)\n", call->params.data[i].name, i);
	if (*suffix)
		strbuf_adds(text, "\tretval = _call_result()\n"
				  "\tretstr = return_str(1, _call_result())\n");
	strbuf_adds(text, "}\n");
}

static void add_call(struct session *s, struct strbuf *text, const char *name, const char *number)
{
	struct kernel_syscall call;
	const char *row = name;

	if (syscalls_find(s, name, &call) || call.params.count > 6)
		return;
	vec_each(&call.params, i)
		row = arena_printf(s->arena, "%s %s", row, kind_of(&call, i));
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		add_alias(text, families[i], &call, row, number, "");
		add_alias(text, families[i], &call, row, number, ".return");
	}
}

/*
 * Reads a header's table: __SYSCALL(5, sys_newfstat), __SYSCALL_WITH_COMPAT(5, sys_open,
 * compat_sys_open).
 */
static void add_table(struct session *s, struct strbuf *text, const char *header,
		      struct hashmap *known)
{
	const char *file =
		kernel_header(s, arena_printf(s->arena, "arch/%s/include/generated/asm/%s",
					      arch_of(s)->machine->kernel_dir, header));
	char *table;
	size_t len;

	if (!file || path_read(s->arena, file, &table, &len))
		return;
	for (char *line = strtok_r(table, "\n", &table); line;
	     line = strtok_r(NULL, "\n", &table)) {
		char *open = strchr(line, '('), *name = strstr(line, " sys_");

		if (!open || !name)
			continue;
		name += strlen(" sys_");
		name = arena_strndup(s->arena, name, strcspn(name, ",)"));
		if (hashmap_get(known, name) || !strcmp(name, "ni_syscall"))
			continue;
		hashmap_put(known, name, name);
		add_call(s, text, name, arena_strndup(s->arena, open + 1, strcspn(open + 1, ",")));
	}
}

const struct unit *newcalls_unit(struct session *s)
{
	const char *name = "system calls of this kernel",
		   *rows = tapset_text(s, "/syscall/calls.stp");
	struct hashmap known = { 0 };
	struct strbuf text;
	struct source *src;

	if (s->new_calls || !rows || kernel_need(s))
		return s->new_calls;
	hashmap_init(&known, s->arena);
	note_names(s, rows, &known);
	strbuf_init(&text, s->arena);
	for (const char *const *table = arch_of(s)->syscalls->tables; *table; table++)
		add_table(s, &text, *table, &known);
	src = source_from_text(s->arena, name, text.s, text.len);
	src->is_tapset = true;
	s->new_calls = parse_source(s, src);
	vec_push(s->arena, &s->program->library, s->new_calls);
	return s->new_calls;
}
