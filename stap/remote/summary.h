/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a table of all machines to standard error: which ran, which did not and why, and
 * the books.
 */
#ifndef STAP_REMOTE_SUMMARY_H
#define STAP_REMOTE_SUMMARY_H

#include "stap/remote/fleet.h"

void summary_print(const struct remote *r);

#endif
