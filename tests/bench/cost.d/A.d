// SPDX-License-Identifier: GPL-2.0-or-later
int n;
fbt::vfs_read:entry /n/ { n = 1; }
