# SPDX-License-Identifier: GPL-2.0-or-later
# The hooks of the Linux Kernel Event Trace: all are there, with the numbers of the specification, whichever way the
# library is named; all build together.
# guards: tapset/LKET lket tools/lket.awk translator lib stap trace
. "$TOP/tests/cli/expect.inc"
export SYSTEMTAP_DIR=$PWD/home
s="$STAP -w -r $KERNEL"
def=$TOP/tapset/LKET/hooks.def all=$TOP/tests/cli/lket.d/all.stp

# The specification's table: GROUP NAME HOOK TYPES. Of what 2007 has added the types are ours.
cat > table <<'EOF'
2 syscall.entry 1 STRING
2 syscall.return 2 STRING
3 process_snapshot 1 INT32:INT32:INT32:STRING
3 process.fork 2 INT32:INT32:INT32
3 process.execve 3 INT32:STRING
3 process.exit.entry 7 INT64
4 ioscheduler.elv_add_request 1 STRING:INT8:INT8:INT64:INT64
4 ioscheduler.elv_next_request 2 STRING:INT8:INT8:INT64:INT64
4 ioscheduler.elv_completed_request 3 STRING:INT8:INT8:INT64:INT64
5 tskdispatch.ctxswitch 1 INT32:INT32:INT8
5 tskdispatch.cpuidle 2 INT32
6 scsi.ioentry 1 INT8:INT8:INT8:INT64
6 scsi.iodispatching 2 INT8:INT32:INT8:INT64:INT32:INT64:INT64
6 scsi.iodone 3 INT32:INT8:INT64:INT64
6 scsi.iocompleted 4 INT32:INT8:INT64:INT32:INT64
7 pagefault 1 INT64:INT8
8 netdev.receive 1 STRING:INT32:INT16:INT32
8 netdev.transmit 2 STRING:INT32:INT16:INT32
9 iosyscall.open.entry 1 STRING:INT32:INT32
9 iosyscall.close.entry 3 INT64
9 iosyscall.read.entry 5 INT64:INT64:INT64
9 iosyscall.write.entry 7 INT64:INT64:INT64
9 iosyscall.readv.entry 9 INT64:INT64:INT64
9 iosyscall.writev.entry 11 INT64:INT64:INT64
9 iosyscall.pread64.entry 13 INT64:INT64:INT64:INT64
9 iosyscall.pwrite64.entry 15 INT64:INT64:INT64:INT64
9 iosyscall.readahead.entry 17 INT64:INT64:INT64
9 iosyscall.sendfile.entry 19 INT64:INT64:INT64:INT64
9 iosyscall.lseek.entry 21 INT64:INT64:INT8
9 iosyscall.llseek.entry 23 INT64:INT64:INT64:INT64:INT8
9 iosyscall.sync.entry 25
9 iosyscall.fsync.entry 27 INT64
9 iosyscall.fdatasync.entry 29 INT64
9 iosyscall.flock.entry 31 INT64:INT32
10 aio.io_setup.entry 1 INT32:INT64
10 aio.io_submit.entry 3 INT64:INT32:INT64
10 aio.io_submit_one.entry 5 INT64:INT64:INT16:INT16:INT32:INT64:INT64:INT64
10 aio.io_getevents.entry 7 INT64:INT32:INT32:INT64:INT32:INT32
10 aio.io_destroy.entry 9 INT64
10 aio.io_cancel.entry 11 INT64:INT64:INT64
11 signal.send.entry 1 INT32:INT32:STRING:INT8
11 signal.syskill.entry 3 INT32:INT32
11 signal.systgkill.entry 5 INT32:INT32:INT32
11 signal.systkill.entry 7 INT32:INT32
11 signal.pending.entry 9 INT64:INT64
11 signal.do_action.entry 11 INT32:INT8:INT64:INT64
11 signal.procmask.entry 13 INT32:INT64
11 signal.flush 15 INT32:STRING
12 sunrpc.clnt.create_client.entry 1 STRING:STRING:INT32:INT32:INT32:INT32:INT32
12 sunrpc.clnt.clone_client.entry 3 STRING:STRING:INT32:INT32:INT32:INT32:INT32
12 sunrpc.clnt.shutdown_client.entry 5 STRING:STRING:INT32:INT32:INT32:INT32:INT32:INT32:INT64:INT64:INT64
12 sunrpc.clnt.bind_new_program.entry 7 STRING:STRING:INT32:STRING:INT32
12 sunrpc.clnt.call_sync.entry 9 STRING:STRING:INT32:INT32:INT32:INT32:INT32:STRING:INT32
12 sunrpc.clnt.call_async.entry 11 STRING:STRING:INT32:INT32:INT32:INT32:INT32:STRING:INT32
12 sunrpc.clnt.restart_call.entry 13 STRING:INT32:INT32:INT32
12 sunrpc.svc.register.entry 33 STRING:STRING:INT32:INT32:INT32
12 sunrpc.svc.create.entry 35 STRING:INT32:INT32:INT32
12 sunrpc.svc.destroy.entry 37 STRING:STRING:INT32:INT32:INT64:INT64
12 sunrpc.svc.process.entry 39 STRING:INT32:INT32:INT32:INT32:INT32:INT32
12 sunrpc.svc.authorise.entry 41 STRING:INT32:INT32:INT32:INT32:INT32:INT32
12 sunrpc.svc.recv.entry 43 STRING:INT32:INT32:INT64
12 sunrpc.svc.send.entry 45 STRING:INT32:INT32:INT32:INT32:INT32:INT32
12 sunrpc.svc.drop.entry 47 STRING:INT32:INT32:INT32:INT32:INT32:INT32
12 sunrpc.sched.new_task.entry 65 INT32:INT32:INT32:INT32:INT32
12 sunrpc.sched.execute.entry 67 INT32:INT32:INT32:INT32:INT32
12 sunrpc.sched.delay.entry 69 INT32:INT32:INT32:INT32:INT32:INT64
12 sunrpc.sched.release_task.entry 71 INT32:INT32:INT32:INT32:INT32
15 cpufreq 1 INT32:INT32
16 nfs.fop.llseek.entry 1 INT32:INT64:INT64:INT8
16 nfs.fop.read.entry 3 INT32:INT64:STRING:STRING:INT64:INT64
16 nfs.fop.write.entry 5 INT32:INT64:STRING:STRING:INT64:INT64
16 nfs.fop.aio_read.entry 7 INT32:INT64:STRING:STRING:INT64:INT64:INT64
16 nfs.fop.aio_write.entry 9 INT32:INT64:STRING:STRING:INT64:INT64:INT64
16 nfs.fop.mmap.entry 11 INT32:INT64:STRING:STRING:INT64:INT64:INT64
16 nfs.fop.open.entry 13 INT32:INT64:STRING:INT32:INT64
16 nfs.fop.flush.entry 15 INT32:INT64:INT32:INT32
16 nfs.fop.release.entry 17 INT32:INT64:INT32
16 nfs.fop.fsync.entry 19 INT32:INT64:INT32
16 nfs.fop.lock.entry 21 INT32:INT64:INT32:INT8:INT32:INT64:INT64
16 nfs.fop.sendfile.entry 23 INT32:INT64:INT64:INT64
16 nfs.fop.check_flags.entry 25 INT32
16 nfs.aop.readpage.entry 27 INT32:INT64:INT64:INT64:INT32
16 nfs.aop.readpages.entry 29 INT32:INT64:INT32:INT32:INT32
16 nfs.aop.set_page_dirty.entry 31 INT64:INT64
16 nfs.aop.writepage.entry 33 INT32:INT64:INT64:INT64:INT64:INT32:INT8:INT8
16 nfs.aop.writepages.entry 35 INT32:INT64:INT64:INT32:INT32:INT8:INT8
16 nfs.aop.write_begin.entry 37 INT32:INT64:INT64:INT32:INT32
16 nfs.aop.write_end.entry 39 INT32:INT64:INT64:INT32:INT32:INT64
16 nfs.aop.release_page.entry 41 INT32:INT64:INT64
16 nfs.proc.lookup.entry 43 STRING:INT32:INT32:STRING
16 nfs.proc.create.entry 45 STRING:INT32:INT32:STRING:STRING:INT32
16 nfs.proc.remove.entry 47 STRING:INT32:INT32:STRING:STRING
16 nfs.proc.rename.entry 49 STRING:INT32:INT32:STRING:STRING:STRING:STRING
16 nfs.proc.rename_setup.entry 51 STRING:INT32:INT32:STRING
16 nfs.proc.rename_done.entry 53 STRING:INT32:INT32:INT32:STRING:STRING
16 nfs.proc.read_setup.entry 55 STRING:INT32:INT32:STRING:INT64:INT64
16 nfs.proc.read_done.entry 57 STRING:INT32:INT32:INT32:INT64
16 nfs.proc.write_setup.entry 59 STRING:INT32:INT32:INT64:INT64:INT8
16 nfs.proc.write_done.entry 61 STRING:INT32:INT32:INT32:INT64:INT32
16 nfs.proc.commit_setup.entry 63 STRING:INT32:INT32:INT64:INT64
16 nfs.proc.commit_done.entry 65 STRING:INT32:INT32:INT32
16 nfs.proc.open.entry 67 STRING:INT32:INT32:STRING:INT32
16 nfs.proc.release.entry 69 STRING:INT32:INT32:STRING:INT32
16 nfs.proc.handle_exception.entry 71 INT32
17 nfsd.dispatch.entry 1 STRING:INT32:INT32:INT32:INT32
17 nfsd.open.entry 3 STRING:STRING:INT32:INT32
17 nfsd.read.entry 5 STRING:STRING:INT64:INT64
17 nfsd.write.entry 7 STRING:STRING:INT64:INT64
17 nfsd.lookup.entry 9 STRING:STRING:STRING
17 nfsd.commit.entry 11 STRING:STRING:INT64:INT64
17 nfsd.create.entry 13 STRING:STRING:STRING:INT32:INT32:INT32
17 nfsd.createv3.entry 15 STRING:STRING:STRING:INT32:INT32:INT8
17 nfsd.unlink.entry 17 STRING:STRING:STRING:INT32
17 nfsd.rename.entry 19 STRING:STRING:STRING:STRING:STRING
17 nfsd.close.entry 21 STRING
17 nfsd.proc.lookup.entry 23 STRING:INT32:INT32:INT32:INT32:STRING:STRING
17 nfsd.proc.read.entry 25 STRING:INT32:INT32:INT32:INT32:STRING:INT64:INT64
17 nfsd.proc.write.entry 27 STRING:INT32:INT32:INT32:INT32:STRING:INT64:INT64:INT8
17 nfsd.proc.commit.entry 29 STRING:INT32:INT32:INT32:INT32:STRING:INT64:INT64
17 nfsd.proc.create.entry 31 STRING:INT32:INT32:INT32:INT32:STRING:STRING
17 nfsd.proc.remove.entry 33 STRING:INT32:INT32:INT32:INT32:STRING:STRING
17 nfsd.proc.rename.entry 35 STRING:INT32:INT32:INT32:INT32:STRING:STRING:STRING:STRING
EOF
awk '{ print } /process.exit|release_task/ { next }
	sub(/\.entry/, ".return", $2) && $1 > 2 { print $1, $2, $3 + 1, $1 ~ /^1[267]/ ? "STRING" : "INT64" }' table |
	sort > expected
