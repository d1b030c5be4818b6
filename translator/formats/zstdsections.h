/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debuginfo that compilers and linkers have packed by zstd (-gz=zstd), which libelf reads
 * only from 0.190 on, and not in every build of it.
 */
#ifndef STAP_FORMATS_ZSTDSECTIONS_H
#define STAP_FORMATS_ZSTDSECTIONS_H

/*
 * Returns a file in memory with the same contents in which these sections are unpacked,
 * and closes fd. Returns fd itself if there are none, or if one cannot be unpacked.
 */
int zstdsections_unpacked(int fd);

#endif
