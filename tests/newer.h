/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Newer C libraries (glibc since 2.43), as ISO C23 has it, give the place in a const text as
 * a pointer to const. make STRICT=1 includes this before each file, so that an older library
 * refuses the same.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#define NEWER_PLACE(in, type, call)                                                                \
	_Generic(0 ? (in) : (void *)1, const void * : (const type *)(call), default : (call))

#undef memchr
#undef strchr
#undef strrchr
#undef strpbrk
#undef strstr
#define memchr(s, c, n) NEWER_PLACE(s, void, (memchr)(s, c, n))
#define strchr(s, c)	NEWER_PLACE(s, char, (strchr)(s, c))
#define strrchr(s, c)	NEWER_PLACE(s, char, (strrchr)(s, c))
#define strpbrk(s, any) NEWER_PLACE(s, char, (strpbrk)(s, any))
#define strstr(s, part) NEWER_PLACE(s, char, (strstr)(s, part))
