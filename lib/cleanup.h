/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resources other than memory that are released at the end of their scope. */
#ifndef LIB_CLEANUP_H
#define LIB_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_fclose(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void cleanup_closedir(DIR **d)
{
	if (*d)
		closedir(*d);
}

#define _cleanup_close_	   __attribute__((cleanup(cleanup_close)))
#define _cleanup_fclose_   __attribute__((cleanup(cleanup_fclose)))
#define _cleanup_closedir_ __attribute__((cleanup(cleanup_closedir)))

#endif
