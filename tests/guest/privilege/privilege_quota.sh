# Limits for one user: modules and kernel memory are counted by owner, and refused beyond the limits of
# /etc/stap/limits.conf; runs of others continue, root and stapdev have no limits.
# skip: no_program strace
# guards: staprun runtime tests/guest/privilege.inc
. "$TOP/tests/guest/privilege.inc"
mkdir -p "$place"
install -m 644 "$MODULES"/t_for_everybody{,_filled}.ko "$place"
install -d -o 6001 -g 6001 ann
m=t_for_everybody
conf=/etc/stap/limits.conf
rm -f $conf
count() { ls -d /proc/stap-$m* 2> /dev/null | wc -l; }
# taken UID: bytes that the user's modules have or may take, with their own code
taken() {
	local dir uid bytes sum=0
	for dir in /proc/stap-*; do
		read -r uid bytes < "$dir/owner"
		[ "$uid" != "$1" ] || sum=$((sum + bytes + $(cat "/sys/module/${dir#/proc/stap-}/coresize")))
	done
	echo $sum
}
not() {
	local text=$1 status=0
	shift
	"$@" > out 2> err || status=$?
	[ $status = 4 ] && grep -qE -- "$text" err || fail "'$*': status $status, or not: $text"
}
clear() {
	staprun -d '*' > out 2> err || fail "-d *: status $?"
	[ "$(count)" = 0 ] || fail "left: $(ls -d /proc/stap-*)"
}

# A quarter of the memory: as many as fit, and not one more.
quarter=$(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE) / 100 * 25))
for i in $(seq 40); do
	usr staprun -R -L -s 64 $m > out 2> err || break
	sum=$(taken 6001)
	[ "$sum" -le "$quarter" ] || fail "$sum bytes, of $quarter, after $i runs"
done
[ "$i" -gt 1 ] && [ "$i" -lt 40 ] || fail "the first that was refused: $i"
each=$((sum / (i - 1)))
cpus=$(nproc)
[ $each -ge $((cpus * (64 << 20))) ] && [ $each -lt $((cpus * (66 << 20) + (4 << 20))) ] || fail "$each bytes each"
[ $((sum + each)) -gt "$quarter" ] || fail "refused after $sum bytes, of $quarter"
not "it needs more of the kernel's memory than is left to you" usr staprun -R -L -s 64 $m
grep -q "of the $((quarter >> 20)) MB that a user may have, your loaded modules ($((i - 1))) have $((sum >> 20))" err &&
	grep -q "root can allow more in $conf" err || fail "the refusal"
! dmesg | grep -q 'page allocation failure' || fail "the memory was asked for"
# A smaller one has room. Others have what is theirs, and no limits.
usr staprun -R -L -s 1 $m 2> err || fail "a smaller one: status $?"
other staprun -R -L -s 64 $m 2> err || fail "another user: status $?"
dev staprun -R -L -s 64 $m 2> err || fail "stapdev: status $?"
staprun -R -L -s 64 $m 2> err || fail "root: status $?"
clear
# What an array may grow to is counted before it is there.
usr staprun -L t_for_everybody_filled 2> err || fail "an array: status $?"
[ "$(taken 6001)" -ge $(((100 << 20) + $(nproc) * (1 << 20))) ] || fail "an array counts as $(taken 6001) bytes"
clear

