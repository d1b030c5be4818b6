# SCSI commands and the queue that they come from: operations on a disk of scsi_debug.
# skip: no_module scsi_debug sd_mod
set -eu
. "$TOP/tests/wait.inc"
modprobe scsi_mod
modprobe sd_mod
out=$(mktemp)
staprun -v -o "$out" "$MODULES/t_scsi.ko" 2> "$out.err" & run=$!
wait_until in_place "$out.err" || cat "$out.err"
modprobe scsi_debug dev_size_mb=8
find_disk() {
	d=$(grep -l scsi_debug /sys/block/sd*/device/model 2> /dev/null | head -n 1 | cut -d/ -f4) && [ -n "$d" ] &&
		[ -b "/dev/$d" ]
}
wait_until find_disk
# Without one nothing is put into a queue.
! modprobe -q mq-deadline || echo mq-deadline > "/sys/block/$d/queue/scheduler"
dd if=/dev/zero of="/dev/$d" bs=4096 count=1 seek=2 oflag=direct 2> /dev/null
dd if="/dev/$d" of=/dev/null bs=8192 count=1 iflag=direct 2> /dev/null
cat "/dev/$d" > /dev/null
rmmod scsi_debug
kill -TERM $run
wait $run || true
said() { grep -Eq "$1" "$out" || { echo "no line matches $1:"; cat "$out" "$out.err"; exit 1; }; }
said '^wrote 4096 SDEV_RUNNING TO_DEVICE disk 8:[0-9]+$'
said '^read 8192 FROM_DEVICE$'
said '^completed 4096 8192$'
said '^request of sd[a-z] write$'
said '^state [0-9]+:0:0:0 SDEV_CREATED SDEV_RUNNING$'
said '^seen add asked complete execute issue lib next plug sd unplug $'
said '^bad 0$'
