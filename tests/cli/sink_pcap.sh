# SPDX-License-Identifier: GPL-2.0-or-later
# --to pcap: tcpdump reads the packets that a script prints, and tshark, where it is, what is beside them.
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

record 'probe begin { printf("%d\n", 1) exit() }'
INPUT=stream check 0 '/the script has printed no field "packet" or "frame"' -- "$merge" --to pcap:none -
INPUT=stream check 1 '/none: it exists already' -- "$merge" --to pcap:none -
damage pcap
finish
