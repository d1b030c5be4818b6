/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that are linked into a module besides the script's own: the runtime, its parts
 * and the probe families that the script uses, as pass 3 has noted them
 * (emit/linkparts.h). They do not depend on the script and are kept with the kernel's
 * other files.
 */
#include <string.h>

#include "base/session.h"
#include "build/parts.h"
#include "emit/linkparts.h"
#include "lib/error.h"
#include "lib/path.h"

#define SETUP  "runtime_setup"
#define POINTS "points"

/*
 * Frame pointers make small tables for the unwinder: a function needs two or three rows,
 * while otherwise each push and pop would need its own, and a row with its relocation is
 * 34 bytes. Gaps between aligned functions would be rows as well. This saves a tenth of a
 * module, for one or two instructions per call. Generated code, where each instruction
 * counts, has no frame pointers. Neither have functions that call nothing: they hardly
 * push anything, and nobody unwinds through them by frame pointers.
 */
#define FRAMES "-fno-omit-frame-pointer -momit-leaf-frame-pointer -falign-functions=1"

bool object_is_cold(const char *object)
{
	return !strcmp(object, SETUP) || !strcmp(object, POINTS);
}

const char *object_flags(const char *object)
{
	static const char *const flags[] = { FRAMES, "-Os " FRAMES };

	return flags[object_is_cold(object) || !strcmp(object, "syscalls")];
}

bool build_words_have(const words *list, const char *word)
{
	vec_each(list, i)
		if (!strcmp(list->data[i], word))
			return true;
	return false;
}

void objects_of(struct build *b)
{
	struct arena *a = b->s->arena;

	vec_push(a, &b->objects, "runtime");
	vec_push(a, &b->objects, SETUP);
	for (unsigned part = 0; part < PART_COUNT; part++)
		if (linkparts_has(b->s, part))
			vec_push(a, &b->objects, linkparts_object(part));
}

/*
 * A family with one file is a unit itself; the unit of a family with a folder is in
 * objects/.
 */
const char *object_source(struct build *b, const char *object)
{
	const char *unit = arena_printf(b->s->arena, "%s/objects/%s.c", b->runtime, object);

	if (strncmp(object, "family_", 7) || path_exists(unit))
		return unit;
	return arena_printf(b->s->arena, "%s/probe/%s.c", b->runtime, object + 7);
}

const char *object_file(struct build *b, const char *object)
{
	return arena_printf(b->s->arena, "stp-%s", object);
}

const char *object_path(struct build *b, const char *object)
{
	return arena_printf(b->s->arena, "%s/%s.o", b->kernel_dir, object);
}

const char *objects_module_info_path(struct build *b)
{
	return arena_printf(b->s->arena, "%s/%s.mod.o", b->work, b->name);
}