awk -v part=table -f "$TOP/tools/lket.awk" "$def" |
	sed -n 's/^HOOK(\([0-9]*\), \([0-9]*\), "\([^"]*\)", "\([^"]*\)".*/\1 \3 \2 \4/p' | sed 's/ $//' | sort > ours
diff expected ours || say_wrong 'the table is not the specification'\''s'

# A record's format has the same types.
formats() { sed -n 's/.*STP_FORMAT("\\001lket \([0-9]*\)\.\([0-9]*\) %8b\(\S*\)", .*/\1 \2 \3/p' "$1" | sort -u; }
awk '$2 != "process_snapshot" { print "probe addevent." $2 " { }" }' expected | sort > every
diff every <(grep '^probe addevent[^,]*$' "$all" | sort) || say_wrong "$all lacks hooks"
$s -p3 "$all" > all.c 2> err || say_wrong "all hooks: $(cat err)"
formats all.c | grep -v '^1 ' > printed
awk '{ gsub(/STRING/, "%s", $4); gsub(/INT8/, "%1b", $4); gsub(/INT16/, "%2b", $4); gsub(/INT32/, "%4b", $4)
	gsub(/INT64/, "%8b", $4); gsub(/:/, "", $4); print $1, $3, $4 }' expected | sort -u > wanted
