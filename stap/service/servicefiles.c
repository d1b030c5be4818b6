/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See servicefiles.h. */
#include "stap/service/servicefiles.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/printable.h"
#include "lib/trust.h"

#define NAME_MOST 200	    /* a unit's name has 255 characters at most */
#define CONF_MOST (1 << 16) /* bytes */

bool servicefiles_is_name(const char *name)
{
	size_t len = strlen(name);

	if (!len || len > NAME_MOST || !isalnum((unsigned char)name[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isascii((unsigned char)name[i]) ||
		    (!isalnum((unsigned char)name[i]) && !strchr("_.-", name[i])))
			return false;
	return true;
}

struct error *servicefiles_check_name(struct session *s, const char *name)
{
	if (servicefiles_is_name(name))
		return NULL;
	return error_create(
		s->arena, ERROR_USAGE,
		"'%s' is not a valid service name: it has letters, digits, '_', '-' "
		"and '.', begins with a letter or digit, and has %d characters at most",
		printable_line(arena_strndup(s->arena, name, strnlen(name, NAME_MOST + 1))),
		NAME_MOST);
}

/*
 * Refuses a file or directory that others may change or replace: root will execute its
 * contents.
 */
static struct error *check_owner(struct session *s, const char *path)
{
	char at_fault[PATH_MAX];
	enum trust_fault fault = trust_check_path(path, trust_user(), at_fault);

	if (!fault)
		return NULL;
	if (fault == TRUST_ABSENT)
		return error_errno(s->arena, "%s", path);
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "%s %s, who could change the service; %s fixes that", at_fault,
			    trust_reason(fault), trust_remedy(fault));
}

static struct error *check_file(struct session *s, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return error_errno(s->arena, "%s", path);
	if (!S_ISREG(st.st_mode))
		return error_create(s->arena, ERROR_ENVIRONMENT, "%s is not a file", path);
	return check_owner(s, path);
}

static struct error *read_conf(struct session *s, const char *path, struct conf *ret)
{
	struct error *err = check_file(s, path);
	char *text;
	size_t len;

	if (!err)
		err = path_read(s->arena, path, &text, &len);
	if (!err && len > CONF_MOST)
		err = error_create(s->arena, ERROR_USAGE, "%s is larger than %d bytes", path,
				   CONF_MOST);
	return err ? err : conf_parse(s, path, text, len, ret);
}

static void make_argv(struct session *s, const struct conf *conf, struct service_files *f)
{
	vec_push(s->arena, &f->argv, "stap");
	vec_each(&conf->options, i)
		vec_push(s->arena, &f->argv, conf->options.data[i].text);
	vec_push(s->arena, &f->argv, "--");
	vec_push(s->arena, &f->argv, f->script);
	vec_each(&conf->arguments, i)
		vec_push(s->arena, &f->argv, conf->arguments.data[i].text);
	vec_push(s->arena, &f->argv, NULL);
}

/* Returns an option that runs elsewhere, ends early or needs a terminal, or NULL. */
static const char *unfit(const struct options *o)
{
	const struct {
		bool given;
		const char *option;
	} all[] = {
		{ o->vm, "--vm" },
		{ o->remotes.count > 0, "--remote" },
		{ o->wanted && o->wanted != COMMAND_EXPORTER, optioncommand_name(o->wanted) },
		{ o->estimate, "--estimate" },
		{ o->last_pass < 5, "-p" },
		{ o->script_text && !o->list, "-e" },
		{ o->list, "-l" },
		{ o->example, "--example" },
		{ o->monitor > 0, "--monitor" },
		{ options_passed(o, "-F"), "-F" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].given)
			return all[i].option;
	return NULL;
}

/*
 * Checks the first `count` words of the options. The script comes before them here,
 * because the last option may lack its argument.
 */
static struct error *check_options(struct session *s, const struct conf *conf, size_t count,
				   const struct service_files *f)
{
	VEC(const char *) argv = { 0 };
	struct options options;
	bool exit_now = false;
	struct error *err;
	const char *option;

	vec_push(s->arena, &argv, "stap");
	vec_push(s->arena, &argv, f->script);
	for (size_t i = 0; i < count; i++)
		vec_push(s->arena, &argv, conf->options.data[i].text);
	vec_push(s->arena, &argv, NULL);
	err = options_parse(s, (int)argv.count - 1, (char **)(uintptr_t)argv.data, &options,
			    &exit_now);
	if (err)
		return err;
	option = unfit(&options);
	if (exit_now)
		return error_create(s->arena, ERROR_USAGE, "-h and -V do not go with a service");
	if (option)
		return error_create(s->arena, ERROR_USAGE,
				    "%s cannot be used in a service: nothing would run here "
				    "until it is stopped",
				    option);
	if (options.args.count || (count && !strcmp(conf->options.data[count - 1].text, "--")))
		return error_create(s->arena, ERROR_USAGE,
				    "'%s' is not an option; the script's own words are ARGUMENTS=",
				    options.args.count ? options.args.data[0] : "--");
	return NULL;
}

/*
 * Checks the options. An error is reported for the line of the first word that causes it.
 */
static struct error *check_conf(struct session *s, const struct conf *conf,
				const struct service_files *f)
{
	struct error *err = check_options(s, conf, conf->options.count, f), *same = NULL;
	size_t count = 0;

	if (!err || !f->conf)
		return err;
	while (count < conf->options.count && (!same || strcmp(same->text, err->text)))
		same = check_options(s, conf, ++count, f);
	return count ? error_context(s->arena, err, "%s:%u", f->conf,
				     conf->options.data[count - 1].line)
		     : error_context(s->arena, err, "%s", f->conf);
}

static struct error *no_script(struct session *s, const struct service_files *f)
{
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "there is no service '%s': %s is not there; `stap service status` "
			    "lists those that are",
			    f->name, f->script);
}

struct error *servicefiles_find(struct session *s, const char *root, const char *name,
				struct service_files *ret)
{
	struct error *err = servicefiles_check_name(s, name);
	struct conf conf = { 0 };
	const char *dir, *path;

	if (err)
		return err;
	*ret = (struct service_files){ .name = name };
	dir = arena_printf(s->arena, "%s" SERVICE_SCRIPTS, root);
	ret->script = arena_printf(s->arena, "%s/%s.stp", dir, name);
	path = arena_printf(s->arena, "%s/%s.conf", dir, name);
	if (!path_exists(ret->script))
		return no_script(s, ret);
	err = check_owner(s, dir);
	if (!err)
		err = check_file(s, ret->script);
	if (!err && !access(path, F_OK)) {
		ret->conf = path;
		err = read_conf(s, path, &conf);
	} else if (!err && errno != ENOENT) {
		err = error_errno(s->arena, "%s", path);
	}
	make_argv(s, &conf, ret);
	return err ? err : check_conf(s, &conf, ret);
}
