/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bpfcheck.h. */
#include "staprun/bpfcheck.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/confined.h"
#include "lib/printable.h"
#include "staprun/bpffacts.h"
#include "staprun/load.h"
#include "staprun/privileges.h"
#include "staprun/report.h"
#include "staprun/smallfile.h"

/* Defined here because the headers of some distributions are too old. */
#define MAP_TYPE_ARENA 33
#define F_MMAPABLE     (1u << 10)

#define SYMBOLS	   "/proc/kallsyms"
#define NAME_MOST  512 /* of a symbol */
#define CAPABILITY "CAP_BPF and CAP_PERFMON"

enum { CHECK_OK, CHECK_REFUSED = 4 };

enum need {
#define NEED(id, word, symbols, remedy) NEED_##id,
#include "uapi/needs.def"
	NEEDS
};

static const struct {
	const char *word, *symbols, *remedy;
} kinds[NEEDS] = {
#define NEED(id, word, symbols, remedy) [NEED_##id] = { word, symbols, remedy },
#include "uapi/needs.def"
};

/* A fact stap_needs. */
struct need_fact {
	const char *text; /* "WORD NAME" */
	enum need kind;
	const char *name; /* in it, or "" */
	bool is_there;
};

/* A symbol that satisfies a fact. */
struct wanted_symbol {
	char *name;
	struct need_fact *fact;
};

struct check {
	struct need_fact *facts;
	size_t count;
	struct wanted_symbol *symbols;
	size_t nsymbols;
	bool has_arena, is_denied, has_symbols;
	unsigned missing;
};

/* Returns a descriptor, or -errno. */
static int make_arena(void)
{
	union bpf_attr attr = { .map_type = MAP_TYPE_ARENA,
				.max_entries = 1,
				.map_flags = F_MMAPABLE };

	int fd = (int)syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));

	return fd < 0 ? -errno : fd;
}

/* ---- the facts ---- */

static bool set_kind(struct need_fact *f)
{
	for (unsigned i = 0; i < NEEDS; i++) {
		size_t len = strlen(kinds[i].word);

		if (strncmp(f->text, kinds[i].word, len) || (f->text[len] && f->text[len] != ' '))
			continue;
		f->kind = (enum need)i;
		f->name = f->text + len + (f->text[len] == ' ');
		return true;
	}
	return false;
}

/* Reads the needs. A word that is not known here is of a later stap, and is missing. */
static bool read_needs(struct check *c, const struct modinfo_section *s)
{
	static const char key[] = "stap_needs=";

	c->facts = calloc(s->size + 1, sizeof(*c->facts));
	for (size_t at = 0; c->facts && at < s->size; at += strlen(s->data + at) + 1) {
		struct need_fact *f = &c->facts[c->count];

		if (strncmp(s->data + at, key, sizeof(key) - 1))
			continue;
		f->text = s->data + at + sizeof(key) - 1;
		if (!set_kind(f))
			f->kind = NEEDS;
		c->count++;
	}
	return c->facts;
}

/* ---- symbols of the kernel ---- */

static int compare_symbols(const void *a, const void *b)
{
	return strcmp(((const struct wanted_symbol *)a)->name,
		      ((const struct wanted_symbol *)b)->name);
}

/* Adds the symbols of a fact. The name of one in a module is "NAME [MODULE]". */
static void add_symbols(struct check *c, struct need_fact *f)
{
	const char *rest = f->kind < NEEDS ? kinds[f->kind].symbols : "";

	while (*rest) {
		char one[64];
		size_t len = strcspn(rest, " ");
		struct wanted_symbol *w = &c->symbols[c->nsymbols];
		const char *place;

		snprintf(one, sizeof(one), "%.*s", (int)len, rest);
		rest += len + (rest[len] == ' ');
		place = strstr(one, "%s");
		if (asprintf(&w->name, "%.*s%s", place ? (int)(place - one) : (int)len, one,
			     place ? f->name : "") < 0)
			continue;
		w->fact = f;
		c->nsymbols++;
	}
}

/* Marks all facts that a symbol satisfies. */
static void mark(struct check *c, char *name)
{
	const struct wanted_symbol key = { .name = name };
	struct wanted_symbol *found =
		bsearch(&key, c->symbols, c->nsymbols, sizeof(*c->symbols), compare_symbols);

	while (found && found > c->symbols && !strcmp(found[-1].name, name))
		found--;
	for (; found && found < c->symbols + c->nsymbols && !strcmp(found->name, name); found++)
		found->fact->is_there = true;
}

/* Reads lines "ADDRESS TYPE NAME" and, of modules, "ADDRESS TYPE NAME\t[MODULE]". */
static void read_symbols(struct check *c)
{
	FILE *f = fopen(SYMBOLS, "re");
	char line[NAME_MOST], name[NAME_MOST], module[NAME_MOST], both[2 * NAME_MOST + 2];

	while (f && fgets(line, sizeof(line), f)) {
		int n = sscanf(line, "%*s %*s %511s %511s", name, module);

		c->has_symbols = true;
		if (n < 1)
			continue;
		mark(c, name);
		if (n < 2)
			continue;
		snprintf(both, sizeof(both), "%s %s", name, module);
		mark(c, both);
	}
	if (f)
		fclose(f);
}

static bool find_symbols(struct check *c)
{
	c->symbols = calloc(4 * c->count + 1, sizeof(*c->symbols));
	if (!c->symbols)
		return false;
	for (size_t i = 0; i < c->count; i++)
		add_symbols(c, &c->facts[i]);
	qsort(c->symbols, c->nsymbols, sizeof(*c->symbols), compare_symbols);
	read_symbols(c);
	return true;
}

