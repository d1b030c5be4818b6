/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun: loads a module made by stap, lets stapio run it without privilege, and removes
 * it again, whatever happens to stapio.
 *
 * Exit status: that of stapio; 128 plus the signal that killed stapio; 1 something
 * failed; 2 usage; 4 the module was refused.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/streams.h"
#include "staprun/attach.h"
#include "staprun/bpfattach.h"
#include "staprun/bpfcheck.h"
#include "staprun/bpfprogram.h"
#include "staprun/bpfruns.h"
#include "staprun/caller.h"
#include "staprun/cgroup.h"
#include "staprun/daemon.h"
#include "staprun/files.h"
#include "staprun/guard.h"
#include "staprun/load.h"
#include "staprun/kmodule.h"
#include "staprun/options.h"
#include "staprun/privileges.h"
#include "staprun/quota.h"
#include "staprun/remove.h"
#include "staprun/rename.h"
#include "staprun/report.h"
#include "staprun/run.h"
#include "staprun/status.h"
#include "staprun/vouch.h"
#include "uapi/msg.h"

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_REFUSED = 4 };

#define BUFFER_MOST 64 /* megabytes per CPU, for users without full rights */

static bool ask_program(const struct options *o, const char *name, const struct caller *c)
{
	return o->switched ? bpfruns_switch(name, o->switched, c)
			   : bpfruns_write(name, o->globals ? "globals" : "status", c);
}

static int status_requested(const struct options *o, const struct caller *c)
{
	char name[MODULE_NAME_SIZE];
	bool all = o->status && !strcmp(o->module, "*");

	if (!all && !load_name(o->module, name)) {
		report_error("%s: not a module's name", o->module);
		return EXIT_USAGE;
	}
	if (!all && bpfruns_are_meant(name))
		return ask_program(o, name, c) ? EXIT_OK : EXIT_FAILED;
	if (!caller_may_modules(c))
		return EXIT_REFUSED;
	if (!files_proc_ready())
		return EXIT_FAILED;
	if (o->switched)
		return status_switch(name, o->switched, c) ? EXIT_OK : EXIT_FAILED;
	return status_write(all ? NULL : name, c, o->globals) ? EXIT_OK : EXIT_FAILED;
}

static int remove_requested(const struct options *o, const struct caller *c)
{
	char name[MODULE_NAME_SIZE];

	bool all = !strcmp(o->module, "*");

	if (!all && !load_name(o->module, name)) {
		report_error("%s: not a module's name", o->module);
		return EXIT_USAGE;
	}
	if (!all && bpfruns_are_meant(name))
		return bpfruns_stop(name, c) ? EXIT_OK : EXIT_FAILED;
	if (!caller_may_modules(c))
		return EXIT_REFUSED;
	if (all)
		return files_proc_ready() && remove_all_left(c) ? EXIT_OK : EXIT_FAILED;
	return files_proc_ready() && remove_on_request(name, c) ? EXIT_OK : EXIT_FAILED;
}

/* Runs stapio and removes the module, unless it must continue without a reader. */
static int run_and_remove(const struct options *o, const struct kmodule *m, char **environment,
			  const struct run_signals *signals, int ready)
{
	static struct files files;
	bool opened = files_open(&files, m), ok = true;
	struct run_end end;
	int status;

	if (opened)
		run_stapio(o, &files, m, environment, signals, ready, &end);
	if (kmodule_is_kept(m)) {
		attach_say(m->name);
	} else {
		if (opened && o->values)
			status_write_values(m, o->values);
		ok = remove_module(m);
	}
	status = opened ? run_report(&end) : EXIT_FAILED;
	return ok ? status : EXIT_FAILED;
}

/*
 * Runs the loaded module. If it has been removed by now, a module with its name may be
 * another user's.
 */
static int run_loaded(const struct options *o, const char *name, char **environment,
		      const struct run_signals *signals, int ready)
{
	struct kmodule m;
	int status = EXIT_FAILED;

	if (!kmodule_find(&m, name)) {
		report_error(KMODULE_PREFIX "%s: %s", name, strerror(errno));
		if (errno == ENOENT)
			report_hint("the module is not one of stap's, or not of this version");
		remove_just_loaded(name, getuid());
		return status;
	}
	if (m.owner == getuid())
		status = run_and_remove(o, &m, environment, signals, ready);
	else
		report_error("module %s is another user's: left alone", name);
	kmodule_close(&m);
	return status;
}

