/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records the module's origin in it, so that modinfo(8) shows it on a host that has only
 * the file: the script's name and digest, its author, the version of stap; then the
 * additions of --modinfo. File names come without their directories, which are private to
 * the author.
 */
#include <libgen.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "base/source.h"
#include "base/version.h"
#include "lib/digest.h"
#include "module/module.h"

static void info_write(struct emit_module *m, const char *name, const char *value)
{
	writer_line(m->w, "MODULE_INFO(%s, %s);", name,
		    strbuf_quoted(m->s->arena, value, strlen(value)));
}

static void script_write(struct emit_module *m, const struct source *src)
{
	struct arena *a = m->s->arena;

	info_write(m, "stap_script", basename(arena_strdup(a, src->name)));
	info_write(m, "stap_script_sha256", digest_hex(a, src->text, src->len));
}

static void author_write(struct emit_module *m)
{
	uid_t uid = geteuid();
	const struct passwd *user = getpwuid(uid);

	info_write(m, "author",
		   user ? user->pw_name : arena_printf(m->s->arena, "user %u", (unsigned)uid));
}

void info_write_all(struct emit_module *m)
{
	const struct options *o = m->s->options;

	writer_line(m->w, "#ifdef __KERNEL__"); /* a program cannot store them */
	vec_each(&m->s->program->units, i)
		script_write(m, m->s->program->units.data[i]->source);
	author_write(m);
	info_write(m, "stap_version", STAP_VERSION);
	vec_each(&o->module_info, i)
		info_write(m, o->module_info.data[i].name, o->module_info.data[i].value);
	writer_line(m->w, "#endif");
}
