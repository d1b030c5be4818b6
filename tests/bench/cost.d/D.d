// SPDX-License-Identifier: GPL-2.0-or-later
#pragma D option quiet
fbt::vfs_read:entry { printf("%d %s %d\n", pid, execname, timestamp); }
