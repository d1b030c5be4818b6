// SPDX-License-Identifier: GPL-2.0-or-later
fbt::vfs_read:entry { @h = quantize(arg2); }
