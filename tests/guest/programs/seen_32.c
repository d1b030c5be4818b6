/* SPDX-License-Identifier: GPL-2.0-or-later */
/* seen.c with other options. */
// cflags: -m32 -idirafter /usr/include/x86_64-linux-gnu -g -O0 -Wno-unused-but-set-variable
// needs: echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o /dev/null 2> /dev/null
#include "seen.c"
