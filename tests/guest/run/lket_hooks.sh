# Every hook of the Linux Kernel Event Trace: the records agree, value by value, with the actions of a program and with
# the kernel's own tracing: both as decoded by a reader written from the specification, and as written by lket-b2a.
# skip: no_module scsi_debug sd_mod || no_program python3 || no_config EVENT_TRACING
set -eu
. "$TOP/tests/wait.inc"
cd "$(mktemp -d)"
fail() { head -n 40 err; echo "$1"; exit 1; }

# The second disk: its numbers are not all 0.
modprobe scsi_mod
modprobe sd_mod
modprobe scsi_debug dev_size_mb=8 num_tgts=2
find_disk() {
	disk=$(ls -d /sys/bus/scsi/drivers/sd/*:0:1:0/block/sd* 2> /dev/null | sed 's|.*/||') && [ -b "/dev/$disk" ]
}
wait_until find_disk
# Without a scheduler nothing is put into a queue.
modprobe -q mq-deadline || :
echo mq-deadline > "/sys/block/$disk/queue/scheduler"
ip link set lo up
bits_32=$(grep -om1 'ia32_sys_[a-z_]*llseek\|ia32_sys_call$' /proc/kallsyms) || :
cp "$(command -v sleep)" 'odd, name:1'
'./odd, name:1' 999 &
sleeper=$!

mountpoint -q /sys/kernel/tracing || mount -t tracefs t /sys/kernel/tracing
trace=/sys/kernel/tracing/instances/lket_hooks
mkdir $trace
trap 'kill $sleeper; rmdir $trace; rmmod scsi_debug' EXIT
echo 0 > $trace/tracing_on
echo 8192 > $trace/buffer_size_kb
for event in sched/sched_switch power/cpu_idle block/block_rq_insert block/block_rq_issue block/block_rq_complete \
	scsi/scsi_dispatch_cmd_start scsi/scsi_dispatch_cmd_done net/net_dev_queue net/netif_receive_skb; do
	echo 1 > $trace/events/$event/enable
done

staprun -t -b -M -c "$MODULES/lket_calls /dev/$disk $trace/tracing_on ${bits_32:+llseek}" "$MODULES/t_lket_hooks.ko" \
	> expected 2> err || fail "staprun: status $?"
grep -Eq '^total +[0-9]+ +[0-9]+ +0 +0$' err || fail 'hits were lost'
cat $trace/trace > kernel
lket-b2a -f -i 1 stpd_cpu* 2> err || fail "lket-b2a: status $?"
[ ! -s err ] || fail 'lket-b2a has something to say'
lket-b2a --to lket:bytes stpd_cpu* 2> err || fail "--to lket: status $?"
/usr/bin/python3 -IS "$TOP/tests/cli/lket.d/lket.py" decode bytes/stpd_cpu* > decoded 2> err || fail 'the bytes of 2006'
sed '1,/^$/d' lket.out | grep . | tee text |
	sed -E 's/^0*([0-9]+)\.([0-9]+) CPU:([0-9]+) TID:([-0-9]+), .*HOOKGRP:([0-9]+) HOOKID:([0-9]+) /\1\2 \4 \3 \5 \6 /' |
	sed -E 's/^0+([0-9])/\1/' | sort > ours
sort decoded | diff ours - > err || fail 'lket-b2a and the reader of the specification differ'
/usr/bin/python3 -IS "$TOP/tests/guest/programs/run/lket_judge.py" "$(cat "/sys/block/$disk/dev")" \
	"$(basename "$(realpath "/sys/block/$disk/device")")"
