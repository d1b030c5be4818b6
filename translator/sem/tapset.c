/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index is made by a scan that knows comments, strings and embedded C, and otherwise looks for `function NAME`,
 * `probe NAME =` and `global NAME` outside braces.
 */
#include "sem/tapset.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ast/program.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/hashmap.h"
#include "base/path.h"
#include "base/session.h"
#include "options.h"
#include "parse/parse.h"
#include "sem/match.h"

struct library_file {
	struct source *source;
	struct unit *unit; /* once it was needed */
};

/* Files that define a function of one name: overloads may be spread. */
struct file_list {
	VEC(struct library_file *) files;
};

struct alias_entry {
	const char *name; /* "syscall.read.return" */
	struct library_file *file;
};

struct tapset {
	struct hashmap functions; /* name -> struct file_list; without the private ones */
	struct hashmap globals;   /* name -> struct library_file; likewise */
	struct hashmap parsed_functions; /* name -> struct function, of files parsed */
	VEC(struct alias_entry) aliases;
};

/* ---- scanning ---- */

struct scan {
	struct session *s;
	struct library_file *file;
	const char *at, *end;
	unsigned depth; /* braces */
};

static bool skip_to(struct scan *sc, const char *what)
{
	const char *found = strstr(sc->at, what);

	sc->at = found ? found + strlen(what) : sc->end;
	return found;
}

