# SPDX-License-Identifier: GPL-2.0-or-later
# --exporter: scripts of --runtime=user as metrics: a strict reader of the format, hostile names and keys, a directory
# of scripts, passwords and TLS, and clients that mean no good.
# skip: [ ! -x "${B:-build}/bin/stap-exporter" ] && echo "no stap-exporter: libmicrohttpd-dev, libyaml-dev"
# guards: exporter runtime/uapi
. "$TOP/tests/cli/expect.inc"
program=${STAP%% *}
exporter=${program%/*}/stap-exporter
cat > read.py <<'END'
# Reads the text format; what Prometheus would refuse is an error.
import re
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)')
def read(data):
	text = data.decode("utf-8")
	assert text.endswith("\n") and "\r" not in text and "\0" not in text
	types, helps, samples, family = {}, {}, {}, None
	for line in text[:-1].split("\n"):
		if m := re.fullmatch(r"# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)", line):
			into = helps if m[1] == "HELP" else types
			assert m[2] not in into, f"twice: {line}"
			assert m[1] == "TYPE" or not re.search(r"\\(?![\\n])", m[3].replace("\\\\", "")), line
			into[m[2]] = m[3]
			family = m[2]
			continue
		m = re.fullmatch(r"([a-zA-Z_:][a-zA-Z0-9_:]*)\{(.*)\} (-?[0-9.e+-]+)", line)
		assert m, f"not a sample: {line!r}"
		labels, at = [], 0
		while at < len(m[2]):
			l = LABEL.match(m[2], at)
			assert l, f"labels: {line!r}"
			labels.append((l[1], l[2]))
			at = l.end()
		assert len(dict(labels)) == len(labels), f"a label twice: {line!r}"
		assert not any(name.startswith("__") for name, _ in labels), line
		base, kind = m[1], types[family]
		if kind in ("histogram", "summary"):
			base = re.sub(r"_(bucket|sum|count)$", "", base)
		assert base == family and family in helps, f"of no family: {line!r}"
		assert kind in ("counter", "gauge", "histogram", "summary"), kind
		assert kind != "counter" or base.endswith("_total"), line
		key = (m[1], tuple(sorted(labels)))
		assert key not in samples, f"twice: {line!r}"
		samples[key] = float(m[3])
	for (name, labels), v in samples.items(): # histograms grow with their bounds, up to the count
		if name.endswith("_bucket") and dict(labels)["le"] == "+Inf":
			rest = [l for l in labels if l[0] != "le"]
			bounds = sorted((float(dict(l)["le"]), w) for (n, l), w in samples.items()
				if n == name and [x for x in l if x[0] != "le"] == rest)
			assert [w for _, w in bounds] == sorted(w for _, w in bounds) and len(bounds) > 1
			assert v == samples[(name[:-7] + "_count", tuple(rest))], name
	return samples
def value(samples, name, **labels):
	found = [v for (n, l), v in samples.items() if n == name and labels.items() <= dict(l).items()]
	assert len(found) == 1, f"{name} {labels}: {found}"
	return found[0]
END
mkdir scripts
cat > scripts/hostile.stp <<'END'
global n // how many "ticks" \ there are
global depth // gauge: levels
global pairs, latency, sizes, fine, who, set
global n_total, latency_count, run_x, stap_global3
probe begin {
	who = sprintf("a\tb\\\n%c%c\"}", 1, 233)
	set["\xef\xbf\xbd", "le"] = "x"
	pairs["\xff\n\"", 1]++ pairs["\\xff", 1]++ pairs["\xef\xbf\xbdff\n\"", 1]++ pairs["\xc3\xa9", 2]++
	pairs["\xed\xa0\x80\xf8", 1]++ pairs["\r", 1]++ pairs["", 1]++
	for (i = -2; i < 98; i++) { latency <<< i sizes[i & 1] <<< i fine <<< i }
}
probe timer.ms(5) { n++ depth += 2 n_total++ latency_count++ run_x++ stap_global3++ }
probe end {
	print(@hist_log(latency)) print(@hist_linear(sizes[0], 0, 50, 20)) println(@quantile(fine, 50))
	foreach ([__what, le] in pairs) println(__what, le, who)
	foreach ([value, value2] in set) println(value)
	println(n, depth)
}
END
printf 'global reads probe begin { for (i = 0; i < 1000; i++) reads[sprintf("disk%%d", i)] = i }\n' > scripts/many.stp
printf 'probe timer.ms(1) { exit() }\n' > scripts/dies.stp
printf 'probe nonsense { }\n' > scripts/wrong.stp
printf 'global n probe timer.ms(5) { n++ }\n' > scripts/autostart-one.stp
ln -s /etc/passwd scripts/.hidden.stp

# begin NAME OPTION…: starts an exporter, whose URL is then in $url.
begin() {
	local name=$1
	shift
	"$exporter" --port 0 "$@" > "$name.url" 2> "$name.err" & run=$!
	wait_until has "$name.url" '/$' || { say_wrong "$name: $(cat "$name.err")"; finish; exit 1; }
	url=$(cat "$name.url")
}
end() { kill -TERM $run && wait $run || say_wrong "it ended with status $?"; }

begin plain -s scripts -- --runtime=user
[ "${url%:*}" = http://127.0.0.1 ] || say_wrong "it listens at $url"
cat > plain.py <<'END'
import http.client, socket, sys, time, urllib.error, urllib.request
from read import read, value
url = sys.argv[1]
host, port = url[7:-1].split(":")
def get(path, method="GET"):
	try:
		with urllib.request.urlopen(urllib.request.Request(url + path, method=method)) as r:
			return r.status, r.headers, r.read()
	except urllib.error.HTTPError as e: return e.code, e.headers, e.read()
def until(path, wanted=200):
	while (r := get(path))[0] == 503 and wanted != 503: time.sleep(0.1)
	assert r[0] == wanted, r
	return r
status, headers, data = until("hostile")
assert headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
s = read(data)
assert len([1 for n, _ in s if n == "stap_pairs_total"]) == 7, data.decode()
for what in "\ufffdff\\n\\\"", "\\\\xff", "\u00e9", "\ufffded\ufffda0\ufffd80\ufffdf8", "":
	assert value(s, "stap_pairs_total", key__what=what) == 1, what
assert value(s, "stap_who_info", value='a\tb\\\\\\n\x01\ufffde9\\"}') == 1
assert value(s, "stap_latency_count") == 100 and value(s, "stap_latency_sum") == 4750
def buckets(name, *bounds, **labels): return [value(s, name + "_bucket", le=le, **labels) for le in bounds]
assert buckets("stap_latency", "-2", "-1", "0", "1", "63", "127", "+Inf") == [1, 2, 3, 4, 66, 100, 100]
assert buckets("stap_sizes", "-1", "19", "39", "59", "+Inf", key1="0") == [1, 11, 21, 31, 50]
assert (value(s, "stap_latency_min"), value(s, "stap_latency_max")) == (-2, 97)
assert abs(value(s, "stap_fine", quantile="0.5") - 47) <= 1
assert abs(value(s, "stap_latency_quantiles", quantile="0.5") - 47) < 8
assert value(s, "stap_run_hits_total", probe="begin") == value(s, "stap_run_delivered_total", probe="begin") == 1
assert 0 < value(s, "stap_run_handler_seconds_total", probe="begin") < 100
assert value(s, "stap_run_hits_total", probe="timer.ms(5)") >= value(s, "stap_n_total") - 1
assert value(s, "stap_run_elements", **{"global": "pairs"}) == 7
before = value(s, "stap_n_total")
while value(read(get("hostile.stp")[2]), "stap_n_total") <= before: pass
# A thousand series.
read(until("many")[2])
took = []
for _ in range(20):
	c = http.client.HTTPConnection(host, int(port))
	began = time.monotonic()
	c.request("GET", "/many")
	s = c.getresponse().read()
	took.append(time.monotonic() - began)
assert sum(1 for n, _ in read(s) if n == "stap_reads") == 1000
print(f"1000 series: {1000 * sorted(took)[0]:.1f} ms at best, {1000 * sorted(took)[10]:.1f} ms in the middle")
assert sorted(took)[0] < 0.05, took
# Paths that are no scripts, methods that are none, heads without end.
for path in "nope", "../hostile", "%2e%2e/hostile", ".hidden", "hostile.stp.stp", "a" * 300, "%ff":
	assert get(path)[0] == 404, path
assert get("hostile", "POST")[0] == 405 and get("hostile", "HEAD")[0] == 200
for request in (b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n", b"\x16\x03\x01\r\n\r\n\r\n",
		b"GET / HTTP/1.1\r\nX: " + b"y" * 100000 + b"\r\n\r\n"):
	with socket.create_connection((host, port)) as c:
		try:
			c.sendall(request)
			answer = c.recv(100)
		except OSError: answer = b""
		assert not answer or answer[9:10] == b"4", answer
# Clients that say half of what they want, and more of them than one may be, hold up no other for long.
silent = []
for _ in range(40):
	c = socket.create_connection((host, port))
	c.setblocking(False)
	try: c.send(b"GET /hostile HTTP/1.1\r\nX-")
	except OSError: pass
	silent.append(c)
for c in silent[:30]: c.close()
while True:
	try:
		if get("many")[0] == 200: break
	except (OSError, http.client.HTTPException): time.sleep(0.1)
for c in silent: c.close()
# What ends, or cannot begin, says so; the others go on.
for path, said in ("dies", b"exit status 0"), ("wrong", b"exit status 1"):
	while (r := get(path))[0] == 200 or b"has ended" not in r[2]: time.sleep(0.1)
	assert r[0] == 503 and said in r[2], r
s = read(get("metrics")[2])
assert [value(s, "stap_exporter_script_up", script=name) for name in ("hostile", "autostart-one")] == [1, 1]
assert value(s, "stap_exporter_starts_total", script="wrong") == 1
index = get("")[2].decode()
assert "/hostile.stp" in index and "hidden" not in index
END
python3 plain.py "$url" > plain.out 2>&1 || say_wrong "$(cat plain.out plain.err)"
cat plain.out
end
python3 - <<'END' || say_wrong 'programs are left'
import sys
sys.exit(any("@stap-run/e_hostile" in line for line in open("/proc/net/unix")))
END

# Strangers who are slow: as many as there are places, each with a line of its request now and then. Whoever else asks
# is answered at once, and theirs are closed after ten seconds although they are never silent.
begin slow -s scripts -- --runtime=user
cat > slow.py <<'END'
import socket, sys, time
host, port = sys.argv[1][7:-1].split(":")
def slow(address):
	c = socket.create_connection((host, port), source_address=(address, 0))
	c.send(b"GET /metrics HTTP/1.1\r\nHost: x\r\n")
	return c
held = [slow(f"127.0.0.{i % 4 + 1}") for i in range(64)]
began = time.monotonic()
for address in ["127.0.0.1"] * 10 + ["127.0.0.9"] * 10:
	with socket.create_connection((host, port), source_address=(address, 0)) as c:
		c.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
		answer = c.recv(100)
	assert answer.startswith(b"HTTP/1.1 200"), f"{address}: {answer}"
def is_open(c):
	try:
		c.send(b"X-a: b\r\n")
		return c.recv(1, socket.MSG_DONTWAIT) != b""
	except BlockingIOError: return True
	except OSError: return False
while held and time.monotonic() - began < 60:
	held = [c for c in held if is_open(c)]
	time.sleep(0.5)
assert not held, f"{len(held)} slow connections are open after a minute"
print(f"slow connections were closed after {time.monotonic() - began:.0f} s")
END
python3 slow.py "$url" > slow.out 2>&1 || say_wrong "$(cat slow.out slow.err)"
tail -n 1 slow.out
# Killed with -9, it leaves no scripts behind.
runs_left() { grep -q "@stap-run/e_[a-z_0-9]*_${run}_" /proc/net/unix; }
no_runs_left() { ! runs_left; }
wait_until runs_left || say_wrong 'no script runs'
kill -KILL $run
wait $run 2> /dev/null
wait_until no_runs_left || { say_wrong 'kill -9 leaves scripts'; $STAP --stop "e_*_${run}_*"; }

# Scripts that others may have written are not run, nor is a web.config read.
mkdir -p theirs/sub
printf 'global n probe timer.ms(5) { n++ }\n' | tee theirs/good.stp theirs/bad.stp > theirs/bad-autostart.stp
printf 'basic_auth_users: {}\n' > theirs.yml
chmod o+w theirs/bad.stp theirs/bad-autostart.stp theirs.yml
check 1 '/^stap-exporter: .*/theirs.yml may be written by other users, who could change who may read; chmod go-w' -- \
	"$exporter" -p 0 -s scripts -w theirs.yml
begin theirs -s theirs -- --runtime=user
status_of() { curl -s -o answer -w '%{http_code}' "$url$1"; }
serves() { [ "$(status_of "$1")" = 200 ]; }
wait_until serves good || say_wrong "a script of one's own: $(cat answer theirs.err)"
[ "$(status_of bad)" = 503 ] && has answer '^bad is refused' || say_wrong "what others may write: $(cat answer)"
for name in bad bad-autostart; do
	said="^stap-exporter: .*/theirs/$name.stp may be written by other users, who could change the script; chmod"
	[ "$(grep -c "$said" theirs.err)" = 1 ] || say_wrong "$name: $(cat theirs.err)"
done
chmod o-w theirs/bad.stp
wait_until serves bad || say_wrong "mended: $(cat answer theirs.err)"
if [ "$(id -u)" = 0 ]; then
	chown 12345 theirs/bad-autostart.stp
	[ "$(status_of bad-autostart)" = 503 ] || say_wrong "another user's: $(cat answer)"
fi
end
chmod o+w theirs
check 1 '/^stap-exporter: .*/theirs may be written by other users, who could change the scripts; chmod go-w' -- \
	"$exporter" -p 0 -s theirs/sub
chmod o-w theirs

# Another user has sockets of all names that a script could have, and lies: nothing of it is served.
if [ "$(id -u)" = 0 ]; then
	mkdir plain
	printf 'global n probe timer.ms(5) { n++ }\n' > plain/a.stp
	begin spoof -s plain -- --runtime=user
	cat > spoof.py <<'END'
import resource, select, socket, sys
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
last, socks = int(open("/proc/loadavg").read().split()[-1]), []
for n in range(last, last + min(900, most - 50)):
	s = socket.socket(socket.AF_UNIX)
	s.bind(f"\0stap-run/e_a_{sys.argv[1]}_1/{n}")
	s.listen(8)
	socks.append(s)
print(len(socks), "bound", flush=True)
while True:
	for s in select.select(socks, [], [])[0]:
		c, _ = s.accept()
		try:
			c.recv(100)
			c.sendall(b"state\t3\nstarted\t1\nglobal\tpwned\tlong\tok\nuse\tcounter\nvalue\t666\nend\n")
		except OSError: pass
		c.close()
END
	setpriv --reuid=65534 --regid=65534 --clear-groups env python3 -c "$(cat spoof.py)" $run > spoof.out 2>&1 &
	spoof=$!
	wait_until has spoof.out bound || say_wrong "$(cat spoof.out)"
	wait_until serves a || say_wrong "beside another user's sockets: $(cat answer spoof.err)"
	has answer '^stap_n_total' && ! has answer pwned || say_wrong "another user's metrics: $(cat answer)"
	kill $spoof
	end
fi

# Passwords and TLS.
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
	-addext subjectAltName=IP:127.0.0.1 2> /dev/null
hash=$(perl -e 'print crypt("right", "\$2y\$04\$abcdefghijklmnopqrstuu")')
printf 'tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\nbasic_auth_users:\n  ann: "%s"\n' "$hash" > web.yml
begin tls -s scripts -w web.yml -- --runtime=user
ask() { curl -s -o answer -w '%{http_code}\n' --cacert cert.pem "$@"; }
[ "$(ask "${url}metrics")" = 401 ] || say_wrong "without a password: $(cat answer)"
[ "$(ask -u ann:wrong "${url}metrics")" = 401 ] || say_wrong 'a wrong password'
[ "$(ask -u bob:right "${url}metrics")" = 401 ] || say_wrong 'a wrong user'
[ "$(ask -u ann:right "${url}metrics")" = 200 ] || say_wrong "the right password: $(cat answer)"
[ "$(ask -u ann:right "${url}metrics")" = 200 ] || say_wrong 'the right password again'
[ "$(ask -u ann:wrong "${url}hostile")" = 401 ] || say_wrong 'a wrong password after a right one'
[ "$(ask --tls-max 1.1 -u ann:right "${url}metrics")" != 200 ] || say_wrong 'TLS 1.1'
[ "$(curl -s -o answer -w '%{http_code}' "http${url#https}metrics")" != 200 ] || say_wrong 'without TLS'
# The certificate is renewed, and the password is another: without a start. A pair that is none changes nothing.
new_pair() {
	openssl req -x509 -newkey rsa:2048 -nodes -keyout new.key -out new.pem -days 2 -subj /CN=localhost \
		-addext subjectAltName=IP:127.0.0.1 2> /dev/null
}
sees() { [ "$(curl -s -o answer -w '%{http_code}' --cacert "$1" -u "ann:$2" "${url}metrics")" = "$3" ]; }
new_pair
cp cert.pem old.pem
mv new.pem cert.pem
wait_until has tls.err 'web.yml: no server; are cert_file and key_file those of a pair' || say_wrong 'half of a pair'
sees old.pem right 200 || say_wrong 'half of a pair: it is not served as before'
mv new.key key.pem
wait_until sees cert.pem right 200 || say_wrong "a new certificate: $(cat tls.err)"
! sees old.pem right 200 || say_wrong 'the old certificate'
sed -i "s#ann: .*#ann: \"$(perl -e 'print crypt("other", "\$2y\$04\$abcdefghijklmnopqrstuu")')\"#" web.yml
wait_until sees cert.pem other 200 || say_wrong "a new password: $(cat tls.err)"
sees cert.pem right 401 || say_wrong 'the old password'
# What changes while it is being read is read once more: the certificate comes from a pipe, which waits for us.
mkfifo pipe.pem
configure() { # CERTIFICATE PASSWORD
	sed "s#cert_file:.*#cert_file: $1#; s#ann: .*#ann: \"$(perl -e 'print crypt($ARGV[0],
		"\$2y\$04\$abcdefghijklmnopqrstuu")' "$2")\"#" web.yml > new.yml
	mv new.yml web.yml
}
configure pipe.pem early
exec 7> pipe.pem
configure cert.pem late
cat cert.pem >&7
exec 7>&-
wait_until sees cert.pem late 200 || say_wrong "a change while it was read: $(cat tls.err)"
configure cert.pem other
wait_until sees cert.pem other 200 || say_wrong "a change after that: $(cat tls.err)"
printf 'nonsense: 1\n' >> web.yml
wait_until has tls.err 'it is served as before' && sees cert.pem other 200 || say_wrong 'a configuration that is none'
end
wrong_config() {
	printf "$1" > wrong.yml
	check 1 "/wrong.yml:[0-9]+: $2" -- "$exporter" -p 0 -s scripts -w wrong.yml
}
wrong_config 'basic_auth_users:\n  ann: right\n' "the password of 'ann' is not a bcrypt hash; htpasswd"
wrong_config 'basic_auth_users: {}\n' 'basic_auth_users has no users'
wrong_config 'basic_auth_user:\n  ann: x\n' "'basic_auth_user' is not supported here"
wrong_config 'tls_server_config:\n  cert_file: cert.pem\n' 'tls_server_config needs cert_file and key_file'
wrong_config 'tls_server_config:\n  client_auth_type: RequireAnyClientCert\n' 'client_auth_type .* is not supported'
wrong_config 'tls_server_config:\n  cert_file: no.pem\n  key_file: key.pem\n' './no.pem: No such file'
wrong_config 'a: [\n' ''
check 1 '/no directory /nonexistent: put the scripts' -- "$exporter" -p 0 -s /nonexistent
check 2 "/--listen needs ADDRESS:PORT, not 'x:y'" -- "$exporter" -l x:y
check 2 "/--keepalive needs a number" -- "$exporter" -k 0
check 0 '/^Usage: stap-exporter' -- "$exporter" --help

# stap --exporter, with the script and its options.
$program --runtime=user --exporter=127.0.0.1:0 -G size=7 -e 'global size = 1
	probe timer.ms(50) { if (size < 0) exit() }' \
	> one.url 2> one.err & run=$!
wait_until has one.url '/$' || say_wrong "$(cat one.err)"
answers() { curl -s "$(cat one.url)script" | grep -qx 'stap_size{script="script"} 7'; }
wait_until answers || say_wrong "$(cat one.err)"
end
finish
