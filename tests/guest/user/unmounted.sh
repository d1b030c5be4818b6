# The file system of a probed program cannot be unmounted while the script runs, and can be afterwards, without a trace.
set -eu
. "$TOP/tests/wait.inc"
cd "$MODULES"
mkdir /tmp/disk
mount -t tmpfs disk /tmp/disk
cp calls /tmp/disk
mount --bind /tmp/disk/calls calls
staprun -v -o /tmp/out "$MODULES/t_unmounted.ko" 2> /tmp/err & run=$!
wait_until in_place /tmp/err || cat /tmp/err
./calls > /dev/null
wait_until has /tmp/out shift && grep -q program /tmp/out || { cat /tmp/out /tmp/err; exit 1; }
! umount calls 2> /dev/null || { echo 'unmounted while it is probed'; exit 1; }
umount -l calls
umount -l /tmp/disk
kill -TERM $run
wait $run || { echo "status $?"; cat /tmp/err; exit 1; }
! dmesg | grep -i 'busy inodes' || exit 1
