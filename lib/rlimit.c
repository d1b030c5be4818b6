/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/rlimit.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/error.h"

static const struct limit {
	const char *option;
	int resource;
} limits[] = {
	{ "--rlimit-as", RLIMIT_AS },	    { "--rlimit-cpu", RLIMIT_CPU },
	{ "--rlimit-nproc", RLIMIT_NPROC }, { "--rlimit-stack", RLIMIT_STACK },
	{ "--rlimit-fsize", RLIMIT_FSIZE },
};

struct error *rlimit_set(struct arena *a, const char *option, const char *number)
{
	const struct limit *l = limits;
	struct rlimit value;
	char *end;

	while (strcmp(l->option, option))
		l++;
	errno = 0;
	value.rlim_cur = value.rlim_max = strtoul(number, &end, 10);
	if (!isdigit((unsigned char)*number) || *end || errno)
		return error_create(a, ERROR_USAGE, "%s takes a number, not '%s'", option, number);
	return setrlimit(l->resource, &value) ? error_errno(a, "%s=%s", option, number) : NULL;
}
