# target() and process(PID) for users in other PID namespaces; ns_pid() and similar functions for the namespaces of
# staprun -N, of staprun itself, and of another process; /proc/PID/status of the same process is the reference.
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
set -eu
. "$TOP/tests/wait.inc"
cd "$(mktemp -d)"
fail() { head -n 20 out err; echo "$1"; exit 1; }

# Who sees the files from a chroot, as everybody here, makes no namespace of users: one that has them at its root does.
# User 1000 is root in there, and process 2 sleeps.
nsenter -t 1 --mount --root sh -c 'exec unshare -m sh -c "cd /root && mount --move . / && exec chroot . \\
	/usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups \\
	/usr/bin/unshare --user --map-root-user --pid --fork \\
	/usr/bin/setsid /bin/sh -c \"while :; do sleep 1; done\""' & outside=$!
trap 'kill -9 $outside $first' EXIT
find_first() { first=$(pgrep -u 1000 -f '^/bin/sh -c while'); }
wait_until find_first

# NAME of the second column of a line, N of another
number() { awk -v name="$1" -v column="$2" '$1 == name { print $column }' out; }
# mapped NAME LINE: the last column of /proc's line is what the namespace says; our process may have ended: the shell's
# parts of it last
mapped() { sed -n "s/^$2:.*[[:space:]]//p" "/proc/$first/status"; }

staprun -N "$first" -o out "$MODULES/t_namespaces.ko" 2> err || fail "-N: status $?"
[ "$(number pid 2)" != "$(number pid 3)" ] && [ "$(number pid 3)" -gt 1 ] &&
	[ "$(number pid 3)" = "$(number pid 4)" ] || fail "-N: pid"
[ "$(number tid 2)" = "$(number pid 2)" ] && [ "$(number tid 3)" = "$(number pid 3)" ] &&
	[ "$(number tid 4)" = "$(number pid 3)" ] || fail "-N: tid"
[ "$(number ppid 2) $(number ppid 3)" = "$first $(mapped ppid NSpid)" ] || fail "-N: ppid"
[ "$(number pgrp 2) $(number pgrp 3)" = "$(sed -n 's/^NSpgid:\t//p' "/proc/$first/status" | tr '\t' ' ')" ] ||
	fail "-N: pgrp"
[ "$(number sid 2) $(number sid 3)" = "$(sed -n 's/^NSsid:\t//p' "/proc/$first/status" | tr '\t' ' ')" ] ||
	fail "-N: sid"
for id in uid euid gid egid; do
	[ "$(number $id 2) $(number $id 3) $(number $id 4)" = '1000 0 0' ] || fail "-N: $id"
done
[ "$(number reader 2)" = 0 ] || fail "-N: a process that is outside"

staprun -o out "$MODULES/t_namespaces.ko" 2> err || fail "here: status $?"
for id in pid tid ppid pgrp sid uid euid gid egid; do
	[ "$(number $id 2)" = "$(number $id 3)" ] || fail "here: $id"
done
[ "$(number reader 2)" -gt 1 ] || fail "here: the reader"

# In a namespace of its own staprun sees nobody who is outside.
unshare --pid --fork staprun -o out "$MODULES/t_namespaces.ko" 2> err || fail "inside: status $?"
[ "$(number pid 2)" -gt 0 ] && [ "$(number pid 3)" = 0 ] && [ "$(number ppid 3)" = 0 ] || fail "inside: pid"
[ "$(number reader 2)" -gt 0 ] && [ "$(number reader 2)" -lt 10 ] || fail "inside: the reader"

# What -c, -x and process(PID) name is what pid() says, here and in there. Process 2 of a new namespace is the one that
# sleeps.
cat > inside.sh <<'EOF'
sleep 1000 & sleeper=$!
staprun -o out.c -c "sh -c '/bin/true; /bin/true; /bin/true'" $MODULES/t_target.ko || exit
while :; do /bin/sleep 0.1; done & loop=$!
staprun -o out -x $loop $MODULES/t_target.ko & run=$!
until grep -q '^2 ' /proc/stap-t_target/state || [ ! -e /proc/$run ]; do sleep 0.1; done
sleep 1
kill $sleeper
sleep 0.5
kill $loop
wait $run
EOF
for inside in '' 'unshare --pid --fork --mount-proc'; do
	$inside sh inside.sh 2> err || fail "$inside -c or -x: status $?"
	[ "$(number forks 2)" -ge 1 ] || fail "$inside -x: target() is not pid()"
	[ "$(number ends 2)" = "$([ -z "$inside" ] && echo 0 || echo 1)" ] || fail "$inside process(2)"
	[ "$(awk '$1 == "forks" { print $2 }' out.c)" -ge 1 ] || {
		cat out.c
		fail "$inside -c: target() is not pid()"
	}
done

! staprun -N 4000000 "$MODULES/t_namespaces.ko" > out 2> err || fail "nobody's namespaces"
grep -q -- '-N 4000000: there is no such process' err || fail "nobody's namespaces: message"
