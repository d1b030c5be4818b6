/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hits that wait for pages of the program, for the files that have such hits. */
#ifndef STP_KERNEL_PAGES_H
#define STP_KERNEL_PAGES_H

#include "api/script.h"

/* Runs a hit for the first time; repeats it like stp_pages_repeat_function(). */
stp_repeat_function stp_pages_begin;

#endif
