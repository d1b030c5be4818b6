# SPDX-License-Identifier: GPL-2.0-or-later
# --globals: the description of a script's globals, and their values on the socket of a program of --runtime=user. In
# modules: tests/guest/run/readable.sh.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"
name=globals_$$

cat > values.stp <<'END'
global n // how many "ticks"	there are
global depth /* gauge: levels \ of it */
global sum // counter:
global pairs, latency, fine, sizes, who, set, shown = 7, balance
probe timer.ms(5) { n++ depth += 2 sum = sum + 1 pairs["a", n % 3]++ latency <<< n fine <<< n sizes[n % 2] <<< n
	balance += -1 }
probe begin { who = sprintf("a\tb\\\n%c%c", 1, 233) set[tid()] = sprintf("%d", shown); println("begun") }
probe end {
	print(@hist_log(latency))
	println(@quantile(fine, 50))
	print(@hist_linear(sizes[0], 0, 100, 20))
	foreach ([what, rest] in pairs-) println(what, rest, who, set[tid()], depth, sum, @variance(latency), balance)
}
END
$user --globals -m $name values.stp > values.out 2> values.err & run=$!
wait_until has values.out begun || say_wrong "$(cat values.err)"
cat > ask.py <<'END'
import os, re, socket, sys
def ask(name, request):
	for line in open("/proc/net/unix"):
		m = re.search(rf"@(stap-run/{name}/\d+)$", line)
		if not m: continue
		s = socket.socket(socket.AF_UNIX)
		s.connect("\0" + m.group(1))
		s.sendall(request.encode() + b"\n")
		text = b""
		while piece := s.recv(65536): text += piece
		return text.decode("ascii")
	raise SystemExit("no socket")
END
cat > check.py <<'END'
import sys
from ask import ask
def wrong(*what): raise SystemExit(": ".join(map(str, what)) + "\n" + text)
while True:
	text = ask(sys.argv[1], "globals")
	if not text.endswith("\nend\n"): wrong("it is cut")
	lines = text.splitlines()
	if text.count("\nvalue\t") == 14: break # each element has been made
def has(wanted):
	if "\n" + wanted not in text: wrong("it lacks", repr(wanted))
has('global\tn\tlong\tok\nuse\tcounter\nhelp\thow many "ticks"\\x09there are\nvalue\t')
has("global\tdepth\tlong\tok\nuse\tgauge\nhelp\tlevels \\x5c of it\nvalue\t")
has("global\tsum\tlong\tok\nuse\tcounter\nvalue\t")
has("global\tpairs\tlong\tok\nuse\tcounter\nkey\tstring\twhat\nkey\tlong\trest\nentries\t3\nvalue\ta\t1\t")
has("global\twho\tstring\tok\nuse\tgauge\nvalue\ta\\x09b\\x5c\\x0a\\x01\\xe9\n")
has("global\tset\tstring\tok\nuse\tgauge\nkey\tlong\ttid\nentries\t1\nvalue\t")
has("global\tshown\tlong\tok\nuse\tgauge\nvalue\t7\n")
has("global\tbalance\tlong\tok\nuse\tgauge\nvalue\t-")
has("state\t2\n")
quantiles = [int(line.split("\t")[2]) for line in lines if line.startswith("quantile\t")]
has("point\t0\tbegin\n") if "point\t0\tbegin\n" in text else has("point\t1\tbegin\n")
# The values agree with each other: all are of one tick or of one hit.
values, hists, last = {}, {}, None
for line in lines:
	f = line.split("\t")
	if f[0] == "global": last = f[1]; values[last], hists[last] = [], []
	elif f[0] == "value": values[last].append(f[1:])
	elif f[0] == "hist": hists[last].append(f[1:])
n = int(values["n"][0][0])
if sum(int(v[-1]) for v in values["pairs"]) != n or int(values["depth"][0][0]) != 2 * n: wrong("n", n)
count, total, least, most, mean, variance = map(int, values["latency"][0])
if [count, total, least, most, mean] != [n, n * (n + 1) // 2, 1, n, n * (n + 1) // 2 // n]: wrong("latency", n)
if len(quantiles) != 3: wrong("quantiles", quantiles)
for q, share in zip(quantiles, (0.5, 0.9, 0.99)):
	if abs(q - share * n) > 1 + n / 100: wrong("quantile", q, share, n)
if abs(variance - n * (n + 1) / 12) > 1: wrong("variance", variance)
log, = hists["latency"]
if log[:4] != ["log", "0", "0", "0"] or sum(int(b.rsplit(":", 1)[1]) for b in log[4:]) != n: wrong("hist", log)
if [h[:4] for h in hists["sizes"]] != 2 * [["linear", "0", "100", "20"]]: wrong("linear", hists["sizes"])
if any(b.split(":")[2] == "0" for h in hists["sizes"] for b in h[4:]): wrong("an empty bucket")
END
python3 check.py $name || say_wrong 'its values'
kill -INT $run && wait $run || say_wrong "status $?: $(cat values.err)"

# Without the option there is nothing to be read, and the script's C is what it was.
$user -m ${name}_x -e 'global n probe timer.ms(5) { n++ } probe begin { println("begun") }' > plain.out 2>&1 & run=$!
wait_until has plain.out begun
python3 -c 'import sys; from ask import ask; t = ask(sys.argv[1], "globals"); sys.exit("\nglobal\t" in t or t.endswith("end\n"))' \
	${name}_x || say_wrong 'a program without --globals tells its globals'
kill -INT $run && wait $run
check 0 '!snapshot' '!told' -- $user -p3 -e 'global n probe begin { n++ }'
check 0 '/^	[.]snapshot_reader = &stp_snapshot_reader,$' '/told = "use.tcounter.n"' -- \
	$user -p3 --globals -e 'global n probe begin { n++ }'
# Nor are globals of the library told, or private ones.
check 0 '/told' '!{ .name = "__.*told' -- $user -p3 --globals -e 'global n probe begin { n = qsq_utilization("x", 1) }'

check 0 '/told' '!{ .name = "own".*told' -- $user -p3 --globals -e 'private global own global n
	probe begin { n = own++ }'

check 2 "/--globals takes a module's name and nothing else" -- "$TOP/${B:-build}/bin/staprun" --globals -c x y
finish
