# Arrays grow on two CPUs while timers sort them, sum them up and move elements out, and while their values are read
# from user space: by /proc/systemtap and by the file of --globals. No element is lost, and none is seen twice.
# guards: runtime
set -eu
. "$TOP/tests/wait.inc"
cd "$(mktemp -d)"
fail() { cat out run.err read; echo "$1"; exit 1; }
m=t_grown_read
: > out
: > run.err
cat > load.py <<'END'
import os, sys, threading
# Each thread has its processor, and calls both as often as the argument says.
def call(n):
	os.sched_setaffinity(0, {n % os.cpu_count()})
	for _ in range(int(sys.argv[1])): os.getppid(); os.getpgrp()
threads = [threading.Thread(target=call, args=(n,)) for n in range(2)]
for t in threads: t.start()
for t in threads: t.join()
END
cat > read.py <<'END'
import os, re, sys, time
# Reads until the files are gone, from before the arrays have elements.
some, globals_ = f'/proc/systemtap/{sys.argv[1]}/some', f'/proc/stap-{sys.argv[1]}/globals'
def wrong(what, text): raise SystemExit(f'{what}\n{text[:2000]}')
print('ready', flush=True)
while not os.path.exists(some): time.sleep(0.01)
reads = refused = seen = most = 0
sizes = set()
while True:
	try:
		lines = open(some).read().splitlines()
		text = open(globals_).read()
	except FileNotFoundError:
		break # the run has ended
	except OSError:
		refused += 1
		continue
	for line in lines:
		if not re.fullmatch(r'\d{19} of \d+', line): wrong('procfs: a torn element', line)
	if lines != sorted(set(lines), reverse=True): wrong('procfs: not sorted, or one twice', str(lines))
	if not text: continue # the run ends
	if not text.endswith('\nend\n'): wrong('globals: it is cut', text[-200:])
	reads += 1
	for part in text.split('global\t')[1:]:
		name, _, state = part.split('\n')[0].split('\t')[:3]
		if state != 'ok' or name not in ('grown', 'names', 'moved'): continue
		rows = [r.split('\t')[1:] for r in part.splitlines() if r.startswith('value\t')]
		keys = [tuple(r[:1] if name == 'names' else r[:2]) for r in rows]
		if len(set(keys)) != len(keys): wrong(f'globals: {name} has an element twice', part)
		# Each has been added to once; where it is being made, not yet.
		bad = [r for r in rows if name != 'moved' and r[len(keys[0])] not in ('0', '1')]
		if bad: wrong(f'globals: {name}', str(bad[0]))
		seen += len(rows)
		entries = int(re.search(r'^entries\t(\d+)$', part, re.M)[1])
		if len(rows) > entries: wrong(f'globals: {name} has {len(rows)} of {entries} elements', part)
		if name == 'grown':
			if entries < most: wrong(f'globals: {name} shrinks', f'{entries} after {most}')
			most = entries
			sizes.add(entries)
print(f'{reads} reads of {seen} elements, {len(sizes)} sizes, {refused} refused')
if len(sizes) < 3: raise SystemExit('nothing has grown meanwhile')
END
calls=20000
python3 read.py $m > read 2>&1 & reader=$!
trap 'kill $reader 2> /dev/null || :' EXIT
wait_until grep -q ready read
staprun -t -o out -c "nice -n 19 python3 $PWD/load.py $calls" "$MODULES/$m.ko" 2> run.err || fail "status $?"
wait $reader || fail 'what is read is wrong'
cat read out
n=$((2 * calls))
grep -qx "calls $n elements $n $n texts $n $n taken $n fell 0 torn 0 sorted 1" out || fail 'elements are lost'
awk '$1 == "total" { n = $2; exit $2 != $3 + $4 + $5 || $4 || $5 } END { exit !n }' run.err ||
	fail 'the books do not add up, or hits are skipped'
grep -q ' 0 out of order$' run.err || fail 'out of order'
! dmesg | grep -E 'WARNING:|BUG:|stall' || fail "the kernel's log"
