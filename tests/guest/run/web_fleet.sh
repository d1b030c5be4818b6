# --web with --remote over a module: staprun there sends the values and books while it runs and at the end, and takes
# switches. Another machine cannot be reached.
# skip: no_program python3
# skip: no_translator
# skip: [ ! -x "${B:-build}/bin/stap-exporter" ] && echo "no stap-exporter: libmicrohttpd-dev, libyaml-dev"
# guards: exporter stap/remote staprun/files.c stapio/streamrun.c runtime/kernel/snapshotfile.c
mkdir /tmp/fleet && cd /tmp/fleet || exit
cat > ssh <<'END'
#!/bin/sh
# ssh -T [-o OPTION]... HOST COMMAND
[ "$1" = -T ] && shift
while [ "$1" = -o ]; do shift 2; done
[ "$1" != away ] || { echo "No route to host" >&2; exit 255; }
shift
exec sh -c "$*"
END
chmod +x ssh
export PATH=$PWD:$PATH
cat > read.py <<'END_PY'
import http.client, json, subprocess, sys
from urllib.parse import urlsplit

script = '''global n, by, sizes probe kernel.function("vfs_read") { n++ by[execname()]++ sizes <<< n % 10 }
probe timer.ms(200) { println("tick ", n) } probe timer.s(8) { exit() }
probe end { println("n ", n, " ", @count(sizes)) print(@hist_log(sizes)) }'''
stap = subprocess.Popen(["stap", "--web", "--remote", "box", "--remote", "away", "-e", script],
                        stdout=subprocess.PIPE, text=True)
at = urlsplit(stap.stdout.readline().strip())

def ask(method, path):
    c = http.client.HTTPConnection(at.hostname, at.port, timeout=600)
    c.request(method, path + ("&" if "?" in path else "?") + at.query)
    return c.getresponse()

values, lines, looks, books, seen_off, says, over = {}, [], set(), [], False, {}, None
for line in ask("GET", "/events"):
    if not line.startswith(b"data: "):
        continue
    news = json.loads(line[6:])
    lines += news["lines"]
    for h in news.get("hosts", []):
        says[h["name"]] = h["says"]
        if "globals" not in h:
            continue
        assert h["name"] == "box", h
        looks.add(h["look"])
        books = h["probes"]
        for g in h["globals"]:
            values.setdefault(g["name"], {}).update((k[0] if k else "", v) for k, v in g["rows"])
        tick = [i for i, p in enumerate(books) if p[0] == "timer.ms(200)"]
        if len(looks) == 2:
            r = ask("POST", f"/switch?probe={tick[0]}:off&host=0")
            assert r.status == 200, r.read()
        seen_off |= bool(books[tick[0]][6])
    if "over" in news:
        over = news["over"]
        stap.terminate() # who has looked sees the end until ^C
stap.wait()
assert len(looks) > 3 and seen_off, (looks, seen_off)
assert over == stap.returncode == 6, (over, stap.returncode) # one was left out
assert says["box"] == "ended" and "No route to host" in says["away"], says
n = values["n"][""]
assert int(n) > 0 and sum(int(v) for v in values["by"].values()) == int(n), values
assert values["sizes"][""]["count"] == int(n), values
assert f"0: n {n} {n}" in lines and any(l.startswith("0: value |--") for l in lines), lines[-20:]
end = [p for p in books if p[0] == "end"][0]
assert end[1:5] == [1, 1, 0, 0], books
END_PY
python3 read.py
