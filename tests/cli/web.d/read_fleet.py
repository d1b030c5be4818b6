# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the live page of `stap --web --remote` as a browser's code would: read_fleet.py STAP. The machines are those of
# fleet.inc. Prints what is wrong.
import atexit, http.client, json, re, signal, subprocess, sys, time
from urllib.parse import urlsplit

def wrong(text):
	print(text)

names = "one", "two", "three", "away"
run = subprocess.Popen([sys.argv[1], "--web", *(w for n in names for w in ("--remote", n)), "-e", "probe begin { }"],
	stdout=subprocess.PIPE, text=True)
atexit.register(run.kill)
at = urlsplit(run.stdout.readline().strip())
token = at.query[2:]

def ask(path, method="GET"):
	c = http.client.HTTPConnection(at.hostname, at.port, timeout=120)
	c.request(method, path)
	r = c.getresponse()
	return r if "event-stream" in r.headers["Content-Type"] else (r.status, r.read().decode().strip())

hosts, lines, over = {}, [], None

# Takes objects until the condition holds.
def take(source, condition):
	global lines, over
	for line in source:
		if not line.startswith(b"data: "):
			continue
		news = json.loads(line[6:])
		for h in news.get("hosts", []):
			known = hosts.setdefault(h["n"], {"globals": {}})
			known.update({k: v for k, v in h.items() if k != "globals"})
			for g in h.get("globals", []):
				rows = known["globals"].setdefault(g["name"], {})
				if g.get("whole"):
					rows.clear()
				rows.update((json.dumps(k), v) for k, v in g["rows"])
		lines += news["lines"]
		over = news.get("over")
		if condition():
			return True
	return False

def says(n, text):
	return n in hosts and re.search(text, hosts[n].get("says", ""))

source = ask("/events?t=" + token)
if not take(source, lambda: says(2, "^ended with status 5") and all(n in hosts and hosts[n].get("probes", [[0, 0]])[0][1] > 8
		for n in (0, 1)) and says(3, "^left out: ")):
	wrong(f"the machines: {hosts}")
if [hosts[n]["name"] for n in range(4)] != list(names) or [hosts[n]["kind"] for n in range(4)] != \
	["running", "running", "failed", "failed"]:
	wrong(f"names and kinds: {[(h['name'], h['kind']) for h in hosts.values()]}")
if not says(3, r"cannot be asked for its kernel: ssh: connect .*<i>No route</i>"):
	wrong(f"why it is left out: {hosts[3]['says']}")
# Each machine has its own values and books; those of one that has ended are its last.
for n in range(3):
	g, name = hosts[n]["globals"], names[n]
	i = int(g["reads"]["[]"])
	if g["by_name"] != {'["<img src=x onerror=alert(1)>"]': str(i), f'["{name}"]': str(2 * i)} or \
		g["latency"]["[]"]["hists"][0]["b"] != [["1", "1", i], ["2", "3", 2 * i]]:
		wrong(f"{name}: {g}")
if hosts[2]["globals"]["reads"]["[]"] != "6" or hosts[2]["probes"][0][1:5] != [7, 7, 0, 0]:
	wrong(f"the last of three: {hosts[2]}")
if hosts[0]["probes"][0][3] or not hosts[1]["probes"][0][3]:
	wrong(f"lost: {hosts[0]['probes']}, {hosts[1]['probes']}")
# Each line says by a number whose it is.
for n in range(3):
	if f"{n}: <b>first</b> of {names[n]}" not in lines or f"{n}: line 4 of {names[n]}" not in lines:
		wrong(f"lines: {lines[:20]}")
if "2: ended on three" not in lines or not all(re.match(r"[012]: ", l) for l in lines):
	wrong(f"lines: {lines}")

# A switch goes to all machines that run, whichever names the probe, and shows in their values.
def switch(what, want, answer):
	got = ask(f"/switch?t={token}&{what}", "POST")
	if got[0] != want or answer not in got[1]:
		wrong(f"switch {what}: {got}")

switch("probe=0:off&host=2", 200, "ok")
if not take(source, lambda: all(hosts[n]["probes"][0][6] for n in (0, 1))):
	wrong("nothing is off")
switch("probe=all:on", 200, "ok")
if not take(source, lambda: not any(hosts[n]["probes"][0][6] for n in (0, 1))):
	wrong("nothing is on again")
switch("probe=1:off&host=0", 409, "there is no such probe")
switch("probe=0:off&host=4", 409, "not understood")
for what in "probe=0:off&host=x", "probe=0:off&host=", "probe=0&host=0":
	switch(what, 400, "probe=INDEX:on&host=N")

# Another reader gets everything; at the end the last values and lines come, and the status.
last = ask("/events?t=" + token)
hosts, lines = {}, []
run.send_signal(signal.SIGINT)
take(last, lambda: False)
if over != 5 or any(not says(n, "^ended$") for n in (0, 1)) or not {"0: ended on one", "1: ended on two"} <= set(lines):
	wrong(f"the end: {over}, {[h['says'] for h in hosts.values()]}, {lines[-3:]}")
for n in (0, 1):
	if hosts[n]["probes"][0][1] - hosts[n]["probes"][0][3] != 1 + int(hosts[n]["globals"]["reads"]["[]"]):
		wrong(f"the last values of {names[n]}: {hosts[n]}")
if run.wait() != 5:
	wrong(f"status {run.returncode}")

# No machine at all: the page says it, and ends, as nobody looks at it.
none = subprocess.run([sys.argv[1], "--web", "--remote", "away", "-e", "probe begin { }"], stdout=subprocess.PIPE,
	stderr=subprocess.PIPE, text=True, timeout=600)
if none.returncode != 3 or "away cannot be asked for its kernel" not in none.stderr:
	wrong(f"no machine: {none}")
