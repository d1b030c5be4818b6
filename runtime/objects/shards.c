/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of elements: linked to scripts with handlers that use an array by one key. */
#include "core/shards.c"
