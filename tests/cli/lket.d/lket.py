#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of LKET, by the specification alone.

lket.py decode FILE…: prints the events of files of 2006, merged by time, a line each: "USEC TID CPU GROUP HOOK
    name:value,…" with USEC since the earliest record; that of registrations counts, but they are not printed.
lket.py make 2006|2007|raw: writes a small trace of two CPUs into the current directory; raw N: with N reads after it.
lket.py most COMMAND…: runs it and prints how much memory it took, in megabytes."""
import resource
import struct
import subprocess
import sys

MAGIC = 0xAEFCDB6B
NUMBERS = {"8": "b", "16": "h", "32": "i", "64": "q"}


def fields(data, types, names):
    """Yields (name, value) of packed fields."""
    for kind, name in zip(filter(None, types.split(":")), filter(None, names.split(":"))):
        if kind == "STRING":
            text, data = data.split(b"\0", 1)
            yield name, text.decode("latin-1")
        else:
            form = "<" + NUMBERS[kind.lstrip("UINT")]
            yield name, struct.unpack_from(form, data)[0]
            data = data[struct.calcsize(form):]
    assert not data, "bytes are left over"


def records(path):
    with open(path, "rb") as f:
        data = f.read()
    at, headers = 0, 0
    while at < len(data):
        at += 4  # the sequence number
        if struct.unpack_from("<I", data, at)[0] == MAGIC:
            length, major, minor, order, width = struct.unpack_from("<HBBBB", data, at + 4)
            assert (length, major, minor, order, width) == (4, 1, 1, 1, 64) and not headers
            headers, at = 1, at + 10
        else:
            total, own = struct.unpack_from("<HH", data, at)
            usec, where = struct.unpack_from("<QQ", data, at + 4)
            yield usec, where, data[at + 20:at + 4 + own], data[at + 4 + own:at + 4 + total]
            at += 4 + total
        assert data[at] == 0, f"{path}: no NUL at {at}"
        at += 1


def decode(paths):
    events = [(usec, n, where, own, user) for n, p in enumerate(paths) for usec, where, own, user in records(p)]
    events.sort(key=lambda e: e[:2])
    first, known, added = events[0][0], {}, {}
    for usec, _, where, own, user in events:
        group, hook, cpu = where >> 24 & 255, where >> 16 & 255, where >> 8 & 255
        if group == 1:
            types, names = (t.decode() for t in own[2:].split(b"\0")[:2])
            (known if hook == 1 else added)[own[0], own[1]] = types, names
            continue
        values = list(fields(own, *known.get((group, hook), ("", ""))))
        values += fields(user, *added.get((group, hook), ("", "")))
        print(usec - first, struct.unpack("<i", struct.pack("<I", where >> 32))[0], cpu, group, hook,
              "".join(f"{name}:{value}," for name, value in values))


# (time, tid, pid, ppid, cpu, group, hook, fields, what the script printed); fields are (bits or 0 for a string, value)
START = 1152576000000000
EVENTS = [
    (0, 10, 10, 1, 0, 1, 1, [(8, 3), (8, 1), (0, "INT32:INT32:INT32:STRING"), (0, "tid:pid:ppid:pname")], []),
    (0, 10, 10, 1, 0, 1, 1, [(8, 9), (8, 5), (0, "INT64:INT64:INT64"), (0, "fd:buff_addr:count")], []),
    (0, 10, 10, 1, 0, 1, 1, [(8, 9), (8, 6), (0, "INT64"), (0, "return")], []),
    (0, 10, 10, 1, 0, 1, 1, [(8, 8), (8, 2), (0, "STRING:INT32:INT16:INT32"), (0, "dev_name:data_len:protocol:buff_size")], []),
    (1, 10, 10, 1, 0, 1, 2, [(8, 8), (8, 2), (0, "UINT32:UINT8:STRING"), (0, "mac_len:priority:who")], []),
    (5, 10, 10, 1, 0, 3, 1, [(32, 10), (32, 10), (32, 1), (0, "bash")], []),
    (100, 10, 10, 1, 1, 9, 5, [(64, 3), (64, -1081126904), (64, 32)], []),
    (2527880, 10, 10, 1, 1, 9, 6, [(64, -11)], []),
    (2527880, 77, 77, 1, 0, 8, 2, [(0, "eth0"), (32, 1500), (16, -31011), (32, 2304)], [(32, 14), (8, -1), (0, "me")]),
]


def packed(values):
    return b"".join(v.encode() + b"\0" if not bits else struct.pack("<" + NUMBERS[str(bits)], v) for bits, v in values)


def make_bytes(of_2007):
    parts, sequence = [b"", b""], 0
    for usec, tid, pid, ppid, cpu, group, hook, own, user in [(None,) * 9] + EVENTS:
        sequence += 1
        if usec is None:
            cpu, data = 0, struct.pack("<IHBBBBBI", MAGIC, 9, 1, 3, 1, 2, 64, 2400) if of_2007 else \
                struct.pack("<IHBBBB", MAGIC, 4, 1, 1, 1, 64)
        else:
            hook = 3 if of_2007 and (group, hook) == (1, 2) else hook
            place = group << 24 | hook << 16 | cpu << 8
            body = struct.pack("<QQQ", tid << 32 | pid, START + usec, ppid << 32 | place) if of_2007 else \
                struct.pack("<QQ", START + usec, tid << 32 | place)
            body += packed(own)
            data = struct.pack("<HH", len(body + packed(user)), len(body)) + body + packed(user)
        frame = struct.pack("<I", sequence)
        parts[cpu] += frame + struct.pack("<I", len(data)) + data if of_2007 else frame + data + b"\0"
    for cpu, data in enumerate(parts):
        with open(f"stpd_cpu{cpu}", "wb") as f:
            f.write(data)


def make_raw(more=0):
    table = lambda rows: b"".join(struct.pack("<I", len(r)) + r for r in rows)
    form = lambda values: "".join("%s" if not bits else f"%{bits // 8}b" for bits, _ in values)
    item = lambda values: b"".join(struct.pack("<H", len(v)) + v.encode() if not bits else struct.pack("<q", v)
                                   for bits, v in values)
    formats, rings, hits = [], [bytearray(), b"", b""], [0, 0, 0]

    def number(text):
        if text not in formats:
            formats.append(text)
        return struct.pack("<H", formats.index(text))

    for usec, tid, pid, ppid, cpu, group, hook, own, user in EVENTS:
        body = number(f"\1lket {group}.{hook} %8b{form(own)}") + struct.pack("<q", tid << 32 | pid) + item(own)
        if user:
            body += number(form(user) + "%c") + item(user) + struct.pack("<q", 0)
        ring = 2 if group in (1, 3) else cpu
        hits[ring] += 1
        rings[ring] += struct.pack("<QIHBB", 10**9 + usec * 1000, 0, len(body), 0, 2) + body + bytes(-len(body) % 8)
    for n in range(more):
        body = number("\1lket 9.5 %8b%8b%8b%8b") + struct.pack("<4q", 10 << 32 | 10, n, n * 4096, 512)
        rings[0] += struct.pack("<QIHBB", 4 * 10**9 + n * 1000, 0, len(body), 0, 2) + body + bytes(-len(body) % 8)
    hits[0] += more
    books = f"probe\t0\tany\t{sum(hits)}\t{sum(hits)}\t0\t0\tbegin\n" + "".join(f"ring\t{n}\t{h}\n" for n, h in enumerate(hits))
    rings[2] += struct.pack("<QIHBB", 0, 2**32 - 1, len(books), 254, 0) + books.encode() + bytes(-len(books) % 8)
    for n, data in enumerate(rings):
        module, host, f, p = b"m", b"h", table([t.encode("latin-1") for t in formats]), table([b"begin"])
        used = 72 + len(module + host + f + p)
        header = struct.pack("<8sIIIIIIIIIIIIQQ", b"STAPRAW\n", 1, 4, (used + 7) // 8 * 8, n, 3, 0, 1, 1, len(formats), 1,
                             len(f), len(p), START * 1000, 10**9)
        end = struct.pack("<QIHBBQQ", 0, 2**32 - 1, 16, 255, 0, hits[n], 1)
        with open(f"raw_{n}", "wb") as out:
            out.write(header + module + host + f + p + bytes(-used % 8) + data + end)


if sys.argv[1] == "most":
    subprocess.run(sys.argv[2:], check=True)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
elif sys.argv[1] == "decode":
    decode(sys.argv[2:])
elif sys.argv[2] == "raw":
    make_raw(*map(int, sys.argv[3:]))
else:
    make_bytes(sys.argv[2] == "2007")
