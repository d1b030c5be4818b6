# The kernel is locked down in the middle of a run, first for integrity, then for confidentiality: the run continues
# with each kind of probe, another reader attaches to it, its books add up, it is unloaded. Modules loaded afterwards
# are refused with a message that names lockdown. Lockdown cannot be lifted again: the guest runs no other test after
# this one.
# guest: ends
# guards: runtime stapio staprun lib trace
set -eu
. "$TOP/tests/wait.inc"
file=/sys/kernel/security/lockdown
[ -e $file ] || mount -t securityfs securityfs /sys/kernel/security 2> /dev/null || :
[ -e $file ] || { echo 'not here: a kernel that can be locked down'; exit 77; }
grep -qF '[none]' $file || { echo 'not here: a kernel that is not locked down yet'; exit 77; }
cd "$(mktemp -d)"
fail() { head -n 20 ./*err; tail -n 3 ./*out; dmesg | tail -n 20; echo "$1"; exit 1; }
m=t_lockdown
since=/proc/systemtap/$m/since
kinds='kernel memory
perf
process
return
timer
tracepoint
uprobe
uretprobe
user memory'
bash -c 'while :; do cat /etc/hostname; sleep 0.05; done' > load.out & load=$!
trap 'kill $load' EXIT

# goes_on NAME: each kind of probe has hits that are younger than this call.
goes_on() {
	echo > $since || fail "$1: nobody takes what is written"
	wait_until all_hit || fail "$1: only $(xargs < hit.out) have hits"
}
all_hit() { sort $since > hit.out && [ "$(cat hit.out)" = "$kinds" ]; }
# add_up RUN: what its books have is what has happened
add_up() {
	grep -q ' 0 out of order$' "$1.err" || fail "$1: out of order"
	awk '$1 == "total" { n = $2; exit $2 != $3 + $4 + $5 } END { exit !n }' "$1.err" ||
		fail "$1: the books do not add up"
}
# refuses LEVEL TEXT TEXT: a module cannot be loaded, and a message has both texts
refuses() {
	local status=0
	staprun -o new.out "$MODULES/t_steady.ko" 2> new.err || status=$?
	[ $status = 4 ] || fail "$1: a new run ends with status $status"
	for text in 'not permitted' "$2" "$3"; do
		grep -q "$text" new.err || fail "$1: the message about a new run does not say: $text"
	done
	! grep -q '^t_steady ' /proc/modules || fail "$1: loaded all the same"
}

staprun -v -t -o run.out "$MODULES/$m.ko" 2> run.err & run=$!
wait_in_place run.err $run || fail 'it does not begin'
staprun -L "$MODULES/t_everything.ko" 2> left.err || fail "-L: status $?"
goes_on 'before'
for level in integrity confidentiality; do
	echo $level > $file
	grep -qF "[$level]" $file || fail "the kernel is not locked down: $(cat $file)"
	before=$(wc -l < run.out)
	goes_on $level
	more() { [ "$(wc -l < run.out)" -gt "$before" ]; }
	wait_until more || fail "$level: nothing is printed any more"
	case $level in
	integrity) refuses $level 'the kernel is locked down' 'loads only signed modules .* stap --make-key' ;;
	confidentiality) refuses $level 'the kernel is locked down' 'memory cannot be read' ;;
	esac
done
kill -INT $run
wait $run || fail "status $?"
[ "$(tail -n 1 run.out)" = ended ] || fail "its last line: $(tail -n 1 run.out)"
add_up run
# What was left loaded before is attached to, and removed.
staprun -t -A -o left.out t_everything 2> left.err & run=$!
wait_until eval '[ "$(cat /proc/systemtap/t_everything/all)" = all ]' || fail '-A: not all have hits'
wait_until grep -q begun left.out || fail '-A: nothing is read'
kill -INT $run
wait $run || fail "-A: status $?"
grep -q '^ended: all$' left.out || fail "-A: $(cat left.out)"
add_up left
! grep -q '^t_' /proc/modules || fail 'a module stays'
# Without securityfs the kernel's own words are the only ones.
umount /sys/kernel/security
refuses 'without securityfs' 'kernel: Lockdown: staprun: unsigned module' 'is restricted'
