# SPDX-License-Identifier: GPL-2.0-or-later
# --to pcap: tcpdump reads the packets that a script prints, and tshark, if installed, the other data.
# skip: no_program tcpdump
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge

packet='"\x45\x01\x01\x1c\x01\x01\x40\x01\x40\x11\x01\x01\x0a\x01\x01\x01\x0a\x01\x01\x02\x04\x04\x05\x05\x01\x08\x01\x01"'
record 'probe begin { dev = substr("eth0", 0, 4) p = '"$packet"'
		printf("%(packet)s %(dev)s\n", p, dev)
		printf("%(packet)s %(len)d %(dev_name)s\n", sprintf("%s%c%s", p, 0, p), 1500, dev)
		printf("%s\n", p) println("text") exit() }'
INPUT=stream check 0 '!.' -- "$merge" --to pcap:trace -
tcpdump -nr trace > packets 2> err || { cp err out; say_wrong 'tcpdump'; }
[ "$(grep -c ' IP .*10.1.1.1 > 10.1.1.2: ip-proto-17$' packets)" = 2 ] && [ "$(wc -l < packets)" = 2 ] ||
	{ cp packets out; say_wrong 'packets'; }

record 'probe begin {
		printf("%(frame)s\n", "\x02\x02\x02\x02\x02\x02\x03\x03\x03\x03\x03\x03\x08\x06abcdefgh")
		printf("%(packet)s\n", '"$packet"') exit() }
	probe end { print(1 / 0) }'
INPUT=stream check 0 '!ERROR: [^d]' -- "$merge" --to pcap:both -
if type -P tshark > where; then
	tshark -r trace -T fields -e frame.len -e frame.cap_len -e frame.interface_name -e ip.dst > fields 2> err
	printf '28\t28\teth0\t10.1.1.2\n1500\t57\teth0\t10.1.1.2\n' | diff - fields > out || say_wrong 'tshark'
	tshark -r both -T fields -e frame.encap_type -e eth.src -e ip.src > fields 2> err
	printf '1\t03:03:03:03:03:03\t\n7\t\t10.1.1.1\n' | diff - fields > out ||
		say_wrong 'tshark: a frame and a packet'
fi
# The last block says what was lost: the hit of the probe end.
[ "$(tail -c 20 both | od -An -tu4 -w20 | tr -s ' ')" = ' 524293 1 0 0 40' ] ||
	{ tail -c 40 both | od -An -tu4 > out; say_wrong 'books'; }

# ---- any number of devices: each packet is of its own, with its kind ----

# blocks FILE: a line for each packet, with the name and the link type of its interface
cat > blocks << 'END'
import struct, sys
data, at, interfaces = open(sys.argv[1], "rb").read(), 0, []
while at < len(data):
	block, size = struct.unpack_from("<II", data, at)
	if block == 1:
		link, option, used, name = struct.unpack_from("<H6xHH", data, at + 8) + (b"",)
		if option == 2: name = data[at + 20:at + 20 + used]
		interfaces.append((name.decode(), link))
	if block == 6:
		number, _, _, bytes = struct.unpack_from("<IIII", data, at + 8)
		print(*interfaces[number], data[at + 28:at + 28 + bytes].decode())
	at += size
END
ACTIONS=10000000 record 'probe begin {
		for (i = 0; i < 700; i++) {
			name = sprintf("veth%d", i)
			printf("dev=%s packet=%s\n", name, sprintf("E%d", i))
			if (i % 7 == 0) printf("dev=%s frame=%s\n", name, sprintf("F%d", i)) }
		for (i = 0; i < 700; i += 13)
			printf("dev=%s packet=%s\n", sprintf("veth%d", i), sprintf("A%d", i))
		printf("dev=%s packet=%s\n", sprintf("a device whose name is longer than those of Linux, %d", 1), "L1")
		printf("dev=%s packet=%s\n", sprintf("a device whose name is longer than those of Linux, %d", 2), "L2")
		printf("dev=%s packet=%s\n", "v\xff", "L3")
		exit() }'
INPUT=stream check 0 '!.' -- "$merge" --to pcap:many -
python3 blocks many > got 2>&1
{
	for ((i = 0; i < 700; i++)); do
		echo "veth$i 101 E$i"
		[ $((i % 7)) != 0 ] || echo "veth$i 1 F$i"
	done
	for ((i = 0; i < 700; i += 13)); do echo "veth$i 101 A$i"; done
	for i in 1 2; do echo "a device whose name is longer than those of Linux, $i 101 L$i"; done
	echo 'v\xff 101 L3'
} | diff - got > out || say_wrong 'packets of 700 devices'

# ---- there is a bound: what is beyond it is not stored, said, and in no other interface ----

ACTIONS=10000000 record 'global from probe timer.ms(1) {
		for (i = from; i < from + 10000 && i < 65540; i++) printf("dev=%s packet=%s\n", sprintf("v%d", i), "E")
		from += 10000
		if (from < 70000) next
		printf("dev=%s packet=%s\n", "v9", "again")
		printf("dev=%s packet=%s\n", sprintf("%0256d", 1), "long")
		exit() }'
INPUT=stream check 1 '/^ERROR: bound: 5 packets are not in it: of more than 65536 devices, or of names longer than 255 bytes' \
	-- "$merge" --to pcap:bound -
python3 blocks bound > got
[ "$(wc -l < got)" = 65537 ] && [ "$(cut -d' ' -f1 got | sort -u | wc -l)" = 65536 ] &&
	[ "$(tail -n 1 got)" = 'v9 101 again' ] || { tail -n 3 got > out; say_wrong 'packets of too many devices'; }

record 'probe begin { printf("%d\n", 1) exit() }'
INPUT=stream check 0 '/the script has printed no field "packet" or "frame"' -- "$merge" --to pcap:none -
INPUT=stream check 1 '/none: it exists already' -- "$merge" --to pcap:none -
damage pcap
finish
