/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The portable code that no handler runs: compiled for size. */
#include "core/about.c"
#include "core/books.c"
#include "core/session.c"
