/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See load.h. Why the kernel refused a module is told by refused.c. */
#include "staprun/load.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "staprun/kmsg.h"
#include "staprun/refused.h"
#include "staprun/remove.h"
#include "staprun/rename.h"
#include "staprun/say.h"

static bool is_identifier(const char *s, size_t len)
{
	if (!len || isdigit((unsigned char)s[0]))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	}
	return true;
}

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

/* A path as it is; a bare name in the directory of installed modules. */
static bool find_path(struct load *l, const char *module)
{
	struct utsname u;
	int n;

	l->path = module;
	if (strchr(module, '/') || has_suffix(module, strlen(module), ".ko"))
		return true;
	l->path = l->path_buf;
	n = uname(&u) ? -1
		      : snprintf(l->path_buf, sizeof(l->path_buf), "/lib/modules/%s/systemtap/%s.ko",
				 u.release, module);
	if (n > 0 && (size_t)n < sizeof(l->path_buf))
		return true;
	say_error("%s: the name is too long", module);
	return false;
}

/* Whoever can write the file can run code in the kernel: that may only be root and the user who asks. */
static const char *check_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "not a regular file";
	if (st.st_uid != 0 && st.st_uid != getuid())
		return "it belongs neither to root nor to you";
	if (st.st_mode & S_IWOTH)
		return "everybody may write it (chmod go-w makes it acceptable)";
	if (st.st_mode & S_IWGRP && st.st_gid != 0 && st.st_gid != getgid())
		return "a group other than yours may write it (chmod go-w makes it acceptable)";
	return NULL;
}

static bool find_name(struct load *l)
{
	const char *name = modinfo_next(&l->info, "name", NULL);

	if (load_name(name ? name : l->path, l->name))
		return true;
	say_error("%s: not a name for a module (letters, digits and '_', at most %d)", name ? name : l->path,
		  MODULE_NAME_SIZE - 1);
	return false;
}

bool load_open(struct load *l, const char *module)
{
	const char *wrong;

	if (!find_path(l, module))
		return false;
	// Without O_NONBLOCK, opening a FIFO would wait for its writer.
	l->fd = open(l->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (l->fd < 0) {
		say_error("%s: %s", l->path, strerror(errno));
		if (l->path == l->path_buf && errno == ENOENT)
			say_hint("a module in the current directory is named with its suffix: %s.ko", module);
		return false;
	}
	wrong = check_file(l->fd);
	if (!wrong)
		wrong = modinfo_read(l->fd, &l->info);
	if (wrong) {
		say_error("%s: %s", l->path, wrong);
		return false;
	}
	return find_name(l);
}

/*
 * "parmtype=NAME:type" in .modinfo. The kernel itself lets unknown parameters pass with a line in its log,
 * which load_module() looks for: a module need not list its parameters.
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
	say_hint("it has: %s", list);
}

/* The kernel's parser ends a value at a blank unless it is quoted, and has no escape for a quote. */
static const char *check_value(const char *s)
{
	for (; *s; s++) {
		if (*s == '"')
			return "a parameter cannot hold a double quote";
		if (iscntrl((unsigned char)*s))
			return "a parameter cannot hold a control character";
	}
	return NULL;
}

bool load_add_param(struct load *l, const char *param)
{
	const char *value = strchr(param, '='), *wrong = NULL;
	size_t used = strlen(l->params), len = value ? (size_t)(value - param) : 0;
	int n;

	if (!value || !is_identifier(param, len))
		wrong = "not of the form NAME=VALUE";
	else
		wrong = check_value(value + 1);
	if (wrong) {
		say_error("%s: %s", param, wrong);
		return false;
	}
	if (!has_param(l, param, len)) {
		say_error("%s has no parameter '%.*s'", l->name, (int)len, param);
		list_params(l);
		return false;
	}
	const char *quote = strchr(value, ' ') ? "\"" : "";
	n = snprintf(l->params + used, sizeof(l->params) - used, "%s%.*s=%s%s%s", used ? " " : "", (int)len,
		     param, quote, value + 1, quote);
	if (n > 0 && (size_t)n < sizeof(l->params) - used)
		return true;
	say_error("the parameters are longer than %d bytes", PARAMS_SIZE - 1);
	return false;
}

/* Parameters that the kernel passed over. */
static bool check_params(const struct load *l, int log)
{
	if (!l->params[0] || !kmsg_show(log, l->name, "unknown parameter"))
		return true;
	say_error("%s: the module does not have such a parameter", l->path);
	remove_module(l->name);
	return false;
}

static bool insert(struct load *l, bool rename)
{
	size_t size;
	void *image = rename ? rename_module(l, &size) : NULL;
	bool ok;

	if (rename && !image) {
		errno = 0;
		return false;
	}
	say_verbose("loading %s as %s%s%s", l->path, l->name, l->params[0] ? " with " : "", l->params);
	if (rename)
		ok = !syscall(SYS_init_module, image, size, l->params);
	else
		ok = !syscall(SYS_finit_module, l->fd, l->params, 0);
	int error = errno;

	free(image);
	errno = error;
	return ok;
}

bool load_module(struct load *l, bool rename)
{
	int log = kmsg_open();
	bool ok = insert(l, rename);

	if (!ok && errno) {
		refused_explain(l, errno, log);
	} else if (ok) {
		ok = check_params(l, log);
	}
	if (log >= 0)
		close(log);
	close(l->fd);
	return ok;
}
