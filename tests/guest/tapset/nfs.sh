# An NFS server in this guest, and two mounts of it, version 3 and 4.2: the actions of nfs_client.py are seen on both
# sides. Pages that NFS still needs are reclaimed (nfs.aop.release_page) only if memory is short, which is not tested
# here.
# skip: is_slow 'it takes minutes' || no_module nfsd nfsv4
set -eu
. "$TOP/tests/wait.inc"
d=$(mktemp -d)
wrong() { head -n 40 "$d"/*.out "$d"/*.err "$d/log" "$d/truth"; echo "$1"; exit 1; }
for module in nfsd nfs nfsv3 nfsv4; do modprobe $module; done
ip link set lo up
mountpoint -q /proc/fs/nfsd || mount -t nfsd nfsd /proc/fs/nfsd
mkdir "$d/export" "$d/3" "$d/4"
mount -t tmpfs none "$d/export"
declare -A run
# What is traced for lket-b2a is the same.
sides='nfs nfs_client lket_nfs'
for side in $sides; do
	to="-o $d/$side.out"
	[ $side != lket_nfs ] || to="-b -M -t -s 32 -o $d/trace"
	staprun -v $to "$MODULES/t_$side.ko" 2> "$d/$side.err" & run[$side]=$!
	wait_until in_place "$d/$side.err" || wrong "$side does not begin"
done
/usr/bin/python3 tests/guest/programs/tapset/nfs_server.py "$d/export" > "$d/log" 2>&1 & server=$!
wait_until has "$d/log" ready || wrong nfs_server.py
mount -i -t nfs4 -o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,sec=sys 127.0.0.1:/ "$d/4"
mount -i -t nfs -o vers=3,nolock,proto=tcp,port=2049,mountport=20048,mountproto=tcp,mountvers=3 \
	-o addr=127.0.0.1,mountaddr=127.0.0.1 "127.0.0.1:$d/export" "$d/3"
for version in 3 4; do
	/usr/bin/python3 tests/guest/programs/tapset/nfs_client.py "$d/$version" >> "$d/truth" 2>&1 ||
		wrong "nfs_client.py"
	umount "$d/$version"
done
echo 0 > /proc/fs/nfsd/threads
sleep 1
for side in $sides; do
	kill -TERM "${run[$side]}" || wrong "$side ended"
	wait "${run[$side]}" || wrong "$side: status $?"
done

seen() { # SIDE NAME…
	local name
	for name in "${@:2}"; do grep -qw -- "$name" "$d/$1.out" || missing+=" $name"; done
}
missing=
seen nfs dispatch lookup open read write commit create createv3 unlink rename nfsd.close entries addr proc.entries \
	create_client clone_client call_sync call_async shutdown clnt.entry new_task execute \
	release_task register svc.create svc.destroy recv process authorise send \
	proc.{lookup,read,write,commit,remove,rename,create}.3 proc.{read,write,commit,remove,rename,create}.4 \
	nfsd.{dispatch,lookup,open,read,write,commit,create,createv3,unlink,rename,close,proc}.return \
	nfsd.proc.{lookup,read,write,commit,remove,rename,create}.return nfsd.return lookup.none \
	nfsd.proc3.{lookup,read,write,commit,remove,rename,create}{,.return} \
	nfsd.proc4.{read,write,commit,remove,rename,create}{,.return} \
	sunrpc.clnt.{create_client,clone_client,call_sync,call_async,shutdown_client}.return \
	sunrpc.sched.{new_task,execute}.return sunrpc.{clnt,sched,svc}.return sunrpc.return \
	sunrpc.svc.{register,create,destroy,recv,process,authorise,send}.return sunrpc.{sched,svc}.entry sunrpc.entry
seen nfs_client open.nfs{,4}_file_open release flush.nfs{,4}_file_flush fsync llseek.nfs{,4}_file_llseek lock unlock \
	mmap check_flags {,aio_}{read,write} {read,write}_iter sendfile fop.entries fop.return \
	nfs.fop.{read_iter,aio_read,read,write_iter,aio_write,write,open,release,flush,fsync,lock,mmap}.return \
	nfs.fop.{check_flags,llseek,sendfile}.return \
	nfs.aop.{readfolio,read_page_folio,read_pages_ahead}{,.return} written.size commit.size \
	readpage readpages readahead set_page_dirty write_begin write_end writepage writepages aop.entries aop.return \
	nfs.aop.{readpage,readpages,readahead,set_page_dirty,write_begin,write_end,writepage,writepages}.return \
	proc.{lookup,create,remove,rename,open,release,read,write,commit}.{3,4} \
	proc.{rename,read,write,commit}_{setup,done}.{3,4} \
	handle_exception handle_exception.return proc.entries proc.return \
	nfs.proc{3,4}.{lookup,create,remove,rename,read,write,commit}{,.return} \
	nfs.proc{3,4}.{rename,read,write,commit}_{setup,done}{,.return} \
	nfs.proc.{lookup,create,remove,rename,open,release,read,write,commit}.return \
	nfs.proc.{rename,read,write,commit}_{setup,done}.return
[ -z "$missing" ] || wrong "not seen:$missing"
[ "$(sed -n 's/^ino //p' "$d/truth" | sort -n | paste -sd' ')" = \
	"$(sed -n 's/^ino \(.*\) $/\1/p' "$d/nfs_client.out" | tr ' ' '\n' | sort -n | paste -sd' ')" ] ||
	wrong "other inodes"
for side in nfs nfs_client; do grep -qx 'bad 0' "$d/$side.out" || wrong "$side: bad"; done

# Each hook that something was done for has written its record, with that in it.
cd "$d"
grep -Eq '^total +[0-9]+ +[0-9]+ +0 +0$' lket_nfs.err || wrong 'hits of LKET were lost'
lket-b2a -f trace_* > b2a.out 2> b2a.err || wrong 'lket-b2a'
# Nothing here is asked back, begun anew, put off or dropped; a name of two counts in addevent.nfs.
never='sunrpc.clnt.restart_call sunrpc.svc.drop sunrpc.sched.delay nfs.fop.aio_read nfs.fop.aio_write nfs.aop.release_page'
missing= expected=
for hook in $never; do expected+=" $hook.entry $hook.return"; done
for hook in $(sed -n 's/^probe addevent\.\([^ ]*\) = [^a].*/\1/p' "$TOP/tapset/LKET/hooks.stp" |
	grep -E '^(nfs|nfsd|sunrpc)\.'); do
	grep -q "EVT_NAME:$hook " lket.out || missing+=" $hook"
