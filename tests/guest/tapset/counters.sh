# The counters of IP and TCP agree with /proc/net/snmp and netstat of all network namespaces, and packets pass the
# packet filter's hooks.
# skip: no_module veth bridge
set -eu
. "$TOP/tests/wait.inc"
d=$(mktemp -d)
wrong() { cat "$d/out" "$d/err"; grep -E '^(Ip|Tcp|TcpExt|IpExt)[A-Z]' "$d/truth" | grep -v ' 0$'; echo "$1"; exit 1; }
newer() { [ "$(printf '%s\n' 6.12 "$(uname -r)" | sort -V | head -n 1)" = 6.12 ]; }
modprobe -a veth bridge br_netfilter
staprun -v -o "$d/out" "$MODULES/t_counters.ko" 2> "$d/err" & run=$!
wait_until in_place "$d/err" || wrong 'staprun does not begin'
/usr/bin/python3 tests/guest/programs/tapset/counters.py > "$d/truth" 2>&1 || { cat "$d/truth"; wrong 'counters.py'; }
wait $run || wrong 'staprun'
while read -r name value; do
	[ $name != IpOutRequests ] || continue # before Linux 6.10 /proc/net/snmp has what is forwarded among them
	if [ "$name" = IpForwDatagrams ] && newer; then value=$((value + 1)); fi # one was too large
	grep -qx "$name $value" "$d/truth" || differ="${differ-} $name($value; $(sed -n "s/^$name //p" "$d/truth"))"
done < <(grep -E '^(Ip|Tcp)[A-Za-z]* -?[0-9]+$' "$d/out")
[ -z "${differ-}" ] || wrong "not as the kernel counts:$differ"
for name in IpForwDatagrams IpFragOKs IpFragFails IpReasmReqds IpReasmTimeout IpInAddrErrors IpExtInNoRoutes \
	IpInUnknownProtos TcpAttemptFails TcpEstabResets TcpOutRsts TcpRetransSegs \
	TcpExtListenOverflows TcpExtListenDrops; do
	! grep -qx "$name 0" "$d/out" || wrong "no $name"
done
grep -qx 'bad 0' "$d/out" || wrong bad
