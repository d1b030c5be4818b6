# -b: raw files contain the same output as text; joined at the end, or by stap-merge; as JSON, with books that add up.
set -eu
. "$TOP/tests/wait.inc"
cd "$(mktemp -d)"
fail() { ls -l; cat err; echo "$1"; exit 1; }
run() { staprun "$@" -t -c "$TOP/build/guest/load 5000 2" "$MODULES/t_flood.ko" > out 2> err || fail "$*: status $?"; }
merged() { sed -n 's/^records: \([0-9]*\) merged.*/\1/p' err; }

run -b
[ "$(wc -l < out)" = "$(merged)" ] || fail "-b: $(wc -l < out) lines"
[ "$(cut -d' ' -f1 out | sort -u | wc -l)" = 2 ] || fail "-b: not two CPUs"
grep -q '^records: .* 0 out of order$' err || fail "-b: not in order"
[ "$(ls)" = "$(printf '%s\n' err out)" ] || fail "-b: raw files stay"

run -b -M -o raw -S 64K
[ ! -s out ] || fail "-b -M: text"
[ -e raw_0 ] && [ -e raw_1 ] && [ -e raw_slow ] && [ -e raw_0.1 ] || fail "-b -M: files"
n=$(merged)
stap-merge -t raw_* > text 2> books || fail "stap-merge: $(cat books)"
[ "$(wc -l < text)" = "$n" ] || fail "stap-merge: $(wc -l < text) lines of $n"
diff <(grep -v ^records: err) books || fail "books differ"
rm raw_1.1
! stap-merge raw_* > /dev/null 2> books || fail "a missing file is not missed"
grep -q 'CPU 1: [0-9]* hits of [0-9]* are here' books || fail "$(cat books)"

run --json
line='"type":"output".*"cpu":[01].*"probe":"kernel.trace(\\"sys_enter\\")","pid":[0-9]*,"tid":[0-9]*,"text":"[01] [0-9]* [0-9]*\\n","items":\[{"site":"[a-z_]*","fields":{.*}}\]}$'
[ "$(grep -c "$line" out)" = "$(merged)" ] || fail "--json: $(head -n 3 out)"
head -n 1 out | grep -q '^{"type":"start","version":1,"module":"t_flood","host":"' || fail "--json: $(head -n 1 out)"
line='{"type":"total","hits":[0-9]*,"delivered":[0-9]*,"dropped":0,"skipped":0,"records":[0-9]*,"lost":0,"final":true}'
tail -n 1 out | grep -qx "$line" || fail "--json: $(tail -n 1 out)"

# What the command prints is not among the data: it goes to stderr, unless the data go to a file.
load="echo noise; exec $TOP/build/guest/load 500 2"
data() { grep -c '^{.*}$' "$1"; }
for how in --json '--json -b'; do
	staprun $how -t -c "$load" "$MODULES/t_flood.ko" > out 2> err || fail "$how, noise: status $?"
	[ "$(data out)" = "$(wc -l < out)" ] && [ "$(data out)" -gt 100 ] || fail "$how, noise: not data alone"
	[ "$(grep -cx noise err)" = 1 ] || fail "$how: the command's output is not in stderr"
done
staprun --json -o file -c "$load" "$MODULES/t_flood.ko" > out 2> err || fail "--json -o, noise: status $?"
[ "$(cat out)" = noise ] && [ "$(data file)" = "$(wc -l < file)" ] || fail "--json -o: $(cat out)"

# The books while it runs.
staprun "$MODULES/t_endless.ko" > out 2> err & run=$!
wait_until has out tick
kill -USR1 $run
wait_until has err '^total' || fail "SIGUSR1: no books"
grep -q '^probe' /proc/stap-t_endless/books || fail "no books in /proc"
kill $run
wait $run || fail "SIGUSR1: status $?"
