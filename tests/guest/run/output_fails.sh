# A full disk and a closed pipe: a message that says so, non-zero status, the module is gone.
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
