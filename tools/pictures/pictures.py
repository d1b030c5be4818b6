#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the pictures of doc/pictures: pictures.py [NAME...]. `make pictures` runs it.

Each shows a run in a guest over load.sh. Screens of terminals become SVG, flame graphs and pages PNG of few colours."""
import collections, http.client, http.server, json, os, re, shutil, struct, subprocess, sys, tempfile, threading, time
import urllib.parse, zlib
from xml.sax.saxutils import escape

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
sys.dont_write_bytecode = True
sys.path += [top + "/tests/cli", top + "/tests/cli/web.d"]
from browser import Browser
from screen import Screen

KILOBYTES_MOST = 60
load = here + "/load.sh"

# ---- screens of terminals ----

LINE, LETTER = 17, 8.43  # of 14 pixels


def write_screen(path, command, lines):
    """Writes the lines below the command that has shown them."""
    while lines and not lines[-1].strip():
        lines.pop()
    lines = ["$ " + command] + lines
    width = max(map(len, lines)) * LETTER + 24
    with open(path, "w") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{len(lines) * LINE + 20}">\n'
                f'<rect width="100%" height="100%" rx="6" fill="#1e2227"/>\n'
                f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#d5dae0">\n')
        for i, line in enumerate(lines):
            if not line.strip():
                continue
            look = ' fill="#7fc77f"' if i == 0 else ""
            f.write(f'<text x="12" y="{i * LINE + 22}" textLength="{len(line.rstrip()) * LETTER:.1f}"{look}>'
                    f'{escape(line.rstrip()).replace(" ", chr(160))}</text>\n')
        f.write("</g>\n</svg>\n")


def on_screen(path, arguments, rows, columns, pattern):
    """Shows a run on a terminal until the pattern is on it."""
    Screen.rows, Screen.columns = rows, columns
    s = Screen([top + "/build/bin/stap"] + arguments, patience=600)
    s.wait(pattern)
    lines = s.shown().split("\n")
    os.write(s.fd, b"\x03")
    s.end()
    write_screen(path, "stap " + " ".join(arguments), lines)


# ---- PNG of few colours ----

def unfiltered(data, width, height, channels):
    """The rows of a PNG of 8 bits a channel (RFC 2083, 6)."""
    size, before = width * channels, bytes(width * channels)
    for y in range(height):
        kind, row = data[y * (size + 1)], bytearray(data[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for i in range(size if kind else 0):
            left, above = (row[i - channels] if i >= channels else 0), before[i]
            corner = before[i - channels] if i >= channels else 0
            guess = (0, left, above, (left + above) // 2,
                     min((left, above, corner), key=lambda v: abs(left + above - corner - v)))[kind]
            row[i] = (row[i] + guess) & 255
        before = bytes(row)
        yield [before[i:i + 3] for i in range(0, size, channels)]


def read_png(path):
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        at += 12 + size
        if kind == b"IHDR":
            width, height, _, colours = struct.unpack_from(">IIBB", body)
        packed += body if kind == b"IDAT" else b""
    return width, list(unfiltered(zlib.decompress(packed), width, height, {2: 3, 6: 4}[colours]))


def write_png(path, width, rows, most):
    """Writes the rows with the most frequent colours; others become the nearest one."""
    def step(c):
        return bytes(v & 0xf8 for v in c)

    count = collections.Counter(step(c) for row in rows for c in row)
    best = {}  # the most frequent colour of each step
    for c, n in collections.Counter(c for row in rows for c in row).most_common():
        best.setdefault(step(c), c)
    palette = [best[c] for c, _ in count.most_common(most)]
    place = {}
    for c in count:
        place[c] = min(range(len(palette)), key=lambda i: sum((a - b) ** 2 for a, b in zip(palette[i], best[c])))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    flat = b"".join(b"\0" + bytes(place[step(c)] for c in row) for row in rows)
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)) +
                chunk(b"PLTE", b"".join(palette)) + chunk(b"IDAT", zlib.compress(flat, 9)) + chunk(b"IEND", b""))


def shrink(path):
    width, rows = read_png(path)
    for most in 250, 128, 64, 32, 16:
        write_png(path, width, rows, most)
        if os.path.getsize(path) <= KILOBYTES_MOST * 1024:
            return


def size_of(browser, width, height):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


def until(browser, expression):
    for _ in range(3000):
        if browser.value("(() => { try { return " + expression + " } catch (e) { return false } })()"):
            return
        time.sleep(0.2)
    raise SystemExit(f"never: {expression}")


# ---- the runs, inside of the guest ----

def flame(path, example):
    svg = path[:-3] + "svg"
    # The guest is slow: without the option the guard against overload may end the run early.
    subprocess.run([top + "/build/bin/stap", "-g", "--suppress-time-limits", "--example", example, "--to", "flame:" + svg,
                    "-c", load + " 2"], check=True, stdout=subprocess.DEVNULL)


def look_of(line):
    return json.loads(line[6:])["look"]


def page(path, arguments, seconds):
    """Keeps what a live page is sent in these seconds: a browser would take most of the guest's time."""
    run = subprocess.Popen([top + "/build/bin/stap", "--web"] + arguments, stdout=subprocess.PIPE, text=True)
    url = urllib.parse.urlsplit(run.stdout.readline().strip())
    end = None
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=300)
    connection.request("GET", "/events?" + url.query)
    with open(path[:-3] + "events", "wb") as f:
        for line in connection.getresponse():
            f.write(line)
            if end is None and line.startswith(b"data: ") and look_of(line) >= 2:
                end = time.monotonic() + seconds
            if line == b"\n" and end is not None and time.monotonic() > end:
                break
    run.terminate()
    run.wait()


