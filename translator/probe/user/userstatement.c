/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds statements of programs, by debuginfo or by address.
 */
#include <string.h>

#include "base/session.h"
#include "dwarf/dwarf.h"
#include "lib/error.h"
#include "probe/user/uprobe.h"
#include "probe/user/userpoint.h"
#include "probe/user/userreturn.h"

static struct error *statements_by_debuginfo(struct question *q, struct dwarf_file *file,
					     const struct dwarf_pattern *pattern)
{
	dwarf_places places = { 0 };
	struct error *err =
		dwarf_find_statements(q->s, file, pattern, q->suffix.is_nearest, &places);

	userpoint_shorten_all(q, pattern, &places);
	userpoint_add_places(q, "statement", &places);
	return err;
}

struct error *userstatement_no_code(struct question *q, uint64_t address)
{
	return error_create(q->s->arena, ERROR_ABSENT, "there is no code at %#llx in %s",
			    (unsigned long long)address, q->program->path);
}

/*
 * Adds a point at an address; debuginfo may know the surrounding code.
 */
static void add_address(struct question *q, uint64_t address, uint64_t linked)
{
	struct uprobe *u = userpoint_add(
		q, "statement", arena_printf(q->s->arena, "%#llx", (unsigned long long)address),
		linked);
	struct dwarf_file *file;

	q->ret->data[q->ret->count - 1]->pp =
		arena_printf(q->s->arena, "%s.statement(%#llx)%s", q->where->prefix,
			     (unsigned long long)address, userpoint_suffix(q));
	u->has_place = !dwarf_open(q->s, q->program->path, &file) &&
		       !dwarf_find_address(q->s, file, linked, &u->place);
	if (!u->has_place)
		return;
	u->name = dwarf_place_function(q->s->arena, &u->place);
	q->ret->data[q->ret->count - 1]->pfunc = u->name;
}

/*
 * Resolves ".absolute": the address in the process; for a program that is always loaded
 * at the same address, the address in all of its processes.
 */
static struct error *find_absolute(struct question *q, const struct component *c)
{
	struct program_file *library = arena_new(q->s->arena, struct program_file);
	uint64_t address = (uint64_t)c->number, linked = address, offset;
	const char *prefix = q->where->prefix;
	struct executable *file = q->program;
	struct error *err = NULL;

	if (c->arg_kind != ARG_NUMBER || q->where->user)
		return probe_wrong(q->s, "'.absolute' belongs to an address in a process: "
					 "process(PID).statement(0x7f0123456789).absolute");
	if (file->process)
		err = library_at(q->s, file, address, &file, &linked);
	else if (file->is_movable)
		return probe_wrong(q->s,
				   "%s is loaded at a different address each time: an "
				   "absolute address belongs to a process, "
				   "process(PID).statement(%#llx).absolute; without '.absolute' it "
				   "is that in the file",
				   file->path, (unsigned long long)address);
	else if (!executable_code_offset(file, address, &offset))
		err = userstatement_no_code(q, address);
	if (err)
		return err;
	if (file != q->program) {
		*library = *q->where;
		library->user = q->program;
		library->file = q->program = file;
		q->where = library;
	}
	if (userreturn_is_refused(q, "function",
				  arena_printf(q->s->arena, "%#llx", (unsigned long long)address),
				  linked))
		return q->refused;
	add_address(q, address, linked);
	userreturn_note_address(q, linked);
	q->ret->data[q->ret->count - 1]->pp =
		arena_printf(q->s->arena, "%s.statement(%#llx).absolute%s", prefix,
			     (unsigned long long)address, userpoint_suffix(q));
	return NULL;
}

struct error *userstatement_find(struct question *q, const struct component *c)
{
	uint64_t offset;

	if (q->suffix.is_absolute)
		return find_absolute(q, c);
	if (c->arg_kind == ARG_STRING)
		return userpoint_by_debuginfo(q, c->string, statements_by_debuginfo);
	if (c->arg_kind != ARG_NUMBER)
		return probe_wrong(
			q->s, "'.statement' needs a place, \"FUNCTION@FILE:LINE\", or an address");
	if (!executable_code_offset(q->program, (uint64_t)c->number, &offset))
		return userstatement_no_code(q, (uint64_t)c->number);
	add_address(q, (uint64_t)c->number, (uint64_t)c->number);
	return NULL;
}
