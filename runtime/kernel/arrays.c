/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays and aggregates: an object of its own, linked to scripts that have them. */
#include "core/arrays.c"
