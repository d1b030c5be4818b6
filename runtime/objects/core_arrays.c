/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The portable half of arrays and aggregates. */
#include "core/arrays.c"
#include "core/hist.c"
#include "core/heat.c"
#include "core/quantile.c"
#include "core/iter.c"
#include "core/map.c"
#include "core/plain.c"
#include "core/sort.c"
#include "core/stat.c"
#include "core/store.c"