# The file.
echo RUNS=2 > $conf
usr staprun -R -L $m 2> err && usr staprun -R -L $m 2> err || fail "two of two: status $?"
not 'you have loaded 2 of the 2 modules' usr staprun -R -L $m
grep -q "root can allow more in $conf" err || fail "the refusal"
not 'you have loaded 2 of' usr staprun -c true $m
[ "$(count)" = 2 ] || fail "$(count) are loaded"
other staprun -R -L $m 2> err || fail "another user: status $?"
dev staprun -R -L $m 2> err || fail "stapdev: status $?"
printf '# more\nRUNS=unlimited\nMEMORY=3\n' > $conf
not "of the 3 MB that a user may have" usr staprun -R -L $m
printf 'RUNS=100\nMEMORY=unlimited\n' > $conf
usr staprun -R -L -s 64 $m 2> err || fail "unlimited: status $?"
clear
printf 'RUNS=1\n\nMEMORY=much\n' > $conf
not "$conf:3: RUNS=NUMBER or MEMORY=MEGABYTES is expected" usr staprun -L $m
staprun -c true $m > out 2> err || fail "root reads no limits: status $?"
echo RUNS=9 > $conf
chmod 666 $conf
not "$conf: users other than root may write to it" usr staprun -L $m
chmod 644 $conf
chown 6001 $conf
not "$conf: users other than root may write to it" usr staprun -L $m
mv $conf ann/limits
chown 0 ann/limits
ln -s "$PWD/ann/limits" $conf
not "$conf: a symbolic link" usr staprun -L $m
rm $conf
chmod 777 /etc/stap
not "$conf: users other than root may write to its directory" usr staprun -L $m
chmod 755 /etc/stap
mkfifo $conf
not "$conf: not a regular file" usr staprun -L $m
rm $conf

# Many at the same moment are counted one after the other.
echo RUNS=3 > $conf
pids=
for i in $(seq 12); do
	(start 6001 5001 staprun -R -L $m) > ann/out.$i 2> ann/err.$i & pids+=" $!"
done
good=0
for pid in $pids; do ! wait $pid || good=$((good + 1)); done
[ "$good" = 3 ] && [ "$(count)" = 3 ] || fail "$good of 12 at once, $(count) loaded: $(cat ann/err.*)"
[ "$(cat ann/err.* | grep -c 'you have loaded 3 of the 3 modules')" = 9 ] || fail "12 at once: $(cat ann/err.*)"
clear
# Whoever is held while loading (SIGSTOP cannot be blocked) keeps the same user's next one waiting, until that is asked
# to end, and nobody else.
echo RUNS=100 > $conf
strace -f -q -o trace -e trace=init_module -e inject=init_module:signal=SIGSTOP:when=1 setpriv --reuid 6001 \
	--regid 6001 --groups 5001 --inh-caps=-all staprun -R -L $m > out 2> ann/err & run=$!
stopped() {
	for held in $(pgrep -x staprun); do
		! grep -q '^State:.[tT]' /proc/$held/status || [ "$(count)" = 0 ] || return 0
	done
	return 1
}
wait_for stopped
other staprun -R -c true $m > out 2> err || fail "another user, meanwhile: status $?"
(start 6001 5001 staprun -R -L $m) > ann/out 2> ann/err.2 & second=$!
waits() { ls -l /proc/$second/fd 2> /dev/null | grep -q vmallocinfo; }
wait_for waits
sleep 0.5
kill -0 $second && [ "$(count)" = 1 ] || fail "the second one did not wait: $(cat ann/err.2)"
kill -TERM $second
! wait $second && grep -q 'interrupted before the start' ann/err.2 || fail "the second one: $(cat ann/err.2)"
kill -CONT $held
wait $run || fail "the first one: status $?: $(cat ann/err)"
[ "$(count)" = 1 ] || fail "$(count) are loaded"
clear

# Capabilities of the file in place of set-uid.
chmod 750 "$sbin/staprun"
if command -v setcap > /dev/null &&
	setcap cap_sys_module,cap_dac_override,cap_sys_resource,cap_syslog+ep "$sbin/staprun"; then
	echo RUNS=1 > $conf
	usr staprun -R -L $m 2> err || fail "capabilities: status $?"
	not 'you have loaded 1 of the 1 modules' usr staprun -R -L $m
	usr staprun -d '*' 2> err || fail "capabilities, -d: status $?"
fi
rm -f $conf
