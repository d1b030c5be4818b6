/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of processes. */
#ifndef STP_COMPAT_PAGES_H
#define STP_COMPAT_PAGES_H

#include <linux/mm.h>

#include "stp_facts.h"

/*
 * Gets the page of a process at that address, for reading; 1: it is there. put_page()
 * releases it. mm's lock is held, and stays held.
 */
static inline long compat_page_get(struct mm_struct *mm, unsigned long address, struct page **page)
{
#ifdef STP_HAVE_GET_PAGES_VMAS
	return get_user_pages_remote(mm, address, 1, FOLL_FORCE, page, NULL, NULL);
#else
	return get_user_pages_remote(mm, address, 1, FOLL_FORCE, page, NULL);
#endif
}

#endif