done
[ "$missing" = "$expected" ] || wrong "not seen by LKET:$missing"
while read -r text; do
	grep -q "EVT_NAME:$text" lket.out || wrong "no $text in lket.out"
done <<'END'
nfsd.rename.entry client_ip:127.0.0.1,fh:.*,filename:subject,tfh:.*,tname:moved,
nfsd.proc.rename.entry client_ip:127.0.0.1,proto:6,version:3,uid:0,gid:0,fh:.*,filename:subject,tfh:.*,tname:moved,
nfsd.dispatch.return retstr:1,
nfs.fop.open.entry dev:[0-9]*,ino:[0-9]*,file_name:subject,flag:
nfs.fop.write.return retstr:3000,
nfs.fop.lock.entry dev:[0-9]*,ino:[0-9]*,cmd:7,fl_type:1,fl_flag:[0-9]*,fl_start:100,fl_end:119,
nfs.proc.rename.entry server_ip:127.0.0.1,prot:6,version:4,old_name:subject,old_fh:.*,new_name:moved,new_fh:
nfs.proc.commit_done.entry server_ip:127.0.0.1,prot:6,version:3,status:0,
sunrpc.clnt.call_sync.entry servername:[0-9.]*,progname:nfs,prog:100003,vers:3,prot:6,port:2049,proc:3,procname:LOOKUP,
sunrpc.svc.process.entry sv_name:nfsd,peer_ip:16777343,
END
kill $server
