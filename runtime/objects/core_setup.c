/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The portable half of what no handler runs: compiled for size. */
#include "core/books.c"
#include "core/session.c"
