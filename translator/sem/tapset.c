/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/tapset.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "formats/file.h"
#include "kernel/factcache.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "parse/parse.h"
#include "sem/libindex.h"
#include "sem/match.h"

struct library_file {
	const char *path;
	struct source *source; /* NULL until it is read */
	struct unit *unit;     /* NULL until it is scanned */
	bool is_used;	       /* it is part of the program */
};

struct tapset {
	VEC(struct library_file) files;
	struct strbuf key; /* of the index: the files as they are now */
	struct index index;
	struct hashmap parsed_functions; /* name -> struct function, of files parsed */
};

/* ---- files ---- */

static struct source *read_source(struct session *s, const char *path)
{
	size_t len;
	char *text;
	struct error *err = path_read(s->arena, path, &text, &len);
	struct source *src;

	if (err) {
		diag_warning(s, (struct loc){ 0 }, "a file of the tapset cannot be read: %s",
			     err->text);
		diag_page(s, PAGE_READING);
		return NULL;
	}
	src = source_from_text(s->arena, path, text, len);
	src->is_tapset = true;
	return src;
}

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(path), end_len = strlen(end);

	return len > end_len && !strcmp(path + len - end_len, end);
}

static void add_file(struct session *s, const char *path, const struct stat *st)
{
	struct tapset *t = s->tapset;
	struct library_file file = { .path = path };

	if (ends_with(path, ".stpm")) {
		struct source *src = read_source(s, path);

		if (src)
			parse_macros(s, src);
	} else if (ends_with(path, ".stp")) {
		vec_push(s->arena, &t->files, file);
		strbuf_addf(&t->key, "%s %lld %lld.%09ld\n", path, (long long)st->st_size,
			    (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
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
				add_file(s, path, &st);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	else
		diag_warning(s, (struct loc){ 0 }, "the tapset directory %s cannot be read: %s",
			     dir, strerror(errno));
}

/* ---- the index ---- */

static bool scan_files(struct session *s, struct index_maker *m)
{
	struct tapset *t = s->tapset;
	bool all = true;

	scan_init(m, s->arena);
	vec_each(&t->files, i) {
		struct library_file *file = &t->files.data[i];

		file->source = read_source(s, file->path);
		if (file->source)
			scan_file(m, file->source, (uint32_t)i);
		all &= file->source != NULL;
	}
	return all;
}

/*
 * Makes the index. An index that lacks a file is not kept: the next run tries again, and
 * reports it again.
 */
static void make_index(struct session *s, const char *cache_name)
{
	struct tapset *t = s->tapset;
	struct index_maker m;
	bool whole = scan_files(s, &m);
	struct bytes flat;

	libindex_write(&m, &t->key, &flat);
	if (whole)
		factcache_put(s, cache_name, flat.data, flat.len);
	libindex_open(&t->index, &flat, &t->key, (uint32_t)t->files.count);
}

/*
 * Adds a directory to the key. Two directories may have the same name, relative to
 * different places.
 */
static void add_root(struct strbuf *key, const char *dir)
{
	char *real = realpath(dir, NULL);

	strbuf_addf(key, "in %s\n", real ? real : dir);
	free(real);
}

/* Returns the index's file in the cache, one for each list of directories. */
static const char *index_cache_name(struct session *s, const char *roots)
{
	return arena_printf(s->arena, "tapset-%016llx", (unsigned long long)hashmap_hash(roots));
}

/*
 * The directory where programs put tapsets for their own markers, as libvirt does. If
 * SystemTap is installed, its tapsets, which are written for its runtime, are below it:
 * in that case use -I with the directory of the program's file.
 */
#define PROGRAMS "/usr/share/systemtap"

static bool programs_have_tapsets(void)
{
	return !access(PROGRAMS "/tapset", R_OK | X_OK) && access(PROGRAMS "/runtime", F_OK);
}

/*
 * True: it is already in the library. Old scripts name a directory of it, such as
 * /usr/share/systemtap/tapsets/LKET, which need not exist.
 */
static bool is_of_library(struct session *s, const char *dir, const char *library)
{
	const char *real = path_canonical(s->arena, dir), *name = strrchr(dir, '/');
	const char *all = path_canonical(s->arena, library);
	size_t len = all ? strlen(all) : 0;

	if (real)
		return all && !strncmp(real, all, len) && real[len] == '/';
	return name && name[1] && name[1] != '.' &&
	       path_exists(arena_printf(s->arena, "%s%s", library, name));
}

void tapset_open(struct session *s)
{
	const char *dir = getenv("SYSTEMTAP_TAPSET"), *library, *cache_name;
	struct tapset *t;
	VEC(const char *) roots = { 0 };
	struct bytes flat;

	if (s->tapset)
		return;
	t = s->tapset = arena_new(s->arena, struct tapset);
	hashmap_init(&t->parsed_functions, s->arena);
	strbuf_init(&t->key, s->arena);
	/*
	 * The user's own directories come first: of two definitions of a name, the first
	 * counts.
	 */
	library = dir ? dir : arena_printf(s->arena, "%s/tapset", s->data_dir);
	for (size_t i = 0; i < s->options->include_dirs.count; i++)
		if (!is_of_library(s, s->options->include_dirs.data[i], library))
			vec_push(s->arena, &roots, s->options->include_dirs.data[i]);
	vec_push(s->arena, &roots, library);
	if (!dir && programs_have_tapsets())
		vec_push(s->arena, &roots, PROGRAMS "/tapset");
	vec_each(&roots, i)
		add_root(&t->key, roots.data[i]);
	cache_name = index_cache_name(s, t->key.s);
	vec_each(&roots, i)
		open_dir(s, roots.data[i]);
	if (!factcache_get(s, cache_name, &flat) ||
	    !libindex_open(&t->index, &flat, &t->key, (uint32_t)t->files.count))
		make_index(s, cache_name);
}

/* ---- look-ups ---- */

void tapset_add_overload(struct hashmap *functions, struct function *f)
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

/*
 * Parses files before this one that have a function of the same name, so that the order
 * of the functions does not depend on which file is needed first.
 */
static void need_earlier_files(struct session *s, const struct library_file *file)
{
	struct tapset *t = s->tapset;

	vec_each(&file->unit->functions, i) {
		struct index_range r = libindex_find(&t->index, INDEX_FUNCTION,
						     file->unit->functions.data[i]->name);

		for (size_t k = r.begin;
		     k < r.end && &t->files.data[t->index.entries[k].file] != file; k++)
			need_file(s, &t->files.data[t->index.entries[k].file]);
	}
}

static struct unit *parse_file(struct session *s, struct library_file *file)
{
	if (file->unit)
		return file->unit;
	if (!file->source)
		file->source = read_source(s, file->path);
	if (!file->source)
		file->source = source_from_text(s->arena, file->path, "", 0);
	file->unit = parse_source(s, file->source);
	return file->unit;
}

/* Makes the file's declarations part of the program, and its probes, on first use. */
static struct unit *need_file(struct session *s, struct library_file *file)
{
	if (file->is_used)
		return file->unit;
	file->is_used = true;
	parse_file(s, file);
	need_earlier_files(s, file);
	vec_push(s->arena, &s->program->library, file->unit);
	for (size_t i = 0; i < file->unit->embeds.count; i++)
		vec_push(s->arena, &s->program->embeds, file->unit->embeds.data[i]);
	for (size_t i = 0; i < file->unit->functions.count; i++)
		tapset_add_overload(&s->tapset->parsed_functions, file->unit->functions.data[i]);
	return file->unit;
}

static struct unit *need_entry(struct session *s, size_t i)
{
	return need_file(s, &s->tapset->files.data[s->tapset->index.entries[i].file]);
}

struct function *tapset_function(struct session *s, const char *name)
{
	struct index_range r;

	if (!s->tapset)
		return NULL;
	r = libindex_find(&s->tapset->index, INDEX_FUNCTION, name);
	for (size_t i = r.begin; i < r.end; i++)
		need_entry(s, i);
	return hashmap_get(&s->tapset->parsed_functions, name);
}

static struct symbol *unit_global(const struct unit *unit, const char *name)
{
	for (size_t i = 0; i < unit->globals.count; i++)
		if (!strcmp(unit->globals.data[i]->name, name))
			return unit->globals.data[i];
	return NULL;
}

struct symbol *tapset_own_global(struct session *s, const char *name, const struct source *from)
{
	vec_each(&s->program->library, i)
		if (s->program->library.data[i]->source == from)
			return unit_global(s->program->library.data[i], name);
	return NULL;
}

struct symbol *tapset_global(struct session *s, const char *name, const struct source *from)
{
	struct index_range r = { 0 };
	struct symbol *sym = tapset_own_global(s, name, from);

	if (!sym && s->tapset)
		r = libindex_find(&s->tapset->index, INDEX_GLOBAL, name);
	for (size_t i = r.begin; i < r.end && !sym; i++)
		sym = unit_global(need_entry(s, i), name);
	return sym;
}

bool tapset_has_global(struct session *s, const char *name, const struct source *from)
{
	struct index_range r = { 0 };

	if (s->tapset)
		r = libindex_find(&s->tapset->index, INDEX_GLOBAL, name);
	return r.begin < r.end || tapset_own_global(s, name, from);
}

/* Returns the files with an alias that the point may refer to. */
static bool *files_of_point(struct session *s, const struct point *p)
{
	const struct tapset *t = s->tapset;
	const char *first = p->components.data[0].name;
	struct index_range r =
		libindex_prefix(&t->index, INDEX_ALIAS, first, strcspn(first, "*?[\\"));
	bool *ret = arena_array(s->arena, bool, t->files.count + 1);

	for (size_t i = r.begin; i < r.end; i++)
		if (!ret[t->index.entries[i].file])
			ret[t->index.entries[i].file] = match_may(p, index_name(&t->index, i));
	return ret;
}

void tapset_aliases(struct session *s, const struct point *p, alias_list *ret)
{
	const bool *wanted = s->tapset ? files_of_point(s, p) : NULL;

	for (size_t i = 0; wanted && i < s->tapset->files.count; i++) {
		struct library_file *file = &s->tapset->files.data[i];
		const struct unit *unit = wanted[i] ? parse_file(s, file) : NULL;

		for (size_t k = 0; unit && k < unit->aliases.count; k++) {
			if (match_alias(p, unit->aliases.data[k]) < 0)
				continue;
			need_file(s, file);
			vec_push(s->arena, ret, unit->aliases.data[k]);
		}
	}
}

const char *tapset_text(struct session *s, const char *end)
{
	vec_each(&s->tapset->files, i) {
		struct library_file *file = &s->tapset->files.data[i];

		if (!ends_with(file->path, end))
			continue;
		if (!file->source)
			file->source = read_source(s, file->path);
		return file->source ? file->source->text : NULL;
	}
	return NULL;
}

/* Notes that a file has a declaration. */
struct silence {
	struct diag_listener listener;
	bool is_broken;
};

static void hear(struct diag_listener *l, struct loc loc, enum diag_level level, const char *text)
{
	((struct silence *)l)->is_broken = true;
}

void tapset_parse_ahead(struct session *s)
{
	const struct session before = *s;
	struct silence silence = { .listener = { hear } };

	s->listener = &silence.listener;
	vec_each(&s->tapset->files, i) {
		struct library_file *file = &s->tapset->files.data[i];

		silence.is_broken = false;
		parse_file(s, file);
		if (silence.is_broken)
			file->unit = NULL;
	}
	*s = before;
}

void tapset_parse_all(struct session *s)
{
	vec_each(&s->tapset->files, i)
		need_file(s, &s->tapset->files.data[i]);
}

/* Lists each name once, without the library's internal names, which begin with '_'. */
static void names_of(struct session *s, enum index_kind kind, const char *const **names,
		     size_t *count)
{
	const struct index *x = s->tapset ? &s->tapset->index : NULL;
	struct index_range r = x ? libindex_all(x, kind) : (struct index_range){ 0 };
	VEC(const char *) list = { 0 };

	for (size_t i = r.begin; i < r.end; i++)
		if (*index_name(x, i) != '_' &&
		    (i == r.begin || strcmp(index_name(x, i), index_name(x, i - 1))))
			vec_push(s->arena, &list, index_name(x, i));
	*names = list.data;
	*count = list.count;
}

void tapset_function_names(struct session *s, const char *const **names, size_t *count)
{
	names_of(s, INDEX_FUNCTION, names, count);
}

void tapset_alias_names(struct session *s, const char *const **names, size_t *count)
{
	names_of(s, INDEX_ALIAS, names, count);
}
