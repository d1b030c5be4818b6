/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See taskfilter.h. */
#include "api.h"
#include "core/session.h"
#include "kernel/taskfilter.h"

struct stp_taskfilter stp_taskfilter;
unsigned int stp_taskfilter_fd;

#ifdef CONFIG_CGROUPS

int stp_taskfilter_create(void)
{
	struct stp_taskfilter *f = port_address(stp_taskfilter);
	struct cgroup *group;

	if (!stp_taskfilter_fd)
		return 0;
	group = cgroup_get_from_fd((int)stp_taskfilter_fd);
	if (IS_ERR(group))
		return PTR_ERR(group);
	f->group = group;
	f->level = group->level;
	stp_session_set_filtered();
	return 0;
}

void stp_taskfilter_destroy(void)
{
	if (stp_taskfilter.group)
		cgroup_put(stp_taskfilter.group);
}

#else

int stp_taskfilter_create(void)
{
	return stp_taskfilter_fd ? -EOPNOTSUPP : 0;
}

void stp_taskfilter_destroy(void)
{
}

#endif
