/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/endsignals.h"

#include <signal.h>
#include <stddef.h>

bool endsignals_pending(void)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	sigset_t pending;
	bool ret = false;

	if (sigpending(&pending))
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		ret |= sigismember(&pending, ends[i]) == 1;
	return ret;
}
