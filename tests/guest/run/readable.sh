# --globals: the values of a module's globals, read again and again while two processors change them. Elements that one
# handler changes together are never seen apart, the books add up, and only root reads the file.
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
staprun -v -t -o "$out" "$MODULES/t_readable.ko" 2> "$out.err" & run=$!
wait_until in_place "$out.err" || cat "$out.err"
file=/proc/stap-t_readable/globals
[ "$(stat -c %a $file)" = 400 ] || { echo "mode of $file: $(stat -c %a $file)"; exit 1; }
! setpriv --reuid 65534 --clear-groups cat $file 2> /dev/null || { echo 'nobody has read it'; exit 1; }
python3 - "$out.last" << 'END'
import os, re, sys, threading, time
READS = 100
def wrong(what, text=''): raise SystemExit(f'{what}\n{text}')
def read():
	ret, last = {}, None
	text = open('/proc/stap-t_readable/globals').read()
	if not text.endswith('\nend\n'): wrong('it is cut', text)
	for line in text.splitlines():
		f = line.split('\t')
		if f[0] == 'global':
			last = ret[f[1]] = {'type': f[2], 'state': f[3], 'values': [], 'keys': [], 'hists': 0}
		elif f[0] == 'value': last['values'].append(f[1:])
		elif f[0] == 'key': last['keys'].append(f[1:])
		elif f[0] == 'hist': last['hists'] += 1
		elif f[0] != 'end': last[f[0]] = f[1]
	return ret
stop = False
def call(n):
	os.sched_setaffinity(0, {n % os.cpu_count()})
	while not stop:
		for _ in range(100): os.getppid(); os.getpgrp()
threads = [threading.Thread(target=call, args=(n,), daemon=True) for n in range(2)]
for t in threads: t.start()
began, busy, before = time.monotonic(), 0, 0
for n in range(READS):
	g = read()
	busy += sum(v['state'] == 'busy' for v in g.values())
	for name in 'both', 'locked':
		values = {v[0]: int(v[1]) for v in g[name]['values']}
		if len(set(values.values())) > 1: wrong(f'{name} torn in read {n}: {values}')
	if g['calls']['state'] == 'ok':
		calls = int(g['calls']['values'][0][0])
		if calls < before: wrong(f'calls: {calls} after {before}')
		before = calls
took = (time.monotonic() - began) / READS
stop = True
for t in threads: t.join()
g = read()
def same(what, is_, wanted):
	if is_ != wanted: wrong(f'{what}: {is_!r}, not {wanted!r}')
same('both', [g['both'][k] for k in ('type', 'use', 'help', 'entries')],
	['long', 'counter', 'one handler adds to both elements', '2'])
same('keys', [g[k]['keys'] for k in ('both', 'sizes', 'calls')], [[['string', 'key1']], [['long', 'slot']], []])
same('uses', [g[k]['use'] for k in ('locked', 'who', 'calls', 'unseen')], ['gauge', 'gauge', 'counter', 'counter'])
# Python 3.14 names its threads.
same('who', re.sub('python3|Thread-. .call.', 'X', g['who']['values'][0][0]), 'a\\x09"X"\\x5c\\x0a\\xff')
same('sizes', sum(int(v[1]) for v in g['sizes']['values']), int(g['calls']['values'][0][0]))
same('fields', {len(v) for v in g['sizes']['values']}, {7})
same('histograms', g['sizes']['hists'], len(g['sizes']['values']))
if not before or not int(g['unseen']['values'][0][0]): wrong('nothing was counted')
if busy > READS // 2: wrong(f'{busy} times busy')
print(f'{READS} reads, {1000 * took:.1f} ms each, {busy} times busy, {before} hits meanwhile')
open(sys.argv[1], 'w').write(g['calls']['values'][0][0])
END
kill -INT $(pgrep -x stapio)
wait $run || { echo "status $?"; cat "$out.err"; exit 1; }
# What was read last is what the script prints at its end, and the books have all that were called.
read -r a b calls < "$out"
[ "$a" = "$b" ] && [ "$calls" -ge "$(cat "$out.last")" ] || { echo "at the end: $a $b $calls"; exit 1; }
grep '^total\|contended\|lock' "$out.err" || true
! [ -e /proc/stap-t_readable ] || { echo 'its files are left'; exit 1; }
# A module that was made without it has no such file.
: > "$out.err"
staprun -v -o "$out" "$MODULES/t_steady.ko" 2> "$out.err" & run=$!
wait_until in_place "$out.err" || cat "$out.err"
[ -e /proc/stap-t_steady/books ] && ! [ -e /proc/stap-t_steady/globals ] ||
	{ echo 'a module without --globals'; exit 1; }
kill -INT $(pgrep -x stapio)
wait $run
# --values: at the end the same go into a file in memory, and the books after them, of scripts that tell them.
python3 - "$MODULES" "$out" <<'END'
import os, subprocess, sys
def values(module, *options):
	fd = os.memfd_create('values')
	done = subprocess.run(['staprun', f'--values={fd}', '--timeout=1', '-o', sys.argv[2], *options,
		f'{sys.argv[1]}/{module}.ko'], pass_fds=(fd,), stderr=subprocess.PIPE, text=True)
	if done.returncode: raise SystemExit(f'{module}: status {done.returncode}: {done.stderr}')
	return os.pread(fd, 1 << 20, 0).decode()
text = values('t_readable')
if not text.startswith('global\t') or '\nend\nstate\t' not in text: raise SystemExit(f'--values: {text}')
# They are those of the end: what the script prints there.
calls = text.split('global\tcalls\t')[1].split('value\t')[1].split('\n')[0]
if calls != open(sys.argv[2]).read().split()[2]: raise SystemExit(f'--values: {calls} calls')
if 'global' in values('t_steady'): raise SystemExit('values of a module without --globals')
END
