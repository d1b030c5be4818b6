# All hooks of the Linux Kernel Event Trace while fio writes and reads files, and a disk where there is one: nothing is
# lost.
# skip: no_program fio
set -eu
cd "$(mktemp -d)"
fail() { head -n 20 err books 2> /dev/null; echo "$1"; exit 1; }
# The total line of the books: hits delivered dropped skipped.
run() {
	rm -rf stpd_cpu* lket.out DB*
	staprun -t -b -M "$@" "$MODULES/t_lket_everything.ko" > out 2> err || fail "staprun: status $?"
	read -r _ hits delivered dropped skipped < <(grep '^total ' err)
	sed '/^total /q' err > books
}

truncate -s 32M disk
disk=$(losetup --direct-io=off -f --show "$PWD/disk") || disk=$PWD/disk
trap '[ "$disk" = "$PWD/disk" ] || losetup -d "$disk"' EXIT
cat > load.fio <<-END
	[global]
	bs=4k
	size=2M
	thread
	[aio]
	filename=$disk
	ioengine=libaio
	iodepth=8
	rw=randrw
	[files]
	directory=$PWD
	ioengine=psync
	numjobs=2
	rw=randrw
	[vectors]
	directory=$PWD
	ioengine=vsync
	rw=rw
END
run -s 32 -c 'fio --minimal load.fio'
[ "$dropped" = 0 ] && [ "$skipped" = 0 ] || fail "$dropped of $hits hits are dropped, $skipped skipped"
lket-b2a -f stpd_cpu* > out 2> err || fail "lket-b2a: status $?"
# A machine has the modules that it has.
! grep -vE '"(scsi_mod|sunrpc|nfs|nfsv3|nfsv4|nfsd)"' err || fail 'lket-b2a has something to say'
for event in iosyscall.pread64.entry iosyscall.pwrite64.return iosyscall.readv.entry aio.io_submit.entry \
	aio.io_getevents.return syscall.entry tskdispatch.ctxswitch pagefault; do
	grep -q "APPNAME:[^ ]*fio EVT_NAME:$event " lket.out || fail "no $event of fio"
done
[ "$disk" = "$PWD/disk" ] || grep -q 'EVT_NAME:ioscheduler.elv_completed_request ' lket.out ||
	fail 'no request of the disk'
echo "$hits hits, $(sed '1,/^$/d' lket.out | grep -c .) events, none lost"
