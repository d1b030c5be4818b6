# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the live page of `stap --web` as a browser's code would: read.py STAP SCRIPT. Prints what is wrong.
import atexit, gzip, http.client, json, re, signal, subprocess, sys, time
from urllib.parse import urlsplit

def wrong(text):
	print(text)

run = subprocess.Popen(sys.argv[1].split() + ["--web", sys.argv[2]], stdout=subprocess.PIPE, text=True)
atexit.register(run.kill)
url = run.stdout.readline().strip()
at = urlsplit(url)
m = re.fullmatch(r"http://127\.0\.0\.1:\d+/\?t=([0-9a-f]{32})", url)
if not m:
	wrong(f"the address: {url}")
token = m[1]

def ask(path, method="GET"):
	c = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
	c.request(method, path)
	r = c.getresponse()
	return r.status, r.headers, r.read() if "event-stream" not in r.headers["Content-Type"] else r

# Nobody gets anything without the token.
for path in "/", "/events", "/page.js", "/?t=", "/?t=" + "0" * 32, "/?t=" + token[:-1]:
	if ask(path)[0] != 403:
		wrong(f"{path} without the token: {ask(path)[0]}")
if ask("/switch?probe=all:off", "POST")[0] != 403:
	wrong("switch without the token")
if ask("/?t=" + token, "PUT")[0] != 405 or ask("/x?t=" + token)[0] != 404:
	wrong("PUT, or a page that there is not")

# The page loads nothing from elsewhere, and is small.
status, headers, page = ask("/?t=" + token)
packed = len(gzip.compress(page))
if status != 200 or "default-src 'none'" not in headers["Content-Security-Policy"] or \
	headers["Referrer-Policy"] != "no-referrer" or headers["X-Content-Type-Options"] != "nosniff":
	wrong(f"the page's headers: {headers}")
for part in re.findall(r'(?:src|href)="([^"]*)"', page.decode()):
	if part.startswith("data:"):
		continue
	status, headers, text = ask("/" + part)
	packed += len(gzip.compress(text))
	if status != 200 or re.search(rb"(fetch|import|EventSource)\(\"http|url\(|src=.http", text):
		wrong(f"{part}: {status}, or it loads something")
if packed > 60 << 10:
	wrong(f"the page has {packed} bytes packed")

# Events: the first tells everything, the others what has changed.
def events(looks):
	seen = set()
	r = ask("/events?t=" + token)[2]
	for line in r:
		if line.startswith(b"data: "):
			news = json.loads(line[6:])
			yield news
			seen.add(news["look"])
			if len(seen) > looks:
				return

known, lines, partial, looks, state = {}, [], 0, set(), ""
for news in events(8):
	for g in news["globals"]:
		rows = known.setdefault(g["name"], {})
		if g.get("whole"):
			rows.clear()
		elif g.get("keys") and len(g["rows"]) < g["entries"]:
			partial += 1
		rows.update((json.dumps(k), v) for k, v in g["rows"])
		if g.get("keys") is not None and len(rows) != g["entries"]:
			wrong(f"{g['name']}: {len(rows)} rows of {g['entries']}")
	if news["first"] != len(lines):
		wrong(f"lines from {news['first']} after {len(lines)}")
	lines += news["lines"]
	looks.add(news["look"])
	state = news["state"]
	probes = news["probes"]
if sorted(known) != ["by_name", "depth", "hits", "latency", "sizes", "stacks", "who"]:
	wrong(f"globals: {sorted(known)}")
if not all(re.fullmatch(r'\["<img src=x onerror=alert\(1\)>\d+\\ufffdff"\]', k) for k in known["by_name"]):
	wrong(f"keys: {list(known['by_name'])[:3]}")
if not partial or len(looks) < 5 or state != "running":
	wrong(f"{partial} parts of arrays, {len(looks)} looks, {state}")
stats = known["latency"]["[]"]
if sum(b[2] for b in stats["hists"][0]["b"]) != stats["count"] or not stats["hists"][0]["log"]:
	wrong(f"a histogram: {stats}")
if any(not re.fullmatch(r"line \d+0 </script><script>alert\(2\)</script>", l) for l in lines) or len(lines) < 3:
	wrong(f"lines: {lines[:3]}")
if [p[0] for p in probes] != ["timer.ms(10)", "end"] or probes[0][1] < 30 or probes[0][6]:
	wrong(f"probes: {probes}")

# A switch holds.
for what in "x:on", "0", "0:on;1:on", "99999999999:on", "all:o":
	if ask(f"/switch?t={token}&probe={what}", "POST")[0] != 400:
		wrong(f"switch {what}")
if ask(f"/switch?t={token}&probe=0:off", "POST")[0] != 200:
	wrong("switch 0:off")
for news in events(1):
	off = news["probes"]
if not off[0][6]:
	wrong(f"switched off: {off}")

# A reader who comes at the end gets the last line; the status is the script's.
last = ask("/events?t=" + token)[2]
run.send_signal(signal.SIGINT)
seen = b"".join(last)
if b'"the last line"' not in seen or b'"over":0' not in seen:
	wrong(f"the end: {seen[-300:]}")
# The last values and books are those of the end, whatever the last look before it has seen.
for line in seen.splitlines():
	if line.startswith(b"data: "):
		news = json.loads(line[6:])
		for g in news["globals"]:
			if g["name"] == "hits":
				hits = g["rows"][0][1]
printed = re.search(rb'"hits (\d+)"', seen)[1].decode()
if hits != printed or news["state"] != "ended" or news["probes"][1][1:3] != [1, 1]:
	wrong(f"at the end hits is {printed}, the page has {hits}, {news['state']}, {news['probes']}")
if run.wait() != 0:
	wrong(f"status {run.returncode}")
