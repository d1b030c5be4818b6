/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library that layers calls through; layer_thick is the same with a larger frame. */
// cflags: -shared -fPIC -O2 -g0 -fomit-frame-pointer
#ifndef THROUGH
#define THROUGH through_thin
#define ROOM	1000
#endif

int THROUGH(int (*call)(int), int n);
int THROUGH(int (*call)(int), int n)
{
	volatile char room[ROOM];

	room[0] = (char)n;
	room[ROOM - 1] = 1;
	return call(room[0]) + room[ROOM - 1];
}
