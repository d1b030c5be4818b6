/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See caller.h. Groups are looked up in /etc/group, and not by getgrnam(), which would
 * load modules named in nsswitch.conf into a privileged process. System groups do not
 * belong in a directory service.
 */
#include "staprun/caller.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "staprun/privileges.h"
#include "staprun/report.h"

enum load { VOUCHED, ANY };

static const struct {
	const char *group;
	enum load load;
} levels[PRIVILEGE_COUNT] = {
#define LEVEL(name, group, load) [PRIVILEGE_##name] = { group, load },
	STP_PRIVILEGE_LEVELS(LEVEL)
#undef LEVEL
};

const char *caller_group(enum stp_privilege level)
{
	return levels[level].group;
}

static bool is_member(gid_t gid)
{
	int n = getgroups(0, NULL);
	gid_t *list = n > 0 ? calloc((size_t)n, sizeof(*list)) : NULL;
	bool found = gid == getgid();

	if (list && getgroups(n, list) == n)
		for (int i = 0; i < n; i++)
			found |= list[i] == gid;
	free(list);
	return found;
}

/*
 * Returns a bit for each level whose group the user is in. A group with number 0 is
 * root's.
 */
static unsigned find_groups(void)
{
	FILE *f = fopen("/etc/group", "re");
	unsigned found = 0;
	struct group *g;

	while (f && (g = fgetgrent(f)))
		for (unsigned i = 0; i < PRIVILEGE_COUNT; i++)
			if (g->gr_gid && !strcmp(g->gr_name, levels[i].group) &&
			    is_member(g->gr_gid))
				found |= 1u << i;
	if (f)
		fclose(f);
	return found;
}

static bool refuse(void)
{
	report_error("only root and members of the group stapusr may run staprun (try: sudo "
		     "staprun ...)");
	report_hint("for the rights of the groups stapusr, stapsys and stapdev see staprun(8), "
		    "PRIVILEGES");
	return false;
}

bool caller_find(struct caller *ret)
{
	unsigned groups;

	*ret = (struct caller){ .level = PRIVILEGE_STAPDEV, .is_root = getuid() == 0 };
	if (ret->is_root)
		return true;
	groups = find_groups();
	ret->has_capabilities = privileges_are_callers();
	ret->is_member = groups & 1u << PRIVILEGE_STAPUSR;
	if (!ret->is_member && !ret->has_capabilities)
		return refuse();
	while (ret->level > PRIVILEGE_STAPUSR && !(groups & 1u << ret->level))
		ret->level--;
	return true;
}

bool caller_may_modules(const struct caller *c)
{
	if (c->is_root)
		return true;
	if (!c->is_member)
		return refuse();
	if (privileges_are_there())
		return true;
	report_error("staprun is neither set-uid root nor has it the capabilities "
		     "to load modules");
	report_hint("chown root:stapusr staprun; chmod 4750 staprun");
	return false;
}

bool caller_may_programs(const struct caller *c)
{
	if (c->is_root || privileges_are_for_programs())
		return true;
	report_error("staprun is neither set-uid root nor has it the capabilities that programs of "
		     "--runtime=bpf need: CAP_BPF and CAP_PERFMON");
	report_hint("chown root:stapusr staprun; chmod 4750 staprun");
	return false;
}

bool caller_may_all(const struct caller *c)
{
	return c->is_root || levels[c->level].load == ANY;
}
