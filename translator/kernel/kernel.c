/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choice of the target kernel: -r, the running one, or the newest that has its headers
 * here. A kernel of which only the types are here is sufficient until a module must be
 * built.
 */
#include "kernel/kernel.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "arch/arch.h"
#include "base/options.h"
#include "base/remedy.h"
#include "formats/file.h"
#include "kernel/facts.h"
#include "kernel/fetch.h"
#include "kernel/mount.h"
#include "kernel/tree.h"
#include "lib/path.h"

/*
 * Returns the commands that supply headers. A container has the host's kernel and another
 * distribution's packages.
 */
static const char *headers_supply(struct session *s, const char *release)
{
	const char *build = tree_place(s->arena, "", release, TREE_BUILD);
	const char *mount = mount_lacking(s, release, build);
	const char *fetch = remedy_fetch(s->arena, s->bin_dir, fetch_part(s, release), release);
	const char *elsewhere = remedy_elsewhere(s->arena, REMEDY_HEADERS, release);

	if (mount)
		return mount;
	if (*elsewhere)
		return elsewhere;
	return arena_printf(s->arena, "%s%s%s%s", remedy_command(s->arena, REMEDY_HEADERS, release),
			    *fetch ? ", or without installing them " : "", fetch,
			    *fetch && !s->options->fetch_headers ? ", which --fetch-headers does"
								 : "");
}

static struct error *no_headers(struct session *s, const char *release, const char *more)
{
	const char *others = tree_releases(s);

	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "no headers for kernel %s: /lib/modules/%s/build is missing; "
			    "%s%s%s%s",
			    release, release, headers_supply(s, release), more,
			    *others ? "; there are headers for " : "", others);
}

struct error *kernel_need_headers(struct session *s)
{
	const struct options *o = s->options;
	bool is_named = o->release || o->vm_release;

	if (s->kernel->has_headers)
		return NULL;
	return no_headers(s, s->kernel->release,
			  is_named ? "" : ", or use --vm, or -r RELEASE with -p4");
}

/* Prints which kernel is used, if it is not the requested one. */
static void say_other(const struct session *s, const char *release, const char *running)
{
	if (!s->options->no_warnings && !s->listener)
		fprintf(stderr,
			"stap: note: this is about kernel %s; the running one, %s, has no headers "
			"here (-r names another)\n",
			release, running);
}

static void say_taken(const struct session *s, const struct kernel *k)
{
	const char *place = *k->build_dir && k->has_headers ? k->build_dir : k->root;

	if (s->options->verbose && !s->listener)
		fprintf(stderr, "stap: kernel %s: %s%s\n", k->release, *place ? place : "/",
			k->has_headers ? "" : ", without headers");
}

/* Returns the error for a kernel without loadable modules: headers would not help. */
static struct error *takes_no_modules(struct session *s, const char *running)
{
	const char *root, *release;
	bool is_there = tree_newest(s, &root, &release);

	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "this machine's kernel, %s, cannot load modules; run the script in a "
			    "guest with --vm%s%s%s",
			    running, is_there ? "" : " (first get a kernel for it: ",
			    is_there ? "" : s->bin_dir, is_there ? "" : "/stap-fetch-kernel)");
}

static void set_kernel(struct session *s, struct kernel *k, const char *root, const char *release)
{
	k->root = root;
	k->release = release;
	k->build_dir = tree_place(s->arena, root, release, TREE_BUILD);
	k->has_headers = tree_has_headers(s, root, release);
}

/* Takes a kernel whose types are here, with headers or without. False: they are not. */
static bool set_by_types(struct session *s, struct kernel *k, const char *release,
			 const char *running)
{
	bool is_running = !strcmp(release, running);
	const char *root = tree_with_types(s, release);

	if (!root && !s->options->btf && !(is_running && path_exists(VMLINUX_RUNNING)))
		return false;
	set_kernel(s, k, root ? root : "", release);
	return true;
}

/* Reads UTS_RELEASE of a build tree: the release of the kernel that is built there. */
static struct error *tree_release(struct session *s, const char *dir, const char **ret)
{
	const char *path = arena_printf(s->arena, "%s/include/generated/utsrelease.h", dir);
	char *text;
	size_t len;
	struct error *err = path_read(s->arena, path, &text, &len);

	if (err)
		return error_create(
			s->arena, ERROR_ENVIRONMENT,
			"%s is not a kernel build tree: %s; name the directory of a configured "
			"kernel, or a release",
			dir, err->text);

	char *begin = strchr(text, '"'), *end = begin ? strchr(begin + 1, '"') : NULL;

	if (!end || end == begin + 1 || memchr(begin, '/', end - begin))
		return error_create(s->arena, ERROR_ENVIRONMENT, "%s: holds no release", path);
	*ret = arena_strndup(s->arena, begin + 1, end - begin - 1);
	return NULL;
}

