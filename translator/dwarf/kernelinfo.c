/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debuginfo of the kernel. Each of the directories is searched; the first one is
 * TREE/usr/lib/debug:
 *
 *   the kernel:  DIR/boot/vmlinux-RELEASE  DIR/lib/modules/RELEASE/vmlinux
 *                DIR/vmlinux-RELEASE  BUILD/vmlinux
 *   a module:    DIR/lib/modules/RELEASE/kernel/…/m.ko  the same with .debug
 *                DIR/.build-id/xx/yyy.debug  the module itself, packed or not
 */
#include "dwarf/kernelinfo.h"

#include <stdlib.h>
#include <string.h>

#include "lib/error.h"
#include "lib/hashmap.h"
#include "base/diag.h"
#include "lib/path.h"
#include "base/session.h"
#include "lib/strbuf.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "types/member.h"
#include "drift/drift.h"
#include "types/memberdrift.h"
#include "dwarf/debugfile.h"
#include "base/options.h"
#include "base/remedy.h"
#include "types/types.h"

#define KERNEL_ANCHOR "init_task" /* exported: stp_kernel_anchor() */

typedef VEC(const char *) paths;

/* ---- finding ---- */

/*
 * Reads SystemTap's list: it may have '+' or '-' (for checksums) before a directory;
 * relative names are for programs.
 */
static void debug_dirs(struct session *s, paths *ret)
{
	const char *list = getenv("SYSTEMTAP_DEBUGINFO_PATH");

	if (*s->kernel->root && (!list || !*list))
		vec_push(s->arena, ret,
			 arena_printf(s->arena, "%s/usr/lib/debug", s->kernel->root));
	for (const char *at = list && *list ? list : DEBUGINFO_PATH, *end; *at;
	     at = end + (*end == ':')) {
		end = strchrnul(at, ':');
		if (*at == '+' || *at == '-')
			at++;
		if (*at == '/')
			vec_push(s->arena, ret, arena_strndup(s->arena, at, (size_t)(end - at)));
	}
}

static void kernel_paths(struct session *s, paths *ret)
{
	const char *release = s->kernel->release;
	paths dirs = { 0 };

	debug_dirs(s, &dirs);
	if (s->options->release && *s->options->release == '/')
		vec_push(s->arena, ret, arena_printf(s->arena, "%s/vmlinux", s->kernel->build_dir));
	vec_each(&dirs, i) {
		vec_push(s->arena, ret,
			 arena_printf(s->arena, "%s/boot/vmlinux-%s", dirs.data[i], release));
		vec_push(
			s->arena, ret,
			arena_printf(s->arena, "%s/lib/modules/%s/vmlinux", dirs.data[i], release));
		vec_push(s->arena, ret,
			 arena_printf(s->arena, "%s/vmlinux-%s", dirs.data[i], release));
	}
	vec_push(s->arena, ret, arena_printf(s->arena, "%s/vmlinux", s->kernel->build_dir));
}

/* Returns "xx/yyyy.debug" from the note in the module; NULL: it has none. */
static const char *build_id_path(struct session *s, const char *path)
{
	struct bytes file, elf, note;
	struct strbuf text;

	if (file_map(s->arena, path, &file) || unpack(s->arena, &file, &elf) || !elf_is(&elf) ||
	    elf_section(s->arena, &elf, ".note.gnu.build-id", &note) || note.len < 16 + 2 ||
	    note.len > 16 + 64)
		return NULL;
	strbuf_init(&text, s->arena);
	strbuf_addhex(&text, note.data + 16, 1);
	strbuf_addc(&text, '/');
	strbuf_addhex(&text, note.data + 17, note.len - 17);
	strbuf_adds(&text, ".debug");
	return text.s;
}

static void module_paths(struct session *s, const struct kernel_module *m, paths *ret)
{
	const char *packed = strstr(m->path, ".ko."), *id = build_id_path(s, m->path);
	const char *plain =
		packed ? arena_strndup(s->arena, m->path, (size_t)(packed + 3 - m->path)) : m->path;
	size_t root = strlen(s->kernel->root);
	paths dirs = { 0 };

	if (!strncmp(plain, s->kernel->root, root))
		plain += root;

	debug_dirs(s, &dirs);
	vec_each(&dirs, i) {
		vec_push(s->arena, ret, arena_printf(s->arena, "%s%s", dirs.data[i], plain));
		vec_push(s->arena, ret, arena_printf(s->arena, "%s%s.debug", dirs.data[i], plain));
		if (id)
			vec_push(s->arena, ret,
				 arena_printf(s->arena, "%s/.build-id/%s", dirs.data[i], id));
	}
	vec_push(s->arena, ret, m->path);
}

