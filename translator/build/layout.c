/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout of a module: how its objects are joined. The runtime is compiled once with
 * everything in it; a script uses a part of it. So each function and variable has its own
 * section, and the linker leaves out sections that nothing refers to (--gc-sections): a
 * module gets half the size, and is relocated and checked in half the time.
 *
 * All other contents of the objects (exception tables, alternatives, parameters, notes …)
 * refer to code and nothing refers to them: the layout lists each such section by name,
 * to be kept. Names are read from the objects, because they differ between kernels.
 */
#include <gelf.h>
#include <ctype.h>
#include <string.h>

#include "base/session.h"
#include "build/recipe.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "types/member.h"

/*
 * Sections of functions and variables are ".text.NAME" and so on, ".rodata..LNAME" of
 * STP_LOCAL; ".data..percpu" and similar names have their own meanings.
 */
#define NAMES(kind)   kind " " kind ".[0-9A-Za-z_]* " kind "..L*"
#define MEMBERS(kind) kind " 0 : { *(" NAMES(kind) ") }\n"

static const char *const member_kinds[] = { ".text", ".rodata", ".data", ".bss" };

/*
 * Sections left out: tables of places where the kernel could patch in calls of its
 * function tracer, which the module's functions do not have, and of places where it could
 * drop lock prefixes on machines with one CPU. They would keep every function that has
 * such a place. Also the compiler's name. The parts of .init.data and .exit.data that
 * belong to the module's first and last function stay: by them objtool of 7.2 knows that
 * the functions were made by module_init().
 */
static const char *const discarded[] = { "__patchable_function_entries", ".smp_locks", ".comment",
					 ".note.GNU-stack" };

/*
 * Tables of places in code. A link in the object ties each to one section of code, and
 * the linker keeps it together with that section. If they were always kept, they would
 * keep the code.
 */
static const char *const linked[] = { ".kcfi_traps" };

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool is_member(const char *name)
{
	for (size_t i = 0; i < sizeof(member_kinds) / sizeof(*member_kinds); i++) {
		size_t len = strlen(member_kinds[i]);

		if (!strncmp(name, member_kinds[i], len) &&
		    (!name[len] ||
		     (name[len] == '.' && (name[len + 1] != '.' || name[len + 2] == 'L'))))
			return true;
	}
	return false;
}

static bool is_discarded(const char *name)
{
	return is_one_of(name, discarded, sizeof(discarded) / sizeof(*discarded));
}

static bool is_kept(const GElf_Shdr *h)
{
	return h->sh_type == SHT_PROGBITS || h->sh_type == SHT_NOBITS || h->sh_type == SHT_NOTE ||
	       h->sh_type == SHT_INIT_ARRAY || h->sh_type == SHT_FINI_ARRAY;
}

static void list_sections(struct arena *a, Elf *elf, words *ret)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr h;
		const char *name = gelf_getshdr(scn, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;

		if (name && *name && is_kept(&h) && !is_member(name) && !is_discarded(name) &&
		    !build_words_have(ret, name))
			vec_push(a, ret, arena_strdup(a, name));
	}
}

static struct error *read_object(struct build *b, const char *path, words *ret)
{
	char *data;
	size_t len;
	Elf *elf;
	struct error *err = path_read(b->s->arena, path, &data, &len);

	if (err)
		return err;
	elf_version(EV_CURRENT);
	elf = elf_memory(data, len);
	if (!elf)
		return error_create(b->s->arena, ERROR_ENVIRONMENT, "%s: %s", path, elf_errmsg(-1));
	list_sections(b->s->arena, elf, ret);
	elf_end(elf);
	return NULL;
}

/*
 * Adds code, first the code that no hit runs: code that the compiler considers unlikely,
 * and whole objects.
 */
static void add_code(struct build *b, struct strbuf *text)
{
	strbuf_adds(text, ".text 0 : { *(.text.unlikely.[0-9A-Za-z_]*)");
	vec_each(&b->objects, i)
		if (object_is_cold(b->objects.data[i]))
			strbuf_addf(text, " \"%s\"(" NAMES(".text") ")",
				    object_path(b, b->objects.data[i]));
	strbuf_adds(text, " " LAYOUT_HOT_CODE " = .; *(" NAMES(".text") ") }\n");
}

struct error *layout_write(struct build *b, const char **ret)
{
	struct arena *a = b->s->arena;
	words kept = { 0 };
	struct strbuf text;
	struct error *err = read_object(b, arena_printf(a, "%s/script.o", b->work), &kept);

	for (size_t i = 0; !err && i < b->objects.count; i++)
		err = read_object(b, object_path(b, b->objects.data[i]), &kept);
	if (err)
		return err;
	strbuf_init(&text, a);
	strbuf_adds(&text, "SECTIONS {\n");
	add_code(b, &text);
	strbuf_adds(&text, MEMBERS(".rodata") MEMBERS(".data") MEMBERS(".bss"));
	vec_each(&kept, i) {
		bool is_linked = is_one_of(kept.data[i], linked, sizeof(linked) / sizeof(*linked));

		strbuf_addf(&text,
			    is_linked ? "\"%s\" 0 : { *(\"%s\") }\n"
				      : "\"%s\" 0 : { KEEP(*(\"%s\")) }\n",
			    kept.data[i], kept.data[i]);
	}
	strbuf_adds(&text, "/DISCARD/ : {");
	for (size_t i = 0; i < sizeof(discarded) / sizeof(*discarded); i++)
		strbuf_addf(&text, " *(%s)", discarded[i]);
	strbuf_adds(&text, " }\n}\n");
	*ret = arena_printf(a, "%s/layout.lds", b->work);
	return path_write(a, *ret, text.s, text.len);
}
