/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/units.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/session.h"
#include "dwarf/debugfile.h"

#define FILE_SHIFT 40 /* offsets in a file are smaller */
/* number of the file in which dwz has put shared parts */
#define SHARED ((UINT64_C(1) << (64 - FILE_SHIFT)) - 1)

static const char *attribute_text(Dwarf_Die *die, unsigned one, unsigned other)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, one, &attr) || dwarf_attr(die, other, &attr)
		       ? dwarf_formstring(&attr)
		       : NULL;
}

static uint64_t number_of(const struct dwarf_file *f, const Dwarf *split)
{
	if (split != f->dwarf && split == dwarf_getalt(f->dwarf))
		return SHARED;
	vec_each(&f->splits, i)
		if (f->splits.data[i] == split)
			return i + 1;
	return 0;
}

#define READS_PACKAGES 191 /* libdw 0.191 is the first that does */

/*
 * Names the package of split units (.dwp), into which dwp(1) puts all of a program, when
 * libdw did not find the unit in it. libdw opens it by itself.
 */
static const char *useless_package(struct session *s, const struct dwarf_file *f, const char *unit)
{
	const char *package = arena_printf(s->arena, "%s.dwp", f->path);
	unsigned minor = 0;

	if (access(package, F_OK))
		return NULL;
	if (sscanf(dwfl_version(NULL), "0.%u", &minor) == 1 && minor < READS_PACKAGES)
		return arena_printf(s->arena,
				    "%s, which libdw %s cannot read: 0.191 and newer can; any "
				    "reads the .dwo files",
				    package, dwfl_version(NULL));
	return arena_printf(s->arena, "%s, which is missing and not in %s", unit, package);
}

#define UNREADABLE                                                                                 \
	"belongs to another build of the program, or was compiled with -fdebug-types-section, "    \
	"which libdw %s cannot read in such files; compile the program again, without that option"

/* Notes a split unit that is not there, or of no use. */
static void note_missing(struct session *s, struct dwarf_file *f, Dwarf_Die *unit)
{
	const char *name = attribute_text(unit, DW_AT_dwo_name, DW_AT_GNU_dwo_name),
		   *dir = attribute_text(unit, DW_AT_comp_dir, DW_AT_comp_dir);

	if (!name || f->missing_split)
		return;
	f->missing_split = useless_package(s, f, name);
	if (f->missing_split)
		return;
	name = arena_printf(s->arena, "%s%s%s", *name == '/' || !dir ? "" : dir,
			    *name == '/' || !dir ? "" : "/", name);
	f->missing_split = access(name, F_OK) ? arena_printf(s->arena, "%s, which is missing", name)
					      : arena_printf(s->arena, "%s, which " UNREADABLE,
							     name, dwfl_version(NULL));
}

/* Notes a missing shared file, which contains names and types. */
static void note_missing_shared(struct session *s, struct dwarf_file *f)
{
	const char *name;
	const void *id;

	if (!f->missing_split && !dwarf_getalt(f->dwarf) &&
	    dwelf_dwarf_gnu_debugaltlink(f->dwarf, &name, &id) > 0)
		f->missing_split = arena_printf(s->arena, "%s, which is missing", name);
}

void units_resolve(struct session *s, struct dwarf_file *f, Dwarf_Die *unit)
{
	Dwarf_Die split = { 0 };
	uint8_t kind = 0;
	Dwarf *file;

	/* In a type unit, libdw's sub-DIE is the type. */
	if (dwarf_cu_info(unit->cu, NULL, &kind, NULL, &split, NULL, NULL, NULL) ||
	    kind != DW_UT_skeleton)
		return;
	if (!split.addr) {
		note_missing(s, f, unit);
		return;
	}
	*unit = split;
	file = dwarf_cu_getdwarf(split.cu);
	if (file != f->dwarf && !number_of(f, file))
		vec_push(s->arena, &f->splits, file);
}

bool units_next(struct session *s, struct dwarf_file *f, Dwarf_CU **cu, Dwarf_Die *unit)
{
	Dwarf *in = *cu ? dwarf_cu_getdwarf(*cu) : f->dwarf, *shared;

	if (dwarf_get_units(in, *cu, cu, NULL, NULL, unit, NULL)) {
		shared = in == f->dwarf ? dwarf_getalt(in) : NULL;
		*cu = NULL;
		if (!shared || dwarf_get_units(shared, NULL, cu, NULL, NULL, unit, NULL))
			return false;
	}
	units_resolve(s, f, unit);
	return true;
}

uint64_t units_id(const struct dwarf_file *f, Dwarf_Die *die)
{
	return dwarf_dieoffset(die) | number_of(f, dwarf_cu_getdwarf(die->cu)) << FILE_SHIFT;
}

Dwarf_Die *units_die(const struct dwarf_file *f, uint64_t id, Dwarf_Die *ret)
{
	uint64_t number = id >> FILE_SHIFT;
	Dwarf *file = f->dwarf;

	if (number == SHARED)
		file = dwarf_getalt(f->dwarf);
	else if (number > f->splits.count)
		return NULL;
	else if (number)
		file = f->splits.data[number - 1];
	return file ? dwarf_offdie(file, id & ((UINT64_C(1) << FILE_SHIFT) - 1), ret) : NULL;
}

/*
 * True: there may be split units. The addresses of theirs are in .debug_addr of the file
 * itself. Units are not looked at without it: that takes a kernel 100 MB of memory.
 */
static bool has_addresses(const struct dwarf_file *f)
{
	Elf *elf = dwarf_getelf(f->dwarf);
	Elf_Scn *section = NULL;
	size_t names;
	GElf_Shdr h;

	if (elf_getshdrstrndx(elf, &names))
		return true;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *name =
			gelf_getshdr(section, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;

		if (name && (!strcmp(name, ".debug_addr") || !strcmp(name, ".zdebug_addr")))
			return true;
	}
	return false;
}

bool units_are_split(struct session *s, struct dwarf_file *f)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (!f->splits_known && has_addresses(f))
		while (units_next(s, f, &cu, &unit))
			;
	note_missing_shared(s, f);
	f->splits_known = true;
	return f->splits.count || f->missing_split;
}

const char *dwarf_missing_split(struct session *s, struct dwarf_file *f)
{
	return units_are_split(s, f) ? f->missing_split : NULL;
}
