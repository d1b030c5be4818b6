/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions as one unit: a separate object, linked to scripts that use them.
 */
#include "core/regex.c"
#include "core/lastmatch.c"
