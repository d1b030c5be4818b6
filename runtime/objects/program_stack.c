/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks, symbols and variables of programs as one unit:
 * a separate object, linked to scripts that use them.
 */
#include "core/unwind.c"
#include "kernel/map_changes.c"
#include "kernel/program_cut.c"
#include "kernel/program_gathering.c"
#include "kernel/program_mapping.c"
#include "kernel/program_stack.c"
#include "kernel/program_text.c"