static struct error *absent(struct session *s, const char *module)
{
	const char *what = module ? arena_printf(s->arena, "module '%s'", module) : "kernel";
	const char *command = remedy_command(s->arena, REMEDY_DEBUGINFO, s->kernel->release);
	struct error *err = error_create(s->arena, ERROR_ABSENT,
					 "no debuginfo of %s%s%s; %s%sname the directory that "
					 "has it in SYSTEMTAP_DEBUGINFO_PATH",
					 what, module ? " of kernel " : " ", s->kernel->release,
					 command, *command ? ", or " : "");

	return diag_error_page(err, PAGE_DWARF);
}

/* Opens the first file that exists and has DWARF. */
static struct error *open_first(struct session *s, const paths *list, const char *module,
				struct dwarf_file **ret)
{
	vec_each(list, i) {
		struct error *err;

		if (!path_exists(list->data[i]))
			continue;
		err = dwarf_open(s, list->data[i], ret);
		if (!err || err->kind != ERROR_ABSENT)
			return err;
	}
	return absent(s, module);
}

/* Asks a server by the build-id in the kernel's image. */
static struct error *fetch(struct session *s, struct error *absent, struct dwarf_file **ret)
{
	const char *servers = getenv("DEBUGINFOD_URLS"), *vmlinuz;
	struct bytes image;
	struct error *err;

	if (!servers || !*servers || vmlinux_image(s, &image, &vmlinuz))
		return absent;
	err = dwarf_open_bytes(s, vmlinuz, &image, ret);
	if (!err)
		return NULL;
	return error_create(s->arena, ERROR_ABSENT,
			    "%s; nor is it to be had from DEBUGINFOD_URLS: %s", absent->text,
			    err->text);
}

static struct error *open_kernel(struct session *s, const char *module, struct dwarf_file **ret)
{
	struct kernel_module *m;
	paths list = { 0 };
	struct error *err = module ? module_find(s, module, &m) : NULL;

	if (err)
		return err;
	if (module)
		module_paths(s, m, &list);
	else
		kernel_paths(s, &list);
	err = open_first(s, &list, module, ret);
	if (err && err->kind == ERROR_ABSENT && !module)
		err = fetch(s, err, ret);
	if (err)
		return err;
	(*ret)->is_kernel = true;
	(*ret)->module_name = module ? m->name : NULL;
	return NULL;
}

struct error *dwarf_kernel(struct session *s, const char *module, struct dwarf_file **ret)
{
	struct error *err = kernel_need(s);
	struct dwarf_opened *o;

	if (err)
		return err;
	o = dwarf_opened(s, arena_printf(s->arena, "module %s", module ? module : ""));
	if (!o->is_tried) {
		o->is_tried = true;
		o->failure = open_kernel(s, module, &o->file);
	}
	*ret = o->file;
	return o->failure;
}

/* ---- places in the running kernel ---- */

static int by_address(const void *a, const void *b)
{
	const struct code_symbol *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static bool is_code_or_data(const GElf_Sym *sym)
{
	return GELF_ST_TYPE(sym->st_info) == STT_FUNC || GELF_ST_TYPE(sym->st_info) == STT_OBJECT;
}

/*
 * Reads the symbols whose names occur once: of two symbols with one name, the wrong one
 * could be found.
 */
static void read_symbols(struct session *s, struct dwarf_file *f)
{
	int n = dwfl_module_getsymtab(f->module);
	struct hashmap seen;

	hashmap_init(&seen, s->arena);
	f->symbols_read = true;
	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Word section = 0;
		struct code_symbol c = { 0 };
		const char *name = dwfl_module_getsym_info(f->module, i, &sym, &c.address, &section,
							   NULL, NULL);
		uintptr_t before;

		if (!name || !*name || !is_code_or_data(&sym) || !sym.st_shndx)
			continue;
		c.name = name;
		c.section = section ? section : sym.st_shndx;
		before = (uintptr_t)hashmap_get(&seen, name);
		if (before)
			f->symbols.data[before - 1].name = NULL;
		else
			hashmap_put(&seen, name, (void *)(f->symbols.count + 1));
		if (before)
			c.name = NULL;
		vec_push(s->arena, &f->symbols, c);
	}
	if (f->symbols.count)
		vec_sort(&f->symbols, by_address);
}

