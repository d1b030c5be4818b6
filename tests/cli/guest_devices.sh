# SPDX-License-Identifier: GPL-2.0-or-later
# A guest has a disk and a network on request: ready scripts see writes to the disk, and connections over the network,
# to a server on this machine, found by its number or its name. The guest leaves nothing behind.
# skip: no_program mkfs.ext4
# skip: no_namespace
# guards: vm examples
. "$TOP/tests/cli/expect.inc"

check 2 '/--disk and --network are for a guest: they need --vm' -- $STAP --network -e 'probe begin {}'
check 2 '/--disk and --network are for a guest: they need --vm' -- $STAP --disk -e 'probe begin {}'
check 2 "/--disk takes a number from 1 to 1048576, not 'big'" -- $STAP --vm --disk=big -e 'probe begin {}'
check 2 "/'big' is not a number" -- "${STAP%/*}/stap-vm" --disk=big -- true

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

# A script that would see nothing is told what the guest lacks, once.
lacks() {
	local what=$1
	shift
	check 0 "$what" -- place/bin/stap --vm="$KERNEL" "$@"
	[ "$(grep -c 'the guest has no ' err)" -le 1 ] || say_wrong "the note comes again: $*"
}
disk='/^stap: note: the guest has no disk; --disk gives it one, at /mnt/disk$'
network='/^stap: note: the guest has no network but its own loopback; --network gives it one$'
both='/^stap: note: the guest has no disk, and no network but its own loopback; --disk --network gives it both$'
lacks "$disk" --example disk-top
lacks "$network" --example tcp-connects
lacks "$network" --example packet-drops
lacks "$network" -e 'probe kernel.trace("netif_receive_skb"), kernel.trace("net_dev_queue") { next }'
lacks "$both" -e 'probe my.io = ioblock.request { } probe my.io { println(size) } probe udp.sendmsg { println(size) }'
lacks "$disk" --network -e 'probe ioblock.request { println(size) } probe udp.sendmsg { println(size) }'
for with in '--example tcp-connects --network' '--example disk-top --disk' '--example disk-top -w'; do
	lacks '!the guest has no ' $with
done
lacks '!the guest has no ' -e 'probe vfs.read { println($count) }'

for example in disk-top tcp-connects; do
	$STAP -r "$KERNEL" -p4 -m "t_${example#*-}" --example $example > out 2>&1 || say_wrong "$example: $(cat out)"
done
cat > server.py <<'END_PY'
import select, socket
names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(("127.0.0.42", 53))
servers = [socket.create_server(("127.0.0.1", 0))]
port = servers[0].getsockname()[1]
servers.append(socket.create_server(("::1", port), family=socket.AF_INET6))
print(port, flush=True)
# "server.stap.example" is 10.0.2.2; it has no other address, and nobody else has one.
known = b"\6server\4stap\7example\0"
while True:
    for ready in select.select(servers + [names], [], [])[0]:
        if ready is names:
            asked, who = names.recvfrom(512)
            query = asked[12:asked.index(b"\0", 12) + 5]
            found = query == known + b"\0\1\0\1"
            code = b"\x81\x80" if query[:-4] == known else b"\x81\x83"
            answer = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x0a\0\2\2" if found else b""
            names.sendto(asked[:2] + code + bytes((0, 1, 0, found, 0, 0, 0, 0)) + query + answer, who)
            continue
        peer, _ = ready.accept()
        peer.sendall(peer.recv(100).upper())
        peer.close()
END_PY
cat > talk.py <<'END_PY'
import socket, sys
# Packets and answers may be lost on the way through QEMU, on a busy machine: what works once is there.
def answer(host, tries=20):
    try:
        with socket.create_connection((host, int(sys.argv[1]))) as s:
            s.sendall(host.encode())
            return s.recv(100).decode()
    except OSError:
        if tries == 1:
            raise
        return answer(host, tries - 1)
for host in "10.0.2.2", "gateway", "fec0::2", "server.stap.example", "server":
    # At once: print() may write the end of the line by itself, after another's line.
    sys.stdout.write(answer(host) + "\n")
END_PY
# A machine with a name server of its own, which is asked for server.stap.example where a program says "server".
printf 'nameserver 127.0.0.42\nsearch stap.example\n' > resolv.conf
cat > inside <<'END_SH'
grep ' /mnt/disk ' /proc/mounts
echo 10.0.2.2 gateway >> /etc/hosts
staprun -c 'dd if=/dev/zero of=/mnt/disk/file bs=64k count=16 oflag=direct' t_top.ko
staprun -c "/usr/bin/python3 talk.py $1" t_connects.ko
END_SH
python3 server.py > port & server=$!
wait_until [ -s port ]
named='mount --bind resolv.conf "$(readlink -f /etc/resolv.conf)" && exec "$@"'
PATH=${STAP%/*}:$PATH check 0 '/^/dev/vda /mnt/disk ext4 ' '/^dd +[0-9]+ vda +write +1?[0-9] +1\.00M' \
	'/^10\.0\.2\.2$' '/^GATEWAY$' '/^FEC0::2$' '/^SERVER\.STAP\.EXAMPLE$' '/^SERVER$' \
	"/^[0-9:]{8}  python3[^ ]* +[0-9]+ +10\.0\.2\.2:$(cat port) +[0-9]+ connected$" \
	"/^[0-9:]{8}  python3[^ ]* +[0-9]+ +\[fec0::2\]:$(cat port) +[0-9]+ connected$" \
	-- unshare -m sh -c "$named" sh stap-vm --disk=64 --network --release "$KERNEL" --dmesg dmesg --timeout 54321 \
	-- bash ./inside "$(cat port)"
! pgrep -fx 'sleep 54321' > /dev/null || say_wrong 'its limit goes on'
kill $server 2> /dev/null
! grep -E 'BUG:|WARNING:|Oops|Call Trace' dmesg || say_wrong "the kernel complains"
finish
