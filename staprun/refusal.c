/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See refusal.h. */
#include "staprun/refusal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "staprun/modsig.h"
#include "staprun/obstacles.h"
#include "staprun/kmsg.h"
#include "staprun/load.h"
#include "staprun/kmodule.h"
#include "staprun/quota.h"
#include "staprun/report.h"

/* The first word of vermagic is the release the module was built for. */
static void hint_format(const struct load *l)
{
	const char *magic = modinfo_next(&l->info, "vermagic", NULL);
	struct utsname u;

	if (!magic || uname(&u))
		return;
	int len = (int)strcspn(magic, " ");
	if ((size_t)len == strlen(u.release) && !strncmp(magic, u.release, (size_t)len)) {
		report_hint("it was built for release %s, which is running, but from another "
			    "configuration or "
			    "build of it",
			    u.release);
		return;
	}
	report_hint("it was built for kernel %.*s; the running kernel is %s", len, magic,
		    u.release);
	report_hint("build it for this one: stap -r %s -p4 ...", u.release);
}

static void hint_name(const struct load *l)
{
	int dir = kmodule_open_dir(l->name);

	if (dir < 0) {
		report_hint("it is not one of stap's; give this one another name: stap -m NAME");
		return;
	}
	close(dir);
	report_hint(
		"the same module is already running, or was left loaded: staprun -d %s removes it",
		l->name);
}

static void hint_symbol(const struct load *l)
{
	report_hint("it uses a symbol that this kernel does not offer to modules");
}

static void hint_permission(const struct load *l)
{
	if (obstacles_module())
		modsig_hint(l);
}

static void hint_absent(const struct load *l)
{
	obstacles_system_call();
}

static void hint_quota(const struct load *l)
{
	if (l->quota)
		quota_explain(l->quota);
}

static const struct reason {
	int error;
	const char *text;
	void (*hint)(const struct load *l);
} reasons[] = {
	{ ENOEXEC, "invalid module format", hint_format },
	{ EEXIST, "a module of this name is loaded already", hint_name },
	{ ENOENT, "unknown symbol in module", hint_symbol },
	{ EPERM, "not permitted", hint_permission },
	{ EKEYREJECTED, "its signature was rejected, or it has none", modsig_hint },
	{ ENOKEY, "it is signed with an unknown key, or not at all", modsig_hint },
	{ EBADMSG, "its signature is damaged", modsig_hint },
	{ ENOSYS, "this kernel cannot load modules", hint_absent },
	{ ENOMEM, "not enough memory; smaller buffers (stap -s MB) or fewer array entries may do",
	  NULL },
	{ EDQUOT, "it needs more of the kernel's memory than is left to you", hint_quota },
	{ EINVAL, "a parameter's value is not valid, or the module is not", NULL },
	{ E2BIG, "a parameter's value is longer than the script's strings (-DMAXSTRINGLEN=)",
	  NULL },
};

void refusal_explain(const struct load *l, int error, int log)
{
	const struct reason *r = NULL;

	for (unsigned i = 0; i < sizeof(reasons) / sizeof(reasons[0]) && !r; i++) {
		if (reasons[i].error == error)
			r = &reasons[i];
	}
	report_error("%s: %s", l->path, r ? r->text : strerror(error));
	if (r && r->hint)
		r->hint(l);
	kmsg_show(log, l->name, NULL);
}
