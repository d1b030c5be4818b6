# skip: no_translator || no_program sqlite3
# stap --remote on this machine, directly and by an ssh that has only this machine: the module is in the cache, and is
# sent as usual.
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
fail() { head -n 20 out err; echo "$1"; exit 1; }

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
