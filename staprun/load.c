/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See load.h. refusal.c explains why the kernel refused a module. */
#include "staprun/load.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "staprun/bpffacts.h"
#include "staprun/kmsg.h"
#include "staprun/refusal.h"
#include "staprun/remove.h"
#include "staprun/report.h"

#define MODULE_MAX (256u << 20)

static bool has_suffix(const char *s, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len > n && !memcmp(s + len - n, suffix, n);
}

bool load_name(const char *module, char ret[MODULE_NAME_SIZE])
{
	const char *slash = strrchr(module, '/'), *base = slash ? slash + 1 : module;
	size_t len = strlen(base);

	if (has_suffix(base, len, ".ko"))
		len -= 3;
	else if (has_suffix(base, len, ".bpf"))
		len -= 4;
	if (!len || len >= MODULE_NAME_SIZE)
		return false;
	for (size_t i = 0; i < len; i++) {
		ret[i] = base[i] == '-' ? '_' : base[i];
		if (!isalnum((unsigned char)ret[i]) && ret[i] != '_')
			return false;
	}
	ret[len] = 0;
	return true;
}

/* True: the name is one of a file, not of what is in it. */
static bool has_kind(const char *name)
{
	return has_suffix(name, strlen(name), ".ko") || has_suffix(name, strlen(name), ".bpf");
}

/* Sets the path of the module or, if there is none of that name, of the program. */
static bool set_placed_path(struct load *l, const char *place, const char *name)
{
	static const char *const kinds[] = { ".ko", ".bpf" };
	int n = 0;

	for (unsigned i = 0; i < 2 && (!i || (errno == ENOENT && !has_kind(name))); i++) {
		n = snprintf(l->path_buf, sizeof(l->path_buf), "%s/%s%s", place, name,
			     has_kind(name) ? "" : kinds[i]);
		if (n <= 0 || (size_t)n >= sizeof(l->path_buf) || !access(l->path_buf, F_OK))
			break;
	}
	l->path = l->path_buf;
	if (n > 0 && (size_t)n < sizeof(l->path_buf))
		return true;
	report_error("%s: the name is too long", name);
	return false;
}

/* Writes the directory of installed modules, without '/' at the end. */
static bool find_place(char *ret, size_t size)
{
	struct utsname u;
	int n = uname(&u) ? -1 : snprintf(ret, size, "/lib/modules/%s/systemtap", u.release);

	return n > 0 && (size_t)n < size;
}

/*
 * Returns the name of an installed module, or NULL for a path. The path of the directory
 * of installed modules may precede the name.
 */
static const char *placed_name(const char *module, const char *place)
{
	size_t len = strlen(place);

	if (!strncmp(module, place, len) && module[len] == '/' && !strchr(module + len + 1, '/'))
		return module + len + 1;
	return strchr(module, '/') || has_kind(module) ? NULL : module;
}

static const char *read_placed(struct load *l, const char *place)
{
	const char *wrong = NULL;
	int dir = image_open_root_dir(place);

	if (dir < 0)
		return errno == EPERM ? "users other than root may write to its directory"
				      : strerror(errno);
	wrong = image_read_in(dir, strrchr(l->path, '/') + 1, MODULE_MAX, &l->image);
	l->is_placed = !wrong;
	close(dir);
	return wrong;
}

static bool read_file(struct load *l, const char *module)
{
	const char *name, *wrong;
	char place[256];

	if (!find_place(place, sizeof(place)))
		return false;
	name = placed_name(module, place);
	if (name) {
		if (!set_placed_path(l, place, name))
			return false;
		wrong = read_placed(l, place);
	} else {
		l->path = module;
		wrong = image_read_as_user(l->path, MODULE_MAX, &l->image);
	}
	if (!wrong)
		return true;
	report_error("%s: %s", l->path, wrong);
	if (name == module)
		report_hint("a module in the current directory is named with its suffix: %s.ko; "
			    "a program, %s.bpf",
			    module, module);
	return false;
}

static bool find_name(struct load *l)
{
	const char *name = modinfo_next(&l->info, "name", NULL);

	if (load_name(name ? name : l->path, l->name))
		return true;
	report_error("%s: not a name for a module (letters, digits and '_', at most %d)",
		     name ? name : l->path, MODULE_NAME_SIZE - 1);
	return false;
}

bool load_open(struct load *l, const char *module)
{
	const char *wrong;

	if (!read_file(l, module))
		return false;
	l->is_program = bpffacts_is_program(&l->image);
	wrong = (l->is_program ? bpffacts_read : modinfo_read)(&l->image, &l->info);
	if (!wrong)
		return find_name(l);
	report_error("%s: %s", l->path, wrong);
	return false;
}

/*
 * Looks for "parmtype=NAME:type" in .modinfo. The kernel ignores unknown parameters and
 * logs them; load_module() looks for that line, because a module need not list its
 * parameters.
 */
static bool has_param(const struct load *l, const char *name, size_t len)
{
	if (!modinfo_next(&l->info, "parmtype", NULL))
		return true;
	for (const char *p = NULL; (p = modinfo_next(&l->info, "parmtype", p));) {
		if (!strncmp(p, name, len) && p[len] == ':')
			return true;
	}
	return false;
}

static void list_params(const struct load *l)
{
	char list[512];
	size_t n = 0;

	list[0] = 0;
	for (const char *p = NULL; n < sizeof(list) && (p = modinfo_next(&l->info, "parmtype", p));)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%.*s", n ? ", " : "",
				      (int)strcspn(p, ":"), p);
	report_hint("it has: %s", list);
}

static bool add_param(struct load *l, const char *param, const char *wrong)
{
	size_t len = strcspn(param, "=");

	if (!wrong && !has_param(l, param, len)) {
		report_error("%s has no parameter '%.*s'", l->name, (int)len, param);
		list_params(l);
		return false;
	}
	if (!wrong)
		wrong = params_add(&l->params, param);
	if (wrong)
		report_error("%s: %s", param, wrong);
	return !wrong;
}

bool load_add_param(struct load *l, const char *param)
{
	return add_param(l, param, params_check(param));
}

bool load_add_own_param(struct load *l, const char *param)
{
	return add_param(l, param, NULL);
}

/* Reports parameters that the kernel ignored. */
static bool check_params(const struct load *l, int log)
{
	if (!l->params.used || !kmsg_show(log, l->name, "unknown parameter"))
		return true;
	report_error("%s: the module does not have such a parameter", l->path);
	remove_just_loaded(l->name, getuid());
	return false;
}

bool load_module(struct load *l)
{
	int log = kmsg_open();
	bool ok;

	report_verbose("loading %s as %s%s%s", l->path, l->name, l->params.used ? " with " : "",
		       l->params.text);
	STAP_PROBE1(staprun, insert__module, l->path);
	ok = !syscall(SYS_init_module, l->image.data, l->image.size, l->params.text);
	if (!ok)
		refusal_explain(l, errno, log);
	else
		ok = check_params(l, log);
	if (log >= 0)
		close(log);
	image_free(&l->image);
	return ok;
}
