/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's configuration, its exported symbols, and where its headers are. */
#define _GNU_SOURCE /* strchrnul() */
#include <string.h>

#include "base/path.h"
#include "debuginfo/facts.h"
#include "debuginfo/tree.h"

static char *read_first(struct session *s, const char *const *paths)
{
	char *text;
	size_t len;

	for (; *paths; paths++)
		if (!path_read(s->arena, *paths, &text, &len))
			return text;
	return NULL;
}

/* Module.symvers: CRC \t SYMBOL \t MODULE \t KIND \t NAMESPACE. */
static void read_exports(struct session *s, struct facts *f)
{
	char *text = read_first(
		s, (const char *const[]){ arena_printf(s->arena, "%s/Module.symvers", s->kernel->build_dir),
					  NULL });

	f->exports_read = true;
	while (text && *text) {
		char *end = strchrnul(text, '\n'), *next = *end ? end + 1 : end;

		*end = 0;

		char *symbol = strchr(text, '\t'), *module = symbol ? strchr(symbol + 1, '\t') : NULL;

		if (module) {
			*module++ = 0;
			hashmap_put(&f->exports, symbol + 1, module);
		}
		text = next;
	}
}

bool kernel_exports(struct session *s, const char *symbol)
{
	struct facts *f = session_facts(s);

	if (!f->exports_read)
		read_exports(s, f);
	return hashmap_get(&f->exports, symbol) != NULL;
}

/* Lines CONFIG_NAME=VALUE; the rest is comments. */
static void read_config(struct session *s, struct facts *f)
{
	char *text = read_first(
		s, (const char *const[]){
			   arena_printf(s->arena, "%s/include/config/auto.conf", s->kernel->build_dir),
			   arena_printf(s->arena, "%s/.config", s->kernel->build_dir),
			   kernel_place(s, TREE_CONFIG), NULL });

	f->config_read = true;
	while (text && *text) {
		char *end = strchrnul(text, '\n'), *next = *end ? end + 1 : end;

		*end = 0;

		char *value = strncmp(text, "CONFIG_", 7) ? NULL : strchr(text, '=');

		if (value) {
			*value++ = 0;
			if (*value == '"' && end - value >= 2 && end[-1] == '"') {
				end[-1] = 0;
				value++;
			}
			hashmap_put(&f->config, text, value);
		}
		text = next;
	}
}

const char *kernel_config(struct session *s, const char *name)
{
	struct facts *f = session_facts(s);

	if (!f->config_read)
		read_config(s, f);
	if (strncmp(name, "CONFIG_", 7))
		name = arena_printf(s->arena, "CONFIG_%s", name);
	return hashmap_get(&f->config, name);
}

/*
 * Debian's build trees are a Makefile that includes the common one: "include DIR/Makefile", counted from the
 * build tree where the kernel was unpacked aside. NULL: this is none.
 */
static const char *common_dir(struct session *s)
{
	char *text, *dir;
	size_t len;

	if (path_read(s->arena, arena_printf(s->arena, "%s/Makefile", s->kernel->build_dir), &text, &len))
		return NULL;
	dir = strstr(text, "include /");
	if (!dir)
		dir = strstr(text, "include ../");
	if (!dir)
		return NULL;
	dir += strlen("include ");
	len = strcspn(dir, " \n");
	if (len <= 9 || strncmp(dir + len - 9, "/Makefile", 9))
		return NULL;
	dir = arena_strndup(s->arena, dir, len - 9);
	return *dir == '/' ? dir : arena_printf(s->arena, "%s/%s", s->kernel->build_dir, dir);
}

const char *kernel_header(struct session *s, const char *name)
{
	const char *common = common_dir(s);
	const char *dirs[] = {
		s->kernel->build_dir,
		arena_printf(s->arena, "%s/source", s->kernel->build_dir),
		kernel_place(s, TREE_SOURCE),
		common ? common : s->kernel->build_dir,
	};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		const char *path = arena_printf(s->arena, "%s/%s", dirs[i], name);

		if (path_exists(path))
			return path;
	}
	return NULL;
}
