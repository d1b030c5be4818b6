/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of --doctor, in the order in which a run needs their results. */
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "build/compiler.h"
#include "build/sign.h"
#include "dwarf/kernelinfo.h"
#include "kernel/config.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "kernel/tree.h"
#include "lib/arena.h"
#include "lib/capsets.h"
#include "lib/confined.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"
#include "stap/doctor/doctor.h"

#define ROOM_LEAST (200ull << 20) /* bytes, for one kernel's part of the cache and some modules */

static void found(struct doctor_finding *f, enum doctor_state state, const char *text,
		  const char *remedy)
{
	*f = (struct doctor_finding){ state, text, remedy };
}

const char *doctor_refusal(struct session *s)
{
	char *text;
	size_t len;

	if (!path_exists("/proc/modules"))
		return "cannot load modules";
	if (!path_read(s->arena, "/proc/sys/kernel/modules_disabled", &text, &len) && *text == '1')
		return "cannot load modules until it starts again";
	return NULL;
}

/* Prints which kernel runs here, and which one in guests. */
static void look_both(struct session *s, const char *running, struct doctor_finding *f)
{
	const char *refusal = doctor_refusal(s);
	enum doctor_state state = refusal ? DOCTOR_WITHOUT : DOCTOR_OK;

	found(f, s->kernel ? state : DOCTOR_MISSING,
	      arena_printf(s->arena, "%s runs here, and %s", running,
			   refusal ? refusal : "can load modules"),
	      s->kernel ? arena_printf(s->arena,
				       "stap --vm runs scripts in a guest with kernel %s; the "
				       "other lines are about that one",
				       s->kernel->release)
			: "stap --vm runs scripts in a guest");
}

static void look_machine(struct session *s, struct doctor_finding *f)
{
	struct utsname u;

	uname(&u);
	if (s->options->vm)
		look_both(s, arena_strdup(s->arena, u.release), f);
	else if (s->kernel && !s->kernel->is_running)
		found(f, DOCTOR_WITHOUT,
		      arena_printf(s->arena,
				   "%s runs here: modules are for other machines, or --vm",
				   u.release),
		      NULL);
	else
		found(f, doctor_refusal(s) ? DOCTOR_MISSING : DOCTOR_OK,
		      arena_printf(s->arena, "%s runs here, and %s", u.release,
				   doctor_refusal(s) ? doctor_refusal(s) : "can load modules"),
		      doctor_refusal(s) ? "stap --vm runs scripts in a guest" : NULL);
}

static void look_headers(struct session *s, struct doctor_finding *f)
{
	struct error *err = kernel_need(s);

	if (!err)
		err = kernel_need_headers(s);
	if (err)
		found(f, DOCTOR_MISSING, err->text, NULL);
	else
		found(f, DOCTOR_OK,
		      arena_printf(s->arena, "of kernel %s: %s", s->kernel->release,
				   s->kernel->build_dir),
		      NULL);
}

static void look_compiler(struct session *s, struct doctor_finding *f)
{
	const char *name = s->kernel ? compiler_of(s).name : "gcc";
	const char *path = subprocess_find(s->arena, name);

	if (path)
		found(f, DOCTOR_OK, path, NULL);
	else
		found(f, DOCTOR_MISSING, arena_printf(s->arena, "%s, which made the kernel", name),
		      compiler_supply(s, name));
}

static void look_make(struct session *s, struct doctor_finding *f)
{
	const char *path = subprocess_find(s->arena, "make");

	found(f, path ? DOCTOR_OK : DOCTOR_MISSING, path ? path : "make",
	      path ? NULL : remedy_command(s->arena, REMEDY_MAKE, NULL));
}

/* A kernel image that exists but has no types was built without them. */
static const char *types_supply(struct session *s)
{
	return path_exists(kernel_place(s, TREE_IMAGE))
		       ? "a kernel that is built with CONFIG_DEBUG_INFO_BTF"
		       : remedy_command(s->arena, REMEDY_IMAGE, s->kernel->release);
}

static void look_types(struct session *s, struct doctor_finding *f)
{
	struct error *err = kernel_need(s);
	struct btf *btf;

	if (err) {
		found(f, DOCTOR_MISSING, err->text, NULL); // about the headers
		return;
	}
	err = kernel_btf(s, &btf);
	found(f, err ? DOCTOR_MISSING : DOCTOR_OK,
	      err ? err->text : "BTF: parameters, members and functions of the kernel",
	      err ? types_supply(s) : NULL);
}

