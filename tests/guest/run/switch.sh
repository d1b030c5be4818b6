# Probes of a running module, switched on and off: by index, all of them, under load, by others, and when there is
# nothing to switch.
# guards: runtime stapio staprun lib trace
. "$TOP/tests/guest/privilege.inc"
mine ann
mkdir -p "$place"
install -m 644 "$MODULES"/t_{endless,for_everybody}.ko "$place"
m=t_endless
hits() { # hits POINT: how often it was hit, and whether it is off
	staprun --status $m > frames 2> err || fail "--status: $(cat frames)"
	awk -F '\t' -v point="$1" '$1 == "point" && index($3, point) { n = $2 } $1 == "off" && $2 == n { off = " off" }
		$1 == "probe" && $2 == n { sum += $4 } END { print sum + 0 off }' frames
}
load() { dd if=/dev/zero of=/dev/null bs=1 count=2000 2> /dev/null; }
refused_switch() { ! staprun "--switch=$1" $m 2> err && grep -q 'has no such probe' err || fail "--switch=$1"; }

! staprun --switch=all:off $m 2> err && grep -q "no module $m is loaded" err || fail "of nothing"
staprun -v -t -o one "$MODULES/$m.ko" 2> run.err & run=$!
wait_for in_place run.err
index=$(staprun --status $m | awk -F '\t' '$1 == "point" && /vfs_read/ { print $2; exit }')
load
[ "$(hits vfs_read)" -ge 2000 ] || fail "before: $(hits vfs_read)"
staprun --switch=$index:off $m 2> err || fail "off: status $?"
was=$(hits vfs_read)
load
[ "$(hits vfs_read)" = "$was" ] && [[ $was = *' off' ]] || fail "off: $was, then $(hits vfs_read)"
ticks=$(hits timer)
wait_for eval '[ "$(hits timer)" -gt $ticks ]'
staprun --switch=$index:on $m 2> err || fail "on: status $?"
load
[ "$(hits vfs_read)" -ge $((${was% off} + 2000)) ] || fail "on: $was, then $(hits vfs_read)"
# All: nothing is printed any more. Begin, end and error have no switch.
staprun --switch=all:off $m 2> err || fail "all:off: status $?"
was="$(hits vfs_read) $(hits timer) $(hits begin)"
load
[ "$was" = "$(hits vfs_read) $(hits timer) $(hits begin)" ] && [[ $was = *' off '*' off '1 ]] || fail "all:off: $was"
for wrong in 99:on -1:on 4294967296:off 18446744073709551616:off all on : 0: 0:on0 '0:off ' all:offall:on \
	"$(printf '0%.0s' $(seq 40)):on"; do
	refused_switch "$wrong"
done
staprun --switch=all:on $m 2> err || fail "all:on: status $?"

# On and off under load, on all CPUs: the books add up, and nothing else is said.
for cpu in $(seq "$(nproc)"); do while [ ! -e enough ]; do load; done & done
for i in $(seq 1000); do
	for request in $index:off all:off all:on; do
		printf %s "$request" > "/proc/stap-$m/switch" || fail "under load: $request"
	done
done
touch enough
stap=$TOP/$B/bin/stap
"$stap" --stop $m 2> err || fail "--stop: status $?"
wait $run || fail "the run: status $?: $(cat run.err)"
[ "$(tail -n 1 one)" = ended ] || fail "the run: $(tail -n 1 one)"
awk '/^total/ { exit !($2 == $3 + $4 + $5) }' run.err && grep -q '^filtered: [1-9]' run.err ||
	fail "books: $(cat run.err)"
! grep -qE 'ERROR|BUG|WARNING: .*at ' run.err || fail "$(cat run.err)"

# Others may not.
start 6001 5001 staprun -o ann/out $m 2> ann/err & run=$!
wait_for grep -qs tick ann/out
! other staprun --switch=all:off $m 2> err && grep -q "is another user's" err || fail "another user's"
! usr sh -c "echo all:off > /proc/stap-$m/switch" 2> err || fail "the file is not root's alone"
usr staprun --switch=all:off $m 2> err || fail "one's own: status $?"
usr staprun -d $m 2> err || fail "-d: status $?"
wait $run || fail "ann's run: status $?"
