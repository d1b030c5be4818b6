/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of modules, from their own tables: linked to scripts that probe modules. */
#include "kernel/module_symbols.c"
