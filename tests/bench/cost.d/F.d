// SPDX-License-Identifier: GPL-2.0-or-later
fbt::vfs_read:entry { self->t = timestamp; }
fbt::vfs_read:return /self->t/ { @s = quantize(timestamp - self->t); self->t = 0; }
