/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See obstacles.h. The usual obstacle is a container: the hints name the options of its
 * engine.
 */
#include "staprun/obstacles.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/confined.h"
#include "staprun/privileges.h"
#include "staprun/report.h"
#include "staprun/smallfile.h"

/* SELinux and AppArmor report the label of this process here. */
static void hint_security_module(void)
{
	char text[256];

	smallfile_read_line("/proc/self/attr/current", text, sizeof(text));
	if (*text && strcmp(text, "kernel") && !strstr(text, "unconfined") &&
	    !strstr(text, ":spc_t:"))
		report_hint("a security module confines this process: %s "
			    "(/proc/self/attr/current); in a container: --security-opt "
			    "apparmor=unconfined, or label=disable for SELinux",
			    text);
}

/* Returns false if system calls are not filtered. */
static bool hint_filter(void)
{
	char text[4096];

	smallfile_read("/proc/self/status", text, sizeof(text));
	if (!strstr(text, "\nSeccomp:\t2"))
		return false;
	report_hint("system calls are filtered here (Seccomp: 2 in /proc/self/status), perhaps "
		    "init_module(), too; in a container: --security-opt seccomp=unconfined");
	return true;
}

static void hint_machine(const char *lockdown)
{
	static const char disabled_file[] = "/proc/sys/kernel/modules_disabled";
	char disabled[8];

	smallfile_read_line(disabled_file, disabled, sizeof(disabled));
	if (*disabled == '1')
		report_hint("loading modules was disabled until the machine starts again (%s)",
			    disabled_file);
	if (*lockdown && !strstr(lockdown, "[none]"))
		report_hint("the kernel is locked down: %s (/sys/kernel/security/lockdown)",
			    lockdown);
}

bool obstacles_module(void)
{
	char lockdown[128];

	smallfile_read_line("/sys/kernel/security/lockdown", lockdown, sizeof(lockdown));
	if (confined_in(CONFINED_USER)) {
		report_hint("this process is in a user namespace, as in a rootless container: "
			    "the kernel loads modules only from outside of it, whatever "
			    "the container's options are; the engine has to run as root");
		return false;
	}
	if (!privileges_are_there()) {
		report_hint("CAP_SYS_MODULE is missing; in a container: --privileged, or "
			    "--cap-add=SYS_MODULE; Kubernetes: securityContext: privileged: true");
		return false;
	}
	if (strstr(lockdown, "[confidentiality]")) {
		report_hint("the kernel is locked down so that its memory cannot be read, "
			    "which scripts need; under lockdown=integrity signed modules run");
		return false;
	}
	bool filtered = hint_filter();

	hint_security_module();
	hint_machine(lockdown);
	return !filtered && strstr(lockdown, "[integrity]");
}

void obstacles_system_call(void)
{
	if (!hint_filter())
		report_hint("stap --vm runs scripts in a guest");
}

void obstacles_file(void)
{
	hint_security_module();
}
