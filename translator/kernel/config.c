/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's configuration, its exported symbols, and the place of its headers. */
#include "kernel/config.h"

#include <string.h>

#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "kernel/tree.h"
#include "lib/path.h"

static char *read_first(struct session *s, const char *const *paths)
{
	char *text;
	size_t len;

	for (; *paths; paths++)
		if (!path_read(s->arena, *paths, &text, &len))
			return text;
	return NULL;
}

/* ---- exported symbols ---- */

/* Module.symvers: CRC \t SYMBOL \t MODULE \t KIND \t NAMESPACE. */
static void read_exports(struct session *s, struct facts *f)
{
	char *text =
		read_first(s, (const char *const[]){ arena_printf(s->arena, "%s/Module.symvers",
								  s->kernel->build_dir),
						     NULL });

	f->exports_read = true;
	while (text && *text) {
		char *end = strchrnul(text, '\n'), *next = *end ? end + 1 : end;

		*end = 0;

		char *symbol = strchr(text, '\t'),
		     *module = symbol ? strchr(symbol + 1, '\t') : NULL;

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

struct error *kernel_need_exports(struct session *s)
{
	return path_exists(arena_printf(s->arena, "%s/Module.symvers", s->kernel->build_dir))
		       ? NULL
		       : kernel_need_headers(s);
}

/* ---- options ---- */

/* Returns the text of a packed file, or NULL. */
static char *unpacked_text(struct session *s, const struct bytes *packed)
{
	struct bytes text;

	return unpack(s->arena, packed, &text)
		       ? NULL
		       : arena_strndup(s->arena, (const char *)text.data, text.len);
}

/* Kernels with CONFIG_IKCONFIG_PROC show their options while they run. */
static char *read_running(struct session *s)
{
	char *text;
	size_t len;

	if (!s->kernel->is_running || path_read(s->arena, "/proc/config.gz", &text, &len))
		return NULL;
	return unpacked_text(s, &(struct bytes){ "/proc/config.gz", (uint8_t *)text, len });
}

/* Kernels with CONFIG_IKCONFIG have them in the image: compressed, between two marks. */
static char *read_image(struct session *s)
{
	static const char begin[] = "IKCFG_ST", end[] = "IKCFG_ED";
	struct bytes rodata;

	if (vmlinux_section(s, ".rodata", &rodata))
		return NULL;

	const uint8_t *at = memmem(rodata.data, rodata.len, begin, strlen(begin));
	const uint8_t *from = at ? at + strlen(begin) : NULL;
	const uint8_t *to =
		at ? memmem(from, rodata.len - (size_t)(from - rodata.data), end, strlen(end))
		   : NULL;

	return to ? unpacked_text(s, &(struct bytes){ rodata.file, from, (size_t)(to - from) })
		  : NULL;
}

/* Reads lines CONFIG_NAME=VALUE; all others are comments. */
static void read_config(struct session *s, struct facts *f)
{
	char *text = read_first(
		s,
		(const char *const[]){
			arena_printf(s->arena, "%s/include/config/auto.conf", s->kernel->build_dir),
			arena_printf(s->arena, "%s/.config", s->kernel->build_dir), NULL });

	f->config_read = true;
	text = text ? text : read_running(s);
	text = text ? text
		    : read_first(s, (const char *const[]){ kernel_place(s, TREE_CONFIG), NULL });
	text = text ? text : read_image(s);
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

bool kernel_knows_config(struct session *s)
{
	struct facts *f = session_facts(s);

	if (!f->config_read)
		read_config(s, f);
	return f->config.count > 0;
}

struct error *kernel_need_config(struct session *s, const char *name)
{
	const char *release = s->kernel->release;

	if (kernel_knows_config(s))
		return NULL;
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "%s of kernel %s is not known: neither its headers are here nor "
			    "/boot/config-%s%s",
			    name, release, release,
			    s->kernel->is_running ? " nor /proc/config.gz" : "");
}

/* ---- headers ---- */

/*
 * Returns the directory in a line "include DIR/Makefile" of the text; NULL: there is no
 * such line.
 */
static const char *included_dir(struct session *s, const char *text)
{
	static const char include[] = "include ", name[] = "/Makefile";

	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		size_t len, most = sizeof(include) - 1 + sizeof(name) - 1;

		end = strchrnul(line, '\n');
		len = (size_t)(end - line);
		if (len <= most || strncmp(line, include, sizeof(include) - 1) ||
		    strncmp(end - (sizeof(name) - 1), name, sizeof(name) - 1))
			continue;
		line += sizeof(include) - 1;
		if (*line == '/')
			return arena_strndup(s->arena, line, len - most);
		if (*line == '.')
			return arena_printf(s->arena, "%s/%.*s", s->kernel->build_dir,
					    (int)(len - most), line);
	}
	return NULL;
}

const char *kernel_source_dir(struct session *s)
{
	const char *dir = s->kernel->build_dir, *included;
	char *text;
	size_t len;

	if (path_read(s->arena, arena_printf(s->arena, "%s/Makefile", dir), &text, &len))
		return dir;
	included = included_dir(s, text);
	return included ? included : dir;
}

const char *kernel_header(struct session *s, const char *name)
{
	const char *dirs[] = {
		s->kernel->build_dir,
		arena_printf(s->arena, "%s/source", s->kernel->build_dir),
		kernel_place(s, TREE_SOURCE),
		kernel_source_dir(s),
	};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		const char *path = arena_printf(s->arena, "%s/%s", dirs[i], name);

		if (path_exists(path))
			return path;
	}
	return NULL;
}
