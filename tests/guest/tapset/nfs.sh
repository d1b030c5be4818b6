# An NFS server of this guest's own, and two mounts of it, version 3 and 4.2: what nfs_client.py does there is seen on
# both sides. Pages that NFS still needs are asked back (nfs.aop.release_page) only where memory is short: not here.
# skip: is_slow 'it takes minutes' || no_module nfsd nfsv4
set -eu
. "$TOP/tests/wait.inc"
d=$(mktemp -d)
wrong() { echo "$1"; head -n 40 "$d"/*.out "$d"/*.err "$d/log" "$d/truth"; exit 1; }
for module in nfsd nfs nfsv3 nfsv4; do modprobe $module; done
ip link set lo up
mountpoint -q /proc/fs/nfsd || mount -t nfsd nfsd /proc/fs/nfsd
mkdir "$d/export" "$d/3" "$d/4"
mount -t tmpfs none "$d/export"
declare -A run
for side in nfs nfs_client; do
	staprun -v -o "$d/$side.out" "$MODULES/t_$side.ko" 2> "$d/$side.err" & run[$side]=$!
	wait_until in_place "$d/$side.err" || wrong "$side does not begin"
done
/usr/bin/python3 tests/guest/programs/nfs_server.py "$d/export" > "$d/log" 2>&1 & server=$!
wait_until has "$d/log" ready || wrong nfs_server.py
mount -i -t nfs4 -o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,sec=sys 127.0.0.1:/ "$d/4"
mount -i -t nfs -o vers=3,nolock,proto=tcp,port=2049,mountport=20048,mountproto=tcp,mountvers=3 \
	-o addr=127.0.0.1,mountaddr=127.0.0.1 "127.0.0.1:$d/export" "$d/3"
for version in 3 4; do
	/usr/bin/python3 tests/guest/programs/nfs_client.py "$d/$version" >> "$d/truth" 2>&1 || wrong "nfs_client.py"
	umount "$d/$version"
done
echo 0 > /proc/fs/nfsd/threads
sleep 1
for side in nfs nfs_client; do
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
kill $server