static struct error *choose_named(struct session *s, struct kernel *k, const char *name,
				  const char *running)
{
	const char *root;
	struct error *err;

	if (name[0] == '/') {
		k->build_dir = name;
		k->has_headers = true;
		err = tree_release(s, name, &k->release);
		k->root = err ? "" : tree_with(s, k->release, TREE_IMAGE);
		return err;
	}
	if (!*name || strchr(name, '/'))
		return error_create(
			s->arena, ERROR_USAGE,
			"-r '%s' is not a kernel release; give one as uname -r prints it, or a "
			"build directory that starts with '/'",
			name);
	fetch_headers(s, name);
	root = s->options->vm ? tree_of_guest(s, name) : tree_of(s, name);
	if (root)
		set_kernel(s, k, root, name);
	else if (s->options->vm || !set_by_types(s, k, name, running))
		return no_headers(s, name, "");
	return NULL;
}

/*
 * Takes the newest kernel with headers: this is useful if the module is not loaded into
 * this machine's own kernel.
 */
static bool set_newest(struct session *s, struct kernel *k, const char *running)
{
	const char *root, *release;

	if (!tree_newest(s, &root, &release))
		return false;
	if (!s->options->vm && strcmp(release, running))
		say_other(s, release, running);
	set_kernel(s, k, root, release);
	return true;
}

/* True: nothing is built, only the kernel's facts are requested. */
static bool wants_facts(const struct options *o)
{
	return o->last_pass < 4 || o->list || o->list_vars;
}

static struct error *choose_found(struct session *s, struct kernel *k, const char *running)
{
	const struct options *o = s->options;
	const char *root;

	/* Handlers in BPF need the running kernel's types, but no headers. */
	if (o->runtime == RUNTIME_BPF && set_by_types(s, k, running, running))
		return NULL;
	fetch_headers(s, running);
	root = o->vm ? NULL : tree_of(s, running);
	if (root)
		set_kernel(s, k, root, running);
	else if (o->vm)
		return set_newest(s, k, running)
			       ? NULL
			       : error_create(s->arena, ERROR_ENVIRONMENT,
					      "no kernel for a guest: none in %s has headers and "
					      "boot/vmlinuz-RELEASE; %s/stap-fetch-kernel gets one",
					      tree_names(s), s->bin_dir);
	else if (wants_facts(o) && set_by_types(s, k, running, running))
		return NULL;
	else if ((wants_facts(o) || o->last_pass == 4) && set_newest(s, k, running))
		return NULL;
	else if (!path_exists("/proc/modules"))
		return takes_no_modules(s, running);
	else if (!set_by_types(s, k, running, running))
		return no_headers(s, running, ", or use --vm, or -r RELEASE with -p4");
	return NULL;
}

/* Returns the architecture of a kernel without headers, by its image, or NULL. */
static const struct arch *arch_of_image(struct session *s, const struct kernel *k)
{
	struct bytes image;

	if (file_map(s->arena, tree_place(s->arena, k->root, k->release, TREE_IMAGE), &image))
		return NULL;
	return arch_of_packed(&image);
}

/* Takes the headers' architecture; refuses it if another one was requested. */
static struct error *choose_arch(struct session *s, const struct kernel *k, const char *machine)
{
	const struct arch *of_image = k->has_headers ? NULL : arch_of_image(s, k);
	const struct arch *found = of_image ? of_image : arch_of_headers(s->arena, k->build_dir);

	if (!s->arch)
		s->arch = found;
	if (!s->arch)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "this machine is %s: only %s kernels can be probed", machine,
				    arch_names(s->arena));
	if (of_image && of_image != s->arch)
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "the image of kernel %s is for %s, not for %s; -r names "
				    "another kernel",
				    k->release, of_image->name, s->arch->name);
	if (found && found != s->arch && arch_has_headers(s->arena, k->build_dir, found) &&
	    !arch_has_headers(s->arena, k->build_dir, s->arch))
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "the headers of kernel %s are for %s, not for %s; -r names "
				    "another kernel",
				    k->release, found->name, s->arch->name);
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
	struct error *err =
		named ? choose_named(s, k, named, running) : choose_found(s, k, running);

	if (!err)
		err = choose_arch(s, k, u.machine);
	if (err)
		return err;
	k->is_running = !strcmp(k->release, running);
	say_taken(s, k);

	struct facts *f = arena_new(s->arena, struct facts);

	hashmap_init(&f->suffixed, s->arena);
	hashmap_init(&f->refused, s->arena);
	hashmap_init(&f->modules, s->arena);
	hashmap_init(&f->exports, s->arena);
	hashmap_init(&f->config, s->arena);
	hashmap_init(&f->syscalls, s->arena);
	hashmap_init(&f->inlined_calls, s->arena);
	k->facts = f;
	s->kernel = k;

	struct btf *btf;

	/* A useless file is refused even if the script uses no type. */
	return o->btf ? kernel_btf(s, &btf) : NULL;
}

struct error *kernel_need(struct session *s)
{
	if (s->kernel)
		return NULL;
	if (s->options->runtime == RUNTIME_USER)
		return error_create(s->arena, ERROR_SCRIPT,
				    "%s has no kernel: neither its functions nor its types",
				    options_runtime(s->options->runtime));
	return kernel_open(s);
}
