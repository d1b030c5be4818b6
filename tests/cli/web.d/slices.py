# SPDX-License-Identifier: GPL-2.0-or-later
# A script with slices comes as JSON, one without as text: slices.py STAP SCRIPT. Prints what is wrong.
import atexit, http.client, json, signal, subprocess, sys
from urllib.parse import urlsplit

run = subprocess.Popen(sys.argv[1].split() + ["--web", sys.argv[2]], stdout=subprocess.PIPE, text=True)
atexit.register(run.kill)
at = urlsplit(run.stdout.readline().strip())
c = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
c.request("GET", "/events?" + at.query)
records = []
for line in c.getresponse():
	if line.startswith(b"data: "):
		news = json.loads(line[6:])
		if news["lines"] and not news.get("data"):
			print(f"these are no data: {news['lines'][:2]}")
			break
		records += [json.loads(l) for l in news["lines"]]
		if len(records) > 20:
			break
if not records or records[0]["type"] != "start":
	print(f"the first record: {records[:1]}")
fields = [i["fields"] for r in records if r["type"] == "output" for i in r["items"] if i.get("fields")]
if {"track": "disk", "slice": "wait", "slice_us": 4000} not in fields or {"track": "cpu", "slice": "work"} not in fields:
	print(f"fields: {fields[:4]}")
run.send_signal(signal.SIGINT)
if run.wait() != 0:
	print(f"status {run.returncode}")
