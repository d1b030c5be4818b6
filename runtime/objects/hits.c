/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hit protocol as calls: an object of its own, linked
 * to scripts with other probes than begin, end and error.
 */
#include "core/hits.c"
