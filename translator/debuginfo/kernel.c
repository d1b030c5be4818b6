/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which kernel is the target: -r, the running one, or the newest that is installed with its headers. */
#define _GNU_SOURCE /* strverscmp() */
#include "debuginfo/kernel.h"

#include <dirent.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/path.h"
#include "base/strbuf.h"
#include "debuginfo/facts.h"
#include "options.h"

static const char *build_dir_of(struct session *s, const char *release)
{
	return arena_printf(s->arena, "/lib/modules/%s/build", release);
}

static bool has_headers(struct session *s, const char *release)
{
	return path_exists(arena_printf(s->arena, "%s/include/config/auto.conf", build_dir_of(s, release)));
}

static bool has_image(struct session *s, const char *release)
{
	return path_exists(arena_printf(s->arena, "/boot/vmlinuz-%s", release));
}

/* The newest release under /lib/modules with headers and a bootable image; NULL when there is none. */
static const char *newest_installed(struct session *s)
{
	DIR *d = opendir("/lib/modules");
	const char *best = NULL;

	for (struct dirent *e; d && (e = readdir(d));) {
		if (e->d_name[0] == '.' || (best && strverscmp(e->d_name, best) <= 0))
			continue;
		if (has_headers(s, e->d_name) && has_image(s, e->d_name))
			best = arena_strdup(s->arena, e->d_name);
	}
	if (d)
		closedir(d);
	return best;
}

static const char *installed_list(struct session *s)
{
	DIR *d = opendir("/lib/modules");
	struct strbuf b;

	strbuf_init(&b, s->arena);
	for (struct dirent *e; d && (e = readdir(d));) {
		if (e->d_name[0] != '.' && has_headers(s, e->d_name))
			strbuf_addf(&b, "%s%s", b.len ? ", " : "", e->d_name);
	}
	if (d)
		closedir(d);
	return b.len ? arena_printf(s->arena, "; installed with headers: %s", b.s) : "";
}

static struct error *no_headers(struct session *s, const char *release, const char *more)
{
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "no headers for kernel %s: /lib/modules/%s/build is missing; "
			    "install the package linux-headers-%s%s%s",
			    release, release, release, more, installed_list(s));
}

/* UTS_RELEASE of a build tree: what the kernel made from it calls itself. */
static struct error *tree_release(struct session *s, const char *dir, const char **ret)
{
	const char *path = arena_printf(s->arena, "%s/include/generated/utsrelease.h", dir);
	char *text;
	size_t len;
	struct error *err = path_read(s->arena, path, &text, &len);

	if (err)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "%s is no kernel build tree: %s; name the directory of a configured "
				    "kernel, or a release",
				    dir, err->text);

	char *begin = strchr(text, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;

	if (!end || end == begin + 1 || memchr(begin, '/', end - begin))
		return error_create(s->arena, ERROR_ENVIRONMENT, "%s: holds no release", path);
	*ret = arena_strndup(s->arena, begin + 1, end - begin - 1);
	return NULL;
}

static struct error *choose_named(struct session *s, struct kernel *k, const char *name)
{
	if (name[0] == '/') {
		k->build_dir = name;
		return tree_release(s, name, &k->release);
	}
	if (!*name || strchr(name, '/'))
		return error_create(s->arena, ERROR_USAGE,
				    "-r '%s': no kernel release; give one as uname -r prints it, or a "
				    "build directory that starts with '/'",
				    name);
	if (!has_headers(s, name))
		return no_headers(s, name, "");
	k->release = name;
	k->build_dir = build_dir_of(s, name);
	return NULL;
}

static struct error *choose_installed(struct session *s, struct kernel *k, const char *running)
{
	const struct options *o = s->options;

	k->release = o->vm ? NULL : has_headers(s, running) ? running : NULL;
	/* A module for another kernel is of use only where it is not loaded here. */
	if (!k->release && (o->vm || o->last_pass < 5 || o->list || o->list_vars))
		k->release = newest_installed(s);
	if (!k->release && o->vm)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "no kernel in /lib/modules has both headers and /boot/vmlinuz-RELEASE; "
				    "install linux-image-cloud-amd64 and linux-headers-cloud-amd64");
	if (!k->release)
		return no_headers(s, running, ", or use --vm, or -r RELEASE with -p4");
	k->build_dir = build_dir_of(s, k->release);
	return NULL;
}

struct error *kernel_open(struct session *s)
{
	struct kernel *k = arena_new(s->arena, struct kernel);
	const struct options *o = s->options;
	const char *named = o->vm_release ? o->vm_release : o->release;
	struct utsname u;

	if (uname(&u) < 0)
		return error_errno(s->arena, "uname");

	const char *running = arena_strdup(s->arena, u.release);
	struct error *err = named ? choose_named(s, k, named) : choose_installed(s, k, running);

	if (err)
		return err;
	k->arch = "x86_64";
	if (strcmp(u.machine, k->arch))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "this machine is %s: only x86_64 kernels can be probed", u.machine);
	k->is_running = !strcmp(k->release, running);

	struct facts *f = arena_new(s->arena, struct facts);

	hashmap_init(&f->suffixed, s->arena);
	hashmap_init(&f->modules, s->arena);
	hashmap_init(&f->exports, s->arena);
	hashmap_init(&f->config, s->arena);
	hashmap_init(&f->syscalls, s->arena);
	k->facts = f;
	s->kernel = k;
	return NULL;
}

struct error *kernel_need(struct session *s)
{
	if (s->kernel)
		return NULL;
	if (s->options->runtime == RUNTIME_USER)
		return error_create(s->arena, ERROR_SCRIPT,
				    "--runtime=user has no kernel: neither its functions nor its types");
	return kernel_open(s);
}