/* ---- what is missing ---- */

static void say_missing(struct check *c, const char *what, const char *remedy)
{
	c->missing++;
	printf("missing: %s; %s\n", what, remedy);
}

static bool is_there(const struct check *c, const struct need_fact *f)
{
	switch (f->kind) {
	case NEED_ARENA:
		return c->has_arena;
	case NEED_TYPES:
		return !access("/sys/kernel/btf/vmlinux", R_OK);
	case NEED_PROGRAM:
		return !access(f->name, R_OK);
	default:
		return f->is_there;
	}
}

static void print_needs(struct check *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct need_fact *f = &c->facts[i];

		if (is_there(c, f))
			printf("here: %s\n", f->text);
		else
			say_missing(c, f->text,
				    f->kind == NEEDS ? "this staprun is older than the program"
						     : kinds[f->kind].remedy);
	}
}

static bool is_filtered(void)
{
	char text[4096];

	smallfile_read("/proc/self/status", text, sizeof(text));
	return strstr(text, "\nSeccomp:\t2");
}

static void check_rights(struct check *c, bool has_capabilities)
{
	char lockdown[128];

	smallfile_read_line("/sys/kernel/security/lockdown", lockdown, sizeof(lockdown));
	if (strstr(lockdown, "[confidentiality]"))
		say_missing(c, "the kernel's memory",
			    "the kernel is locked down so that nobody may read it; "
			    "lockdown=integrity allows that");
	if (confined_in(CONFINED_USER))
		say_missing(c, CAPABILITY,
			    "this process is in a user namespace, as in a rootless container; the "
			    "engine has to run as root");
	else if (!has_capabilities)
		say_missing(c, CAPABILITY,
			    "run staprun as root; in a container: --cap-add=BPF --cap-add=PERFMON; "
			    "Kubernetes: securityContext: capabilities: add: [BPF, PERFMON]");
	else
		puts("here: " CAPABILITY);
	if (has_capabilities && c->is_denied)
		say_missing(c, "the system call bpf(2)",
			    is_filtered() ? "system calls are filtered here; in a container: "
					    "--security-opt seccomp=unconfined; Kubernetes: "
					    "seccompProfile: type: Unconfined"
					  : "a security module denies it");
}

static const char *value_of(const struct load *l, const char *key)
{
	const char *value = modinfo_next(&l->info, key, NULL);

	return value ? value : "?";
}

/* Anybody may have made the file: its strings, one after the other, go to a terminal. */
static void make_printable(char *strings, size_t size)
{
	for (char *s = strings; s < strings + size; s += strlen(s) + 1)
		printable_line(s);
}

static void print_origin(const struct load *l)
{
	printf("%s: from %s, by %s, stap %s, for %s\n", l->name, value_of(l, "stap_script"),
	       value_of(l, "author"), value_of(l, "stap_version"), value_of(l, "stap_privilege"));
}

/* arena: a descriptor, or -errno. */
static int check_program(struct load *l, int arena, bool has_capabilities)
{
	struct check c = { .has_arena = arena >= 0, .is_denied = arena == -EPERM };
	struct modinfo_section facts;
	struct utsname u;

	if (!uname(&u) && !bpffacts_find(&l->image, &facts)) {
		make_printable(facts.data, facts.size);
		make_printable(l->info.text, l->info.len);
	} else {
		facts.size = 0;
	}
	if (!facts.size || !read_needs(&c, &facts) || !find_symbols(&c)) {
		report_error("%s: out of memory", l->path);
		return CHECK_REFUSED;
	}
	print_origin(l);
	print_needs(&c);
	check_rights(&c, has_capabilities);
	if (!c.has_symbols)
		say_missing(&c, SYMBOLS, "it tells which functions the kernel has");
	if (c.missing)
		printf("%s cannot run on kernel %s\n", l->name, u.release);
	else
		printf("%s can run on kernel %s\n", l->name, u.release);
	return c.missing ? CHECK_REFUSED : CHECK_OK;
}

/* A module is for one kernel, whose release begins its vermagic. */
static int check_module(const struct load *l)
{
	const char *magic = value_of(l, "vermagic");
	int len = (int)strcspn(magic, " ");
	struct utsname u;
	bool same;

	if (uname(&u))
		return CHECK_REFUSED;
	same = (size_t)len == strlen(u.release) && !strncmp(magic, u.release, (size_t)len);
	printf("%s: a module for kernel %.*s\n", l->name, len, magic);
	if (same)
		printf("%s can be loaded into kernel %s\n", l->name, u.release);
	else
		printf("missing: kernel %.*s; build it for this one: stap -r %s -p4 ...\n", len,
		       magic, u.release);
	return same ? CHECK_OK : CHECK_REFUSED;
}

int bpfcheck_print(const char *file)
{
	static struct load load;
	bool has_capabilities = privileges_are_for_programs();
	int arena = make_arena(), status;

	if (arena >= 0)
		close(arena);
	if (getuid() && !privileges_drop())
		return CHECK_REFUSED;
	if (!load_open(&load, file))
		return CHECK_REFUSED;
	status = load.is_program ? check_program(&load, arena, has_capabilities)
				 : check_module(&load);
	if (!fflush(stdout))
		return status;
	report_error("writing to standard output: %s", strerror(errno));
	return CHECK_REFUSED;
}
