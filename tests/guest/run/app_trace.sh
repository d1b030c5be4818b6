# A script as it was printed in 2005 traces what programs do today: its own C registers a file of /proc/sys, its probes
# are functions of that time.
# arch: x86_64
# skip: [ ! -e "${APP_TRACE:-../shared/reference/rocks-app-trace.txt}" ] && echo "not here: the listing (APP_TRACE)"
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
staprun -v -o "$out" "$MODULES/t_app_trace.ko" 2> "$out.err" & run=$!
wait_until in_place "$out.err" || cat "$out" "$out.err"
echo dd,nothing > /proc/sys/debug/traced-apps
dd if=/etc/passwd of="$out.copy" bs=64 count=2 skip=1 2> /dev/null
cat "$out.copy" > /dev/null
kill -INT $run
wait $run || { echo "status $?"; cat "$out.err"; exit 1; }
grep -q starting "$out" "$out.err" && grep -q ending "$out" "$out.err" || {
	echo 'no word of begin and end'
	cat "$out" "$out.err"
	exit 1
}
[ ! -e /proc/sys/debug/traced-apps ] || { echo 'the file of /proc/sys is left'; exit 1; }
expect() { # expect COUNT REGEX: so many lines at least
	[ "$(grep -cE "$2" "$out")" -ge "$1" ] || { echo "fewer than $1 lines match: $2"; cat "$out"; exit 1; }
}
expect 2 '^[0-9]{16} op: open execname: dd pid: [0-9]+ fd: [0-9]+$'
expect 2 '^[0-9]{16} op: read execname: dd pid: [0-9]+ fd: 0 count: 64$'
expect 2 '^[0-9]{16} op: write execname: dd pid: [0-9]+ fd: 1 count: 64$'
expect 1 '^[0-9]{16} op: seek execname: dd pid: [0-9]+ fd: 0 offset: 64$'
expect 2 '^[0-9]{16} op: close execname: dd pid: [0-9]+ fd: [0-9]+$'
! grep -q 'execname: cat' "$out" || { echo 'cat was not to be traced'; exit 1; }
grep -E ' (open|seek|read|write) ' "$out" | head -n 6
