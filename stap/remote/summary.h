/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of all machines, on standard error: who ran, who did not and why, the books. */
#ifndef STAP_REMOTE_SUMMARY_H
#define STAP_REMOTE_SUMMARY_H

#include "stap/remote/fleet.h"

void summary_print(const struct remote *r);

#endif
