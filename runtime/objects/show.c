/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of programs with loops and choices, such as vectors and enums with payload, as
 * one unit: a separate object, linked to scripts that print them.
 */
#include "core/prettylists.c"
