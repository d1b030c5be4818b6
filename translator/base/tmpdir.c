/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/tmpdir.h"

#include <stdlib.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"

struct error *tmpdir_of(struct session *s, const char **ret)
{
	if (!s->tmp_dir) {
		char *dir = arena_printf(s->arena, "%s/stapXXXXXX", path_tmp_base());

		if (!mkdtemp(dir))
			return error_context(
				s->arena, error_errno(s->arena, "%s", dir),
				"no temporary directory (TMPDIR can name another place)");
		s->tmp_dir = dir;
	}
	*ret = s->tmp_dir;
	return NULL;
}
