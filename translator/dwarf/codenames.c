/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/codenames.h"

#include <dwarf.h>
#include <gelf.h>
#include <limits.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/languages.h"
#include "program/symbolname.h"

#define MOST_NAMES 1000 /* of a type */

static void add(struct session *s, code_names *ret, uint64_t address, const char *begin,
		const char *end)
{
	if (address && end > begin && ret->count < MOST_NAMES)
		vec_push(s->arena, ret,
			 ((struct code_name){
				 address, arena_strndup(s->arena, begin, (size_t)(end - begin)) }));
}

/* ---- functions of the C++ library ---- */

/* The names of a type's functions, mangled and as they are written. */
static const struct code_family {
	const char *type, *mangled, *before, *after;
} families[] = {
	{ "std::any", "_ZNSt3any17_Manager_internalI", "_Manager_internal<", ">::_S_manage(" },
	{ "std::any", "_ZNSt3any17_Manager_externalI", "_Manager_external<", ">::_S_manage(" },
	{ "std::function<", "_ZNSt17_Function_handlerI", "_Function_handler<", ">::_M_invoke(" },
};

/* Returns the end of the first parameter of a template, or NULL. */
static const char *first_end(const char *text)
{
	unsigned depth = 0;

	for (; *text; text++) {
		if (!depth && *text == ',')
			return text;
		depth += *text == '<' || *text == '(';
		depth -= depth && (*text == '>' || *text == ')');
	}
	return NULL;
}

/* True: both are the same but for blanks. */
static bool is_same(const char *a, const char *a_end, const char *b, const char *b_end)
{
	for (;; a++, b++) {
		while (a < a_end && *a == ' ')
			a++;
		while (b < b_end && *b == ' ')
			b++;
		if (a == a_end || b == b_end)
			return a == a_end && b == b_end;
		if (*a != *b)
			return false;
	}
}

/* Adds what a function is for, if it is one of that type. */
static void add_function(struct session *s, const struct code_family *f, const char *type,
			 const char *symbol, uint64_t address, code_names *ret)
{
	static const char string[] = "std::string",
			  long_string[] =
				  "std::__cxx11::basic_string<char, std::char_traits<char>, "
				  "std::allocator<char> >";
	const char *text = symbolname_demangle(s, symbol),
		   *begin = text ? strstr(text, f->before) : NULL,
		   *end = begin ? strstr(begin, f->after) : NULL, *mark = strchr(type, '<');

	if (!end)
		return;
	begin += strlen(f->before);
	if (mark) { /* a function of those arguments, and what is called */
		const char *comma = first_end(begin);

		if (!comma || !is_same(begin, comma, mark + 1, type + strlen(type) - 1))
			return;
		begin = comma + 2;
	}
	if (is_same(begin, end, long_string, long_string + strlen(long_string)))
		add(s, ret, address, string, string + strlen(string));
	else
		add(s, ret, address, begin, end);
}

static void list_symbols(struct session *s, Elf *elf, Elf_Scn *scn, const GElf_Shdr *h,
			 code_names *ret)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && h->sh_entsize ? h->sh_size / h->sh_entsize : 0;

	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym))
			return;
		name = elf_strptr(elf, h->sh_link, sym.st_name);
		for (size_t f = 0; name && f < sizeof(families) / sizeof(families[0]); f++)
			if (!strncmp(name, families[f].mangled, strlen(families[f].mangled)))
				vec_push(s->arena, ret, ((struct code_name){ sym.st_value, name }));
	}
}

static void find_functions(struct codenames *x, const char *type, code_names *ret)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(x->unit.cu));
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while (!x->has_functions && (scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
			list_symbols(x->s, elf, scn, &h, &x->functions);
	x->has_functions = true;
	vec_each(&x->functions, i) {
		const struct code_name *symbol = &x->functions.data[i];

		for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++)
			if (!strncmp(type, families[f].type, strlen(families[f].type)) &&
			    !strncmp(symbol->type, families[f].mangled,
				     strlen(families[f].mangled)))
				add_function(x->s, &families[f], type, symbol->type,
					     symbol->address, ret);
	}
}

/* ---- tables of Rust's traits ---- */

/* Lists a table, whose name is <TYPE as TRAIT>::{vtable}. */
static void list_table(struct codenames *x, Dwarf_Die *die)
{
	static const char mark[] = ">::{vtable}";
	const char *name = dwarf_diename(die);
	size_t len = name ? strlen(name) : 0;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (len > strlen(mark) && *name == '<' && !strcmp(name + len - strlen(mark), mark) &&
	    dwarf_attr(die, DW_AT_location, &attr) && !dwarf_getlocation(&attr, &ops, &n) &&
	    n == 1 && ops->atom == DW_OP_addr)
		vec_push(x->s->arena, &x->tables, ((struct code_name){ ops->number, name }));
}

/* Lists the tables of all units: a unit that is given a value has not made it. */
static void list_tables(struct codenames *x)
{
	Dwarf *dw = dwarf_cu_getdwarf(x->unit.cu);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, child;
	uint8_t kind;

	while (!dwarf_get_units(dw, cu, &cu, NULL, &kind, &die, NULL)) {
		if (kind != DW_UT_compile || !languages_is_rust(&die) || dwarf_child(&die, &child))
			continue;
		do {
			if (dwarf_tag(&child) == DW_TAG_variable)
				list_table(x, &child);
		} while (!dwarf_siblingof(&child, &child));
	}
}

/* A trait with others, such as dyn Any + Send, has the tables of the first one. */
static void find_tables(struct codenames *x, const char *trait, code_names *ret)
{
	size_t len = strcspn(trait, "+,>");

	while (len && trait[len - 1] == ' ')
		len--;
	if (!x->has_tables)
		list_tables(x);
	x->has_tables = true;
	vec_each(&x->tables, i) {
		const struct code_name *table = &x->tables.data[i];
		const char *name = table->type;

		for (const char *at = name; (at = strstr(at, " as ")) != NULL; at++)
			if (!strncmp(at + 4, trait, len) && !strcmp(at + 4 + len, ">::{vtable}"))
				add(x->s, ret, table->address, name + 1, at);
	}
}

bool codenames_may_be(const char *name)
{
	return !strcmp(name, "any") || !strncmp(name, "function<", 9) || strstr(name, "dyn ");
}

void codenames_find(struct codenames *x, const char *type, code_names *ret)
{
	static const char *const pointers[] = { "&dyn ", "&mut dyn ", "alloc::boxed::Box<dyn ",
						"alloc::rc::Rc<dyn ", "alloc::sync::Arc<dyn " };

	if (!strcmp(type, "std::any") || !strncmp(type, "std::function<", 14)) {
		find_functions(x, type, ret);
		return;
	}
	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++)
		if (!strncmp(type, pointers[i], strlen(pointers[i])))
			find_tables(x, type + strlen(pointers[i]), ret);
}
