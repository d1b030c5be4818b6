# A full disk and a closed pipe: a message that says so, non-zero status, the module is gone.
# guards: runtime stapio staprun lib trace
set -eu
mount -t tmpfs -o size=64k small /mnt
status=0; staprun -o /mnt/out "$MODULES/t_endless.ko" 2> /tmp/err & run=$!
while [ -e /proc/$run ]; do
	cat /etc/hostname > /dev/null
	dd if=/dev/zero of=/dev/null bs=1 count=300 2> /dev/null
done
wait $run || status=$?
[ $status != 0 ] || { echo "full disk: status 0"; exit 1; }
grep -q 'No space left on device' /tmp/err || { cat /tmp/err; exit 1; }
! grep -q '^t_endless ' /proc/modules || { echo "full disk: still loaded"; exit 1; }
umount /mnt

# No stdout at all.
status=0; staprun "$MODULES/t_short.ko" 2> /tmp/err >&- || status=$?
[ $status = 1 ] &&
	grep -q '^ERROR: writing stdout: Bad file descriptor; 0 records written, [1-9][0-9]* lost' /tmp/err || {
		echo "closed stdout: status $status"
		cat /tmp/err
		exit 1
	}
! grep -q '^t_short ' /proc/modules || { echo "closed stdout: still loaded"; exit 1; }

set +e
staprun "$MODULES/t_endless.ko" 2> /tmp/err | head -n 1
status=${PIPESTATUS[0]}
set -e
[ "$status" = 141 ] || { echo "closed pipe: status $status"; cat /tmp/err; exit 1; }
[ ! -s /tmp/err ] || { cat /tmp/err; exit 1; }
! grep -q '^t_endless ' /proc/modules || { echo "closed pipe: still loaded"; exit 1; }

# A disk that is full for a while, and a run that waits: it goes on when there is room, and the books tell what the
# file has and what it lacks.
mount -t tmpfs -o size=512k small /mnt
head -c 400000 /dev/zero > /mnt/ballast
staprun -t -s 1 --on-disk-full=wait -o /mnt/out "$MODULES/t_endless.ko" 2> /tmp/err & run=$!
. "$TOP/tests/wait.inc"
load() { dd if=/dev/zero of=/dev/null bs=1 count=5000 2> /dev/null; }
waits() { load; grep -q 'writing /mnt/out: No space left on device: waiting for room; [0-9]* records written' /tmp/err; }
wait_until waits || { cat /tmp/err; exit 1; }
full=$(stat -c %s /mnt/out)
for _ in 1 2 3 4 5; do load; done
[ -e /proc/$run ] && [ "$(stat -c %s /mnt/out)" = "$full" ] || { echo "it does not wait"; cat /tmp/err; exit 1; }
rm /mnt/ballast
goes_on() { grep -q 'writing /mnt/out: there is room again' /tmp/err; }
wait_until goes_on || { cat /tmp/err; exit 1; }
kill -INT $run
status=0; wait $run || status=$?
[ $status = 0 ] || { echo "full for a while: status $status"; cat /tmp/err; exit 1; }
[ "$(tail -n 1 /mnt/out)" = ended ] || { echo "full for a while: ends with $(tail -n 1 /mnt/out)"; exit 1; }
! grep -vE '^(begun|ended|tick [0-9]+|.+ [0-9]+)$' /mnt/out || { echo "full for a while: torn lines"; exit 1; }
merged=$(sed -n 's/^records: \([0-9]*\) merged.*/\1/p' /tmp/err)
[ "$(wc -l < /mnt/out)" = "$merged" ] || { echo "$(wc -l < /mnt/out) lines of $merged records"; cat /tmp/err; exit 1; }
awk '$1 ~ /^(hits|total)/ { print }' /tmp/err | head -n 3
umount /mnt
# Stopped meanwhile, it does not wait.
mount -t tmpfs -o size=64k small /mnt
staprun --on-disk-full=wait -o /mnt/out "$MODULES/t_endless.ko" 2> /tmp/err & run=$!
wait_until waits || { cat /tmp/err; exit 1; }
kill -INT $run
status=0; wait $run || status=$?
[ $status = 1 ] && grep -q '^ERROR: writing /mnt/out: No space left on device; [0-9]* records written, [0-9]* lost' /tmp/err ||
	{ echo "stopped on a full disk: status $status"; cat /tmp/err; exit 1; }
umount /mnt
