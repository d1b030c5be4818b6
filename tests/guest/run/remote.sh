# skip: no_translator
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
