# skip: [ ! -x "${B:-build}/bin/stap-exporter" ] && echo "no stap-exporter: libmicrohttpd-dev, libyaml-dev"
# skip: no_translator
# stap --exporter with a module: started by the first request, its counts match the calls that were made, and the module
# is gone when the exporter has ended. Only root and the user who runs the script get the values.
# guards: exporter runtime/uapi runtime/core
set -eu
. "$TOP/tests/wait.inc"
dir=$(mktemp -d)
cd "$dir"
mkdir scripts
cat > scripts/calls.stp <<'END'
global calls // calls of getppid by program
global ids
probe kernel.function("sys_getppid").call { calls[execname()]++ ids <<< pid() }
probe end { print(@hist_log(ids)) foreach (name in calls) println(name, calls[name]) }
END
"$(dirname "$(command -v stap)")/stap-exporter" -p 0 -s scripts -- -g -DSTP_NO_OVERLOAD > url 2> err & run=$!
wait_until has url '/$' || { cat err; exit 1; }
python3 - "$(cat url)" << 'END' || { cat err; exit 1; }
import os, sys, time, urllib.error, urllib.request
def get():
	try: return urllib.request.urlopen(sys.argv[1] + "calls").read().decode()
	except urllib.error.HTTPError as e:
		said = e.read().decode()
		if e.code != 503 or "ended" in said: raise SystemExit(f"{e.code}: {said}")
def wait():
	while not (text := get()): time.sleep(0.2)
	return text
def sample(text, name): return next((float(l.rsplit(" ", 1)[1]) for l in text.splitlines() if l.startswith(name)), 0)
mine = 'stap_calls_total{script="calls",name="python3"}'
before = sample(wait(), mine)
for _ in range(3000): os.getppid()
began = time.monotonic()
text = wait()
print(f"a scrape: {1000 * (time.monotonic() - began):.0f} ms")
calls = sample(text, mine) - before
skipped = sample(text, 'stap_run_skipped_total{script="calls",index="0"')
if not 3000 - skipped <= calls <= 3000: raise SystemExit(f"{calls} calls, {skipped} skipped\n{text}")
for name in "# HELP stap_calls_total calls of getppid by program", "# TYPE stap_ids histogram":
	if name not in text.splitlines(): raise SystemExit(f"no {name}\n{text}")
if sample(text, 'stap_ids_bucket{script="calls",le="+Inf"}') < 3000: raise SystemExit(text)
END
module=$(cd /proc && echo stap-*)
staprun --globals "${module#stap-}" > said
[ "$(tail -n 1 said)" = end ] && grep -q '^global	calls	long	ok$' said && grep -q '^state	2$' said ||
	{ cat said; exit 1; }
! setpriv --reuid 65534 --clear-groups staprun --globals "${module#stap-}" > said 2>&1 ||
	{ echo 'others:'; cat said; exit 1; }
kill -TERM $run
wait $run || { echo "status $?"; cat err; exit 1; }
! ls -d /proc/stap-* 2> /dev/null || { echo 'it is left'; exit 1; }
