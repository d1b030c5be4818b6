/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hit protocol as calls: a separate object, linked to scripts with probes other than
 * begin, end and error.
 */
#include "core/hits.c"
