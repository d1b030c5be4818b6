/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of options.def that do more than set one member: the rows of CALL. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/optionrow.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/dburl.h"
#include "lib/error.h"
#include "lib/rlimit.h"

#define OWN_INFO  "stap_" /* the names in modinfo that staprun trusts begin with this */
#define NAME_MOST 54

struct error *optioncall_script(struct option_parse *p, const char *arg)
{
	if (p->o->script_text && !p->o->list)
		return optiontype_wrong(p, "%s is given twice; -E adds another script%.0s", arg);
	p->o->script_text = arg;
	return NULL;
}

struct error *optioncall_verbose(struct option_parse *p, const char *arg)
{
	p->o->verbose++;
	return NULL;
}

/* Sets --vp 00012: a digit for each pass; the largest one counts for stap as a whole. */
struct error *optioncall_verbose_passes(struct option_parse *p, const char *arg)
{
	if (!*arg || strspn(arg, "0123456789") != strlen(arg))
		return optiontype_wrong(p, "%s takes a digit for each pass, as 00012, not '%s'",
					arg);
	for (; *arg; arg++)
		if ((unsigned)(*arg - '0') > p->o->verbose)
			p->o->verbose = (unsigned)(*arg - '0');
	return NULL;
}

struct error *optioncall_estimate(struct option_parse *p, const char *arg)
{
	p->o->estimate = true;
	p->o->last_pass = 2;
	return NULL;
}

struct error *optioncall_module_name(struct option_parse *p, const char *arg)
{
	size_t len = strlen(arg);

	if (len > 3 && !strcmp(arg + len - 3, ".ko"))
		len -= 3;
	if (!optiontype_is_name(arg, len) || len > NAME_MOST)
		return error_create(
			p->s->arena, ERROR_USAGE,
			"%s takes a name of letters, digits and '_', at most %d long, not '%s'",
			p->shown, NAME_MOST, arg);
	p->o->module_name = arena_strndup(p->s->arena, arg, len);
	return NULL;
}

struct error *optioncall_tmpdir(struct option_parse *p, const char *arg)
{
	char *path = realpath(arg, NULL);
	struct stat st;

	if (!path || stat(path, &st) || !S_ISDIR(st.st_mode)) {
		free(path);
		return optiontype_wrong(p, "%s needs a directory that is there, not '%s'", arg);
	}
	setenv("TMPDIR", path, 1);
	free(path);
	return NULL;
}

/* staprun refreshes the tables; the script decides how often it prints them. */
struct error *optioncall_top(struct option_parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->run_args, "--top");
	return arg ? optiontype_read_number(p, arg, 1, 86400, &p->o->top_seconds) : NULL;
}

struct error *optioncall_to(struct option_parse *p, const char *arg)
{
	const char *colon = strchr(arg, ':');

	if (!colon || colon == arg || !colon[1])
		return error_create(p->s->arena, ERROR_USAGE,
				    "--to takes KIND:WHERE, as in --to sqlite:FILE; stap-merge -h "
				    "lists the kinds");
	// This is an argument of this process, which others can read.
	dburl_hide_password((char *)(uintptr_t)arg);
	p->o->to = arg;
	return NULL;
}

struct error *optioncall_modinfo(struct option_parse *p, const char *arg)
{
	if (!strncmp(arg, OWN_INFO, strlen(OWN_INFO)))
		return optiontype_wrong(
			p,
			"%s takes no names that begin with stap_, such as '%s'; stap "
			"writes those itself",
			arg);
	return p->row->set(p, arg);
}

struct error *optioncall_list(struct option_parse *p, const char *arg)
{
	p->o->list = true;
	p->o->script_text = arg;
	return NULL;
}

struct error *optioncall_list_vars(struct option_parse *p, const char *arg)
{
	p->o->list_vars = true;
	return optioncall_list(p, arg);
}

/*
 * Notes about renamed things are shown for any version, unless -w suppresses them.
 */
struct error *optioncall_compatible(struct option_parse *p, const char *arg)
{
	if (!isdigit((unsigned char)arg[0]) || strverscmp(arg, SYSTEMTAP_VERSION) > 0)
		return optiontype_wrong(
			p, "%s takes a version of SystemTap up to " SYSTEMTAP_VERSION ", not '%s'",
			arg);
	p->o->compatible = arg;
	return NULL;
}

struct error *optioncall_monitor(struct option_parse *p, const char *arg)
{
	p->o->globals_readable = true; // values are shown
	return p->row->set(p, arg);
}

struct error *optioncall_target_namespaces(struct option_parse *p, const char *arg)
{
	long pid;
	struct error *err = optiontype_read_number(p, arg, 1, 0x7fffffff, &pid);

	vec_push(p->s->arena, &p->o->run_args, "-N");
	vec_push(p->s->arena, &p->o->run_args, arg);
	return err;
}

struct error *optioncall_remote(struct option_parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->remotes, ((struct remote_name){ arg, false }));
	return NULL;
}

struct error *optioncall_remote_file(struct option_parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->remotes, ((struct remote_name){ arg, true }));
	return NULL;
}

struct error *optioncall_rlimit(struct option_parse *p, const char *arg)
{
	return rlimit_set(p->s->arena, p->shown, arg);
}

struct error *optioncall_help(struct option_parse *p, const char *arg)
{
	optionhelp_print();
	*p->exit_now = true;
	return NULL;
}

struct error *optioncall_version(struct option_parse *p, const char *arg)
{
	optionhelp_version();
	*p->exit_now = true;
	return NULL;
}