diff wanted <(sort printed) || say_wrong 'formats'

# Umbrellas; both spellings; everything at once, up to a module.
for u in syscall process ioscheduler tskdispatch scsi pagefault netdev iosyscall iosyscall.entry iosyscall.return aio \
	aio.entry aio.return signal signal.entry signal.return sunrpc sunrpc.svc.return nfs nfs.fop.entry nfsd \
	nfsd.proc cpufreq \
	iosyscall.senfile.entry iosyscall.senfile.return; do
	$s -p2 -e "probe addevent.$u { }" > out 2> err || say_wrong "addevent.$u: $(head -n 3 err)"
done
check 0 '/\.ko$' -- $s -p4 -m lket_all -e 'probe addevent.* ? { }'
check 0 -- $s -p2 -D ASCII_TRACE -e 'probe addevent.* { }'

# The directory may be named as it was in 2006, and as it is here: nothing comes twice.
for dir in /usr/share/systemtap/tapsets/LKET "$TOP/tapset/LKET"; do
	$s -p2 -I "$dir" -e 'probe addevent.pagefault { }' > named 2> err
	[ ! -s err ] && [ "$(grep -c '^stoptrace_fork' named)" = 1 ] || say_wrong "-I $dir: $(cat err)"
done
check 0 '/warning: the tapset directory /nowhere/LOST cannot be read' -- $STAP -r "$KERNEL" -p2 -I /nowhere/LOST \
	-e 'probe addevent.pagefault { }'

# A hit is repeated for missing pages only where memory of the program is read; numbers of a call are in registers.
$s -p3 -e 'probe addevent.iosyscall.read.entry { }' > read.c
$s -p3 -e 'probe syscall.read { println(argstr) }' > text.c
! grep -q stp_pages_repeat read.c && grep -q stp_pages_repeat text.c || say_wrong 'pages that are missing'

# What users of it write.
check 0 -- $s -p2 -e 'probe register_event { register_user_event(GROUP_NETDEV, HOOKID_NETDEV_TRANSMIT, "INT32:INT32",
	"mac_len:priority") } probe addevent.netdev { printf("%4b%4b", $skb->mac_len, $skb->priority) }
	probe begin { stoptrace_fork = 1; stoptrace_exec = 1; set_timing_method(1) }
	probe end { println(filter_by_pid(), HOOKID_AIO_IO_SUBMIT_ONE_RETURN) }'
finish
