# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds a browser's picture of a flame graph against the SVG: shown.py FILE.svg FILE.png.

Each frame that is two pixels wide or more has its colour at its right end, and what is around them has the background's."""
import colorsys
import re
import struct
import sys
import zlib


def rows_of(name):
    """The rows of a PNG of 8 bits a channel, as lists of colours (RFC 2083)."""
    data = open(name, "rb").read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        at += 12 + size
        if kind == b"IHDR":
            width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            channels = {2: 3, 6: 4}[colours]
            assert depth == 8 and not interlaced
        packed += body if kind == b"IDAT" else b""
    flat, before = zlib.decompress(packed), bytes(width * channels)
    for y in range(height):
        begin = y * (width * channels + 1)
        row = bytearray(flat[begin + 1:begin + 1 + width * channels])
        for i in range(len(row)):
            left, above = (row[i - channels] if i >= channels else 0), before[i]
            corner = before[i - channels] if i >= channels else 0
            guess = min((left, above, corner), key=lambda v: abs(left + above - corner - v))
            row[i] = (row[i] + (0, left, above, (left + above) // 2, guess)[flat[begin]]) & 255
        before = bytes(row)
        yield [tuple(row[x:x + 3]) for x in range(0, len(row), channels)]


def colour(hue, saturation, lightness):
    return tuple(round(255 * v) for v in colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100))


def is_like(a, b):
    return all(abs(x - y) <= 2 for x, y in zip(a, b))


svg, rows = open(sys.argv[1]).read(), list(rows_of(sys.argv[2]))
frames = re.findall(r'data-name="([^"]*)".*?<rect x="([\d.]+)" y="(\d+)" width="([\d.]+)" height="(\d+)" '
                    r'fill="hsl\((\d+),(\d+)%,(\d+)%\)"', svg)
background = tuple(bytes.fromhex(re.search(r'height="100%" fill="#(\w{6})"', svg).group(1)))
seen = 0
for name, *numbers in frames:
    x, y, width, height, *hsl = map(float, numbers)
    if width < 2:
        continue
    got = rows[int(y + height) - 2][int(x + width) - 2]
    if not is_like(got, colour(*hsl)):
        raise SystemExit(f"{name}: at its right end {got}, not {colour(*hsl)}")
    seen += 1
lowest = max(float(n[2]) for n in frames)
for y in (3, int(lowest) + 20):
    if not is_like(rows[y][3], background):
        raise SystemExit(f"the background: {rows[y][3]}, not {background}")
print(seen, "frames")
