/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records the module's origin in it, so that modinfo(8) shows it on a host that has only
 * the file: the script's name and digest, its author, the version of stap; then the
 * additions of --modinfo. File names come without their directories, which are private to
 * the author. Programs of --runtime=bpf have the same facts, and those that a module gets
 * from its build, at the end of their files (uapi/bpfimage.h).
 */
#include <libgen.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "base/source.h"
#include "base/version.h"
#include "kernel/kernel.h"
#include "lib/digest.h"
#include "module/module.h"

/* Takes a fact. */
struct info_writer {
	struct session *s;
	void (*write)(const struct info_writer *w, const char *name, const char *value);
	void *to;
};

static void script_write(const struct info_writer *w, const struct source *src)
{
	struct arena *a = w->s->arena;

	w->write(w, "stap_script", basename(arena_strdup(a, src->name)));
	w->write(w, "stap_script_sha256", digest_hex(a, src->text, src->len));
}

static void author_write(const struct info_writer *w)
{
	uid_t uid = geteuid();
	const struct passwd *user = getpwuid(uid);

	w->write(w, "author",
		 user ? user->pw_name : arena_printf(w->s->arena, "user %u", (unsigned)uid));
}

static void origin_write(const struct info_writer *w)
{
	const struct options *o = w->s->options;

	vec_each(&w->s->program->units, i)
		script_write(w, w->s->program->units.data[i]->source);
	author_write(w);
	w->write(w, "stap_version", STAP_VERSION);
	vec_each(&o->module_info, i)
		w->write(w, o->module_info.data[i].name, o->module_info.data[i].value);
}

static void write_c(const struct info_writer *w, const char *name, const char *value)
{
	writer_line(w->to, "MODULE_INFO(%s, %s);", name,
		    strbuf_quoted(w->s->arena, value, strlen(value)));
}

void info_write_all(struct emit_module *m)
{
	const struct info_writer w = { m->s, write_c, m->w };

	writer_line(m->w, "#ifdef __KERNEL__"); /* a program has them in its file: info_text() */
	origin_write(&w);
	writer_line(m->w, "#endif");
}

static void write_text(const struct info_writer *w, const char *name, const char *value)
{
	strbuf_addf(w->to, "%s=%s", name, value);
	strbuf_addc(w->to, 0);
}

/* Writes which globals can be set when the program starts. */
static void params_write(const struct info_writer *w)
{
	const struct program *p = w->s->program;

	vec_each(&p->globals, i) {
		const struct symbol *sym = p->globals.data[i];

		if (sym->arity <= 0 && sym->type != TYPE_STATS)
			w->write(w, "parmtype",
				 arena_printf(w->s->arena, "%s:%s", sym->name,
					      sym->type == TYPE_STRING ? "string" : "long"));
	}
}

void info_text(struct session *s, const char *name, struct strbuf *ret)
{
	const struct info_writer w = { s, write_text, ret };

	w.write(&w, "name", name);
	w.write(&w, STP_PRIVILEGE_MARK, privilege_names[s->options->privilege]);
	origin_write(&w);
	params_write(&w);
	if (s->kernel && *s->kernel->release)
		w.write(&w, "stap_kernel", s->kernel->release);
	needs_write(s, ret);
}
