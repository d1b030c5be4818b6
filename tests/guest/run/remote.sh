# skip: no_translator || no_program sqlite3 || no_program python3
# stap --remote on this machine, directly and by an ssh that has only this machine: the module is in the cache, and goes
# the whole way.
# guards: stap/remote staprun
set -eu
mkdir /tmp/box && cd /tmp/box
cat > ssh <<'END'
#!/bin/sh
# ssh -T [-o OPTION]... [-p PORT] HOST COMMAND
[ "$1" = -T ] && shift
while [ "$1" = -o ]; do shift 2; done
[ "$1" = -p ] && shift 2
shift
exec sh -c "$*"
END
chmod +x ssh
mkdir tmp
export TMPDIR=$PWD/tmp PATH=$PWD:$PATH
stap() { "$TOP/$B/bin/stap" -m t_short "$@"; }
fail() { echo "$1"; head -n 20 out err; exit 1; }

stap --remote direct: "$TOP/tests/guest/modules/run/short.stp" > out 2> err || fail "direct: status $?"
[ "$(tail -n 1 out)" = ended ] || fail "direct: its output"
stap --remote ssh://me@box:22 --remote-prefix -o out "$TOP/tests/guest/modules/run/short.stp" 2> err ||
	fail "ssh: status $?"
[ "$(tail -n 1 out)" = '0: ended' ] || fail "ssh: its output"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# Its records as data, alone and together with JSON: all that were delivered are stored.
site() { sqlite3 "$1" "SELECT name FROM sqlite_master WHERE name NOT LIKE 'stap%' AND type = 'table'"; }
rows() { sqlite3 "$1" "SELECT count(*) FROM \"$(site "$1")\""; }
delivered() {
	sqlite3 "$1" "SELECT sum(delivered) FROM stap_books WHERE probe IN (SELECT probe FROM \"$(site "$1")\")"
}
for option in '' --json -b; do
	stap --remote direct: --to "sqlite:$PWD/data$option.db" $option "$TOP/tests/guest/modules/run/short.stp" \
		> out 2> err || fail "--to $option: status $?"
	n=$(rows "data$option.db")
	[ "$n" -gt 0 ] && [ "$n" = "$(delivered "data$option.db")" ] ||
		fail "--to $option: $n rows, $(delivered "data$option.db") hits, $(ls -l . tmp)"
	[ "$option" != --json ] || [ "$(grep -c '^{"type":"output"' out)" -gt "$n" ] || fail "--json together with --to"
done
[ -z "$(ls stpd_cpu* 2> /dev/null)" ] || fail "left by -b: $(ls stpd_cpu*)"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"

# Files of -o rotate here.
stap --remote direct: -o rotated -S 4K,3 --to "sqlite:$PWD/rotated.db" "$TOP/tests/guest/modules/run/short.stp" \
	> out 2> err || fail "-S: status $?"
[ "$(tail -n 1 rotated)" = ended ] && [ -s rotated.1 ] || fail "-S: $(ls -l rotated*)"
[ "$(rows rotated.db)" = "$(delivered rotated.db)" ] || fail "-S and --to: $(rows rotated.db) rows"

# On the screen of --monitor: books, and a probe that is switched off.
export PYTHONPATH=$TOP/tests/cli PYTHONDONTWRITEBYTECODE=1
cat > reads.stp <<'END'
global reads
probe kernel.function("vfs_read") { reads++ }
probe timer.s(1) { println("a second") }
probe end { println("ended") }
END
cat > keys.py <<'END'
import os, sys
from screen import Screen
s = Screen([sys.argv[1], "-m", "t_reads", "--monitor", "--remote", "direct:", "reads.stp"], patience=600)
s.wait(r"^t_reads  reads.stp  running on 1 of 1 machines  00:")
probe = r'^\S+ +0 +{} +[1-9]\d* +{} +[1-9]\d* +0 +\d+ +[1-9]\d*  kernel.function\("vfs_read"\)'
s.wait(probe.format("on", r"[1-9]\d*"))
s.wait("^a second$")
s.key("t0\n", probe.format("off", "0"))
os.write(s.fd, b"q")
status, left = s.end()
assert status == 0 and "\nended" in left, (status, left)
END
python3 keys.py "$TOP/$B/bin/stap" || fail "--monitor"
! grep -q t_reads /proc/modules || fail "the module is left"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