static const struct code_symbol *symbol_before(const struct dwarf_file *f, uint64_t address,
					       size_t section)
{
	size_t low = 0, high = f->symbols.count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->symbols.data[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	while (low-- > 0)
		if (f->symbols.data[low].name && f->symbols.data[low].section == section)
			return &f->symbols.data[low];
	return NULL;
}

static const char *section_name(struct dwarf_file *f, uint64_t address, size_t *number,
				uint64_t *begin)
{
	Dwarf_Addr bias, inside = address;
	Elf_Scn *section = dwfl_module_address_section(f->module, &inside, &bias);
	Elf *elf = dwfl_module_getelf(f->module, &bias);
	GElf_Shdr h;
	size_t names;

	if (!section || !elf || !gelf_getshdr(section, &h) || elf_getshdrstrndx(elf, &names))
		return NULL;
	*number = elf_ndxscn(section);
	*begin = address - inside;
	return elf_strptr(elf, names, h.sh_name);
}

static struct error *gone(struct session *s, const struct dwarf_place *p)
{
	return error_create(
		s->arena, ERROR_ABSENT, "'%s' runs while the %s: it cannot be probed", p->function,
		p->file->module_name ? "module starts, and does not exist afterwards"
				     : "kernel starts or ends, and does not exist in between");
}

/* A module's exit functions are there as long as the module is; the kernel has none. */
static bool is_passing(const struct dwarf_file *f, const char *section)
{
	return strstr(section, "init.") || (!f->module_name && strstr(section, "exit."));
}

bool dwarf_kernel_section(struct dwarf_file *f, uint64_t address, uint64_t *begin)
{
	size_t number;
	const char *section = section_name(f, address, &number, begin);

	return section && !is_passing(f, section);
}

struct error *dwarf_kernel_locate(struct session *s, struct dwarf_place *p)
{
	struct dwarf_file *f = p->file;
	const struct code_symbol *symbol;
	size_t number;
	uint64_t begin;
	const char *section = section_name(f, p->address, &number, &begin);

	if (!section || is_passing(f, section))
		return gone(s, p);
	/* A kernel begins with its code. */
	if (!f->module_name) {
		p->symbol = "_text";
		p->offset = p->address - begin;
		return strcmp(section, ".text") ? gone(s, p) : NULL;
	}
	if (!f->symbols_read)
		read_symbols(s, f);
	symbol = symbol_before(f, p->address, number);
	if (!symbol)
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s' does not come after any symbol of module '%s'",
				    p->function, f->module_name);
	p->symbol = symbol->name;
	p->offset = p->address - symbol->address;
	return NULL;
}

/* ---- variables ---- */

struct access_expression *dwarf_from_anchor(struct session *s, struct access_operation anchor,
					    int64_t distance)
{
	struct access_expression *x = arena_new(s->arena, struct access_expression);
	struct access_operation number = { .kind = ACCESS_CONSTANT, .number = distance };
	struct access_operation sum = { .kind = ACCESS_BINARY, .op = OP_ADD, .a = 0, .b = 1 };

	vec_push(s->arena, &x->operations, anchor);
	vec_push(s->arena, &x->operations, number);
	vec_push(s->arena, &x->operations, sum);
	vec_push(s->arena, &x->words, 2);
	return x;
}

struct error *dwarf_constant(struct session *s, const struct dwarf_global *variable,
			     const path_steps *path, bool address_of, struct access *a)
{
	struct path_start start = { .btf = variable->btf,
				    .type_id = variable->type,
				    .place = PATH_VALUE };
	struct access_operation number = { .kind = ACCESS_CONSTANT,
					   .number = (int64_t)variable->address };
	struct access_expression *x = arena_new(s->arena, struct access_expression);

	vec_push(s->arena, &x->operations, number);
	vec_push(s->arena, &x->words, 0);
	a->base = ACCESS_EXPRESSION;
	a->expression = x;
	return member_follow(s, &start, path, address_of, a);
}

static struct error *is_variable_there(struct session *s, struct dwarf_file *f, uint64_t address,
				       const char *name, size_t *number)
{
	uint64_t begin;
	const char *section = section_name(f, address, number, &begin);

	if (section && strstr(section, "percpu"))
		return error_create(s->arena, ERROR_SCRIPT,
				    "'%s' is a per-CPU variable: each CPU has its "
				    "own, and none is selected",
				    name);
	if (section && strstr(section, "init."))
		return error_create(s->arena, ERROR_ABSENT,
				    "'%s' exists only while the kernel starts", name);
	return NULL;
}

struct error *dwarf_module_symbol(struct session *s, struct dwarf_file *f, uint64_t address,
				  const char **name, int64_t *distance)
{
	const struct code_symbol *symbol;
	size_t number = 0;
	struct error *err = is_variable_there(s, f, address, "it", &number);

	if (err)
		return err;
	if (!f->symbols_read)
		read_symbols(s, f);
	symbol = symbol_before(f, address, number);
	if (!symbol)
		return error_create(s->arena, ERROR_ABSENT,
				    "no symbol of module '%s' has its address", f->module_name);
	*name = symbol->name;
	*distance = (int64_t)(address - symbol->address);
	return NULL;
}

struct error *dwarf_kernel_anchor(struct session *s, struct dwarf_file *f, uint64_t *ret)
{
	struct dwarf_global anchor;
	struct error *err = dwarf_global(s, f, KERNEL_ANCHOR, &anchor);