/* Sets the size of the buffers. They use kernel memory, and every CPU has one. */
static bool set_buffer(const struct options *o, struct load *l, const struct caller *c)
{
	char param[32];

	if (!o->buffer_mb)
		return true;
	if (o->buffer_mb > BUFFER_MOST && !caller_may_all(c)) {
		report_error("-s %u: members of %s may have %d megabytes", o->buffer_mb,
			     caller_group(c->level), BUFFER_MOST);
		return false;
	}
	snprintf(param, sizeof(param), "_stp_buffer_mb=%u", o->buffer_mb);
	return load_add_own_param(l, param);
}

#define REMOTE_URI  "_stp_remote_uri="
#define REMOTE_MOST 500
#define SCRIPT_NAME "_stp_script="
#define SCRIPT_MOST 200

static bool set_remote(const struct options *o, struct load *l)
{
	char id[32], uri[sizeof(REMOTE_URI) + REMOTE_MOST];
	int digits = o->remote ? (int)strspn(o->remote, "0123456789") : 0;

	if (!o->remote)
		return true;
	snprintf(id, sizeof(id), "_stp_remote_id=%.*s", digits, o->remote);
	if (strlen(o->remote + digits + 1) > REMOTE_MOST) {
		report_error("-r: the name is longer than %d bytes", REMOTE_MOST);
		return false;
	}
	snprintf(uri, sizeof(uri), REMOTE_URI "%s", o->remote + digits + 1);
	return load_add_own_param(l, id) && load_add_own_param(l, uri);
}

/* Passes on the name of the script, cut to the length that the kernel accepts. */
static bool set_script(const struct options *o, struct load *l)
{
	char param[sizeof(SCRIPT_NAME) + SCRIPT_MOST];

	snprintf(param, sizeof(param), SCRIPT_NAME "%s", o->script ? o->script : l->path);
	for (char *s = param; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f || *s == '"')
			*s = *s == '"' ? '\'' : '?';
	return load_add_own_param(l, param);
}

/*
 * Sets the process whose namespaces count. This reveals nothing about other users'
 * processes.
 */
static bool set_namespaces(const struct options *o, struct load *l, const struct caller *c)
{
	char text[64];
	struct stat st;

	if (!o->namespaces_of)
		return true;
	snprintf(text, sizeof(text), "/proc/%u", o->namespaces_of);
	if (stat(text, &st)) {
		report_error("-N %u: there is no such process", o->namespaces_of);
		return false;
	}
	if (!caller_may_all(c) && st.st_uid != getuid()) {
		report_error("-N %u: members of %s may name processes of their own",
			     o->namespaces_of, caller_group(c->level));
		return false;
	}
	snprintf(text, sizeof(text), "_stp_namespaces_pid=%u", o->namespaces_of);
	return load_add_own_param(l, text);
}

/* Sets the cgroup of the run: the descriptor is valid in this process, which loads it. */
static bool set_cgroup(const struct options *o, struct load *l, char **environment)
{
	int fd = cgroup_of_options(o, environment);
	char param[32];

	snprintf(param, sizeof(param), "_stp_cgroup_fd=%d", fd);
	return !fd || (fd > 0 && load_add_own_param(l, param));
}

/* Sets the owner of the module: a script for stapusr sees only the owner's processes. */
static bool set_owner(struct load *l)
{
	char param[32];

	snprintf(param, sizeof(param), "_stp_owner=%u", (unsigned)getuid());
	return !getuid() || load_add_own_param(l, param);
}

static bool set_params(const struct options *o, struct load *l, const struct caller *c,
		       char **environment)
{
	for (unsigned i = 0; i < o->ngiven; i++)
		if (!load_add_param(l, o->given[i]))
			return false;
	for (char *const *p = o->params; *p; p++)
		if (!load_add_param(l, *p))
			return false;
	return set_buffer(o, l, c) && set_remote(o, l) && set_script(o, l) &&
	       set_namespaces(o, l, c) && set_cgroup(o, l, environment) && set_owner(l);
}

