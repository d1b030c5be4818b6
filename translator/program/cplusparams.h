/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares parameters of C++ functions as written by a user and by a demangler. The
 * latter puts const after its type, and names default arguments of templates.
 */
#ifndef STAP_CPLUSPARAMS_H
#define STAP_CPLUSPARAMS_H

#include <stdbool.h>

struct arena;

/*
 * Returns whether the demangled parameters, "(vector<A, std::allocator<A> > const&)", are
 * those of the pattern, "(const vector<A>&)". The pattern may leave out scopes, from the
 * left, and a const that belongs to the function. NULL matches all.
 */
bool cplusparams_match(struct arena *a, const char *pattern, const char *parameters);

#endif
