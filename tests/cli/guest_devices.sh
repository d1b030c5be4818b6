# SPDX-License-Identifier: GPL-2.0-or-later
# A guest has a disk and a network where they are asked for: ready scripts see what is written to the one, and who is
# talked to over the other, which is a server here, found by its number or its name. The guest leaves nothing behind.
# skip: no_kernel
# skip: no_program mkfs.ext4
. "$TOP/tests/cli/expect.inc"

check 2 '/--disk and --network are those of a guest: they need --vm' -- $STAP --network -e 'probe begin {}'
check 2 '/--disk and --network are those of a guest: they need --vm' -- $STAP --disk -e 'probe begin {}'
check 2 "/--disk takes a number from 1 to 1048576, not 'big'" -- $STAP --vm --disk=big -e 'probe begin {}'
check 2 "/'big' is no number" -- "${STAP%/*}/stap-vm" --disk=big -- true

# What stap --vm hands on.
mkdir -p place/bin place/share
cp "$STAP" place/bin
ln -s "$TOP" place/share/stap
printf '#!/bin/sh\necho "$*"\n' > place/bin/stap-vm
chmod +x place/bin/stap-vm
told="place/bin/stap --vm=$KERNEL -e"
check 0 '/ --disk=64 --network -- ' -- $told 'probe begin { exit() }' --disk=64 --network
check 0 '/ --disk=1024 -- ' -- $told 'probe begin { exit() }' --disk
check 0 '!--disk' '!--network' -- $told 'probe begin { exit() }'

for example in disk-top tcp-connects; do
	$STAP -r "$KERNEL" -p4 -m "t_${example#*-}" --example $example > out 2>&1 || say_wrong "$example: $(cat out)"
done
cat > server.py <<'END_PY'
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
for _ in range(2):
    peer, _ = server.accept()
    peer.sendall(peer.recv(100).upper())
    peer.close()
END_PY
cat > talk.py <<'END_PY'
import socket, sys
for host in "10.0.2.2", "gateway":
    with socket.create_connection((host, int(sys.argv[1]))) as s:
        s.sendall(b"question")
        print(s.recv(100).decode())
END_PY
cat > inside <<'END_SH'
grep ' /mnt/disk ' /proc/mounts
echo 10.0.2.2 gateway >> /etc/hosts
staprun -c 'dd if=/dev/zero of=/mnt/disk/file bs=64k count=16 oflag=direct' t_top.ko
staprun -c "/usr/bin/python3 talk.py $1" t_connects.ko
END_SH
python3 server.py > port & server=$!
wait_until [ -s port ]
PATH=${STAP%/*}:$PATH check 0 '/^/dev/vda /mnt/disk ext4 ' '/^dd +[0-9]+ vda +write +1?[0-9] +1\.00M' '/^QUESTION$' \
	"/^python3[^ ]* +10\.0\.2\.2:$(cat port) +[0-9]+ connected$" \
	-- stap-vm --disk=64 --network --release "$KERNEL" --dmesg dmesg --timeout 54321 -- bash ./inside "$(cat port)"
! pgrep -fx 'sleep 54321' > /dev/null || say_wrong 'its limit goes on'
kill $server 2> /dev/null
! grep -E 'BUG:|WARNING:|Oops|Call Trace' dmesg || say_wrong "the kernel complains"
finish
