#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
proc_vmcore.py DUMP OUT: makes of a dump of QEMU's, in ELF, what /proc/vmcore of a kernel for dumps shows of the same
memory: with the note in which the kernel describes itself, and the addresses at which it sees its memory (not moved).
"""
import struct
import sys

EHDR, PHDR, NOTE = '<16sHHIQQQIHHHHHH', '<IIQQQQQQ', '<III'
dump = open(sys.argv[1], 'rb').read()
head = list(struct.unpack_from(EHDR, dump))
segments = [struct.unpack_from(PHDR, dump, head[5] + i * head[9]) for i in range(head[10])]
loads = [s for s in segments if s[0] == 1 and s[5]]
notes = b''.join(dump[s[2]:s[2] + s[5]] for s in segments if s[0] == 4)

# The longest text of its kind: pieces of it lie elsewhere.
info, at = b'', dump.find(b'OSRELEASE=')
while at >= 0:
    info = max(info, dump[at:at + 4096].split(b'\0')[0], key=len)
    at = dump.find(b'OSRELEASE=', at + 1)
if b'SYMBOL(swapper_pg_dir)=' not in info:
    sys.exit('no description of the kernel is in it')
padded = (len(info) + 3) & ~3
notes += struct.pack(NOTE, 11, len(info), 0) + b'VMCOREINFO\0\0' + info.ljust(padded, b'\0')
direct = 0xff11000000000000 if b'NUMBER(pgtable_l5_enabled)=1' in info else 0xffff888000000000

head[5:7], head[10:] = [64, 0], [len(loads) + 1, 0, 0, 0]
offset = 64 + 56 * head[10]
out = struct.pack(EHDR, *head) + struct.pack(PHDR, 4, 0, offset, 0, 0, len(notes), len(notes), 0)
offset = (offset + len(notes) + 4095) & ~4095
for kind, flags, _, _, physical, size, _, _ in loads:
    out += struct.pack(PHDR, kind, flags, offset, direct + physical, physical, size, size, 0)
    offset += size
out += notes
with open(sys.argv[2], 'wb') as file:
    file.write(out.ljust((len(out) + 4095) & ~4095, b'\0'))
    for load in loads:
        file.write(dump[load[2]:load[2] + load[5]])
