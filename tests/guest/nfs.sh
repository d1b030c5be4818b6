# An NFS server of this guest's own, and two mounts of it, version 3 and 4.2: files are made, written, read, renamed and removed.
# skip: [ -n "${SLOW:-}" ] && modinfo -k "$KERNEL" nfsd > /dev/null 2>&1 && exit 1; echo "its mounts work, but what the probes report has not been seen yet: SLOW=1 runs it"
set -eu
d=$(mktemp -d)
for module in nfsd nfs nfsv3 nfsv4; do modprobe $module; done
staprun -o "$d/out" "$MODULES/t_nfs.ko" 2> "$d/err" & run=$!
for _ in $(seq 300); do grep -q begun "$d/out" && break; sleep 0.1; done
ip link set lo up
mountpoint -q /proc/fs/nfsd || mount -t nfsd nfsd /proc/fs/nfsd
mkdir "$d/export" "$d/3" "$d/4"
mount -t tmpfs none "$d/export"
/usr/bin/python3 tests/guest/programs/nfs_server.py "$d/export" > "$d/log" 2>&1 & server=$!
for _ in $(seq 600); do grep -q ready "$d/log" && break; sleep 0.1; done
mount -i -t nfs4 -o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,sec=sys 127.0.0.1:/ "$d/4"
mount -i -t nfs -o vers=3,nolock,proto=tcp,port=2049,mountport=20048,mountproto=tcp,mountvers=3,addr=127.0.0.1,mountaddr=127.0.0.1 "127.0.0.1:$d/export" "$d/3"
for version in 3 4; do
	cd "$d/$version"
	dd if=/dev/zero of=subject bs=3000 count=1 conv=fsync 2> /dev/null
	echo 3 > /proc/sys/vm/drop_caches
	[ "$(wc -c < subject)" = 3000 ] && cat subject > /dev/null
	mkdir dir
	mv subject moved
	rm moved
	rmdir dir
	cd /
	umount "$d/$version"
done
echo 0 > /proc/fs/nfsd/threads
sleep 1
kill -TERM $run
wait $run
for name in dispatch lookup open read write commit create createv3 unlink rename entries addr proc.entries create_client clone_client call_sync call_async shutdown clnt.entry new_task execute \
	release_task register svc.create svc.destroy recv process authorise send \
	proc.{lookup,read,write,commit,remove,rename,create}.3 proc.{read,write,commit,remove,rename,create}.4; do
	grep -qw -- "$name" "$d/out" || { echo "not seen: $name"; cat "$d/out" "$d/err" "$d/log"; exit 1; }
done
grep -qx 'bad 0' "$d/out"
kill $server