	*ret = err ? 0 : anchor.address;
	return err;
}

/*
 * Makes an access by the distance from the kernel's anchor, which is the same as in the
 * file; every module knows the anchor's address.
 */
static struct error *of_kernel(struct session *s, struct dwarf_file *f,
			       const struct dwarf_global *variable, struct access *a)
{
	struct access_operation op = { .kind = ACCESS_ANCHOR };
	uint64_t anchor;
	size_t number;
	struct error *err = dwarf_kernel_anchor(s, f, &anchor);

	if (!err)
		err = is_variable_there(s, f, variable->address, variable->name, &number);
	if (!err)
		a->expression = dwarf_from_anchor(s, op, (int64_t)(variable->address - anchor));
	return err;
}

static struct error *of_module(struct session *s, struct dwarf_file *f,
			       const struct dwarf_global *variable, struct access *a)
{
	struct access_operation op = { .kind = ACCESS_SYMBOL, .module = f->module_name };
	int64_t distance;
	struct error *err = dwarf_module_symbol(s, f, variable->address, &op.symbol, &distance);

	if (!err)
		a->expression = dwarf_from_anchor(s, op, distance);
	return err;
}

/*
 * Variables for kernels without debuginfo: the kernel's symbols give the address, and
 * this table gives the type of variables that old scripts read.
 */
static const struct known_variable {
	const char *name, *type;
} known_variables[] = {
#define ROW(name, type) { name, type },
#include "dwarf/variables.def"
#undef ROW
};

static struct error *known_variable(struct session *s, const char *pattern, const path_steps *path,
				    bool address_of, struct error *err, struct access *a)
{
	struct access_operation op = { .kind = ACCESS_SYMBOL };
	struct path_start start = { .place = PATH_ADDRESS };
	size_t len = strcspn(pattern, "@");

	for (size_t i = 0; i < sizeof(known_variables) / sizeof(known_variables[0]); i++) {
		const struct known_variable *known = &known_variables[i];

		if (strlen(known->name) != len || strncmp(known->name, pattern, len) ||
		    types_find(s, NULL, known->type, &start.btf, &start.type_id))
			continue;
		op.symbol = known->name;
		a->base = ACCESS_EXPRESSION;
		a->expression = dwarf_from_anchor(s, op, 0);
		return member_follow(s, &start, path, address_of, a);
	}
	return err;
}

static struct error *plain_variable(struct session *s, const char *module, const char *pattern,
				    const path_steps *path, bool address_of, struct access *a)
{
	struct dwarf_file *f;
	struct dwarf_global variable;
	struct path_start start = { .place = PATH_ADDRESS };
	struct error *err = dwarf_kernel(s, module, &f);

	if (err && err->kind == ERROR_ABSENT && !module)
		return known_variable(s, pattern, path, address_of, err, a);
	if (err)
		return err;
	if (!err)
		err = dwarf_global(s, f, pattern, &variable);
	if (err && err->kind == ERROR_ABSENT && !dwarf_declared(s, f, pattern, &variable))
		err = NULL;
	if (!err && variable.is_constant)
		return dwarf_constant(s, &variable, path, address_of, a);
	if (!err)
		err = module ? of_module(s, f, &variable, a) : of_kernel(s, f, &variable, a);
	if (err)
		return err;
	a->base = ACCESS_EXPRESSION;
	start.btf = variable.btf;
	start.type_id = variable.type;
	return member_follow(s, &start, path, address_of, a);
}

/*
 * First looks for the successor of a variable that became a member: without debuginfo
 * nobody can tell that the variable itself has gone, but no kernel has both.
 */
static bool drifted_variable(struct session *s, const char *pattern, const path_steps *path,
			     bool address_of, struct access *a)
{
	const struct drift *row =
		drift_variable(s->arena, arena_strndup(s->arena, pattern, strcspn(pattern, "@")));
	const struct successor *now = row && row->now.count ? &row->now.data[0] : NULL;
	struct access moved = *a;
	path_steps steps = { 0 };

	if (!now)
		return false;
	memberdrift_path(s->arena, now, path, (struct loc){ 0 }, &steps);
	if (plain_variable(s, NULL, now->name, &steps, address_of, &moved))
		return false;
	*a = moved;
	a->drift = arena_printf(s->arena, "there is no variable '%s' %s; '%s' is taken", row->old,
				drift_story(s->arena, row), now->text);
	return true;
}

struct error *dwarf_kernel_variable(struct session *s, const char *module, const char *pattern,
				    const path_steps *path, bool address_of, struct access *a)
{
	return !module && drifted_variable(s, pattern, path, address_of, a)
		       ? NULL
		       : plain_variable(s, module, pattern, path, address_of, a);
}
