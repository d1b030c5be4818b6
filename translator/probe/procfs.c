/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * procfs[("PATH")][.umask(N)].read[.maxsize(N)] and .write: files below
 * /proc/systemtap/MODULE/. In .read, $value is the text that the handler composes for the
 * reader; in .write, it is the text that was written.
 */
#include <inttypes.h>
#include <string.h>

#include "base/session.h"
#include "base/writer.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "probe/probe.h"

extern const struct probe_family probe_family_procfs;

#define PATH_DEFAULT "command"
#define PATH_LONGEST 200
#define SIZE_MOST    (16 << 20)

struct procfs {
	const char *path;
	bool is_write;
	int64_t umask, size; /* size 0: the default */
};

static struct error *check_path(struct session *s, const char *path)
{
	const char *part = path, *why = NULL;

	if (strlen(path) > PATH_LONGEST)
		why = "it is longer than 200 characters";
	while (!why && part) {
		size_t n = strcspn(part, "/");

		if (!n)
			why = "it has an empty part; write \"dir/file\"";
		else if (!strncmp(part, "..", n))
			why = "'.' and '..' are not file names";
		part = part[n] ? part + n + 1 : NULL;
	}
	return why ? probe_wrong(s, "procfs(\"%s\") cannot be made: %s", path, why) : NULL;
}

/* Reads the components after `read` or `write`, which is component i. */
static struct error *read_end(struct session *s, const struct point *p, unsigned i,
			      struct procfs *f)
{
	const struct component *c = probe_component(p, i + 1);

	if (c && !f->is_write && probe_component_is(p, i + 1, "maxsize", ARG_NUMBER)) {
		if (c->number < 1 || c->number > SIZE_MOST)
			return probe_wrong(s, "maxsize takes 1 to %d bytes", SIZE_MOST);
		f->size = c->number;
		c = probe_component(p, i + 2);
	}
	return c ? probe_wrong(
			   s,
			   "nothing can follow as '.%s' here; '.maxsize(N)' can end a read probe",
			   c->name)
		 : NULL;
}

static struct error *read_point(struct session *s, const struct point *p, struct procfs *f)
{
	unsigned i = 1;

	if (probe_component_is(p, i, "umask", ARG_NUMBER)) {
		f->umask = probe_component(p, i++)->number;
		if (f->umask < 0 || f->umask > 0777)
			return probe_wrong(s, "umask takes 0 to 0777");
	}
	if (!probe_component_is(p, i, "read", ARG_NONE) &&
	    !probe_component_is(p, i, "write", ARG_NONE))
		return probe_wrong(s, "expected procfs(\"PATH\").read or .write; '.umask(N)' "
				      "comes before, '.maxsize(N)' after '.read'");
	f->is_write = probe_component_is(p, i, "write", ARG_NONE);
	return read_end(s, p, i, f);
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	const struct component *c = probe_component(p, 0);
	struct procfs *f = arena_new(s->arena, struct procfs);
	struct error *err;

	if (strcmp(c->name, "procfs"))
		return NULL;
	if (c->arg_kind == ARG_NUMBER)
		return probe_wrong(s, "'procfs' needs the path of a file: procfs(\"name\")");
	f->path = c->arg_kind == ARG_STRING ? c->string : PATH_DEFAULT;
	f->umask = 077;
	err = check_path(s, f->path);
	if (!err)
		err = read_point(s, p, f);
	if (!err)
		probe_derived_new(s, &probe_family_procfs, p, ret)->data = f;
	return err;
}

static const struct access_own value_read = {
	.is_string = true,
	.get = "stp_procfs_value",
	.set = "stp_procfs_set",
	.append = "stp_procfs_append",
	.unread = "it is the text for the reader of the file; set it, or add to it with '.='",
};

static const struct access_own value_written = {
	.is_string = true,
	.get = "stp_procfs_value",
	.unwritten = "it is the text that was written to the file; copy it into a variable",
};

static void target(struct session *s, struct derived *d, struct node *n)
{
	const struct procfs *f = d->data;
	struct access *a = arena_new(s->arena, struct access);

	a->base = ACCESS_OWN;
	a->own = f->is_write ? &value_written : &value_read;
	n->access = a;
	if (strcmp(n->target_name, "$value"))
		n->unresolved = arena_printf(
			s->arena, "procfs probes have no variable '%s'; they have $value",
			n->target_name);
	else if (n->path.count || n->address_of)
		n->unresolved = "'$value' is a string, which has no members, elements or address";
}

static void vars(struct session *s, struct derived *d, target_variables *ret)
{
	struct target_variable v = { .name = "$value", .c_type = "string" };

	(void)d;
	vec_push(s->arena, ret, v);
}

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct procfs *f = d->data;

	writer_line(w,
		    "#ifndef STP_PROCFS_BUFSIZE\n#define STP_PROCFS_BUFSIZE MAXSTRINGLEN\n#endif");
	writer_line(w,
		    "static const struct stp_point_procfs point_%u = { .path = %s, .is_write = %s, "
		    ".umask = %" PRId64 ", .size = %s };",
		    d->index, strbuf_quoted(s->arena, f->path, strlen(f->path)),
		    f->is_write ? "true" : "false", f->umask,
		    f->size ? arena_printf(s->arena, "%" PRId64, f->size) : "STP_PROCFS_BUFSIZE");
}

static const char *bpf_obstacle(const struct derived *d)
{
	return "files below /proc, which only a module can make";
}

PROBE_FAMILY(procfs,
	     "procfs.read\nprocfs.read.maxsize(number)\nprocfs.write\n"
	     "procfs.umask(number).read\nprocfs.umask(number).read.maxsize(number)\nprocfs."
	     "umask(number).write\n"
	     "procfs(string).read\nprocfs(string).read.maxsize(number)\nprocfs(string).write\n"
	     "procfs(string).umask(number).read\nprocfs(string).umask(number).read.maxsize("
	     "number)\nprocfs(string).umask(number).write",
	     .resolve = resolve, .target = target, .vars = vars, .emit = emit,
	     .bpf_obstacle = bpf_obstacle, .is_rare = true);
