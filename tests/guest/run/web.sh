# --web over modules: values while they run, the last values and books at the end, and slices as JSON.
# skip: no_program python3
# skip: no_translator
# skip: [ ! -x "${B:-build}/bin/stap-exporter" ] && echo "no stap-exporter: libmicrohttpd-dev, libyaml-dev"
# guards: exporter staprun/status.c stap/run
cat > read.py <<'END_PY'
import http.client, json, subprocess, sys
from urllib.parse import urlsplit

def run(script):
    """The objects of a page, from the first one to the end of the run."""
    stap = subprocess.Popen(["stap", "--web", "-e", script], stdout=subprocess.PIPE, text=True)
    at = urlsplit(stap.stdout.readline().strip())
    c = http.client.HTTPConnection(at.hostname, at.port, timeout=600)
    c.request("GET", "/events?" + at.query)
    ret = []
    for line in c.getresponse():
        if line.startswith(b"data: "):
            ret.append(json.loads(line[6:]))
            if "over" in ret[-1]:
                stap.terminate() # who has looked sees the end until ^C
    status = stap.wait()
    assert status == 0, status
    return ret

news = run('global n, ended probe kernel.function("vfs_read") { n++ } probe timer.s(3) { exit() } '
           'probe end { ended = n * 2 println("n ", n) }')
values, lines = {}, []
for o in news:
    lines += o["lines"]
    for g in o["globals"]:
        values[g["name"]] = g["rows"][0][1]
assert len({o["look"] for o in news}) > 3, "no looks while it runs"
assert lines[0] == "n " + values["n"] and int(values["ended"]) == 2 * int(values["n"]) > 0, (lines, values)
last = news[-1]
assert last["state"] == "ended" and last["over"] == 0, last
books = {p[0].split('("')[0]: p[1:3] for p in last["probes"]}
assert books["end"] == [1, 1] and books["kernel.function"][1] == int(values["n"]), (books, values)

news = run('probe timer.ms(100) { printf("%(slice)s %(slice_us)d\\n", "work", 50000) } probe timer.s(2) { exit() }')
records = [json.loads(l) for o in news if o.get("data") for l in o["lines"]]
items = [i for r in records if r["type"] == "output" for i in r["items"]]
slices = [i["fields"] for i in items if "slice" in i.get("fields", {})]
assert len(slices) > 5 and slices[0]["slice"] == "work" and slices[0]["slice_us"] == 50000, records[:3]
END_PY
python3 read.py
