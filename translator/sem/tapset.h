/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tapset library: an index of which file defines which function, alias and global,
 * made by one quick scan; only files that define something that is used are parsed.
 */
#ifndef STAP_TAPSET_H
#define STAP_TAPSET_H

#include "ast/node.h"

struct hashmap;
struct session;

/*
 * Indexes data_dir/tapset and every -I directory,
 * recursively; *.stpm files are loaded as macros. Once: a session that has a library
 * keeps it.
 */
void tapset_open(struct session *s);

/*
 * Returns the functions of that name; their files are parsed and added to s->program on
 * first use. NULL if no file has one. There may be private ones among them.
 */
struct function *tapset_function(struct session *s, const char *name);
/* Returns the global variable of that name, first the file's own. */
struct symbol *tapset_global(struct session *s, const char *name, const struct source *from);
/* Returns whether there is one. No file becomes part of the program. */
bool tapset_has_global(struct session *s, const char *name, const struct source *from);
/* Returns the global of the file itself only; NULL: there is no such global. */
struct symbol *tapset_own_global(struct session *s, const char *name, const struct source *from);
/*
 * Finds all aliases whose name can match the point's components (wildcards allowed);
 * their files, and no others, become part of the program.
 */
typedef VEC(struct alias *) alias_list;
void tapset_aliases(struct session *s, const struct point *p, alias_list *ret);
/*
 * Adds a function to the list of its name, in this index and in the program; calls choose
 * by the number of arguments.
 */
void tapset_add_overload(struct hashmap *functions, struct function *f);
/* Returns the text of the first file whose path ends in `end`; NULL: there is none. */
const char *tapset_text(struct session *s, const char *end);
/*
 * Parses all files for scripts to come, without making them part of the program. What is
 * wrong with one is reported when a script needs it.
 */
void tapset_parse_ahead(struct session *s);
/* Parses all files into s->program->library. */
void tapset_parse_all(struct session *s);
/* List names for "did you mean". */
void tapset_function_names(struct session *s, const char *const **names, size_t *count);
void tapset_alias_names(struct session *s, const char *const **names, size_t *count);

#endif