pictures = {
    "kernel-flame.png": lambda path: flame(path, "kernel-flame"),
    "off-cpu-flame.png": lambda path: flame(path, "off-cpu-flame"),
    "disk-heat.svg": lambda path: on_screen(path, ["--example", "disk-heat"], 16, 64, r"(?s)(\d\d:\d\d:\d\d.*){13}"),
    "top.svg": lambda path: on_screen(path, ["--example", "io-top"], 16, 90, r"(?s)PROGRAM.*dd .*\n.*cp "),
    "monitor.svg": lambda path: on_screen(path, ["--monitor", "disk-top.stp"], 24, 100,
                                          r"(?s)delivered [1-9]\d{3}.*\n.*PROGRAM.*\n.*(dd|cp|cat) .*\n.*(dd|cp|cat|sync) "),
    "web.png": lambda path: page(path, ["-DMAXSTRINGLEN=1500", here + "/pictures.stp"], 30),
    "timeline.png": lambda path: page(path, ["--example", "timeline"], 10),
}


def inside(directory, names):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    work = subprocess.Popen([load], stdout=subprocess.DEVNULL)
    os.chdir(top + "/examples/disk")
    for name in names:
        print(name, flush=True)
        try:
            pictures[name](f"{directory}/{name}")
        except (SystemExit, subprocess.CalledProcessError) as e:
            print(f"{name}: {e}", flush=True)
    work.terminate()


# ---- outside ----

class Replay(http.server.BaseHTTPRequestHandler):
    """Serves the page of stap --web, and as its run the one that was kept."""
    def do_GET(self):
        name = self.path.split("?")[0][1:] or "page.html"
        kinds = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
        self.send_response(200)
        self.send_header("Content-Type", kinds.get(name.split(".")[-1], "text/event-stream"))
        self.end_headers()
        if name != "events":
            with open(f"{top}/exporter/page/{os.path.basename(name)}", "rb") as f:
                self.wfile.write(f.read().replace(b"=TOKEN", b"=x"))
            return
        for line in open(self.server.events, "rb"):
            self.wfile.write(line)
            time.sleep(0.01)
        time.sleep(600)

    def log_message(self, *arguments):
        pass


def draw_page(path, events, height):
    with open(events, "rb") as f:
        last = max(look_of(line) for line in f if line.startswith(b"data: "))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Replay)
    server.events, server.daemon_threads = events, True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Browser(tempfile.mkdtemp())
    size_of(browser, 1100, height)
    browser.open(f"http://127.0.0.1:{server.server_address[1]}/?t=x")
    until(browser, f"run.look >= {last}")
    browser.value("(s => s && (s.scrollIntoView(), scrollBy(0, -52)))([...document.querySelectorAll('section')].find("
                  "s => s.querySelector('h2').textContent.startsWith('Timeline')))")
    time.sleep(2)
    browser.picture(path)
    browser.end()


def draw_flame(path, svg):
    width, height = map(int, re.search(r'width="(\d+)" height="(\d+)"', open(svg).read(400)).groups())
    browser = Browser(tempfile.mkdtemp())
    size_of(browser, width, height)
    browser.open("file://" + svg)
    until(browser, "document.readyState == 'complete' && document.querySelectorAll('.frame').length")
    browser.picture(path)
    browser.end()


def main(names):
    directory = tempfile.mkdtemp()
    names = names or list(pictures)
    subprocess.run([top + "/build/bin/stap-vm", "--memory", "4096", "--disk", "--share", directory, "--", sys.executable,
                    os.path.abspath(__file__), "--inside", directory, *names], check=True)
    for name in names:
        path = f"{directory}/{name}"
        if os.path.exists(path[:-3] + "events"):
            draw_page(path, path[:-3] + "events", {"web.png": 1480, "timeline.png": 560}[name])
        elif name.endswith(".png") and os.path.exists(path[:-3] + "svg"):
            draw_flame(path, path[:-3] + "svg")
        if not os.path.exists(path):
            continue
        if name.endswith(".png"):
            shrink(path)
        shutil.copy(path, f"{top}/doc/pictures/{name}")
        size = os.path.getsize(path)
        print(f"{name}: {size} bytes" + (", which is too much" if size > KILOBYTES_MOST * 1024 else ""))


if sys.argv[1:2] == ["--inside"]:
    inside(sys.argv[2], sys.argv[3:])
else:
    main(sys.argv[1:])
