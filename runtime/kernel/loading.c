/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading and unloading, and globals set at load time: STP_PARAM() in kernel/env.h. */
#include <linux/security.h>

#include "api.h"
#include "core/session.h"
#include "kernel/control.h"
#include "kernel/crash.h"
#include "kernel/namespaces.h"
#include "kernel/packed.h"
#include "kernel/target.h"
#include "kernel/taskfilter.h"

static int param_set_string(const struct stp_global *g, const char *value)
{
	struct stp_str *str = g->place;
	ssize_t len = strscpy(g->storage, value, stp_script.limits.string);

	if (len < 0)
		return -E2BIG;
	str->s = g->storage;
	str->len = len;
	return 0;
}

/* Parameters come before the module's init function. */
static int param_set(const char *value, const struct kernel_param *kp)
{
	const struct stp_global *g;
	s64 number;
	int ret = -EINVAL;

	stp_packed_apply();
	g = &stp_script.globals[(unsigned long)kp->arg];
	if (g->is_array)
		return ret;
	if (g->type == STP_STRING)
		return param_set_string(g, value);
	if (g->type == STP_LONG)
		ret = kstrtos64(value, 0, &number);
	if (!ret)
		*(int64_t *)g->place = number;
	return ret;
}

/*
 * The kernel reads this before any code of the module runs, so it cannot be one of the
 * tables, whose addresses are not filled in yet.
 */
struct kernel_param_ops stp_param_ops __ro_after_init = { .set = param_set };

u32 stp_owner;
unsigned int stp_namespaces_of;

/*
 * staprun -s and similar options. They are callbacks, because the kernel lists parameters
 * with a type, and globals have none to list.
 */
module_param_cb(_stp_buffer_mb, &param_ops_uint, &stp_buffer_mb, 0);
module_param_cb(_stp_memory_mb, &param_ops_uint, &stp_memory_mb, 0);
module_param_cb(_stp_remote_id, &param_ops_long, &stp_remote_id, 0);
module_param_cb(_stp_remote_uri, &param_ops_charp, &stp_remote_uri, 0);
module_param_cb(_stp_namespaces_pid, &param_ops_uint, &stp_namespaces_of, 0);
module_param_cb(_stp_cgroup_fd, &param_ops_uint, &stp_taskfilter_fd, 0);
module_param_cb(_stp_script, &param_ops_charp, &stp_script_text, 0);
module_param_cb(_stp_owner, &param_ops_uint, &stp_owner, 0);

static void destroy(void)
{
	stp_crash_destroy();
	stp_session_destroy();
	stp_taskfilter_destroy();
}

static int __init stp_module_init(void)
{
	int ret;

	stp_packed_apply();
	/*
	 * Under lockdown=confidentiality nobody may read the kernel's memory, and we do
	 * read it.
	 */
	ret = security_locked_down(LOCKDOWN_KPROBES);
	if (ret)
		return ret;
	ret = stp_session_create();
	if (ret)
		return ret;
	ret = stp_crash_create();
	if (!ret)
		ret = stp_taskfilter_create();
	if (!ret)
		ret = stp_control_create();
	if (ret)
		destroy();
	return ret;
}

static void __exit stp_module_exit(void)
{
	stp_control_destroy();
	destroy();
}

module_init(stp_module_init);
module_exit(stp_module_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A tracing script, made by stap");
