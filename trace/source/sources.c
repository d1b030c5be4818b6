/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/source/sources.h"

void source_no_seek(struct join *j)
{
}

void source_no_check(struct join *j)
{
}