static void look_debuginfo(struct session *s, struct doctor_finding *f)
{
	struct dwarf_file *file;

	if (s->kernel && !dwarf_kernel(s, NULL, &file))
		found(f, DOCTOR_OK, "of the kernel: lines, locals, inlined copies", NULL);
	else
		found(f, DOCTOR_WITHOUT, "lines, locals and inlined copies of the kernel need it",
		      remedy_command(s->arena, REMEDY_DEBUGINFO,
				     s->kernel ? s->kernel->release : "RELEASE"));
}

/* Options of the kernel, and the features that need them. */
static void look_options(struct session *s, struct doctor_finding *f)
{
	static const struct {
		const char *name, *lacks;
	} options[] = {
		{ "MODULES", "everything" },
		{ "KPROBES", "functions and statements" },
		{ "KRETPROBES", "returns" },
		{ "DYNAMIC_FTRACE_WITH_REGS", "functions at their first instruction, cheaply" },
		{ "TRACEPOINTS", "tracepoints" },
		{ "UPROBES", "programs" },
		{ "PERF_EVENTS", "perf and timer.profile" },
		{ "HIGH_RES_TIMERS", "exact timers" },
		{ "CGROUPS", "--cgroup" },
	};
	struct strbuf lacks;
	bool is_known = s->kernel && kernel_knows_config(s), all = true;

	strbuf_init(&lacks, s->arena);
	for (size_t i = 0; is_known && i < sizeof(options) / sizeof(options[0]); i++) {
		if (kernel_config(s, options[i].name))
			continue;
		strbuf_addf(&lacks, "%sCONFIG_%s (%s)", all ? "without " : ", ", options[i].name,
			    options[i].lacks);
		all = false;
	}
	if (!is_known)
		found(f, DOCTOR_MISSING, "not known without headers", NULL);
	else
		found(f, all ? DOCTOR_OK : DOCTOR_WITHOUT,
		      all ? "the kernel has the options that probes need" : lacks.s, NULL);
}

static void look_signatures(struct session *s, struct doctor_finding *f)
{
	struct signer *signer = NULL;
	struct error *err = s->kernel ? sign_open(s, &signer) : NULL;
	bool asks = s->kernel && !s->options->vm && sign_is_asked(s);

	if (err)
		found(f, DOCTOR_MISSING, err->text, NULL);
	else if (signer)
		found(f, DOCTOR_OK, "modules are signed with this machine's key", NULL);
	else if (asks)
		found(f, DOCTOR_MISSING, "the kernel loads only signed modules (Secure Boot)",
		      "stap --make-key makes a key, and says how to enrol it");
	else
		found(f, DOCTOR_OK, "the kernel asks for none", NULL);
}

static void look_lockdown(struct session *s, struct doctor_finding *f)
{
	char *text = "";
	size_t len;

	if (s->options->vm)
		found(f, DOCTOR_OK, "none in a guest", NULL);
	else if (!path_read(s->arena, "/sys/kernel/security/lockdown", &text, &len) &&
		 strstr(text, "[confidentiality]"))
		found(f, DOCTOR_MISSING, "confidentiality: the kernel's memory cannot be read",
		      "boot with lockdown=integrity");
	else
		found(f, DOCTOR_OK,
		      strstr(text, "[integrity]") ? "integrity: signed modules work" : "none",
		      NULL);
}

/* True: staprun can load modules for a user who is not root. */
static bool is_privileged(const char *staprun)
{
	struct stat st;

	return !stat(staprun, &st) && ((!st.st_uid && st.st_mode & S_ISUID) ||
				       getxattr(staprun, "security.capability", NULL, 0) > 0);
}

static bool is_member(const char *name)
{
	const struct group *g = getgrnam(name);
	gid_t gid = g ? g->gr_gid : 0, groups[256];
	int n = getgroups(sizeof(groups) / sizeof(groups[0]), groups);

	if (!g)
		return false;
	for (int i = 0; i < n; i++)
		if (groups[i] == gid)
			return true;
	return getegid() == gid;
}

static void look_root(struct session *s, struct doctor_finding *f)
{
	if (s->kernel && !s->kernel->is_running) // it is loaded elsewhere
		found(f, DOCTOR_OK, "root", NULL);
	else if (confined_in(CONFINED_USER))
		found(f, DOCTOR_MISSING, "root of a user namespace, as in a rootless container",
		      "the container's engine has to run as root");
	else if (!capsets_have(CAP_SYS_MODULE)) // root in a container may lack it
		found(f, DOCTOR_MISSING, "root without CAP_SYS_MODULE",
		      "in a container: --privileged (man stap-in-containers)");
	else
		found(f, DOCTOR_OK, "root", NULL);
}