/* Blanks, comments, strings and embedded C: true when something was skipped. */
static bool skip_noise(struct scan *sc)
{
	const char *p = sc->at;

	if (isspace((unsigned char)*p)) {
		sc->at++;
	} else if (p[0] == '#' || (p[0] == '/' && p[1] == '/')) {
		sc->at += strcspn(p, "\n");
	} else if (p[0] == '/' && p[1] == '*') {
		sc->at += 2;
		skip_to(sc, "*/");
	} else if (p[0] == '%' && p[1] == '{') {
		sc->at += 2;
		skip_to(sc, "%}");
	} else if (*p == '"') {
		for (p++; p < sc->end && *p != '"'; p++)
			p += *p == '\\' && p + 1 < sc->end;
		sc->at = p < sc->end ? p + 1 : p;
	} else {
		return false;
	}
	return true;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static const char *read_word(struct scan *sc)
{
	const char *start;

	while (sc->at < sc->end && skip_noise(sc))
		;
	start = sc->at;
	while (sc->at < sc->end && is_word(*sc->at))
		sc->at++;
	return arena_strndup(sc->s->arena, start, (size_t)(sc->at - start));
}

/* probe a.b("x").c = …: the text up to '=' or '+=' without blanks; a probe that is no alias is none of our business. */
static void scan_probe(struct scan *sc)
{
	const char *start, *stop;
	struct alias_entry e = { .file = sc->file };

	while (sc->at < sc->end && skip_noise(sc))
		;
	start = sc->at;
	stop = start + strcspn(start, "={,");
	if (stop >= sc->end || *stop != '=')
		return;
	sc->at = stop;
	if (stop[-1] == '+')
		stop--;
	while (stop > start && isspace((unsigned char)stop[-1]))
		stop--;
	e.name = arena_strndup(sc->s->arena, start, (size_t)(stop - start));
	vec_push(sc->s->arena, &sc->s->tapset->aliases, e);
}

static void scan_globals(struct scan *sc)
{
	do {
		hashmap_put(&sc->s->tapset->globals, read_word(sc), sc->file);
		while (sc->at < sc->end && *sc->at != ',' && *sc->at != '\n' && *sc->at != ';')
			sc->at++;
	} while (sc->at < sc->end && *sc->at++ == ',');
}

static void scan_function(struct scan *sc, bool is_private)
{
	const char *name = read_word(sc);
	struct file_list *list = hashmap_get(&sc->s->tapset->functions, name);

	if (is_private)
		return;
	if (!list) {
		list = arena_new(sc->s->arena, struct file_list);
		hashmap_put(&sc->s->tapset->functions, name, list);
	}
	if (!list->files.count || list->files.data[list->files.count - 1] != sc->file)
		vec_push(sc->s->arena, &list->files, sc->file);
}

static void scan_file(struct session *s, struct library_file *file)
{
	struct scan sc = { .s = s, .file = file, .at = file->source->text,
			   .end = file->source->text + file->source->len };
	bool is_private = false;

	while (sc.at < sc.end) {
		if (skip_noise(&sc))
			continue;
		if (!is_word(*sc.at)) {
			sc.depth += *sc.at == '{';
			sc.depth -= *sc.at == '}' && sc.depth;
			sc.at++;
			continue;
		}

		/* kernel.function("…") is no declaration. */
		bool is_member = sc.at > file->source->text && sc.at[-1] == '.';
		const char *word = read_word(&sc);

		if (sc.depth || is_member)
			continue;
		if (!strcmp(word, "function"))
			scan_function(&sc, is_private);
		else if (!strcmp(word, "probe"))
			scan_probe(&sc);
		else if (!strcmp(word, "global") && !is_private)
			scan_globals(&sc);
		is_private = !strcmp(word, "private");
	}
}

/* ---- files ---- */

static void open_file(struct session *s, const char *path)
{
	size_t len, text_len;
	struct source *src;
	struct error *err;
	char *text;

	len = strlen(path);
	if (len < 5 || (strcmp(path + len - 4, ".stp") && strcmp(path + len - 5, ".stpm")))
		return;
	err = path_read(s->arena, path, &text, &text_len);
	if (err) {
		diag_warning(s, (struct loc){ 0 }, "a file of the tapset cannot be read: %s", err->text);
		diag_page(s, PAGE_READING);
		return;
	}
	src = source_from_text(s->arena, path, text, text_len);
	src->is_tapset = true;
	if (path[len - 1] == 'm') {
		parse_macros(s, src);
	} else {
		struct library_file *file = arena_new(s->arena, struct library_file);

		file->source = src;
		scan_file(s, file);
	}
}

static int skip_hidden(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static void open_dir(struct session *s, const char *dir)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, skip_hidden, alphasort);

	for (int i = 0; i < n; i++) {
		const char *path = arena_printf(s->arena, "%s/%s", dir, entries[i]->d_name);
		struct stat st;

		if (!stat(path, &st)) {
			if (S_ISDIR(st.st_mode))
				open_dir(s, path);
			else
				open_file(s, path);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	else
		diag_warning(s, (struct loc){ 0 }, "the tapset directory %s cannot be read: %s", dir, strerror(errno));
}

void tapset_open(struct session *s)
{
	const char *dir = getenv("SYSTEMTAP_TAPSET");

	s->tapset = arena_new(s->arena, struct tapset);
	hashmap_init(&s->tapset->functions, s->arena);
	hashmap_init(&s->tapset->globals, s->arena);
	hashmap_init(&s->tapset->parsed_functions, s->arena);
	/* The user's own directories come first: of two definitions of a name the first stands. */
	for (size_t i = 0; i < s->options->include_dirs.count; i++)
		open_dir(s, s->options->include_dirs.data[i]);
	open_dir(s, dir ? dir : arena_printf(s->arena, "%s/tapset", s->data_dir));
}

void overload_add(struct hashmap *functions, struct function *f)
{
	struct function *first = hashmap_get(functions, f->name);

	if (!first) {
		hashmap_put(functions, f->name, f);
		return;
	}
	while (first->overload)
		first = first->overload;
	first->overload = f;
}

static struct unit *need_file(struct session *s, struct library_file *file);

/* Of two files with a function of one name the first one's comes first, whichever is needed first. */
static void need_earlier_files(struct session *s, const struct library_file *file)
{
	for (size_t i = 0; i < file->unit->functions.count; i++) {
		struct file_list *list = hashmap_get(&s->tapset->functions, file->unit->functions.data[i]->name);

		for (size_t k = 0; list && k < list->files.count && list->files.data[k] != file; k++)
			need_file(s, list->files.data[k]);
	}
}

/* Parses the file on first use; what stands in it becomes part of the program. */
static struct unit *need_file(struct session *s, struct library_file *file)
{
	if (file->unit)
		return file->unit;
	file->unit = parse_source(s, file->source);
	need_earlier_files(s, file);
	vec_push(s->arena, &s->program->library, file->unit);
	for (size_t i = 0; i < file->unit->embeds.count; i++)
		vec_push(s->arena, &s->program->embeds, file->unit->embeds.data[i]);
	for (size_t i = 0; i < file->unit->functions.count; i++)
		overload_add(&s->tapset->parsed_functions, file->unit->functions.data[i]);
	return file->unit;
}

struct function *tapset_function(struct session *s, const char *name)
{
	struct file_list *list = s->tapset ? hashmap_get(&s->tapset->functions, name) : NULL;

	if (!s->tapset)
		return NULL;
	for (size_t i = 0; list && i < list->files.count; i++)
		need_file(s, list->files.data[i]);
	return hashmap_get(&s->tapset->parsed_functions, name);
}

static struct symbol *unit_global(const struct unit *unit, const char *name)
{
	for (size_t i = 0; i < unit->globals.count; i++)
		if (!strcmp(unit->globals.data[i]->name, name))
			return unit->globals.data[i];
	return NULL;
}

struct symbol *tapset_global(struct session *s, const char *name, const struct source *from)
{
	struct library_file *file = s->tapset ? hashmap_get(&s->tapset->globals, name) : NULL;
	struct symbol *own;

	vec_each(&s->program->library, i) {
		own = s->program->library.data[i]->source == from ? unit_global(s->program->library.data[i], name) : NULL;
		if (own)
			return own;
	}
	return file ? unit_global(need_file(s, file), name) : NULL;
}

void tapset_aliases(struct session *s, const struct point *p, alias_list *ret)
{
	if (!s->tapset)
		return;
	for (size_t i = 0; i < s->tapset->aliases.count; i++) {
		const struct alias_entry *e = &s->tapset->aliases.data[i];
		struct unit *unit;

		if (!match_may(p, e->name))
			continue;
		unit = need_file(s, e->file);
		for (size_t k = 0; k < unit->aliases.count; k++) {
			struct alias *a = unit->aliases.data[k];
			bool known = false;

			for (size_t n = 0; n < ret->count; n++)
				known |= ret->data[n] == a;
			if (!known && match_alias(p, a) >= 0)
				vec_push(s->arena, ret, a);
		}
	}
}

void tapset_parse_all(struct session *s)
{
	struct hashmap_slot *slot;
	size_t it = 0;

	vec_each(&s->tapset->aliases, i)
		need_file(s, s->tapset->aliases.data[i].file);
	while ((slot = hashmap_next(&s->tapset->functions, &it)) != NULL)
		need_file(s, slot->value);
}

void tapset_function_names(struct session *s, const char *const **names, size_t *count)
{
	VEC(const char *) list = { 0 };
	struct hashmap_slot *slot;
	size_t it = 0;

	while (s->tapset && (slot = hashmap_next(&s->tapset->functions, &it)) != NULL)
		if (slot->key[0] != '_')
			vec_push(s->arena, &list, slot->key);
	*names = list.data;
	*count = list.count;
}

void tapset_alias_names(struct session *s, const char *const **names, size_t *count)
{
	VEC(const char *) list = { 0 };

	for (size_t i = 0; s->tapset && i < s->tapset->aliases.count; i++)
		vec_push(s->arena, &list, s->tapset->aliases.data[i].name);
	*names = list.data;
	*count = list.count;
}
