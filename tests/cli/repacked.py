#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
repacked.py snappy|zstd DUMP OUT: makes of a dump of makedumpfile -c, or of QEMU's, one whose pages are packed by
another library, which not every makedumpfile is built with. Status 77: that library is not here.
"""
import ctypes
import struct
import sys
import zlib

ZLIB, SNAPPY, ZSTD = 1, 4, 32 # flags of a page, and of the head
HEAD, PAGE = '<8si396xQQIIIII', '<QIIQ' # struct disk_dump_header; struct page_desc: offset, size, flags, page_flags

try:
    library = ctypes.CDLL({'snappy': 'libsnappy.so.1', 'zstd': 'libzstd.so.1'}[sys.argv[1]])
except OSError:
    sys.exit(77)


def packed(page):
    room = ctypes.create_string_buffer(2 * len(page) + 100)
    size = ctypes.c_size_t(len(room))
    if sys.argv[1] == 'zstd':
        library.ZSTD_compress.restype = ctypes.c_size_t
        size.value = library.ZSTD_compress(room, size, page, ctypes.c_size_t(len(page)), 3)
        if size.value > len(room):
            sys.exit('ZSTD_compress')
    elif library.snappy_compress(page, ctypes.c_size_t(len(page)), room, ctypes.byref(size)):
        sys.exit('snappy_compress')
    return room.raw[:size.value]


dump = bytearray(open(sys.argv[2], 'rb').read())
signature, _, _, _, status, block, sub, bitmaps, _ = struct.unpack_from(HEAD, dump)
if signature != b'KDUMP   ':
    sys.exit('not a dump in the form of kdump')
flag = SNAPPY if sys.argv[1] == 'snappy' else ZSTD
struct.pack_into('<I', dump, struct.calcsize(HEAD[:-5]), status & ~ZLIB | flag)
# Behind the bitmaps: the second of them has a bit for each page that is there.
begin = (1 + sub + bitmaps) * block
second = int.from_bytes(dump[(1 + sub + bitmaps // 2) * block:begin], 'little').bit_count()
pages, out, npacked = begin + second * struct.calcsize(PAGE), bytearray(), 0
for i in range(second):
    at = begin + i * struct.calcsize(PAGE)
    offset, size, flags, rest = struct.unpack_from(PAGE, dump, at)
    page = dump[offset:offset + size]
    page = zlib.decompress(page) if flags & ZLIB else bytes(page)
    small = packed(page)
    if len(small) < len(page):
        npacked += 1
    else:
        small = page
    struct.pack_into(PAGE, dump, at, pages + len(out), len(small), flag if small is not page else 0, rest)
    out += small
if not npacked:
    sys.exit('no page is packed')
with open(sys.argv[3], 'wb') as file:
    file.write(dump[:pages] + out)