/* Tells the module how much memory it may use. */
static bool set_memory(struct load *l, const struct quota *quota)
{
	char param[48];

	snprintf(param, sizeof(param), "_stp_memory_mb=%u", quota->megabytes);
	return !quota->megabytes || load_add_own_param(l, param);
}

static int load_guarded(const struct options *o, struct load *l, struct quota *quota,
			char **environment, const struct run_signals *signals, int ready)
{
	int status = EXIT_REFUSED;
	struct guard guard;
	bool ok;

	if (run_is_interrupted(signals) || !guard_start(&guard, l->name, getuid()))
		return EXIT_FAILED;
	ok = load_module(l);
	quota_end(quota);
	if (ok) {
		guard_loaded(&guard);
		if (o->rename)
			report_verbose("the module's name is %s", l->name);
		status = run_loaded(o, l->name, environment, signals, ready);
	}
	guard_end(&guard);
	return status;
}

static int load_and_run(const struct options *o, const struct caller *c, char **environment,
			const struct run_signals *signals)
{
	static struct load load;
	static struct quota quota;
	int ready = -1;

	if (!load_open(&load, o->module) ||
	    !(load.is_program ? caller_may_programs : caller_may_modules)(c) ||
	    !vouch_check(&load, c))
		return EXIT_REFUSED;
	if (load.is_program)
		return bpfprogram_run(o, &load, c, environment, signals);
	if (!set_params(o, &load, c, environment))
		return EXIT_REFUSED;
	if (o->rename && !rename_module(&load))
		return EXIT_REFUSED;
	if (!files_proc_ready())
		return EXIT_FAILED;
	remove_forsaken(c);
	if (!quota_begin(&quota, &load, c, signals))
		return EXIT_REFUSED;
	if (!set_memory(&load, &quota)) {
		quota_end(&quota);
		return EXIT_REFUSED;
	}
	if (o->background && !daemon_start(&ready, &signals->caught, NULL))
		return EXIT_FAILED;
	return load_guarded(o, &load, &quota, environment, signals, ready);
}

static int attach_and_run(const struct options *o, const struct caller *c, char **environment,
			  const struct run_signals *signals)
{
	char name[MODULE_NAME_SIZE];
	struct kmodule m;
	int status;

	if (!load_name(o->module, name)) {
		report_error("%s: not a module's name", o->module);
		return EXIT_USAGE;
	}
	if (bpfruns_are_meant(name))
		return bpfattach_run(o, name, c, environment, signals);
	if (!caller_may_modules(c))
		return EXIT_REFUSED;
	if (!files_proc_ready() || !remove_find_free(&m, name, c))
		return EXIT_FAILED;
	status = run_and_remove(o, &m, environment, signals, -1);
	kmodule_close(&m);
	return status;
}

/* Returns the exit status of -h and -V: 0 if their text was written. */
static int report_flushed(void)
{
	int error = streams_flush(stdout);

	if (error)
		report_error("writing stdout: %s", strerror(error));
	return error ? EXIT_FAILED : EXIT_OK;
}

int main(int argc, char **argv)
{
	struct run_signals signals;
	struct options options;
	struct caller caller;
	char **environment;
	bool asks;

	// With argc 0, the environment would be taken for arguments.
	if (argc < 1 || !privileges_prepare(&environment))
		return EXIT_FAILED;
	switch (options_parse(argc, argv, &options)) {
	case OPTIONS_EXIT:
		return report_flushed();
	case OPTIONS_WRONG:
		return EXIT_USAGE;
	case OPTIONS_RUN:
		break;
	}
	say_verbosity = options.verbose;
	if (options.check)
		return bpfcheck_print(options.module);
	asks = options.status || options.globals || options.switched;
	if (!options.remove && !asks && !run_block_signals(&signals))
		return EXIT_FAILED;
	if (!caller_find(&caller))
		return EXIT_REFUSED;
	if (asks)
		return status_requested(&options, &caller);
	if (options.remove)
		return remove_requested(&options, &caller);
	return (options.attach ? attach_and_run : load_and_run)(&options, &caller, environment,
								&signals);
}