static void look_user(struct session *s, struct doctor_finding *f)
{
	const char *staprun = arena_printf(s->arena, "%s/staprun", s->bin_dir);
	const struct passwd *user = getpwuid(geteuid());
	const char *name = user ? user->pw_name : "USER";

	if (s->options->vm)
		found(f, geteuid() ? DOCTOR_MISSING : DOCTOR_OK,
		      geteuid() ? "only root can share this machine's files with a guest" : "root",
		      geteuid() ? "sudo stap --vm …" : NULL);
	else if (!geteuid())
		look_root(s, f);
	else if (is_privileged(staprun) && is_member("stapusr") && is_member("stapdev"))
		found(f, DOCTOR_OK, arena_printf(s->arena, "%s, of stapdev", name), NULL);
	else if (!is_privileged(staprun))
		found(f, DOCTOR_MISSING,
		      arena_printf(s->arena, "%s is not set-uid: only root can run scripts",
				   staprun),
		      "sudo stap …, or as staprun(8) has it under GROUPS");
	else
		found(f, DOCTOR_MISSING,
		      arena_printf(s->arena, "%s is not a member of stapusr and stapdev", name),
		      arena_printf(s->arena, "usermod -aG stapusr,stapdev %s; then log in again",
				   name));
}

/*
 * Links of /proc lead to the programs of -x, and to their libraries: access to them
 * follows the rules of ptrace(2), PTRACE_MODE_READ. Yama restricts attaching, which
 * probes do not do.
 */
static void look_processes(struct session *s, struct doctor_finding *f)
{
	const char *yama = "", *whose, *remedy = NULL;
	char *scope;
	size_t len;

	if (!path_read(s->arena, "/proc/sys/kernel/yama/ptrace_scope", &scope, &len) &&
	    atoi(scope) > 0)
		yama = arena_printf(s->arena, "; ptrace_scope, %d, restricts debuggers only",
				    atoi(scope));
	if (capsets_have(CAP_SYS_PTRACE)) {
		whose = "all users";
	} else if (geteuid()) {
		whose = "this user's processes only";
		remedy = "root, or the program's file: process(\"PATH\")";
	} else {
		whose = "processes with no more capabilities";
		remedy = "in a container: --cap-add=SYS_PTRACE";
	}
	found(f, remedy ? DOCTOR_WITHOUT : DOCTOR_OK,
	      arena_printf(s->arena, "-x finds programs of %s%s", whose, yama), remedy);
}

static void look_room(struct session *s, struct doctor_finding *f)
{
	const char *dir = path_tmp_base();
	unsigned long long room = 0;
	struct statvfs v;

	if (!statvfs(dir, &v))
		room = (unsigned long long)v.f_bavail * v.f_frsize;
	found(f, room < ROOM_LEAST ? DOCTOR_MISSING : DOCTOR_OK,
	      arena_printf(s->arena, "%llu MB in %s", room >> 20, dir),
	      room < ROOM_LEAST ? "--tmpdir=DIR names another directory" : NULL);
}

/* True: the program is in PATH, or, virtiofsd alone, where its packages put it. */
static bool has_program(struct session *s, const char *name)
{
	static const char *const places[] = { "/usr/libexec/virtiofsd", "/usr/lib/qemu/virtiofsd",
					      "/usr/lib/virtiofsd" };

	if (subprocess_find(s->arena, name))
		return true;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(name, "virtiofsd") && !access(places[i], X_OK))
			return true;
	return false;
}

/* The programs that stap-vm runs; each has a row in remedy.def. */
static void look_guest(struct session *s, struct doctor_finding *f)
{
	const char *emulator = arch_of(s)->guest->emulator;
	const char *const needed[] = { emulator, "virtiofsd", "busybox", "cpio" };
	enum doctor_state without = s->options->vm ? DOCTOR_MISSING : DOCTOR_WITHOUT;
	enum remedy package;

	found(f, DOCTOR_OK, subprocess_find(s->arena, emulator), NULL);
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]) && f->state == DOCTOR_OK; i++)
		if (!has_program(s, needed[i]))
			found(f, without,
			      arena_printf(s->arena, "stap --vm needs %s", i ? needed[i] : "QEMU"),
			      remedy_find(needed[i], &package)
				      ? remedy_command(s->arena, package, NULL)
				      : NULL);
}

const struct doctor_check doctor_checks[] = {
	{ "kernel", look_machine },
	{ "headers", look_headers },
	{ "compiler", look_compiler },
	{ "make", look_make },
	{ "types", look_types },
	{ "options", look_options },
	{ "signatures", look_signatures },
	{ "lockdown", look_lockdown },
	{ "user", look_user },
	{ "processes", look_processes },
	{ "room", look_room },
	{ "debuginfo", look_debuginfo },
	{ "guest", look_guest },
};
const size_t doctor_check_count = sizeof(doctor_checks) / sizeof(doctor_checks[0]);
