# Processes with strange arguments: very many, very long, none, not text, and not at the place that the kernel knows.
# Scripts that read them continue.
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
set -eu
staprun -c "$TOP/build/guest/crafted again" "$MODULES/t_command_lines.ko" > /tmp/out 2> /tmp/err ||
	! grep ERROR /tmp/err | grep -v '^ERROR: MAXACTION exceeded' || {
	echo "status $?"
	cat /tmp/err
	exit 1
}
[ "$(tail -n 1 /tmp/out)" = ended ] || { tail -n 3 /tmp/out; exit 1; }
grep -qF '%s%n%x %p' /tmp/out || { cat /tmp/out; exit 1; }
# A string has 512 bytes.
! grep -q 'too long' /tmp/out || { echo "a string is longer than strings are"; exit 1; }
awk '/^[0-9]+ [0-9]+ [0-9]+$/ { for (i = 1; i <= 3; i++) if ($i > 511) exit 1 }' /tmp/out || {
	echo "a string is longer than strings are"
	exit 1
}
